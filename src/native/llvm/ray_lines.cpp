#include "native/llvm/ray_lines.hpp"

#include "native/llvm/shape.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace zug::codegen {

namespace {

struct Measured {
    RayLines::Line line;
    std::int32_t steps = 0;
};

// Nullopt: steps have different distances on different sites.
std::optional<Measured> measure_lines(const run::RayTable& table, std::uint32_t d) {
    Measured result;
    const auto row = [&](std::size_t site) { return table.rows[site * table.count + d]; };
    for (std::size_t site = 0; site < table.rows.size() / table.count; ++site) {
        if (row(site) == 0) continue;
        const int nearest = d < table.up ? std::countr_zero(row(site)) : 63 - std::countl_zero(row(site));
        const std::int32_t distance = nearest - static_cast<int>(site);
        if (result.line.distance != 0 && result.line.distance != distance) return std::nullopt;
        if (row(site) != (row(static_cast<std::size_t>(nearest)) | std::uint64_t{1} << nearest)) return std::nullopt;
        result.line.distance = distance;
        result.line.landing |= std::uint64_t{1} << nearest;
        result.steps = std::max(result.steps, std::popcount(row(site)));
    }
    return result;
}

} // namespace

RayLines::RayLines(const run::Bytecode& code) : by_table_(code.tables.rays.size(), 0) {
    std::vector<bool> narrow(code.tables.rays.size(), false);
    for (const run::Instr& i : code.instrs)
        if (i.op == run::Opcode::Rays_1)
            narrow[i.c] = true;
        else if (i.op == run::Opcode::CountRays_1 || i.op == run::Opcode::Between_1)
            narrow[static_cast<std::size_t>(i.imm)] = true;
    for (std::size_t t = 0; t < narrow.size(); ++t) {
        const run::RayTable& table = code.tables.rays[t];
        std::uint32_t all = 0;
        bool known = narrow[t] && table.rows.size() <= std::size_t{64} * table.count;
        for (std::uint32_t d = 0; d < table.count && known; ++d) {
            const auto measured = measure_lines(table, d);
            const std::uint32_t line = measured && measured->line.distance != 0 ? add(measured->line) : 0;
            known = line != 0;
            all |= line;
            if (known) steps_ = std::max(steps_, measured->steps);
        }
        if (known) by_table_[t] = all;
    }
}

bool RayLines::are_paired() const {
    for (std::uint32_t k = 0; k < count; ++k)
        if (lines_[k].distance != -lines_[(k + count / 2) % count].distance) return false;
    return true;
}

// Returns the line's bit; 0: all words are used.
std::uint32_t RayLines::add(const Line& line) {
    const auto same = [&](const Line& l) { return l.distance == line.distance && l.landing == line.landing; };
    if (const auto known = std::ranges::find_if(lines_, same); known != lines_.end())
        return 1u << (known - lines_.begin());
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::int32_t opposite = lines_[(k + count / 2) % count].distance;
        if (lines_[k].distance != 0 || (opposite != 0 && opposite != -line.distance)) continue;
        if (opposite == 0 && (k < count / 2) != (line.distance > 0)) continue;
        lines_[k] = line;
        return 1u << k;
    }
    return 0;
}

} // namespace zug::codegen

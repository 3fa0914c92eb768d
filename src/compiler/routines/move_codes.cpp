#include "compiler/routines/move_codes.hpp"

namespace zug::run {

bool is_check(Opcode op) {
    switch (op) {
    case Opcode::CheckAndSet_1:
    case Opcode::CheckAndSet_M:
    case Opcode::CheckAndSet_N:
    case Opcode::CheckAndSetAll_1:
    case Opcode::CheckAndSetAll_M:
    case Opcode::CheckAndSetAll_N:
    case Opcode::CheckDistinct:
    case Opcode::SetTurn: return true;
    default: return is_range_check(op);
    }
}

bool is_range_check(Opcode op) {
    switch (op) {
    case Opcode::CheckRange:
    case Opcode::CheckRangeOrNone:
    case Opcode::CheckRow:
    case Opcode::CheckBytes: return true;
    default: return false;
    }
}

MoveSetCode move_set_code(const ir::Program& program, const StateLayout& layout, ir::RuleId id, const MoveSet& c,
                          std::uint16_t words) {
    const ir::Rule& rule = program.rules[id];
    MoveSetCode code;
    code.rule = id;
    code.words = words;
    code.params = c.params;
    const std::size_t bits = rule.params.empty() ? 1 : c.params[0].size();
    code.codes.assign(bits, 0);
    code.real.assign(bits, false);
    for (std::size_t b = 0; b < bits; ++b) {
        std::vector<std::int64_t> values;
        bool real = true;
        for (std::size_t p = 0; p < rule.params.size(); ++p) {
            const ir::TypeId type = program.vars[rule.params[p]].type;
            const std::int64_t word = c.params[p][b];
            const bool site = program.types.kind(type) == ir::TypeKind::Site;
            if (word == undefined ||
                (site && layout.value_of_bit(type, static_cast<std::uint64_t>(word)) == ir::none)) {
                real = false;
                break;
            }
            values.push_back(layout.from_register(type, word));
        }
        const auto step = real ? ir::encode_step(program, id, values) : std::nullopt;
        code.real[b] = step.has_value();
        code.codes[b] = step.value_or(0);
    }
    return code;
}

namespace {

// The ordinal of a parameter; 0 for padding.
std::uint64_t ordinal_of(const ir::Program& program, const StateLayout& layout, ir::TypeId type, std::int64_t word) {
    const bool site = program.types.kind(type) == ir::TypeKind::Site;
    const bool real =
        word != undefined && (!site || (word >= 0 && word < layout.shape(type).bits &&
                                        layout.value_of_bit(type, static_cast<std::uint64_t>(word)) != ir::none));
    return real ? program.types.ordinal(type, layout.from_register(type, word)).value_or(0) : 0;
}

// By parameter: how far apart the step codes of instances are whose ordinals of it differ by one.
std::vector<std::uint64_t> strides(const ir::Program& program, const ir::Rule& rule) {
    std::vector<std::uint64_t> result;
    std::uint64_t stride = rule.code_count;
    for (const ir::VarId param : rule.params)
        result.push_back(stride /= program.types.cardinality(program.vars[param].type));
    return result;
}

} // namespace

std::vector<std::uint64_t> parameter_codes(const ir::Program& program, const StateLayout& layout, ir::RuleId id,
                                           const std::vector<std::vector<std::int64_t>>& tables, std::size_t bits) {
    const ir::Rule& rule = program.rules[id];
    const std::vector<std::uint64_t> stride = strides(program, rule);
    std::vector<std::uint64_t> codes(bits, 0);
    for (std::size_t p = 0; p < rule.params.size(); ++p)
        for (std::size_t b = 0; b < tables[p].size(); ++b)
            codes[b] += ordinal_of(program, layout, program.vars[rule.params[p]].type, tables[p][b]) * stride[p];
    return codes;
}

RecordCode record_code(const ir::Program& program, const StateLayout& layout, const RecordShape& shape,
                       const MoveRecord& record) {
    const ir::Rule& rule = program.rules[record.rule];
    RecordCode code{record.rule, shape.words, {}, record.params, {}, record.known_legal};
    code.codes = parameter_codes(program, layout, record.rule, record.params, std::size_t{shape.words} * 64);
    for (std::uint64_t& step : code.codes) step += rule.first_code;
    const std::vector<std::uint64_t> stride = strides(program, rule);
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        const ir::TypeId type = program.vars[rule.params[p]].type;
        if (!record.params[p].empty()) continue;
        const ir::Type& t = program.types[type];
        RecordCode::Kept kept{t.kind == ir::TypeKind::Int ? t.lo : 0, {}};
        for (std::uint32_t b = 0; b < layout.shape(type).bits; ++b)
            kept.codes.push_back(ordinal_of(program, layout, type, kept.low + static_cast<std::int64_t>(b)) *
                                 stride[p]);
        code.kept.push_back(std::move(kept));
    }
    return code;
}

} // namespace zug::run

#include "game/facts/move_kinds.hpp"

#include <algorithm>

namespace zug::game {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}

} // namespace

MoveKinds::MoveKinds(const ir::Program& program) {
    add_maps(program);
    for (const ir::Rule& rule : program.rules) {
        Rule& own = rules_.emplace_back();
        own.first_code = rule.first_code;
        for (const ir::VarId param : rule.params) own.params.push_back(describe(program, program.vars[param].type));
    }
    std::ranges::sort(rules_, {}, &Rule::first_code);
}

void MoveKinds::add_maps(const ir::Program& program) {
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& variable = program.states[id];
        if (!variable.assigned || variable.local || variable.indices.size() != 1) continue;
        const ir::Type& index = program.types[variable.indices[0]];
        if (index.kind != ir::TypeKind::Site || program.types[variable.value].kind == ir::TypeKind::Set) continue;
        const auto sites = static_cast<std::uint32_t>(variable.initial.size());
        maps_.push_back({id, sites, entries_});
        boards_.push_back(index.ref);
        entries_ += sites;
    }
}

MoveKinds::Param MoveKinds::describe(const ir::Program& program, ir::TypeId type) const {
    Param param;
    param.radix = program.types.cardinality(type);
    const bool optional = program.types[type].kind == ir::TypeKind::Optional;
    const ir::Type& inner = program.types[optional ? program.types.inner(type) : type];
    param.none = optional ? 1 : 0;
    param.site = inner.kind == ir::TypeKind::Site;
    if (!param.site) return param;
    for (std::size_t m = 0; m < maps_.size(); ++m)
        if (boards_[m] == inner.ref) param.firsts.push_back(maps_[m].first);
    return param;
}

std::uint64_t MoveKinds::of(std::span<const run::StepCode> steps, std::span<const std::uint32_t> contents) const {
    if (steps.empty() || steps.front() == run::pass_code) return 0;
    const run::StepCode code = steps.front();
    const auto after = std::ranges::upper_bound(rules_, code, {}, &Rule::first_code);
    if (after == rules_.begin()) return 0;
    const Rule& rule = *std::prev(after);
    std::uint64_t kind = mix(steps.size(), rule.first_code + 1);
    std::uint64_t rest = code - rule.first_code;
    for (auto param = rule.params.rbegin(); param != rule.params.rend(); ++param) {
        const std::uint64_t ordinal = rest % param->radix;
        rest /= param->radix;
        if (!param->site || ordinal < param->none) {
            kind = mix(kind, ordinal);
            continue;
        }
        for (const std::uint32_t first : param->firsts) kind = mix(kind, contents[first + ordinal - param->none]);
    }
    return kind;
}

} // namespace zug::game

#include "ir/program.hpp"

#include <array>

namespace zug::ir {

namespace {

struct OpInfo {
    std::string_view text;
    int arity;
};

constexpr std::array op_table = {
#define OP(name, arity, text) OpInfo{text, arity},
#include "ir/ops.def"
#undef OP
};

std::string tuple_text(const Program& program, TypeId type, std::int64_t value) {
    std::string text = "(";
    const auto& parts = program.types[type].parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) text += ", ";
        text += value_text(program, parts[i], program.types.project(type, value, i));
    }
    return text + ")";
}

} // namespace

std::string_view op_text(Op op) { return op_table[static_cast<std::size_t>(op)].text; }
int op_arity(Op op) { return op_table[static_cast<std::size_t>(op)].arity; }

std::uint32_t slots_per_value(const Program& program, StateId state) {
    const TypeId type = program.states[state].value;
    if (program.types.kind(type) != TypeKind::Set) return 1;
    return static_cast<std::uint32_t>(program.types.cardinality(program.types.inner(type)));
}

bool binds_variable(Op op) {
    switch (op) {
    case Op::Let:
    case Op::SetOf:
    case Op::UnionOver:
    case Op::Exists:
    case Op::ForAll:
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver:
    case Op::PathOver: return true;
    default: return false;
    }
}

bool is_arithmetic(Op op) {
    switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Neg:
    case Op::Min:
    case Op::Max: return true;
    default: return false;
    }
}

void decode_step(const Program& program, std::uint64_t code, RuleId& rule, std::vector<std::int64_t>& params) {
    std::size_t r = 0;
    while (r < program.rules.size()) {
        const Rule& candidate = program.rules[static_cast<RuleId>(r)];
        if (code >= candidate.first_code && code - candidate.first_code < candidate.code_count) break;
        ++r;
    }
    assert(r < program.rules.size());
    rule = static_cast<RuleId>(r);
    const Rule& found = program.rules[rule];
    std::uint64_t rest = code - found.first_code;
    params.resize(found.params.size());
    for (std::size_t i = params.size(); i-- > 0;) {
        const TypeId type = program.vars[found.params[i]].type;
        const auto radix = program.types.cardinality(type);
        params[i] = program.types.value(type, rest % radix);
        rest /= radix;
    }
}

std::optional<std::uint64_t> encode_step(const Program& program, RuleId rule, std::span<const std::int64_t> params) {
    const Rule& of = program.rules[rule];
    std::uint64_t code = 0;
    for (std::size_t i = 0; i < params.size(); ++i) {
        const TypeId type = program.vars[of.params[i]].type;
        const auto ordinal = program.types.ordinal(type, params[i]);
        if (!ordinal) return std::nullopt;
        code = code * program.types.cardinality(type) + *ordinal;
    }
    return of.first_code + code;
}

std::vector<std::uint64_t> slot_sizes(const Program& program) {
    std::vector<std::uint64_t> sizes(program.total_slots(), 1);
    for (const StateVariable& state : program.states) {
        if (!state.assigned) continue;
        const bool set = program.types.kind(state.value) == TypeKind::Set;
        const std::uint64_t size = set ? 2 : program.types.cardinality(state.value);
        std::fill_n(sizes.begin() + state.first_slot, state.initial.size(), size);
    }
    for (std::size_t slot = program.slot_count; slot < sizes.size(); ++slot) sizes[slot] = program.player_count();
    return sizes;
}

std::string value_text(const Program& program, TypeId type, std::int64_t value) {
    const Type& t = program.types[type];
    if (value == none) return "none";
    const auto i = static_cast<std::size_t>(value);
    switch (t.kind) {
    case TypeKind::Bool: return value != 0 ? "true" : "false";
    case TypeKind::Enum: return program.enums[static_cast<EnumId>(t.ref)][i];
    case TypeKind::Player: return program.players[i];
    case TypeKind::Site: {
        const Site& site = program.boards[static_cast<BoardId>(t.ref)].sites[i];
        return site.text.empty() ? site.name : site.text;
    }
    case TypeKind::Dir: return program.boards[static_cast<BoardId>(t.ref)].steps[static_cast<StepId>(i)].name;
    case TypeKind::Tuple: return tuple_text(program, type, value);
    case TypeKind::Optional: return value_text(program, t.parts.front(), value);
    default: return std::to_string(value);
    }
}

} // namespace zug::ir

#include "compiler/analysis/static_tables.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

using ir::TypeKind;

StaticTables::StaticTables(const ir::Program& program, const StateLayout& layout)
    : program_(program), layout_(layout), dependences_(program), work_{static_work},
      evaluator_(program, nullptr, &work_) {}

const StaticRows& StaticTables::rows_of(ir::ExprId set) {
    const auto known = known_.find(index(set));
    return known != known_.end() ? known->second : known_.emplace(index(set), find(set, false)).first->second;
}

const StaticRows& StaticTables::choices_of(ir::ExprId set) {
    const auto known = choices_.find(index(set));
    return known != choices_.end() ? known->second : choices_.emplace(index(set), find(set, true)).first->second;
}

StaticRows StaticTables::find(ir::ExprId set, bool is_choice) {
    StaticRows rows;
    const Dependence& on = dependences_.of(set);
    if (on.on_more || !(on.computes || is_choice) || on.names.empty() || work_.spent()) return rows;
    rows.names = on.names;
    const ir::TypeId given = program_.exprs[set].type;
    if (program_.types.kind(given) == TypeKind::Set) rows.words = layout_.shape(program_.types.inner(given)).words;
    std::size_t words = rows.words;
    for (const ir::VarId name : on.names) {
        const ir::TypeId type = program_.vars[name].type;
        const TypeKind of = program_.types.kind(type);
        if (of == TypeKind::Set || of == TypeKind::Path || of == TypeKind::Optional || of == TypeKind::Real)
            return rows;
        const std::uint64_t values = of == TypeKind::Site ? 1 : program_.types.cardinality(type);
        if (values > most_words) return rows;
        rows.radix.push_back(layout_.shape(type).bits);
        words *= rows.radix.back();
        if (words > most_words) return rows;
    }
    rows.bits.assign(words, 0);
    fill(set, rows);
    if (work_.spent()) rows.bits.clear();
    return rows;
}

void StaticTables::fill(ir::ExprId set, StaticRows& rows) {
    const ir::TypeId given = program_.exprs[set].type;
    const bool is_truth = program_.types.kind(given) == TypeKind::Bool;
    std::vector<std::uint32_t> bits(rows.names.size(), 0);
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        bool real = true;
        for (std::size_t k = 0; k < rows.names.size(); ++k) {
            const std::int64_t value = layout_.value_of_bit(program_.vars[rows.names[k]].type, bits[k]);
            real = real && value != ir::none;
            evaluator_.bind(rows.names[k], ir::scalar_value(value));
        }
        if (real && is_truth) {
            rows.bits[row] = evaluator_.truth(set) ? 1 : 0;
        } else if (real) {
            const std::vector<std::uint64_t> members = layout_.words(program_.types.inner(given), evaluator_.set(set));
            std::ranges::copy(members, rows.bits.begin() + static_cast<std::ptrdiff_t>(row * rows.words));
        }
        for (std::size_t k = bits.size(); k-- > 0;) {
            bits[k] = (bits[k] + 1) % rows.radix[k];
            if (bits[k] != 0) break;
        }
    }
}

std::optional<ir::VarId> StaticTables::only_name(ir::ExprId e) {
    const TypeKind kind = program_.types.kind(program_.exprs[e].type);
    if (kind != TypeKind::Bool && kind != TypeKind::Int) return std::nullopt;
    const Dependence& on = dependences_.of(e);
    return on.on_more || on.names.size() != 1 ? std::nullopt : std::optional(on.names[0]);
}

const StaticValues* StaticTables::values_of(ir::ExprId e, ir::VarId name, const std::vector<std::uint64_t>& wanted) {
    StaticValues& values = values_[index(e)];
    const bool is_truth = program_.types.kind(program_.exprs[e].type) == TypeKind::Bool;
    if (values.known.empty()) {
        values.known.assign(wanted.size(), 0);
        values.holds.assign(is_truth ? wanted.size() : 0, 0);
        values.numbers.assign(is_truth ? 0 : wanted.size() * 64, 0);
    }
    const ir::TypeId type = program_.vars[name].type;
    for (std::size_t w = 0; w < wanted.size(); ++w)
        for (std::uint64_t rest = wanted[w] & ~values.known[w]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
            evaluator_.bind(name, ir::scalar_value(program_.types.value(type, w * 64 + bit)));
            const std::int64_t found = evaluator_.scalar(e);
            if (work_.spent()) return nullptr;
            values.known[w] |= std::uint64_t{1} << bit;
            if (is_truth)
                values.holds[w] |= std::uint64_t{found != 0} << bit;
            else
                values.numbers[w * 64 + bit] = found;
        }
    return &values;
}

} // namespace zug::run

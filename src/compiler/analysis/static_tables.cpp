#include "compiler/analysis/static_tables.hpp"

#include <algorithm>

namespace zug::run {

using ir::TypeKind;

StaticTables::StaticTables(const ir::Program& program, const StateLayout& layout)
    : program_(program), layout_(layout), dependences_(program), work_{static_work},
      evaluator_(program, nullptr, &work_) {}

const StaticRows& StaticTables::rows_of(ir::ExprId set) {
    const auto known = known_.find(index(set));
    return known != known_.end() ? known->second : known_.emplace(index(set), find(set)).first->second;
}

StaticRows StaticTables::find(ir::ExprId set) {
    StaticRows rows;
    const Dependence& on = dependences_.of(set);
    if (on.on_more || !on.computes || on.names.empty() || work_.spent()) return rows;
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

} // namespace zug::run

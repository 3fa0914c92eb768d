#pragma once
// Sets and truths that depend on the values of names only, such as the squares between two others: a table with a row
// for each combination of values, worked out when the program is compiled. The row of a truth has one member or none.
//
// And numbers and truths that depend on one name only, for single values of it.
//
// Cost: the set is evaluated once for each combination, within a limit, and the table is kept; so is a number for each
// value that it is asked for.

#include "bytecode/state_layout.hpp"
#include "compiler/analysis/dependence.hpp"
#include "ir/evaluate.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace zug::run {

struct StaticRows {
    std::vector<ir::VarId> names;
    std::vector<std::uint32_t> radix; // by name: the bits of its values; the first counts most in a row's number
    std::uint16_t words = 1;          // of a row
    std::vector<std::uint64_t> bits;  // of all rows; empty: there is no table

    std::size_t rows() const { return bits.size() / words; }
    bool has(std::size_t row, std::size_t member) const {
        return (bits[row * words + member / 64] >> member % 64 & 1) != 0;
    }
};

// A truth or whole number for some values of the only name that it depends on.
struct StaticValues {
    std::vector<std::uint64_t> known;  // the ordinals of those values
    std::vector<std::uint64_t> holds;  // of a truth: of those for which it holds
    std::vector<std::int64_t> numbers; // else: by ordinal
};

class StaticTables {
public:
    static constexpr std::size_t most_words = std::size_t{1} << 17; // of a table

    StaticTables(const ir::Program& program, const StateLayout& layout);

    // Good until the next call.
    const StaticRows& rows_of(ir::ExprId set);
    // The same, also where the values of names only choose between sets, which a computed table seldom is better for.
    const StaticRows& choices_of(ir::ExprId set);
    // The name that a truth or whole number depends on, if it depends on nothing else.
    std::optional<ir::VarId> only_name(ir::ExprId e);
    // For these values of that name, a set of ordinals, at least. Null: finding it out costs too much.
    const StaticValues* values_of(ir::ExprId e, ir::VarId name, const std::vector<std::uint64_t>& wanted);

private:
    StaticRows find(ir::ExprId set, bool is_choice);
    void fill(ir::ExprId set, StaticRows& rows);

    const ir::Program& program_;
    const StateLayout& layout_;
    Dependences dependences_;
    ir::Work work_;
    ir::Evaluator evaluator_;
    std::unordered_map<std::size_t, StaticRows> known_, choices_; // by expression
    std::unordered_map<std::size_t, StaticValues> values_;        // by expression
};

} // namespace zug::run

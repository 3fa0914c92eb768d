#pragma once
// Sets and truths that depend on the values of names only, such as the squares between two others: a table with a row
// for each combination of values, worked out when the program is compiled. The row of a truth has one member or none.
//
// Cost: the set is evaluated once for each combination, within a limit, and the table is kept.

#include "bytecode/state_layout.hpp"
#include "compiler/analysis/dependence.hpp"
#include "ir/evaluate.hpp"

#include <cstdint>
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

class StaticTables {
public:
    static constexpr std::size_t most_words = std::size_t{1} << 17; // of a table

    StaticTables(const ir::Program& program, const StateLayout& layout);

    // Good until the next call.
    const StaticRows& rows_of(ir::ExprId set);

private:
    StaticRows find(ir::ExprId set);
    void fill(ir::ExprId set, StaticRows& rows);

    const ir::Program& program_;
    const StateLayout& layout_;
    Dependences dependences_;
    ir::Work work_;
    ir::Evaluator evaluator_;
    std::unordered_map<std::size_t, StaticRows> known_; // by expression
};

} // namespace zug::run

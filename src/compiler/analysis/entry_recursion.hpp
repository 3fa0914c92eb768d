#pragma once
// Conditions that are defined by themselves and are about the entries of a matrix, such as
//
//   def joined(x, y: int, p: player) = at[x, y] = p and (y = 1 or joined(x - 1, y, p) or joined(x, y + 1, p))
//
// They are the least set of entries that satisfies the definition, which is grown for all entries at once. Outside of
// the matrix, where a read gives `none`, they hold only where an alternative does that does not call the definition.

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace zug::run {

struct EntryRecursion {
    ir::StateId matrix{};
    std::vector<std::size_t> indices; // of the parameters, in the order of the matrix's indices
    std::vector<ir::ExprId> outside;  // the alternatives of the body that can hold outside of the matrix
};

// nullopt: it is another definition. Cost: linear in its size.
std::optional<EntryRecursion> entry_recursion(const ir::Program& program, ir::FunctionId id);

} // namespace zug::run

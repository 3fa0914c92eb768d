#pragma once
// The texts in a drawn tree, the same in each format, in UTF-8. Names, moves and boards come from the rule file and are
// without control characters here, but not escaped for any format.

#include "draw/tree.hpp"

#include <string>
#include <vector>

namespace zug::draw {

// `MAX`, `MIN`, `chance`; the player's name with max^n; `end` and `leaf`.
std::string kind_text(const Tree& tree, const Node& node);
// `3`, `≤ 2`, `≥ 5`; with max^n `(1, -0.5, -0.5)`.
std::string value_text(const Tree& tree, const Node& node);
// `α = 3, β = ∞`; empty if the method has no bounds there.
std::string window_text(const Node& node);
// `cut-off: 2 ≤ α = 3`; empty if there was none. `certain`: the value that made it.
std::string cut_text(const Tree& tree, const Node& node);
// The moves of a branch, at most `most` of them, each of at most so many characters.
std::string branch_text(const Branch& branch, std::size_t most = 4);
// `0.9`; empty but for an outcome of chance.
std::string probability_text(const Branch& branch);
// Both: `B (0.9)`.
std::string label_text(const Branch& branch);
// The board, line by line.
std::vector<std::string> board_lines(const Node& node);

// What the tree is of, in a line: the game, the method, its size.
std::string heading(const Tree& tree);
// The first moves of best play.
std::string best_line(const Tree& tree);

// The characters of a text.
std::size_t width_of(const std::string& text);

} // namespace zug::draw

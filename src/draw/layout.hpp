#pragma once
// A tidy layout of a tree: parents in the middle above their children, equal subtrees drawn alike, mirrored trees drawn
// mirrored, and as narrow as these allow.
//
// E. Reingold, J. Tilford, Tidier drawings of trees, IEEE Transactions on Software Engineering 7 (1981); J. Walker, A
// node-positioning algorithm for general trees, Software: Practice and Experience 20 (1990); C. Buchheim, M. Jünger,
// S. Leipert, Improving Walker's algorithm to run in linear time, Graph Drawing 2002, whose names these are.

#include <cstddef>
#include <vector>

namespace zug::draw {

struct Box {
    double width = 0;
    std::vector<std::size_t> children; // indices, from left to right; each box has one parent
    double x = 0;                      // of the middle, set by lay_out; the leftmost edge of all boxes is at 0
};

// Box 0 is the root. At least `gap` remains between two boxes of a level. Linear in the number of boxes.
void lay_out(std::vector<Box>& boxes, double gap);

} // namespace zug::draw

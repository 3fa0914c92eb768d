#pragma once
// The straight lines along which rays run, on boards of one word. Each line has a word of a vector of its own, so all
// sliding pieces move along all lines at once. Only the nearest of several pieces on a line reaches a site along it, so
// the moves in each word are distinct.

#include "bytecode/bytecode.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace zug::codegen {

class RayLines {
public:
    static constexpr unsigned count = 8;
    struct Line {
        std::int32_t distance = 0; // of a step; 0: the word is unused
        std::uint64_t landing = 0; // the sites that a step can lead to without leaving the board
    };

    explicit RayLines(const run::Bytecode& code);

    // Lines k and k + 4 are opposite, if both are used.
    const std::array<Line, count>& lines() const { return lines_; }
    bool are_paired() const;                      // every line has an opposite one
    std::int32_t steps() const { return steps_; } // on the longest line
    // The lines of a table's directions, as a set of bits; 0: some of its directions are none of these lines.
    std::uint32_t lines_of(std::uint32_t table) const { return by_table_[table]; }

private:
    std::uint32_t add(const Line& line);

    std::array<Line, count> lines_{};
    std::vector<std::uint32_t> by_table_;
    std::int32_t steps_ = 0;
};

} // namespace zug::codegen

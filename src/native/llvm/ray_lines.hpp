#pragma once
// The straight lines that rays run along, on boards of one word, each in a word of a vector of its own: all pieces that
// slide are moved along all lines at once. Of several on one line only the nearest reaches a place, so what each word
// holds tells moves apart.

#include "bytecode/bytecode.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace zug::codegen {

class RayLines {
public:
    static constexpr unsigned count = 8;
    struct Line {
        std::int32_t distance = 0; // of a step; 0: there is no such line
        std::uint64_t landing = 0; // where a step that stays on the board can lead
    };

    explicit RayLines(const run::Bytecode& code);

    // Line k + 4 leads back where line k leads, for k < 4, if both are there.
    const std::array<Line, count>& lines() const { return lines_; }
    bool are_paired() const;                      // each line has the one that leads back
    std::int32_t steps() const { return steps_; } // on the longest
    // The lines of a table, as bits; 0: they aren't among these.
    std::uint32_t lines_of(std::uint32_t table) const { return by_table_[table]; }

private:
    std::uint32_t add(const Line& line);

    std::array<Line, count> lines_{};
    std::vector<std::uint32_t> by_table_;
    std::int32_t steps_ = 0;
};

} // namespace zug::codegen

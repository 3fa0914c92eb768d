#pragma once
// The lines of a text, and its positions as editors count them: lines from 0, and in a line units of UTF-16, from 0. A
// line ends with \n, \r\n or \r.

#include "lsp/text/json.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace zug::lsp {

struct Position {
    std::uint32_t line = 0, character = 0;
};

class Lines {
public:
    // The text must outlive this. Linear in its length.
    explicit Lines(std::string_view text);

    std::size_t count() const { return begins_.size(); }
    std::size_t begin(std::size_t line) const { return begins_[line]; }
    // Of a byte; beyond the end, of the end. Cost: some hundred bytes are looked at, however long the line is.
    Position position(std::size_t offset) const;
    // The byte at a position. Beyond the end of a line it is that end, beyond the last line that of the text; in the
    // middle of a character it is where the character begins. Linear in the length of the line.
    std::size_t offset(Position position) const;

private:
    static constexpr std::size_t block = 256; // bytes

    std::uint32_t units_before(std::size_t offset) const;

    std::string_view text_;
    std::vector<std::size_t> begins_;
    std::vector<std::uint32_t> units_; // of UTF-16 before each block, and in all of the text
};

// Positions in messages. Throws what the JSON library does if it is none.
Position position_of(const Json& json);
Json to_json(Position position);
Json range_json(const Lines& lines, std::size_t begin, std::size_t end);

} // namespace zug::lsp

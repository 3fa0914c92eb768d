#include "utf16.hpp"

#include "client.hpp"

#include <algorithm>
#include <array>

namespace zug::test {

namespace {

void append_utf16(std::u16string& units, char32_t character) {
    if (character < 0x10000) {
        units += static_cast<char16_t>(character);
        return;
    }
    units += static_cast<char16_t>(0xD800 + ((character - 0x10000) >> 10U));
    units += static_cast<char16_t>(0xDC00 + ((character - 0x10000) & 0x3FFU));
}

void append_utf8(std::string& bytes, char32_t character) {
    const int more = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    constexpr std::array<unsigned, 4> marks = {0, 0xC0, 0xE0, 0xF0};
    const auto shift = [&](int bits) { return static_cast<unsigned>(character) >> static_cast<unsigned>(bits); };
    bytes += static_cast<char>(marks.at(static_cast<std::size_t>(more)) | shift(6 * more));
    for (int i = more - 1; i >= 0; --i) bytes += static_cast<char>(0x80U | (shift(6 * i) & 0x3FU));
}

// Of valid UTF-8.
std::u16string utf16(const std::string& utf8) {
    std::u16string units;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto first = static_cast<unsigned char>(utf8[i++]);
        const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        char32_t character = more == 0 ? first : first & (0x3FU >> static_cast<unsigned>(more));
        for (int k = 0; k < more; ++k)
            character = (character << 6U) | (static_cast<unsigned char>(utf8.at(i++)) & 0x3FU);
        append_utf16(units, character);
    }
    return units;
}

bool is_first_half(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_second_half(char16_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

} // namespace

Utf16Text::Utf16Text(const std::string& utf8) : units_(utf16(utf8)) {}

std::string Utf16Text::utf8() const {
    std::string bytes;
    for (std::size_t i = 0; i < units_.size(); ++i) {
        if (!is_first_half(units_[i])) {
            append_utf8(bytes, units_[i]);
            continue;
        }
        const char32_t high = units_[i] - 0xD800U, low = units_.at(++i) - 0xDC00U;
        append_utf8(bytes, 0x10000 + (high << 10U) + low);
    }
    return bytes;
}

// Between characters, and not between the two of a line end: no position is there.
std::size_t Utf16Text::random_place(Random& random, std::size_t from, std::size_t most) const {
    const std::size_t span = std::min(most, units_.size() - from);
    std::size_t at = from + random.below(static_cast<std::uint32_t>(span) + 1);
    while (at > 0 && at < units_.size() &&
           (is_second_half(units_[at]) || (units_[at - 1] == u'\r' && units_[at] == u'\n')))
        ++at;
    return at;
}

lsp::Json Utf16Text::position(std::size_t unit) const {
    std::uint32_t line = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < unit; ++i) {
        const bool pair = units_[i] == u'\r' && i + 1 < units_.size() && units_[i + 1] == u'\n';
        if (pair || (units_[i] != u'\n' && units_[i] != u'\r')) continue;
        ++line;
        begin = i + 1;
    }
    return zug::test::position(line, static_cast<std::uint32_t>(unit - begin));
}

lsp::Json Utf16Text::change(Random& random, const std::string& text) {
    const std::size_t begin = random_place(random, 0, units_.size());
    const std::size_t end = random_place(random, begin, 12);
    lsp::Json change = {{"range", {{"start", position(begin)}, {"end", position(end)}}}, {"text", text}};
    units_.replace(begin, end - begin, utf16(text));
    return change;
}

std::string strange_text(Random& random, std::uint32_t most) {
    static constexpr std::array pieces = {
        "a", "when",  " ", "\n", "\r\n", "\r", "\"", "#", "\xc3\xa9", "\xe2\x99\x9e", "\xf0\x9d\x94\x98",
        "(", "at[c]", "0"};
    std::string text;
    for (std::uint32_t count = random.below(most + 1); count > 0; --count)
        text += pieces.at(random.below(pieces.size()));
    return text;
}

} // namespace zug::test

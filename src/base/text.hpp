#pragma once
// Small questions about texts.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace zug {

inline constexpr std::string_view blanks = " \t\r"; // within a line

// Without the blanks at its ends.
constexpr std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Letters of ASCII, digits and `_`: what names of the language are made of.
constexpr bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Where a word begins that stands by itself in a text, from an offset on; npos: nowhere, or it is empty.
constexpr std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
    if (word.empty()) return text.npos;
    for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word_character(text[at - 1])) && (end == text.size() || !is_word_character(text[end])))
            return at;
    }
    return text.npos;
}

// The number that the whole text is; none: it is something else, or out of the type's range.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

// A number of bytes, as 4096, 512M, 1.5GB or 8GiB; a unit is a power of 1024, in capital or small letters.
inline std::optional<std::uint64_t> bytes_in(std::string_view text) {
    constexpr std::string_view units = "KMGTkmgt";
    double number = 0;
    const char* const stop = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), stop, number);
    std::string_view unit(end, static_cast<std::size_t>(stop - end));
    if (error != std::errc{}) return std::nullopt;
    bool binary = false; // as in GiB, which is the same here
    if (const auto power = unit.empty() ? units.npos : units.find(unit.front()); power != units.npos) {
        number = std::ldexp(number, 10 * (static_cast<int>(power % 4) + 1));
        unit.remove_prefix(1);
        binary = unit.starts_with('i') || unit.starts_with('I');
        if (binary) unit.remove_prefix(1);
    }
    const bool known = unit == "B" || unit == "b" || (unit.empty() && !binary);
    if (!known || !(number >= 0 && number < 0x1p63)) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

} // namespace zug

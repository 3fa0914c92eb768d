#pragma once
// Small questions about texts.

#include <charconv>
#include <optional>
#include <string_view>

namespace zug {

inline constexpr std::string_view blanks = " \t\r"; // within a line

// Without the blanks at its ends.
constexpr std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The number that the whole text is; none: it is something else, or out of the type's range.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

} // namespace zug

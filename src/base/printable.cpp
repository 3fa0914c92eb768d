#include "base/printable.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace zug {

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// The length of ESC [ ... m at text[at], or 0.
std::size_t colour_length(std::string_view text, std::size_t at) {
    if (!text.substr(at).starts_with("\x1b[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
    return byte_at(text, end) == 'm' ? end + 1 - at : 0;
}

bool continues_character(std::string_view text, std::size_t at) { return (byte_at(text, at) & 0xC0U) == 0x80U; }

} // namespace

std::size_t control_length(std::string_view text, std::size_t at) {
    const unsigned first = byte_at(text, at), second = byte_at(text, at + 1), third = byte_at(text, at + 2);
    if (first < 0x20) return first == '\n' || first == '\t' || first == '\r' ? 0 : 1;
    if (first == 0x7F) return 1;
    if (first == 0xC2 && second >= 0x80 && second < 0xA0) return 2;                            // U+0080 to U+009F
    const bool turns = first == 0xE2 && ((second == 0x80 && third >= 0xAA && third <= 0xAE) || // U+202A to U+202E
                                         (second == 0x81 && third >= 0xA6 && third <= 0xA9));  // U+2066 to U+2069
    return turns ? 3 : 0;
}

std::string printable(std::string_view text, bool colours) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t kept = colours ? colour_length(text, at) : 0;
        const std::size_t control = kept > 0 ? 0 : control_length(text, at);
        if (control > 0)
            result += '?';
        else
            result += text.substr(at, std::max<std::size_t>(kept, 1));
        at += std::max<std::size_t>(kept + control, 1);
    }
    return result;
}

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    std::size_t head = most * 2 / 3, tail = text.size() - (most - head);
    while (head > 0 && continues_character(text, head)) --head;
    while (continues_character(text, tail)) ++tail;
    return fmt::format("{} ... ({} bytes) ... {}", text.substr(0, head), tail - head, text.substr(tail));
}

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 16, first = 10;
    if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{}, ..., {}", fmt::join(std::span(names).first(first), ", "), names.back());
}

} // namespace zug

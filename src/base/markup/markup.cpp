#include "base/markup/markup.hpp"

#include <cstddef>
#include <cstdint>

namespace zug {

namespace {

// The length of the character of XML that begins with a byte beyond ASCII; 0 if none does.
std::size_t character_length(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
    std::uint32_t code = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xC0U) != 0x80U) return 0;
        code = code << 6U | (next & 0x3FU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return overlong || surrogate || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF ? 0 : length;
}

} // namespace

std::string escaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const char letter = text[at];
        if (static_cast<unsigned char>(letter) >= 0x80) {
            const std::size_t length = character_length(text, at);
            out += length == 0 ? std::string_view("?") : text.substr(at, length);
            at += length == 0 ? 1 : length;
            continue;
        }
        switch (letter) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += letter < ' ' || letter == 0x7F ? ' ' : letter;
        }
        ++at;
    }
    return out;
}

} // namespace zug

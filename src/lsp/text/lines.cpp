#include "lsp/text/lines.hpp"

#include <algorithm>

namespace zug::lsp {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
// Units of UTF-16 of the character that begins with this byte; none for the bytes that follow.
std::uint32_t units_of(char c) { return continues_character(c) ? 0 : static_cast<unsigned char>(c) >= 0xF0U ? 2 : 1; }

// The protocol's numbers end at 2^31; whatever is greater is beyond all texts just as well.
std::uint32_t number_of(const Json& json) {
    const auto number = json.get_ref<const Json::number_unsigned_t&>();
    return static_cast<std::uint32_t>(std::min<Json::number_unsigned_t>(number, UINT32_MAX));
}

} // namespace

Lines::Lines(std::string_view text) : text_(text), begins_{0} {
    std::uint32_t units = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % block == 0) units_.push_back(units);
        units += units_of(text[i]);
        const bool carriage = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
        if (text[i] == '\n' || carriage) begins_.push_back(i + 1);
    }
    units_.push_back(units);
}

std::uint32_t Lines::units_before(std::size_t offset) const {
    const std::size_t whole = offset / block;
    std::uint32_t units = units_[whole];
    for (std::size_t i = whole * block; i < offset; ++i) units += units_of(text_[i]);
    return units;
}

Position Lines::position(std::size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto next = std::ranges::upper_bound(begins_, offset);
    const auto line = static_cast<std::size_t>(next - begins_.begin()) - 1;
    return {.line = static_cast<std::uint32_t>(line), .character = units_before(offset) - units_before(begins_[line])};
}

std::size_t Lines::offset(Position position) const {
    if (position.line >= begins_.size()) return text_.size();
    std::size_t at = begins_[position.line];
    std::uint32_t passed = 0;
    while (at < text_.size() && text_[at] != '\n' && text_[at] != '\r') {
        passed += units_of(text_[at]);
        if (passed > position.character) return at;
        do ++at;
        while (at < text_.size() && continues_character(text_[at]));
    }
    return at;
}

Position position_of(const Json& json) {
    return {.line = number_of(json.at("line")), .character = number_of(json.at("character"))};
}

Json to_json(Position position) { return {{"line", position.line}, {"character", position.character}}; }

Json range_json(const Lines& lines, std::size_t begin, std::size_t end) {
    return {{"start", to_json(lines.position(begin))}, {"end", to_json(lines.position(end))}};
}

} // namespace zug::lsp

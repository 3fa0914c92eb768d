#include "ir/glyphs.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace zug::ir {

namespace {

TypeId bare(const Program& program, TypeId type) {
    return program.types.kind(type) == TypeKind::Optional ? program.types.inner(type) : type;
}

std::string in_case(std::string text, int (*change)(int)) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(change(static_cast<unsigned char>(c)));
    return text;
}

std::string tuple_text(const Program& program, TypeId type, std::int64_t value) {
    const auto& parts = program.types[type].parts;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        texts.push_back(glyph_text(program, parts[i], program.types.project(type, value, i)));
    if (parts.size() == 2 && program.types.kind(parts[0]) == TypeKind::Player && program.player_count() == 2) {
        const std::string capital = in_case(texts[1], std::toupper), small = in_case(texts[1], std::tolower);
        if (capital != small) return program.types.project(type, value, 0) == 1 ? small : capital;
    }
    return std::accumulate(texts.begin(), texts.end(), std::string());
}

} // namespace

const Glyph* given_glyph(const Program& program, TypeId type, std::int64_t value) {
    const TypeId wanted = bare(program, type);
    const auto given = std::ranges::find_if(program.glyphs, [&](const Glyph& glyph) {
        return glyph.value == value && (value == none || bare(program, glyph.type) == wanted);
    });
    return given == program.glyphs.end() ? nullptr : &*given;
}

std::string glyph_text(const Program& program, TypeId type, std::int64_t value) {
    if (const Glyph* given = given_glyph(program, type, value)) return given->text;
    if (value == none) return ".";
    type = bare(program, type);
    switch (program.types.kind(type)) {
    case TypeKind::Bool: return value != 0 ? "x" : ".";
    case TypeKind::Tuple: return tuple_text(program, type, value);
    default: return value_text(program, type, value);
    }
}

bool fits_row(std::string_view glyph) {
    return !glyph.empty() && std::isdigit(static_cast<unsigned char>(glyph.front())) == 0 &&
           glyph.find_first_of("/=,:;{}()[]#'\" \t\n") == std::string_view::npos;
}

std::optional<std::pair<std::size_t, std::size_t>> ambiguous_glyphs(const std::vector<std::string>& texts) {
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) -> const std::string& { return texts[i]; });
    // In this order a text stands right before one that begins with it, if there is one.
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
        if (texts[order[i + 1]].starts_with(texts[order[i]])) return std::pair(order[i], order[i + 1]);
    return std::nullopt;
}

} // namespace zug::ir

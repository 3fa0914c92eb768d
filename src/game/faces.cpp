#include "game/faces.hpp"

#include "base/colours.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace zug::game {

using ir::TypeKind;

namespace {

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

constexpr std::array player_colours = {"white", "yellow", "green", "red", "blue", "magenta", "cyan"};

class Painter {
public:
    explicit Painter(const ir::Program& program) : program_(program) {}

    std::string text(ir::TypeId type, std::int64_t value) const {
        if (const ir::Glyph* glyph = given(type, value)) return glyph->text;
        if (value == ir::none) return ".";
        const ir::Type& t = program_.types[type];
        switch (t.kind) {
        case TypeKind::Optional: return text(t.parts.front(), value);
        case TypeKind::Bool: return value != 0 ? "x" : ".";
        case TypeKind::Tuple: return tuple(type, value);
        default: return value_text(program_, type, value);
        }
    }

    std::string colour(ir::TypeId type, std::int64_t value) const {
        if (const ir::Glyph* glyph = given(type, value); glyph != nullptr && !glyph->colour.empty())
            return glyph->colour;
        if (value == ir::none) return {};
        const ir::Type& t = program_.types[type];
        if (t.kind == TypeKind::Optional) return colour(t.parts.front(), value);
        if (t.kind == TypeKind::Player) return player_colours[static_cast<std::size_t>(value) % player_colours.size()];
        if (t.kind == TypeKind::Tuple) return colour(t.parts.front(), program_.types.project(type, value, 0));
        return {};
    }

private:
    const ir::Glyph* given(ir::TypeId type, std::int64_t value) const {
        const auto stripped = [&](ir::TypeId id) {
            return program_.types.kind(id) == TypeKind::Optional ? program_.types.inner(id) : id;
        };
        for (const ir::Glyph& glyph : program_.glyphs)
            if (glyph.value == value && (value == ir::none || stripped(glyph.type) == stripped(type))) return &glyph;
        return nullptr;
    }

    // (player, kind) of two players: the kind's letter, in lower case for the second player. Other tuples: the faces of
    // their parts.
    std::string tuple(ir::TypeId type, std::int64_t value) const {
        const auto& parts = program_.types[type].parts;
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < parts.size(); ++i)
            texts.push_back(text(parts[i], program_.types.project(type, value, i)));
        const bool piece = parts.size() == 2 && program_.types.kind(parts[0]) == TypeKind::Player &&
                           program_.player_count() == 2 && texts[1].size() == 1;
        if (piece) {
            const bool second = program_.types.project(type, value, 0) == 1;
            return {second ? lower(texts[1][0]) : upper(texts[1][0])};
        }
        std::string all;
        for (const auto& one : texts) all += one;
        return all;
    }

    const ir::Program& program_;
};

} // namespace

Faces faces_of(const ir::Program& program, ir::TypeId type) {
    Faces faces;
    const auto count = program.types.cardinality(type);
    if (count > max_faces) return faces;
    const Painter painter(program);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::int64_t value = program.types.value(type, i);
        faces.texts.push_back(painter.text(type, value));
        faces.colours.push_back(painter.colour(type, value));
        faces.width = std::max(faces.width, characters(faces.texts.back()).size());
    }
    return faces;
}

const ir::Glyph* tuple_glyph(const ir::Program& program, ir::TypeId type, std::int64_t value) {
    if (value == ir::none) return nullptr;
    if (program.types.kind(type) == TypeKind::Optional) type = program.types.inner(type);
    if (program.types.kind(type) != TypeKind::Tuple) return nullptr;
    const auto given = std::ranges::find_if(
        program.glyphs, [&](const ir::Glyph& glyph) { return glyph.type == type && glyph.value == value; });
    return given == program.glyphs.end() ? nullptr : &*given;
}

bool fits_rows(const ir::Program& program, ir::TypeId type) {
    if (program.types.kind(type) != TypeKind::Optional) return false;
    const Faces faces = faces_of(program, type);
    std::set<std::string> seen;
    for (std::size_t i = 1; i < faces.texts.size(); ++i) {
        const std::string& text = faces.texts[i];
        if (characters(text).size() != 1 || !seen.insert(text).second) return false;
        if (std::string_view("0123456789/=,:;{}()#'\" \t").find(text) != std::string_view::npos) return false;
    }
    return !seen.empty();
}

std::vector<std::string> characters(std::string_view text) {
    std::vector<std::string> result;
    for (char c : text) {
        const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (continues && !result.empty()) {
            result.back() += c;
        } else {
            result.emplace_back(1, c);
        }
    }
    return result;
}

std::string colour_on(std::string_view colour) {
    for (const auto& [name, code] : colours)
        if (name == colour) return "\x1b[" + std::string(code) + "m";
    return {};
}

} // namespace zug::game

// The letters of single values, where a file draws positions.

#include "lang/resolve/letters.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace zug::lang {

using ir::TypeId;
using ir::TypeKind;

namespace {

std::string capital(char c) { return {static_cast<char>(std::toupper(static_cast<unsigned char>(c)))}; }
std::string small(char c) { return {static_cast<char>(std::tolower(static_cast<unsigned char>(c)))}; }

} // namespace

std::string letter_of(const ir::Program& program, TypeId type, std::int64_t value) {
    for (const auto& glyph : program.glyphs)
        if (glyph.type == type && glyph.value == value) return glyph.text;
    if (program.types.kind(type) != TypeKind::Tuple) return ir::value_text(program, type, value);
    const auto& parts = program.types[type].parts;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        texts.push_back(letter_of(program, parts[i], program.types.project(type, value, i)));
    if (parts.size() == 2 && program.types.kind(parts[0]) == TypeKind::Player && program.players.size() == 2 &&
        texts[1].size() == 1)
        return program.types.project(type, value, 0) == 1 ? small(texts[1][0]) : capital(texts[1][0]);
    std::string all;
    for (const auto& text : texts) all += text;
    return all;
}

std::map<std::string, std::int64_t> letters_of(const ir::Program& program, TypeId type) {
    std::map<std::string, std::int64_t> result;
    constexpr std::uint64_t most = 4096;
    const TypeKind kind = program.types.kind(type);
    if (kind == TypeKind::Set || kind == TypeKind::Path || kind == TypeKind::Real || kind == TypeKind::None)
        return result;
    for (std::uint64_t i = 0; i < std::min(most, program.types.cardinality(type)); ++i) {
        const std::int64_t value = program.types.value(type, i);
        result.emplace(letter_of(program, type, value), value);
    }
    return result;
}

} // namespace zug::lang

// Glyphs.
//
// A value without a glyph of its own shows as a letter: a player or member of an enumeration as the first letter of its
// name that neither stands for an earlier name nor begins a later one (Knight is N beside King); a (player, kind) of
// two players as the kind's letter, capital for the first player and small for the second.

#include "lang/checker.hpp"

#include "base/colours.hpp"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace zug::lang {

namespace {

std::string capital(char c) { return {static_cast<char>(std::toupper(static_cast<unsigned char>(c)))}; }
std::string small(char c) { return {static_cast<char>(std::tolower(static_cast<unsigned char>(c)))}; }

} // namespace

void Checker::check_glyphs() {
    for (const auto& item : own_first(Kind::Glyph)) check_look(item, &Checker::check_glyph);
    std::vector<TypeId> lettered;
    for (const auto& state : program_.states) {
        const TypeId inner = bare(state.value);
        std::vector<TypeId> parts{inner};
        if (kind(inner) == TypeKind::Tuple) parts = types()[inner].parts;
        for (TypeId part : parts)
            if ((kind(part) == TypeKind::Player || kind(part) == TypeKind::Enum) &&
                std::ranges::find(lettered, part) == lettered.end())
                lettered.push_back(part);
    }
    for (TypeId type : lettered) default_letters(type);
}

// The value may be that of a state variable, or a player or member that is part of one.
void Checker::check_glyph(NodeId id) {
    std::vector<TypeId> candidates;
    for (const auto& state : program_.states)
        if (is_scalar(state.value)) candidates.push_back(state.value);
    const NodeId pattern_node = child(id, 0);
    if (!valid(pattern_node)) return;
    const bool structured = node(pattern_node).kind == Kind::Tuple || is_name(pattern_node, "none");
    if (structured) {
        for (TypeId type : candidates) {
            const TypeId inner = bare(type);
            if (is_name(pattern_node, "none")
                    ? kind(type) == TypeKind::Optional
                    : kind(inner) == TypeKind::Tuple && types()[inner].parts.size() == children(pattern_node).size()) {
                glyph_for(id, type);
                return;
            }
        }
        error(Message::GlyphValue, span(pattern_node));
        return;
    }
    const Operand found = expr(pattern_node);
    if (!found.ok()) return;
    const auto constant = valid(found.expr) ? builder_.scalar(found.expr) : std::nullopt;
    if (!constant) {
        error(Message::NotConstant, span(pattern_node));
        return;
    }
    add_glyph(id, bare(found.type), *constant);
}

void Checker::add_glyph(NodeId id, TypeId type, std::int64_t value) {
    const auto same = [&](const ir::Glyph& glyph) { return glyph.type == type && glyph.value == value; };
    // A file's own glyphs come first, and replace those of the file it extends.
    if (extended_files_.contains(span(id).file) && std::ranges::any_of(program_.glyphs, same)) return;
    const NodeId colour = child(id, 1);
    if (valid(colour) && std::ranges::find(colours, node(colour).text, &Colour::name) == colours.end()) {
        std::vector<std::string> names;
        for (const Colour& known : colours) names.emplace_back(known.name);
        error(Message::UnknownColour, span(colour), {node(colour).text, fmt::format("{}", fmt::join(names, ", "))},
              suggestion(node(colour).text, names));
    }
    program_.glyphs.push_back(
        {.type = type, .value = value, .text = node(id).text, .colour = valid(colour) ? node(colour).text : ""});
}

// One glyph for each value that the pattern matches.
void Checker::glyph_for(NodeId id, TypeId type) {
    const Pattern wanted = pattern(child(id, 0), type, false, true);
    if (wanted.shape == Pattern::Shape::Wrong) return;
    constexpr std::uint64_t most = 4096;
    if (types().cardinality(type) > most) {
        error(Message::GlyphValue, span(id));
        return;
    }
    for (std::uint64_t i = 0; i < types().cardinality(type); ++i) {
        const std::int64_t value = types().value(type, i);
        if (covers(wanted, type, value)) add_glyph(id, value == ir::none ? type : bare(type), value);
    }
}

void Checker::default_letters(TypeId type) {
    const std::vector<std::string> names =
        kind(type) == TypeKind::Player ? program_.players : program_.enums[static_cast<ir::EnumId>(types()[type].ref)];
    std::set<std::string> taken;
    std::vector<bool> given(names.size());
    for (const auto& glyph : program_.glyphs) {
        if (glyph.type != type) continue;
        if (glyph.text.size() == 1) taken.insert(capital(glyph.text[0]));
        given[static_cast<std::size_t>(glyph.value)] = true;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (given[i]) continue;
        const auto begins_later = [&](char c) {
            for (std::size_t j = i + 1; j < names.size(); ++j)
                if (!given[j] && !names[j].empty() && capital(names[j][0]) == capital(c)) return true;
            return false;
        };
        std::string letter;
        for (int pass = 0; pass < 2 && letter.empty(); ++pass) // better a letter that a later name loses than none
            for (char c : names[i])
                if (letter.empty() && std::isalpha(static_cast<unsigned char>(c)) != 0 && !taken.contains(capital(c)) &&
                    (pass == 1 || !begins_later(c)))
                    letter = capital(c);
        for (char c = 'A'; c <= 'Z' && letter.empty(); ++c)
            if (!taken.contains(capital(c))) letter = capital(c);
        taken.insert(letter);
        program_.glyphs.push_back(
            {.type = type, .value = static_cast<std::int64_t>(i), .text = letter.empty() ? "?" : letter, .colour = ""});
    }
}

std::string Checker::letter_of(TypeId type, std::int64_t value) const {
    for (const auto& glyph : program_.glyphs)
        if (glyph.type == type && glyph.value == value) return glyph.text;
    if (kind(type) != TypeKind::Tuple) return ir::value_text(program_, type, value);
    const auto& parts = program_.types[type].parts;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        texts.push_back(letter_of(parts[i], program_.types.project(type, value, i)));
    if (parts.size() == 2 && kind(parts[0]) == TypeKind::Player && program_.players.size() == 2 && texts[1].size() == 1)
        return program_.types.project(type, value, 0) == 1 ? small(texts[1][0]) : capital(texts[1][0]);
    std::string all;
    for (const auto& text : texts) all += text;
    return all;
}

std::map<std::string, std::int64_t> Checker::letters_of(TypeId type) {
    std::map<std::string, std::int64_t> result;
    constexpr std::uint64_t most = 4096;
    if (!is_scalar(type)) return result;
    for (std::uint64_t i = 0; i < std::min(most, types().cardinality(type)); ++i) {
        const std::int64_t value = types().value(type, i);
        result.emplace(letter_of(type, value), value);
    }
    return result;
}

} // namespace zug::lang

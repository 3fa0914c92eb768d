// Glyphs.
//
// A value without a glyph of its own is shown as a letter: a player or a member of an enumeration as the first letter
// of its name that is neither taken by an earlier name nor the initial of a later one (Knight is N beside King); a pair
// (player, kind), with two players, as the letter of the kind, upper case for the first player, lower case for the
// second.

#include "lang/presentation/glyphs.hpp"

#include "base/colours.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/patterns.hpp"
#include "lang/presentation/inherited.hpp"
#include "lang/resolve/assembly.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace zug::lang {

namespace {

std::string capital(char c) { return {static_cast<char>(std::toupper(static_cast<unsigned char>(c)))}; }

} // namespace

void Glyphs::check_glyphs() {
    for (const auto& item : assembly_.own_first(Kind::Glyph))
        check_presentation(context_, assembly_, item, [&](NodeId id) { check_glyph(id); });
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

// The value is one of a state variable, or a player or member that is part of such a value.
void Glyphs::check_glyph(NodeId id) {
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
    const Operand found = expressions_.expr(pattern_node);
    if (!found.ok()) return;
    const auto constant = valid(found.expr) ? builder_.scalar(found.expr) : std::nullopt;
    if (!constant) {
        error(Message::NotConstant, span(pattern_node));
        return;
    }
    add_glyph(id, bare(found.type), *constant);
}

void Glyphs::add_glyph(NodeId id, TypeId type, std::int64_t value) {
    const auto same = [&](const ir::Glyph& glyph) { return glyph.type == type && glyph.value == value; };
    // The glyphs of the file itself come first and replace those of the files it extends.
    if (context_.extended_files.contains(span(id).file) && std::ranges::any_of(program_.glyphs, same)) return;
    const NodeId colour = child(id, 1);
    if (valid(colour) && std::ranges::find(colours, node(colour).text, &Colour::name) == colours.end()) {
        std::vector<std::string> names;
        for (const Colour& known : colours) names.emplace_back(known.name);
        error(Message::UnknownColour, span(colour), {node(colour).text, fmt::format("{}", fmt::join(names, ", "))},
              symbols_.suggestion(node(colour).text, names));
    }
    program_.glyphs.push_back(
        {.type = type, .value = value, .text = node(id).text, .colour = valid(colour) ? node(colour).text : ""});
}

// Adds a glyph for each value that the pattern matches.
void Glyphs::glyph_for(NodeId id, TypeId type) {
    const Pattern wanted = patterns_.pattern(child(id, 0), type, false, true);
    if (wanted.shape == Pattern::Shape::Wrong) return;
    constexpr std::uint64_t most = 4096;
    if (types().cardinality(type) > most) {
        error(Message::GlyphValue, span(id));
        return;
    }
    for (std::uint64_t i = 0; i < types().cardinality(type); ++i) {
        const std::int64_t value = types().value(type, i);
        if (patterns_.covers(wanted, type, value)) add_glyph(id, value == ir::none ? type : bare(type), value);
    }
}

void Glyphs::default_letters(TypeId type) {
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
        for (int pass = 0; pass < 2 && letter.empty(); ++pass) // rather take the initial of a later name than none
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

} // namespace zug::lang

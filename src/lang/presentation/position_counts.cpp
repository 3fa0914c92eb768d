// Fields of a position that write a map of numbers as letters, such as pieces in hand: `2P3p`.

#include "ir/glyphs.hpp"
#include "lang/presentation/positions.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace zug::lang {

using Part = ir::PositionPart;

// `{hand counts}`, `{hand letters}`.
std::optional<Part> Positions::counts_field(const std::string& name, const std::string& style, Span inside) {
    auto part = position_part(name);
    if (!part || (style != "counts" && style != "letters")) return {};
    const auto wrong = [&](const std::string& further) {
        error(Message::PositionCounts, inside, {name + ' ' + style, further});
        part->counts = Part::Counts::None;
    };
    part->counts = style == "counts" ? Part::Counts::Numbers : Part::Counts::Letters;
    if (part->kind != Part::Kind::State) {
        wrong("");
        return part;
    }
    const ir::StateVariable& state = program_.states[part->state];
    constexpr std::size_t most_entries = 4096;
    constexpr std::int64_t most_letters = 1 << 16;
    const auto entries = static_cast<std::int64_t>(state.initial.size());
    if (state.indices.empty() || kind(state.value) != TypeKind::Int || types()[state.value].lo != 0)
        wrong("");
    else if (state.initial.size() > most_entries)
        wrong(fmt::format(" of at most {} places", most_entries));
    else if (style == "letters" && types()[state.value].hi > most_letters / entries)
        wrong(fmt::format(", all together at most {}", most_letters));
    return part;
}

// The type whose values are the places of a map.
TypeId Positions::entry_type(const ir::StateVariable& state) {
    return state.indices.size() == 1 ? state.indices.front() : types().tuple(state.indices);
}

void Positions::complete_counts() {
    auto& parts = program_.position;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].counts == Part::Counts::None) continue;
        const bool in_brackets = i > 0 && parts[i - 1].text.ends_with('[');
        parts[i].text = in_brackets ? "" : "-";
        complete_count(parts[i]);
    }
}

// Adds the glyphs of the places that have no text. All texts together must be readable.
void Positions::complete_count(Part& part) {
    const ir::StateVariable& state = program_.states[part.state];
    const TypeId type = entry_type(state);
    std::vector<bool> named(state.initial.size());
    for (auto& [value, text] : part.names) {
        value = static_cast<std::int64_t>(*types().ordinal(type, value));
        named[static_cast<std::size_t>(value)] = true;
    }
    for (std::size_t i = 0; i < named.size(); ++i)
        if (!named[i])
            part.names.emplace_back(static_cast<std::int64_t>(i),
                                    ir::glyph_text(program_, type, types().value(type, i)));
    std::vector<std::string> texts;
    for (const auto& [value, text] : part.names) texts.push_back(text);
    const std::string& name = state.name;
    for (const std::string& text : texts) {
        if (ir::fits_row(text)) continue;
        error(Message::PositionText, position_span_, {text, fmt::format("as a glyph of `{}`, expected a letter", name)},
              fmt::format("a line `{} ...` gives its places texts", name));
        return;
    }
    if (const auto both = ir::ambiguous_glyphs(texts))
        error(Message::PositionText, position_span_,
              {texts[both->second],
               fmt::format("as a glyph of `{}`, which can't be told from `{}`", name, texts[both->first])},
              fmt::format("a line `{} ...` gives its places texts", name));
}

} // namespace zug::lang

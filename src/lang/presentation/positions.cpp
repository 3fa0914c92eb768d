// `position`: how the file writes positions. Parts are separated by a blank or one of `;[]`, which no value contains,
// so a text can be split into parts before they are interpreted.

#include "lang/presentation/positions.hpp"

#include "lang/check/expressions.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/presentation/inherited.hpp"
#include "lang/presentation/templates.hpp"
#include "lang/resolve/assembly.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace zug::lang {

using Part = ir::PositionPart;

namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Whether the character can end a field.
bool is_end(char c) { return is_blank(c) || c == ';' || c == '[' || c == ']'; }

bool is_word(std::string_view text) { return !text.empty() && std::ranges::none_of(text, is_end); }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

bool is_field(const Part& part) { return part.kind != Part::Kind::Text; }

} // namespace

void Positions::check_position(NodeId id) {
    position_span_ = span(id);
    add_fields(id);
    check_gaps(span(child(id, 0)));
    check_position_complete();
    add_texts(id);
    complete_counts();
}

void Positions::add_fields(NodeId id) {
    auto& parts = program_.position;
    const std::string& source = context_.sources.text(span(id).file);
    for (auto& piece : templates_.template_pieces(child(id, 0))) {
        if (!piece.text.empty()) parts.push_back({.text = std::move(piece.text)});
        if (!piece.inside) continue;
        const Span inside = *piece.inside;
        if (trimmed(std::string_view(source).substr(inside.begin, inside.end - inside.begin)) == "extends")
            add_extended(inside);
        else if (auto part = position_field(inside))
            parts.push_back(std::move(*part));
    }
}

void Positions::add_texts(NodeId id) {
    for (NodeId texts : children(id).subspan(1))
        if (valid(texts)) position_texts(texts);
}

// `{extends}`: the fields of the `position` that this one replaces, and their texts.
void Positions::add_extended(Span inside) {
    const auto replaced = assembly_.replaced_position(context_.tree);
    if (!replaced) {
        error(Message::PositionExtends, inside, {"but no file that this one extends has a `position`"});
        return;
    }
    const auto misfit = first_error(context_, [&] {
        const InTree scope(context_, replaced->tree);
        add_fields(replaced->id);
        add_texts(replaced->id);
    });
    if (misfit)
        error(Message::PositionExtends, inside,
              {fmt::format("but the `position` there does not fit this game: {}: {}",
                           diag::where(context_.sources, misfit->span), misfit->text)});
}

void Positions::check_gaps(Span at) {
    const auto& parts = program_.position;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const bool gap = !is_field(parts[i + 1]) && is_end(parts[i + 1].text[0]);
        if (is_field(parts[i]) && !gap && (is_field(parts[i + 1]) || i + 2 < parts.size()))
            error(Message::PositionGap, at, {position_name(parts[i])});
    }
}

std::string Positions::position_name(const Part& part) const {
    switch (part.kind) {
    case Part::Kind::Turn: return "turn";
    case Part::Kind::Last: return "last";
    case Part::Kind::State: return program_.states[part.state].name;
    default: return "_";
    }
}

// The field between two braces: a variable, `turn`, `last`, `_` and the word that is written in its stead, or a map and
// how its numbers are written.
std::optional<Part> Positions::position_field(Span inside) {
    const std::string& source = context_.sources.text(inside.file);
    const std::string name(trimmed(std::string_view(source).substr(inside.begin, inside.end - inside.begin)));
    if (name.starts_with("_ ") && is_word(trimmed(std::string_view(name).substr(2))))
        return Part{.kind = Part::Kind::Any, .text = std::string(trimmed(std::string_view(name).substr(2)))};
    const std::string variable(name.begin(), std::ranges::find_if(name, is_blank));
    const std::string style(trimmed(std::string_view(name).substr(variable.size())));
    auto part = style.empty() ? position_part(name) : counts_field(variable, style, inside);
    if (!part) {
        std::vector<std::string> known{"turn"};
        for (const auto& state : program_.states)
            if (symbols_.assigned_names().contains(state.name)) known.push_back(state.name);
        const std::string fix = name == "_"      ? "the word to be written stands behind it: `{_ 1}`"
                                : !style.empty() ? "`{hand counts}` and `{hand letters}` write the numbers of a map"
                                                 : symbols_.hint(name, {std::move(known), "fields"});
        if (!symbols_.is_lost(name)) error(Message::PositionField, inside, {name}, fix);
        return {};
    }
    if (part->kind == Part::Kind::State) {
        const auto begin = static_cast<std::uint32_t>(source.find(variable, inside.begin));
        const auto length = static_cast<std::uint32_t>(variable.size());
        note_use({inside.file, begin, begin + length}, program_.states[part->state].span);
    }
    for (const Part& other : program_.position)
        if (other.kind == part->kind && other.state == part->state) error(Message::DeclaredTwice, inside, {name});
    return part;
}

std::optional<Part> Positions::position_part(const std::string& name) {
    if (name == "turn") return Part{.kind = Part::Kind::Turn};
    for (std::uint32_t i = 0; i < program_.states.size(); ++i) {
        const auto id = static_cast<ir::StateId>(i);
        if (program_.states[id].name == name && symbols_.assigned_names().contains(name))
            return Part{.kind = Part::Kind::State, .state = id};
    }
    if (name == last_name()) return Part{.kind = Part::Kind::Last};
    return {};
}

// The name of the field for the player who moved last.
std::string Positions::last_name() const {
    const auto is_last = [](const ir::StateVariable& state) { return state.name == "last"; };
    return std::ranges::any_of(program_.states, is_last) ? "last_mover" : "last";
}

// With other parameters a rule may assign variables that it does not assign now, so every variable that is assigned
// anywhere in the files must have a field.
void Positions::check_position_complete() {
    const auto& parts = program_.position;
    for (std::uint32_t i = 0; i < program_.states.size(); ++i) {
        const auto id = static_cast<ir::StateId>(i);
        const ir::StateVariable& state = program_.states[id];
        if (!state.local && symbols_.assigned_names().contains(state.name) &&
            std::ranges::find(parts, id, &Part::state) == parts.end())
            error(Message::PositionMissing, position_span_, {state.name});
    }
    if (std::ranges::find(parts, Part::Kind::Turn, &Part::kind) == parts.end())
        error(Message::PositionMissing, position_span_, {"turn"});
}

// Runs last, when it is known whether positions record who moved last.
void Positions::check_position_last() {
    const auto& parts = program_.position;
    if (!parts.empty() && program_.keeps_last && std::ranges::find(parts, Part::Kind::Last, &Part::kind) == parts.end())
        error(Message::PositionMissing, position_span_, {last_name()},
              "the turn does not tell who moved last, and something asks for it");
}

void Positions::position_texts(NodeId id) {
    const std::string& name = node(id).text;
    const auto wanted = position_part(name);
    const auto part = std::ranges::find_if(program_.position, [&](const Part& other) {
        return wanted && other.kind == wanted->kind && other.state == wanted->state;
    });
    if (part == program_.position.end()) {
        if (!symbols_.is_lost(name)) error(Message::PositionField, name_span(id), {name});
        return;
    }
    TypeId type = program_.player_type;
    bool members = false;
    if (part->kind == Part::Kind::State) {
        note_use(id, program_.states[part->state].span);
        const ir::StateVariable& state = program_.states[part->state];
        members = kind(state.value) == TypeKind::Set;
        type = members ? types().inner(state.value) : state.value;
        if (part->counts != Part::Counts::None) {
            members = true;
            type = entry_type(state);
        } else if (!state.indices.empty()) {
            error(Message::MapWithoutIndex, name_span(id), {name},
                  "`{" + name + " counts}` writes its numbers with letters, which can be given texts");
            return;
        }
    }
    for (NodeId text : children(id))
        if (valid(text)) position_text(text, *part, type, members);
}

void Positions::position_text(NodeId id, Part& part, TypeId type, bool members) {
    const NodeId shown = child(id, 0);
    // A player who does not take part with these parameters needs no text.
    if (const Declaration* d = node(shown).kind == Kind::Name ? symbols_.find(node(shown).text) : nullptr;
        d != nullptr && d->kind == DeclKind::Player && d->number >= program_.players.size())
        return;
    const ExprId value = conversions_.convert(expressions_.expr(shown), type);
    if (!valid(value)) return;
    const auto constant = builder_.scalar(value);
    if (!constant) {
        error(Message::NotConstant, span(shown));
        return;
    }
    if (!types().ordinal(type, *constant)) {
        error(Message::OutOfRange, span(shown),
              {ir::value_text(program_, type, *constant), position_name(part), type_text(type)});
        return;
    }
    const std::string& text = node(id).text;
    if (const std::string why = wrong_position_text(text, *constant, part, members); !why.empty()) {
        error(Message::PositionText, span(id), {text, why});
        return;
    }
    part.names.emplace_back(*constant, text);
}

// Why the text is invalid for this value, given the texts of the others; empty if it is valid.
std::string Positions::wrong_position_text(const std::string& text, std::int64_t value, const Part& part,
                                           bool members) const {
    if (!is_word(text)) return "expected a word without blanks and `;[]`";
    if (text == "-" && value != ir::none) return "which stands for `none` and the empty set";
    if (part.counts != Part::Counts::None && std::isdigit(static_cast<unsigned char>(text.front())) != 0)
        return "which begins with a digit";
    if (members && text.starts_with('{')) return "which begins like a set in braces";
    for (const auto& [other, other_text] : part.names) {
        if (other == value) return "but the value has the text `" + other_text + "`";
        if (other_text == text) return "which another value has already";
        if (members && (other_text.starts_with(text) || text.starts_with(other_text)))
            return "which can't be told from `" + other_text + "` where one follows the other";
    }
    return {};
}

} // namespace zug::lang

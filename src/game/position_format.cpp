// Positions in the format that the file declares: parts in a fixed order, separated by the text between them.

#include "game/position_reader.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace zug::game {

using ir::TypeKind;
using Kind = ir::PositionPart::Kind;
using Counts = ir::PositionPart::Counts;

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view nothing = "-"; // none, the empty set, a map as it was at the start

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

const std::string* name_of(const ir::PositionPart& part, std::int64_t value) {
    const auto it = std::ranges::find(part.names, value, [](const auto& name) { return name.first; });
    return it == part.names.end() ? nullptr : &it->second;
}

std::vector<std::string> texts_of(const ir::PositionPart& part) {
    std::vector<std::string> texts;
    for (const auto& [value, text] : part.names) texts.push_back(text);
    return texts;
}

} // namespace

// ---- reading

tl::expected<std::vector<std::uint32_t>, Error> PositionReader::own() {
    rest_ = text_;
    skip_blanks();
    while (!rest_.empty() && is_blank(rest_.back())) rest_.remove_suffix(1);
    return result(parts());
}

// If the text ends early, the variables of the remaining parts keep their values.
bool PositionReader::parts() {
    const auto& format = program_.position;
    for (std::size_t i = 0; i < format.size() && !rest_.empty(); ++i) {
        if (format[i].kind == Kind::Text) {
            if (!literal(format[i].text)) return misread(nullptr);
            continue;
        }
        skip_blanks();
        const std::string_view word = word_before(i + 1 < format.size() ? format[i + 1].text : std::string_view());
        if (!part(format[i], word)) return misread(&format[i]);
        rest_.remove_prefix(word.size());
    }
    skip_blanks();
    if (rest_.empty()) return true;
    fail(rest_, fmt::format("found `{}` after the end of the position", echoed(rest_)));
    return misread(nullptr);
}

// Adds to the error which format the text does not fit, if another file gives it, and which of its fields.
bool PositionReader::misread(const ir::PositionPart* field) {
    const std::string& where = program_.inherited_position.where;
    const std::string of = field == nullptr ? "" : fmt::format("`{{{}}}` of ", part_name(*field));
    if (!where.empty()) error_ += fmt::format(" (in {}the `position` of {})", of, where);
    return false;
}

// A value, up to a blank, or to what ends it in the format. Other text can only follow the last value of the position.
std::string_view PositionReader::word_before(std::string_view text) const {
    std::string_view word = rest_.substr(0, std::min(rest_.find_first_of(blanks), rest_.size()));
    if (text.empty() || is_blank(text.front())) return word;
    if (std::string_view(";[]").find(text.front()) != std::string_view::npos)
        return word.substr(0, std::min(word.find(text.front()), word.size()));
    return word.substr(0, word.ends_with(text) ? word.size() - text.size() : word.size());
}

void PositionReader::skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size())); }

// A blank matches any number of blanks, and blanks may precede any other text.
bool PositionReader::literal(std::string_view text) {
    if (!is_blank(text.front())) skip_blanks();
    for (std::size_t i = 0; i < text.size() && !rest_.empty(); ++i) {
        const bool fits =
            is_blank(text[i]) ? is_blank(rest_.front()) || (i > 0 && is_blank(text[i - 1])) : text[i] == rest_.front();
        const std::string_view found = rest_.substr(0, std::min(rest_.find_first_of(blanks), rest_.size()));
        if (!fits)
            return fail(rest_, is_blank(text[i]) ? fmt::format("found `{}`, expected a blank", found)
                                                 : fmt::format("found `{}`, expected `{}`", found, text.substr(i)));
        if (!is_blank(text[i])) rest_.remove_prefix(1);
        if (is_blank(text[i])) skip_blanks();
    }
    return true;
}

std::string PositionReader::part_name(const ir::PositionPart& part) const {
    switch (part.kind) {
    case Kind::Turn: return "turn";
    case Kind::Last: return last_field(program_);
    case Kind::State: return program_.states[part.state].name;
    default: return "_";
    }
}

bool PositionReader::part(const ir::PositionPart& part, std::string_view word) {
    if (word.empty() && part.counts == Counts::None)
        return fail(rest_, fmt::format("found `{}`, expected a value for `{}`", rest_.substr(0, 1), part_name(part)));
    switch (part.kind) {
    case Kind::Turn: return named_player(part, word, turn_);
    case Kind::Last: return named_player(part, word, last_);
    case Kind::State: return variable(part, word);
    default: return true;
    }
}

bool PositionReader::named_player(const ir::PositionPart& part, std::string_view word,
                                  std::optional<std::uint32_t>& out) {
    const auto named = std::ranges::find(part.names, word, [](const auto& name) { return name.second; });
    const auto value = named != part.names.end() ? std::optional(named->first) : parse(program_.player_type, word);
    if (!value) return fail(word, wrong_value(program_.player_type, word, texts_of(part)));
    out = static_cast<std::uint32_t>(*value);
    return true;
}

bool PositionReader::variable(const ir::PositionPart& part, std::string_view word) {
    const ir::StateVariable& state = program_.states[part.state];
    const bool is_set = program_.types.kind(state.value) == TypeKind::Set;
    const auto first = slots_.begin() + state.first_slot;
    const auto read = [&] {
        const auto named = std::ranges::find(part.names, word, [](const auto& name) { return name.second; });
        if (part.counts != Counts::None) return counts(part, word);
        if (!state.indices.empty()) return word == nothing || map(part.state, word);
        if (is_set && word == nothing) return members(part.state, state.first_slot, "{}");
        if (is_set && !part.names.empty() && !word.starts_with('{')) return named_members(part, word);
        if (named != part.names.end() && !is_set) {
            *first = static_cast<std::uint32_t>(*program_.types.ordinal(state.value, named->first));
            return true;
        }
        if (word == nothing && program_.types.kind(state.value) == TypeKind::Optional) {
            *first = 0;
            return true;
        }
        if (is_set || parse(state.value, word)) return entry(part.state, 0, word);
        return fail(word, wrong_value(state.value, word, texts_of(part)));
    };
    if (!read()) return false;
    if (state.assigned ||
        std::ranges::equal(state.initial, std::span(slots_).subspan(state.first_slot, state.initial.size())))
        return true;
    return fail(word, fmt::format("`{}` never changes here, so it can't be set", state.name));
}

// The texts of members, without separators. No text is a prefix of another.
bool PositionReader::named_members(const ir::PositionPart& part, std::string_view word) {
    const ir::StateVariable& state = program_.states[part.state];
    const ir::TypeId element = program_.types.inner(state.value);
    std::fill_n(slots_.begin() + state.first_slot, state.initial.size(), 0U);
    while (!word.empty()) {
        const auto named =
            std::ranges::find_if(part.names, [&](const auto& name) { return word.starts_with(name.second); });
        const std::string found = characters(word).front();
        if (named == part.names.end())
            return fail(word,
                        fmt::format("found `{}`, expected one of {}, or `-`", found, fmt::join(texts_of(part), ", ")));
        std::uint32_t& slot = slots_[state.first_slot + *program_.types.ordinal(element, named->first)];
        if (slot != 0) return fail(word, fmt::format("a second `{}`", named->second));
        slot = 1;
        word.remove_prefix(named->second.size());
    }
    return true;
}

// Numbers before texts, and texts that are repeated, add up: `2P`, `PP`. No text is a prefix of another.
bool PositionReader::counts(const ir::PositionPart& part, std::string_view word) {
    const ir::StateVariable& state = program_.states[part.state];
    std::fill_n(slots_.begin() + state.first_slot, state.initial.size(), 0U);
    if (word == nothing) return true;
    const auto most = static_cast<std::uint64_t>(program_.types[state.value].hi);
    while (!word.empty()) {
        const std::string_view all = word;
        const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
        const auto count = digits == 0 ? 1 : number_in<std::uint64_t>(word.substr(0, digits)).value_or(most + 1);
        word.remove_prefix(digits);
        const auto named =
            std::ranges::find_if(part.names, [&](const auto& name) { return word.starts_with(name.second); });
        if (named == part.names.end())
            return fail(all, fmt::format("found `{}`, expected a number and one of {}, or `-`",
                                         word.empty() ? echoed(all) : characters(word).front(),
                                         fmt::join(texts_of(part), ", ")));
        std::uint32_t& slot = slots_[state.first_slot + static_cast<std::size_t>(named->first)];
        if (count > most - slot) return fail(all, fmt::format("more than {} `{}`", most, named->second));
        slot += static_cast<std::uint32_t>(count);
        word.remove_prefix(named->second.size());
    }
    return true;
}

// ---- writing

namespace {

std::string counts_text(const ir::PositionPart& part, std::span<const std::uint32_t> counts) {
    std::string text;
    for (const auto& [entry, name] : part.names) {
        const std::uint32_t count = counts[static_cast<std::size_t>(entry)];
        if (part.counts == Counts::Numbers && count > 1) text += std::to_string(count);
        for (std::uint32_t i = 0; i < (part.counts == Counts::Numbers ? std::min(count, 1U) : count); ++i) text += name;
    }
    return text.empty() ? part.text : text;
}

std::string state_text(const ir::Program& program, const ir::PositionPart& part, std::span<const std::uint32_t> slots) {
    const ir::StateVariable& state = program.states[part.state];
    if (part.counts != Counts::None) return counts_text(part, slots.subspan(state.first_slot, state.initial.size()));
    if (!state.indices.empty()) {
        const std::string text = map_text(program, part.state, slots);
        return text.empty() ? std::string(nothing) : text;
    }
    if (program.types.kind(state.value) != TypeKind::Set) {
        const std::int64_t value = program.types.value(state.value, slots[state.first_slot]);
        if (const std::string* name = name_of(part, value)) return *name;
        return value == ir::none ? std::string(nothing) : compact_text(program, state.value, value);
    }
    const auto members = slots.subspan(state.first_slot, state.initial.size());
    const auto count = static_cast<std::size_t>(std::ranges::count(members, 1U));
    if (count == 0) return std::string(nothing);
    const ir::TypeId element = program.types.inner(state.value);
    std::string text;
    std::size_t named = 0;
    for (const auto& [value, name] : part.names) {
        if (members[*program.types.ordinal(element, value)] == 0) continue;
        text += name;
        ++named;
    }
    return named == count ? text : entry_text(program, part.state, slots, 0);
}

std::string part_text(const ir::Program& program, const ir::PositionPart& part, std::span<const std::uint32_t> slots) {
    const auto player = [&](std::uint32_t number) {
        const std::string* name = name_of(part, number);
        return name != nullptr ? *name : program.players[number];
    };
    const std::uint32_t turn = slots[program.slot_count];
    switch (part.kind) {
    case Kind::Text:
    case Kind::Any: return part.text;
    case Kind::Turn: return player(turn);
    case Kind::Last:
        return player(program.keeps_last ? slots[program.slot_count + 1]
                                         : (turn + program.player_count() - 1) % program.player_count());
    case Kind::State: break;
    }
    return state_text(program, part, slots);
}

} // namespace

std::string write_own_position(const ir::Program& program, std::span<const std::uint32_t> slots) {
    std::string text;
    for (const ir::PositionPart& part : program.position) text += part_text(program, part, slots);
    return text;
}

} // namespace zug::game

#include "game/position_reader.hpp"

#include "base/nearest.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace zug::game {

using ir::TypeKind;

namespace {

// Splits at `separator` outside parentheses and braces.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '{') ++depth;
        if (text[i] == ')' || text[i] == '}') --depth;
        if (text[i] != separator || depth != 0) continue;
        parts.push_back(text.substr(begin, i - begin));
        begin = i + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

} // namespace

PositionReader::PositionReader(const ir::Program& program, std::string_view text) : program_(program), text_(text) {
    for (const ir::StateVariable& state : program.states)
        slots_.insert(slots_.end(), state.initial.begin(), state.initial.end());
    slots_.resize(program.total_slots());
}

tl::expected<std::vector<std::uint32_t>, Error> PositionReader::general() { return result(fields()); }

tl::expected<std::vector<std::uint32_t>, Error> PositionReader::result(bool fine) {
    if (!fine) return failure(error_);
    const std::uint32_t players = program_.player_count();
    slots_[program_.slot_count] = turn_.value_or(0);
    if (program_.keeps_last)
        slots_[program_.slot_count + 1] = last_.value_or((turn_.value_or(0) + players - 1) % players);
    return std::move(slots_);
}

bool PositionReader::fields() {
    std::set<std::string_view> seen;
    for (std::size_t begin = 0; begin < text_.size();) {
        const std::size_t start = text_.find_first_not_of(" \t\r\n", begin);
        if (start == std::string_view::npos) break;
        begin = std::min(text_.find_first_of(" \t\r\n", start), text_.size());
        const std::string_view word = text_.substr(start, begin - start);
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos)
            return fail(
                word, fmt::format("found `{}`, expected a field such as `turn={}`", echoed(word), program_.players[0]));
        const std::string_view name = word.substr(0, equals);
        if (!seen.insert(name).second) return fail(word, fmt::format("a second field `{}`", name));
        if (!field(name, word.substr(equals + 1))) return false;
    }
    return true;
}

bool PositionReader::field(std::string_view name, std::string_view value) {
    if (name == "turn") return player(value, turn_);
    if (program_.keeps_last && name == last_field(program_)) return player(value, last_);
    std::vector<std::string> known{"turn"};
    if (program_.keeps_last) known.push_back(last_field(program_));
    for (std::size_t s = 0; s < program_.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& state = program_.states[id];
        if (state.assigned) known.push_back(state.name);
        if (state.name != name) continue;
        if (!state.assigned) return fail(name, fmt::format("`{}` never changes, so it can't be set", name));
        if (state.indices.empty()) return entry(id, 0, value);
        return map(id, value);
    }
    const std::string near = nearest(name, known);
    const std::string hint = near.empty() ? fmt::format("the fields are {}", fmt::join(known, ", "))
                                          : fmt::format("did you mean `{}`?", near);
    return fail(name, fmt::format("unknown field `{}`; {}", echoed(name), hint));
}

bool PositionReader::player(std::string_view value, std::optional<std::uint32_t>& out) {
    const auto found = ordinal(program_.player_type, value);
    if (!found) return false;
    out = static_cast<std::uint32_t>(*found);
    return true;
}

bool PositionReader::map(ir::StateId id, std::string_view value) {
    const ir::StateVariable& state = program_.states[id];
    const bool is_list = value.empty() || value.find(':') != std::string_view::npos;
    return is_row_board(program_, state) && !is_list ? rows(state, value) : list(id, value);
}

bool PositionReader::rows(const ir::StateVariable& state, std::string_view value) {
    const ir::Board& board = program_.boards[static_cast<ir::BoardId>(program_.types[state.indices[0]].ref)];
    const auto parts = split(value, '/');
    if (parts.size() != static_cast<std::size_t>(board.height))
        return fail(value, fmt::format("found {} row{}, `{}` has {}", parts.size(), parts.size() == 1 ? "" : "s",
                                       board.name, board.height));
    std::fill_n(slots_.begin() + state.first_slot, state.initial.size(), 0U);
    const Faces faces = faces_of(program_, state.value);
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!row(state, faces, board.height - static_cast<std::int32_t>(i), parts[i])) return false;
    return true;
}

bool PositionReader::row(const ir::StateVariable& state, const Faces& faces, std::int32_t y, std::string_view text) {
    const ir::Board& board = program_.boards[static_cast<ir::BoardId>(program_.types[state.indices[0]].ref)];
    std::int64_t x = 1;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] >= '0' && text[i] <= '9') {
            std::int64_t gap = 0;
            while (i < text.size() && text[i] >= '0' && text[i] <= '9')
                gap = std::min<std::int64_t>(gap * 10 + (text[i++] - '0'), 1'000'000);
            x += gap;
            continue;
        }
        const auto slot = glyph_at(faces, text.substr(i));
        if (!slot) return false;
        const std::string_view glyph = text.substr(i, faces.texts[*slot].size());
        if (x <= board.width && !put(state, glyph, *slot, static_cast<std::int32_t>(x), y)) return false;
        ++x;
        i += glyph.size();
    }
    if (x - 1 == board.width) return true;
    return fail(text, fmt::format("row {} has {} cells, expected {}", y, x - 1, board.width));
}

// The ordinal of the value with whose glyph the text begins; none is the beginning of another.
std::optional<std::uint32_t> PositionReader::glyph_at(const Faces& faces, std::string_view text) {
    const std::span<const std::string> known = std::span(faces.texts).subspan(1);
    const auto found = std::ranges::find_if(known, [&](const std::string& glyph) { return text.starts_with(glyph); });
    if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin() + 1);
    fail(text, fmt::format("unknown glyph `{}`; the glyphs are {}", characters(text).front(), fmt::join(known, " ")));
    return std::nullopt;
}

bool PositionReader::put(const ir::StateVariable& state, std::string_view glyph, std::uint32_t slot, std::int32_t x,
                         std::int32_t y) {
    const ir::Board& board = program_.boards[static_cast<ir::BoardId>(program_.types[state.indices[0]].ref)];
    const std::int64_t site = site_at(board, x, y);
    if (site < 0) return fail(glyph, fmt::format("`{}` has no site at ({}, {})", board.name, x, y));
    slots_[state.first_slot + static_cast<std::size_t>(site)] = slot;
    return true;
}

bool PositionReader::list(ir::StateId id, std::string_view value) {
    if (value.empty()) return true;
    const ir::StateVariable& state = program_.states[id];
    for (auto entry : split(value, ',')) {
        const auto parts = split(entry, ':');
        if (parts.size() != 2) return fail(entry, fmt::format("found `{}`, expected `index:value`", echoed(entry)));
        const auto where = indices_of(state, parts[0]);
        if (!where) return false;
        for (const std::uint64_t at : *where)
            if (!this->entry(id, at, parts[1])) return false;
    }
    return true;
}

// One index, or all those that `_` leaves open.
std::optional<std::vector<std::uint64_t>> PositionReader::indices_of(const ir::StateVariable& state,
                                                                     std::string_view text) {
    std::vector<std::string_view> parts{text};
    if (state.indices.size() > 1) {
        const bool enclosed = text.size() >= 2 && text.front() == '(' && text.back() == ')';
        if (enclosed) parts = split(text.substr(1, text.size() - 2), ',');
        if (!enclosed || parts.size() != state.indices.size()) {
            fail(text,
                 fmt::format("found `{}`, expected {} indices in parentheses", echoed(text), state.indices.size()));
            return std::nullopt;
        }
    }
    std::vector<std::uint64_t> indices{0};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::uint64_t count = program_.types.cardinality(state.indices[i]);
        const bool open = parts[i] == "_";
        const auto one = open ? std::optional<std::uint64_t>(0) : ordinal(state.indices[i], parts[i]);
        if (!one) return std::nullopt;
        std::vector<std::uint64_t> longer;
        for (const std::uint64_t index : indices)
            for (std::uint64_t k = *one; k < (open ? count : *one + 1); ++k) longer.push_back(index * count + k);
        indices = std::move(longer);
    }
    return indices;
}

bool PositionReader::entry(ir::StateId id, std::uint64_t index, std::string_view value) {
    const ir::StateVariable& state = program_.states[id];
    const std::size_t first = state.first_slot + index * slots_per_value(program_, id);
    if (program_.types.kind(state.value) == TypeKind::Set) return members(id, first, value);
    const auto found = ordinal(state.value, value);
    if (found) slots_[first] = static_cast<std::uint32_t>(*found);
    return found.has_value();
}

bool PositionReader::members(ir::StateId id, std::size_t first, std::string_view value) {
    if (value.size() < 2 || value.front() != '{' || value.back() != '}')
        return fail(value, fmt::format("found `{}`, expected a set in braces", echoed(value)));
    const ir::TypeId element = program_.types.inner(program_.states[id].value);
    std::fill_n(slots_.begin() + static_cast<std::ptrdiff_t>(first), slots_per_value(program_, id), 0U);
    const std::string_view inside = value.substr(1, value.size() - 2);
    if (inside.empty()) return true;
    for (auto member : split(inside, ',')) {
        const auto found = ordinal(element, member);
        if (!found) return false;
        slots_[first + *found] = 1;
    }
    return true;
}

std::optional<std::uint64_t> PositionReader::ordinal(ir::TypeId type, std::string_view text) {
    const auto value = parse(type, text);
    const auto found = value ? program_.types.ordinal(type, *value) : std::nullopt;
    if (!found) fail(text, wrong_value(type, text));
    return found;
}

// `values`: further values that are allowed there beside those of the type.
std::string PositionReader::wrong_value(ir::TypeId type, std::string_view text, std::vector<std::string> values) const {
    const std::size_t before = values.size();
    const auto count = std::min<std::uint64_t>(program_.types.cardinality(type), 4096);
    for (std::uint64_t i = 0; i < count && (before == 0 || count <= 8); ++i)
        values.push_back(compact_text(program_, type, program_.types.value(type, i)));
    if (values.empty()) return fmt::format("found `{}`, where nothing can stand", echoed(text));
    const std::string near = nearest(text, values);
    if (!near.empty()) return fmt::format("found `{}`; did you mean `{}`?", text, near);
    if (values.size() <= 8) return fmt::format("found `{}`, expected one of {}", echoed(text), fmt::join(values, ", "));
    return fmt::format("found `{}`, expected a value from {} to {}", echoed(text), values.front(), values.back());
}

std::optional<std::int64_t> PositionReader::parse(ir::TypeId type, std::string_view text) const {
    const ir::Type& t = program_.types[type];
    if (t.kind == TypeKind::Optional) return text == "none" ? ir::none : parse(t.parts.front(), text);
    if (t.kind == TypeKind::Tuple) return parse_tuple(type, text);
    if (t.kind == TypeKind::Int) return number_in<std::int64_t>(text);
    for (std::uint64_t i = 0; i < program_.types.cardinality(type); ++i)
        if (compact_text(program_, type, program_.types.value(type, i)) == text) return program_.types.value(type, i);
    return std::nullopt;
}

std::optional<std::int64_t> PositionReader::parse_tuple(ir::TypeId type, std::string_view text) const {
    if (const auto value = glyph_value(program_, type, text)) return value;
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
    const auto& parts = program_.types[type].parts;
    const auto texts = split(text.substr(1, text.size() - 2), ',');
    if (texts.size() != parts.size()) return std::nullopt;
    std::uint64_t code = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto value = parse(parts[i], texts[i]);
        const auto found = value ? program_.types.ordinal(parts[i], *value) : std::nullopt;
        if (!found) return std::nullopt;
        code = code * program_.types.cardinality(parts[i]) + *found;
    }
    return static_cast<std::int64_t>(code);
}

namespace {

// Whether the text begins with a field `name=`.
bool looks_general(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const auto end =
        std::ranges::find_if(text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_'; });
    return end != text.end() && end != text.begin() && *end == '=';
}

} // namespace

tl::expected<std::vector<std::uint32_t>, Error> read_position(const ir::Program& program, std::string_view text) {
    const bool general_first = looks_general(text);
    if (program.position.empty()) {
        auto slots = PositionReader(program, text).general();
        if (slots || general_first || program.inherited_position.misfit.empty()) return slots;
        return failure(fmt::format("{}; the `position` of {} is not used, because it does not fit this game: {}",
                                   slots.error().text, program.inherited_position.where,
                                   program.inherited_position.misfit));
    }
    const auto read = [&](bool general) {
        PositionReader reader(program, text);
        return general ? reader.general() : reader.own();
    };
    auto first = read(general_first);
    if (first || !general_first) return first;
    auto second = read(false);
    return second ? second : first;
}

std::string Game::position_text_of(std::span<const std::uint32_t> slots) const {
    return write_position(program(), slots);
}

std::string Game::position_text(const State& state) { return position_text_of(slots(state)); }

tl::expected<State, Error> Game::parse_position(std::string_view text) {
    const auto slots = read_position(program(), text);
    if (!slots) return tl::unexpected(slots.error());
    State state;
    executor_->load(*slots, state);
    return state;
}

} // namespace zug::game

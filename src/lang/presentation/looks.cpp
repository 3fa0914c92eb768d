// Looks of boards, pieces and variables. They are about pictures only, so all that they say has to be known when the
// file is read.

#include "lang/presentation/looks.hpp"

#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zug::lang {

namespace {

// What can take a shape.
enum class Use : std::uint8_t { Piece, Numbers, Values };

struct NamedShape {
    ir::Shape shape;
    std::string_view word;
    Use use;
};
constexpr std::array shapes{
#define SHAPE(name, word, use) NamedShape{ir::Shape::name, word, Use::use},
#include "ir/shapes.def"
#undef SHAPE
};

bool is_for_piece(ir::Shape shape) { return shapes[static_cast<std::size_t>(shape)].use == Use::Piece; }
bool is_for_numbers(ir::Shape shape) { return !is_for_piece(shape); }
bool is_for_values(ir::Shape shape) { return shapes[static_cast<std::size_t>(shape)].use == Use::Values; }

} // namespace

void Looks::check_look(NodeId id) {
    const NodeId name = child(id, 0);
    if (!valid(name)) return;
    Declaration* const found = symbols_.find(node(name).text);
    if (found == nullptr) return symbols_.unknown_name(node(name).text, span(name));
    const auto wanted = applies(id);
    if (found->broken || !wanted || !*wanted) return;
    const bool is_board = found->kind == DeclKind::Board, is_state = found->kind == DeclKind::State;
    if (is_board || is_state) {
        note_use(name, found->span);
        if (found->number == UINT32_MAX) return; // reported where it is declared
        if (is_board) return look_of_board(id, static_cast<ir::BoardId>(found->number));
        return look_of_state(id, static_cast<ir::StateId>(found->number));
    }
    if (found->kind != DeclKind::Member && found->kind != DeclKind::Player)
        return error(Message::LookSubject, span(name), {node(name).text});
    const Operand piece = constants_.expr(name);
    if (!piece.ok() || !valid(piece.expr)) return;
    if (const auto value = builder_.scalar(piece.expr)) look_of_piece(id, bare(piece.type), *value);
}

std::optional<bool> Looks::applies(NodeId id) {
    const NodeId when = children(id).back();
    if (!valid(when)) return true;
    for (const NodeId part : children(when)) {
        const ExprId condition = constants_.condition(part);
        if (!valid(condition)) return std::nullopt;
        const auto truth = builder_.scalar(condition);
        if (!truth) {
            error(Message::NotConstant, span(part));
            return std::nullopt;
        }
        if (*truth == 0) return false;
    }
    return true;
}

void Looks::wrong_part(NodeId part, std::string_view subject, std::vector<std::string> words) {
    const Span at = span(part);
    const std::string text(context_.sources.text(at.file).substr(at.begin, at.end - at.begin));
    error(Message::LookPart, at, {text, std::string(subject)},
          symbols_.hint(text, {std::move(words), fmt::format("looks of {}", subject)}));
}

bool Looks::is_only(NodeId id, NodeId part, const std::vector<std::string_view>& words) {
    for (const NodeId other : parts(id)) {
        if (other == part) return true;
        if (!valid(other) || node(other).kind != node(part).kind) continue;
        if (!words.empty() && std::ranges::find(words, node(other).text) == words.end()) continue;
        const auto text = [&](NodeId of) {
            return std::string(
                context_.sources.text(span(of).file).substr(span(of).begin, span(of).end - span(of).begin));
        };
        error(Message::LookTwice, span(part), {text(part), text(other)});
        return false;
    }
    return true;
}

std::optional<Bits> Looks::constant_set(NodeId set, TypeId element) {
    if (!valid(set)) return std::nullopt;
    const Operand found = constants_.expr(set);
    if (!found.ok()) return std::nullopt;
    const TypeId type = set_type(element, found.span);
    if (!valid(type)) return std::nullopt;
    const ExprId converted = conversions_.convert(found, type);
    if (!valid(converted)) return std::nullopt;
    auto bits = builder_.set(converted);
    if (!bits) error(Message::NotConstant, found.span);
    return bits;
}

// ---- boards

void Looks::look_of_board(NodeId id, ir::BoardId board) {
    const TypeId site = types().site(board);
    ir::BoardLook look{.board = board};
    Rows rows{.names = {}, .noun = type_noun(site), .cells = {}};
    for (const ir::Site& site : program_.boards[board].sites) rows.names.push_back(site.name);
    rows.cells.resize(rows.names.size());
    for (const NodeId part : parts(id)) {
        if (!valid(part)) return;
        switch (node(part).kind) {
        case Kind::Text:
            if (!add_row(part, rows)) return;
            break;
        case Kind::InitPart:
            if (!add_side(part, look)) return;
            break;
        case Kind::LookLoops:
            if (!is_only(id, part) || !add_loops(child(part, 0), look)) return;
            break;
        case Kind::LookSet: {
            auto sites = constant_set(child(part, 0), site);
            if (!sites || !is_only(id, part, {node(part).text})) return;
            (node(part).text == "marked" ? look.marked : look.shaded) = std::move(*sites);
            break;
        }
        default:
            if (!board_word(id, part, look)) return;
        }
    }
    if (rows.height > 0 && !place_sites(id, rows, look)) return;
    const bool is_first =
        std::ranges::find(program_.looks.boards, board, &ir::BoardLook::board) == program_.looks.boards.end();
    if (is_first) program_.looks.boards.push_back(std::move(look));
}

bool Looks::board_word(NodeId id, NodeId part, ir::BoardLook& look) {
    constexpr std::array<std::string_view, 3> surfaces{"cells", "points", "holes"};
    const std::string& word = node(part).text;
    const auto surface = std::ranges::find(surfaces, word);
    const bool is_word = node(part).kind == Kind::LookWord;
    if (is_word && surface != surfaces.end()) {
        look.surface = static_cast<ir::Surface>(surface - surfaces.begin());
        return is_only(id, part, {surfaces.begin(), surfaces.end()});
    }
    if (is_word && (word == "checkered" || word == "plain")) {
        look.checkered = word == "checkered";
        return is_only(id, part, {"checkered", "plain"});
    }
    wrong_part(part, "a board", {"checkered", "plain", "cells", "points", "holes", "shaded", "marked", "loops"});
    return false;
}

bool Looks::add_side(NodeId part, ir::BoardLook& look) {
    const NodeId owner = child(part, 0);
    if (!valid(owner)) return false;
    const Operand found = constants_.expr(owner);
    if (!found.ok()) return false;
    const ExprId player = conversions_.convert(found, program_.player_type);
    const auto sites = constant_set(child(part, 1), types().site(look.board));
    if (!valid(player) || !sites) return false;
    const auto number = builder_.scalar(player);
    if (!number) {
        error(Message::NotConstant, span(owner));
        return false;
    }
    look.sides.emplace_back(static_cast<std::uint32_t>(*number), *sites);
    return true;
}

// Each pair of sites once that the path joins.
bool Looks::add_loops(NodeId path, ir::BoardLook& look) {
    if (!valid(path)) return false;
    const Operand joined = constants_.expr(path);
    if (!joined.ok()) return false;
    const TypeId site = types().site(look.board), sites = set_type(site, span(path));
    for (std::uint32_t from = 0; valid(sites) && from < program_.boards[look.board].sites.size(); ++from) {
        const Operand start = value(builder_.constant(site, from, span(path)), span(path));
        const Operand ends = operators_.join_operands(start, joined, span(path));
        const ExprId set = ends.ok() ? conversions_.convert(ends, sites) : none_id<ExprId>;
        if (!valid(set)) return false;
        const auto bits = builder_.set(set);
        if (!bits) {
            error(Message::NotConstant, span(path));
            return false;
        }
        for_each_bit(*bits, [&](std::size_t to) {
            const auto end = static_cast<std::uint32_t>(to);
            const std::pair loop(std::min(from, end), std::max(from, end));
            if (from != end && std::ranges::find(look.loops, loop) == look.loops.end()) look.loops.push_back(loop);
        });
    }
    return true;
}

bool Looks::place_sites(NodeId id, const Rows& rows, ir::BoardLook& look) {
    for (std::size_t site = 0; site < rows.cells.size(); ++site) {
        if (!rows.cells[site]) {
            error(Message::LookRows, span(id),
                  {fmt::format("rows without `{}`", rows.names[site]), "all sites of the board"});
            return false;
        }
        look.cells.emplace_back(rows.cells[site]->x, rows.cells[site]->y);
    }
    return true;
}

// ---- pieces and variables

// Reports a word that is none of the shapes that fit.
std::optional<Looks::Shaped> Looks::shape_of(NodeId id, std::string_view subject, bool (*fits)(ir::Shape)) {
    std::vector<std::string> names;
    for (const NamedShape& known : shapes)
        if (fits(known.shape)) names.emplace_back(known.word);
    std::optional<Shaped> result;
    bool lettered = false;
    for (const NodeId part : parts(id)) {
        if (!valid(part)) return std::nullopt;
        if (node(part).kind != Kind::LookWord) {
            wrong_part(part, subject, names);
            return std::nullopt;
        }
        const std::string& word = node(part).text;
        if (word == "lettered") {
            lettered = true;
            continue;
        }
        const auto found = std::ranges::find(shapes, word, &NamedShape::word);
        if (found == shapes.end() || !fits(found->shape)) {
            error(Message::UnknownShape, span(part),
                  {word, std::string(subject), fmt::format("{}", fmt::join(names, ", "))},
                  symbols_.suggestion(word, names));
            return std::nullopt;
        }
        if (!is_only(id, part, {names.begin(), names.end()})) return std::nullopt;
        result = Shaped{found->shape};
    }
    // A letter stands on a stone if nothing else is said.
    if (lettered) result = Shaped{result ? result->shape : ir::Shape::Stone, true};
    return result;
}

void Looks::look_of_piece(NodeId id, TypeId type, std::int64_t value) {
    const auto shaped = shape_of(id, "a piece", is_for_piece);
    if (!shaped) return;
    const auto add = [&](TypeId of, std::int64_t v) {
        const auto same = [&](const ir::PieceLook& look) { return look.type == of && look.value == v; };
        if (std::ranges::none_of(program_.looks.pieces, same))
            program_.looks.pieces.push_back(
                {.type = of, .value = v, .shape = shaped->shape, .lettered = shaped->lettered});
    };
    add(type, value);
    // The values of a sub-type look as they do in the wider one.
    for (std::size_t i = 0; i < types().size(); ++i) {
        const auto subset = static_cast<TypeId>(i);
        if (kind(subset) != TypeKind::Enum || !subsets_.contains(subset) || subsets_.wider(subset) != type) continue;
        for (std::uint64_t v = 0; v < types().cardinality(subset); ++v) {
            const auto narrow = static_cast<std::int64_t>(v);
            if (builder_.scalar(subsets_.widened(builder_.constant(subset, narrow, {}), {}).expr) == value)
                add(subset, narrow);
        }
    }
}

void Looks::look_of_state(NodeId id, ir::StateId state) {
    const ir::StateVariable& s = program_.states[state];
    const bool is_set = kind(s.value) == TypeKind::Set;
    const bool is_number = kind(bare(s.value)) == TypeKind::Int;
    const NodeId first = parts(id).front();
    const auto* const named = valid(first) && node(first).kind == Kind::LookWord
                                  ? std::ranges::find(shapes, node(first).text, &NamedShape::word)
                                  : shapes.end();
    const bool is_shape = named != shapes.end();
    // A set of sites is drawn on the board, or as values beside it.
    const bool on_board = !is_set || !is_shape || is_for_piece(named->shape);
    const bool is_place = on_board && kind(is_set ? types().inner(s.value) : bare(s.value)) == TypeKind::Site;
    if (is_track(state) && !is_shape) return look_of_map(id, state);
    const auto shaped = is_place    ? shape_of(id, "what holds places of pieces", is_for_piece)
                        : is_number ? shape_of(id, "numbers", is_for_numbers)
                                    : shape_of(id, "values", is_for_values);
    const bool is_first =
        std::ranges::find(program_.looks.states, state, &ir::StateLook::state) == program_.looks.states.end();
    if (shaped && is_first) program_.looks.states.push_back({.state = state, .shape = shaped->shape});
}

} // namespace zug::lang

// What a name stands for: local names first, then the file's declarations, the prelude's, and the built-in ones.

#include "lang/check/name_values.hpp"

#include "lang/check/calls.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/boards.hpp"
#include "lang/resolve/parameters.hpp"
#include "lang/resolve/players.hpp"
#include "lang/resolve/shapes.hpp"
#include "lang/resolve/states.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/resolve/types.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zug::lang {

Operand NameValues::name_value(NodeId id) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    answer_index(at);
    if (Local* local = find_local(name)) {
        local->used = true;
        note_use(id, local_name(*local));
        if (valid(local->map)) {
            error(Message::MapWithoutIndex, at, {name});
            return poison(at);
        }
        Operand result = local->value;
        result.span = at;
        return result;
    }
    if (Declaration* declaration = symbols_.find(name)) {
        note_use(id, declaration->span);
        return declared_value(*declaration, at);
    }
    if (auto builtin = builtin_name(name, at)) return *builtin;
    if (symbols_.is_lost(name) || !explain_direction(name, at)) symbols_.unknown_name(name, at);
    return poison(at);
}

void NameValues::answer_index(Span name) {
    if (context_.index == nullptr || !context_.index->is_asked_about(name)) return;
    std::vector<NameIndex::Visible> visible;
    for (std::size_t i = context_.locals.size(); i > context_.first_local; --i) {
        const Local& local = context_.locals[i - 1];
        visible.push_back({local.name, local.value.ok() ? type_text(local.value.type) : "", true});
    }
    for (std::string& known : symbols_.known_names()) visible.push_back({std::move(known), "", false});
    context_.index->answer(std::move(visible));
}

Operand NameValues::declared_value(Declaration& d, Span at) {
    d.used = true;
    if (d.owner != nullptr) d.owner->used = true;
    if (d.broken || (d.owner != nullptr && d.owner->broken)) return poison(at);
    switch (d.kind) {
    case DeclKind::Param: {
        parameters_.check_param(d);
        Operand result = d.value;
        result.span = at;
        return result;
    }
    case DeclKind::Alias:
    case DeclKind::Enum: {
        const InTree scope(context_, d.tree);
        types_.named_declaration(d, at);
        if (!valid(d.type)) return poison(at);
        const TypeId set = set_type(d.type, at);
        return valid(set) ? value(builder_.universe(d.type, at), at) : poison(at);
    }
    case DeclKind::Member:
        types_.named_declaration(*d.owner, at);
        if (!valid(d.owner->type)) return poison(at);
        return value(builder_.constant(d.owner->type, d.number, at), at);
    case DeclKind::Player:
        players_.resolve_players();
        if (d.number >= program_.players.size()) {
            if (!program_.players.empty()) error(Message::PlayerAbsent, at, {d.name});
            return poison(at);
        }
        return value(builder_.constant(program_.player_type, d.number, at), at);
    case DeclKind::Board:
        boards_.resolve_board(d);
        return valid(d.type) ? value(builder_.universe(d.type, at), at) : poison(at);
    case DeclKind::Group: {
        boards_.resolve_board(*d.owner);
        if (!valid(d.owner->type)) return poison(at);
        const auto& board = program_.boards[static_cast<ir::BoardId>(d.owner->number)];
        const Bits sites = d.number < board.groups.size() ? board.groups[d.number].sites : Bits(board.sites.size());
        return value(builder_.set_constant(types().set(d.owner->type), sites, at), at);
    }
    case DeclKind::State: {
        states_.resolve_state(d);
        if (d.number == UINT32_MAX) return poison(at);
        const auto id = static_cast<ir::StateId>(d.number);
        if (!program_.states[id].indices.empty()) {
            error(Message::MapWithoutIndex, at, {d.name});
            return poison(at);
        }
        return value(builder_.make(Op::StateGet, program_.states[id].value, {}, d.number, at), at);
    }
    case DeclKind::Def:
    case DeclKind::Path: return calls_.apply(d, {}, at);
    case DeclKind::Effect: error(Message::WrongKind, at, {d.name, "an effect", "a value"}); return poison(at);
    }
    return poison(at);
}

bool NameValues::is_known_value(std::string_view name) {
    if (find_local(name) != nullptr || symbols_.find(name) != nullptr || name == "stuck") return true;
    return builtin_name(name, {}).has_value();
}

namespace {

const Bits* direction_set(const ir::Board& board, std::string_view name) {
    if (name == "compass") return &board.compass;
    if (name == "ortho") return &board.ortho;
    if (name == "diagonals") return &board.diagonals;
    if (name == "axes") return &board.axes;
    return nullptr;
}

} // namespace

// Reports a direction, or set of directions, that only other boards have.
bool NameValues::explain_direction(std::string_view name, Span at) {
    constexpr std::string_view sets[] = {"compass", "ortho", "diagonals", "axes", "out"};
    const auto is_step = [&](const Compass& step) { return step.name == name; };
    const bool known = std::ranges::find(sets, name) != std::end(sets) ||
                       std::ranges::find(ring_directions, name) != std::end(ring_directions) ||
                       std::ranges::any_of(grid_compass(), is_step);
    if (!known || program_.boards.empty()) return false;
    std::vector<std::string> there;
    for (const ir::Board& board : program_.boards) {
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < board.dir_count; ++i)
            names.push_back(board.steps[static_cast<ir::StepId>(i)].name);
        if (board.shape == ir::BoardShape::Graph) names.emplace_back("the path `out`");
        there.push_back(fmt::format("`{}` has {}", board.name, fmt::join(names, ", ")));
    }
    error(Message::NoDirection, at, {std::string(name)}, fmt::format("{}", fmt::join(there, "; ")));
    return true;
}

std::optional<Operand> NameValues::builtin_name(std::string_view name, Span at) {
    if (name == "true" || name == "false") return value(builder_.truth(name == "true", at), at);
    if (name == "none") return value(builder_.constant(types().none_type(), ir::none, at), at);
    if (name == "me") return value(builder_.make(Op::Me, program_.player_type, {}, at), at);
    if (name == "stuck") {
        if (!context_.stuck_allowed) {
            error(Message::StuckHere, at);
            return poison(at);
        }
        return value(builder_.make(Op::Stuck, types().boolean(), {}, at), at);
    }
    if (name == "player") return value(builder_.universe(program_.player_type, at), at);
    if (name == "bool") return value(builder_.universe(types().boolean(), at), at);
    if (name == "site" || name == "dir") {
        const TypeId site = boards_.first_site(at);
        if (!valid(site)) return poison(at);
        const TypeId type = name == "site" ? site : types().dir(board_of(site));
        return value(builder_.universe(type, at), at);
    }
    if (context_.joined_board)
        if (auto found = board_name(*context_.joined_board, name, at)) return found;
    for (auto* declaration : symbols_.boards()) {
        if (declaration->phase == Declaration::Phase::Busy) continue;
        boards_.resolve_board(*declaration);
        if (!valid(declaration->type)) continue;
        if (auto found = board_name(static_cast<ir::BoardId>(declaration->number), name, at)) {
            declaration->used = true;
            return found;
        }
    }
    return {};
}

// Directions, sets of them, `adj`, `out`, and sites.
std::optional<Operand> NameValues::board_name(ir::BoardId id, std::string_view name, Span at) {
    const ir::Board& board = program_.boards[id];
    for (std::uint32_t i = 0; i < board.dir_count; ++i)
        if (board.steps[static_cast<ir::StepId>(i)].name == name)
            return value(builder_.constant(types().dir(id), i, at), at);
    if (const Bits* dirs = direction_set(board, name); dirs != nullptr && dirs->any())
        return value(builder_.set_constant(types().set(types().dir(id)), *dirs, at), at);
    if (name == "adj") return operators_.adjacency(id, at);
    if (name == "out" && !board.edges.empty()) return operators_.edge_path(id, at);
    for (std::size_t i = 0; i < board.sites.size(); ++i)
        if (board.sites[i].name == name)
            return value(builder_.constant(types().site(id), static_cast<std::int64_t>(i), at), at);
    return {};
}

} // namespace zug::lang

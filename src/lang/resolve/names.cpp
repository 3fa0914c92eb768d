// What a name stands for: local names first, then the file's declarations, the prelude's, and the built-in ones.

#include "lang/checker.hpp"

#include "base/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace zug::lang {

Declaration* Checker::find(std::string_view name) {
    const std::string key(name);
    if (auto it = table_.find(key); it != table_.end()) return it->second;
    if (auto it = prelude_table_.find(key); it != prelude_table_.end()) return it->second;
    return nullptr;
}

Local* Checker::find_local(std::string_view name) {
    for (std::size_t i = locals_.size(); i > first_local_; --i)
        if (locals_[i - 1].name == name) return &locals_[i - 1];
    return nullptr;
}

void Checker::push_local(Local local) { locals_.push_back(std::move(local)); }

void Checker::push_binding(const Binding& binding, bool warn) {
    push_local({.name = binding.name, .span = binding.span, .value = binding.value, .warn = warn});
}

Operand Checker::name_value(NodeId id) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    if (Local* local = find_local(name)) {
        local->used = true;
        if (valid(local->map)) {
            error(Message::MapWithoutIndex, at, {name});
            return poison(at);
        }
        Operand result = local->value;
        result.span = at;
        return result;
    }
    if (Declaration* declaration = find(name)) return declared_value(*declaration, at);
    if (auto builtin = builtin_name(name, at)) return *builtin;
    unknown_name(name, at);
    return poison(at);
}

Operand Checker::declared_value(Declaration& d, Span at) {
    d.used = true;
    if (d.owner != nullptr) d.owner->used = true;
    switch (d.kind) {
    case DeclKind::Param: {
        check_param(d);
        Operand result = d.value;
        result.span = at;
        return result;
    }
    case DeclKind::Alias:
    case DeclKind::Enum: {
        const InTree scope(*this, d.tree);
        named_declaration(d, at);
        if (!valid(d.type)) return poison(at);
        const TypeId set = set_type(d.type, at);
        return valid(set) ? value(builder_.universe(d.type, at), at) : poison(at);
    }
    case DeclKind::Member:
        named_declaration(*d.owner, at);
        if (!valid(d.owner->type)) return poison(at);
        return value(builder_.constant(d.owner->type, d.number, at), at);
    case DeclKind::Player:
        resolve_players();
        if (d.number >= program_.players.size()) {
            if (!program_.players.empty()) error(Message::PlayerAbsent, at, {d.name});
            return poison(at);
        }
        return value(builder_.constant(program_.player_type, d.number, at), at);
    case DeclKind::Board:
        resolve_board(d);
        return valid(d.type) ? value(builder_.universe(d.type, at), at) : poison(at);
    case DeclKind::Group: {
        resolve_board(*d.owner);
        if (!valid(d.owner->type)) return poison(at);
        const auto& board = program_.boards[static_cast<ir::BoardId>(d.owner->number)];
        const Bits sites = d.number < board.groups.size() ? board.groups[d.number].sites : Bits(board.sites.size());
        return value(builder_.set_constant(types().set(d.owner->type), sites, at), at);
    }
    case DeclKind::State: {
        resolve_state(d);
        if (d.number == UINT32_MAX) return poison(at);
        const auto id = static_cast<ir::StateId>(d.number);
        if (!program_.states[id].indices.empty()) {
            error(Message::MapWithoutIndex, at, {d.name});
            return poison(at);
        }
        return value(builder_.make(Op::StateGet, program_.states[id].value, {}, d.number, at), at);
    }
    case DeclKind::Def:
    case DeclKind::Path: return apply(d, {}, at);
    case DeclKind::Effect: error(Message::WrongKind, at, {d.name, "an effect", "a value"}); return poison(at);
    }
    return poison(at);
}

bool Checker::is_known_value(std::string_view name) {
    if (find_local(name) != nullptr || find(name) != nullptr || name == "stuck") return true;
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

std::optional<Operand> Checker::builtin_name(std::string_view name, Span at) {
    if (name == "true" || name == "false") return value(builder_.truth(name == "true", at), at);
    if (name == "none") return value(builder_.constant(types().none_type(), ir::none, at), at);
    if (name == "me") return value(builder_.make(Op::Me, program_.player_type, {}, at), at);
    if (name == "stuck") {
        if (!stuck_allowed_) {
            error(Message::StuckHere, at);
            return poison(at);
        }
        return value(builder_.make(Op::Stuck, types().boolean(), {}, at), at);
    }
    if (name == "player") return value(builder_.universe(program_.player_type, at), at);
    if (name == "bool") return value(builder_.universe(types().boolean(), at), at);
    if (name == "site" || name == "dir") {
        const TypeId site = first_site(at);
        if (!valid(site)) return poison(at);
        const TypeId type = name == "site" ? site : types().dir(board_of(site));
        return value(builder_.universe(type, at), at);
    }
    for (auto* declaration : boards_) {
        if (declaration->phase == Declaration::Phase::Busy) continue;
        resolve_board(*declaration);
        if (!valid(declaration->type)) continue;
        if (auto found = board_name(static_cast<ir::BoardId>(declaration->number), name, at)) {
            declaration->used = true;
            return found;
        }
    }
    return {};
}

// Directions, sets of them, `adj`, `out`, and sites.
std::optional<Operand> Checker::board_name(ir::BoardId id, std::string_view name, Span at) {
    const ir::Board& board = program_.boards[id];
    for (std::uint32_t i = 0; i < board.dir_count; ++i)
        if (board.steps[static_cast<ir::StepId>(i)].name == name)
            return value(builder_.constant(types().dir(id), i, at), at);
    if (const Bits* dirs = direction_set(board, name); dirs != nullptr && dirs->any())
        return value(builder_.set_constant(types().set(types().dir(id)), *dirs, at), at);
    if (name == "adj") return adjacency(id, at);
    if (name == "out" && !board.edges.empty()) return edge_path(id, at);
    for (std::size_t i = 0; i < board.sites.size(); ++i)
        if (board.sites[i].name == name)
            return value(builder_.constant(types().site(id), static_cast<std::int64_t>(i), at), at);
    return {};
}

std::vector<std::string> Checker::known_names() {
    std::vector<std::string> names{"me",      "none",      "true",  "false", "player", "stuck",  "site", "dir", "count",
                                   "min",     "max",       "next",  "prev",  "adj",    "some",   "all",  "not", "and",
                                   "compass", "diagonals", "ortho", "axes",  "abs",    "number", "tip"};
    for (std::size_t i = first_local_; i < locals_.size(); ++i) names.push_back(locals_[i].name);
    for (const auto& declaration : declarations_) names.push_back(declaration->name);
    for (const auto& board : program_.boards)
        for (std::uint32_t i = 0; i < board.dir_count; ++i)
            names.push_back(board.steps[static_cast<ir::StepId>(i)].name);
    return names;
}

// What an unknown name may have been meant to be, as a likely fix. A file of endless wrong names gets no more than a
// certain number of comparisons.
std::string Checker::suggestion(std::string_view name, std::vector<std::string> known) {
    constexpr std::size_t most_comparisons = 100'000;
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    comparisons_ += known.size();
    if (comparisons_ > most_comparisons || name.size() > 100) return "";
    const std::string near = nearest(name, known);
    return near.empty() ? "" : "did you mean `" + near + "`?";
}

// Whether a declaration of this name is among what the parser could not read: then the name is not unknown, only lost.
bool Checker::is_lost(std::string_view name) const {
    if (!damaged_) return false;
    static constexpr std::string_view words[] = {"def ",   "path ", "effect ", "state ", "local ",
                                                 "param ", "type ", "board ",  "move ",  "chance "};
    for (std::size_t file = 0; file < sources_.size(); ++file) {
        const std::string& text = sources_.text(static_cast<FileId>(file));
        for (auto word : words) {
            const std::string wanted = std::string(word).append(name);
            for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) {
                const std::size_t end = at + wanted.size();
                if (end >= text.size() ||
                    (std::isalnum(static_cast<unsigned char>(text[end])) == 0 && text[end] != '_'))
                    return true;
            }
        }
    }
    return false;
}

void Checker::unknown_name(std::string_view name, Span at) {
    if (name == "_") {
        error(Message::WildcardHere, at);
        return;
    }
    if (find_rule(name)) {
        error(Message::WrongKind, at, {std::string(name), "a rule", "a value"},
              "ask `can " + std::string(name) + "(...)`");
        return;
    }
    if (is_lost(name)) return;
    const std::string fix = suggestion(name, known_names());
    error(Message::UnknownName, at, {std::string(name)}, fix);
}

ir::StateId Checker::map_named(NodeId id) {
    if (!valid(id) || node(id).kind != Kind::Name) return none_id<ir::StateId>;
    const std::string& name = node(id).text;
    if (Local* local = find_local(name)) {
        if (valid(local->map)) local->used = true;
        return local->map;
    }
    Declaration* d = find(name);
    if (d == nullptr || d->kind != DeclKind::State) return none_id<ir::StateId>;
    resolve_state(*d);
    if (d->number == UINT32_MAX) return none_id<ir::StateId>;
    const auto state = static_cast<ir::StateId>(d->number);
    if (program_.states[state].indices.empty()) return none_id<ir::StateId>;
    d->used = true;
    return state;
}

} // namespace zug::lang

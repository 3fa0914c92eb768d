// The first pass over the files: finds which names are declared, which definitions are recursive, and which states are
// ever assigned.

#include "lang/core/scopes.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>

namespace zug::lang {

void Symbols::collect(const Item& item) {
    const InTree scope(context_, item.tree);
    const NodeId id = item.id;
    const bool prelude = item.prelude;
    find_assigned_names(id);
    const auto& n = node(id);
    const Span span = name_span(id);
    switch (n.kind) {
    case Kind::Game:
        if (valid(game_node_)) context_.declared_twice(span, "game", this->span(game_node_));
        game_node_ = id;
        program_.title = n.text;
        context_.whole_file = n.span;
        break;
    case Kind::Param: declare(DeclKind::Param, id, span, prelude); break;
    case Kind::TypeAlias: declare(DeclKind::Alias, id, span, prelude); break;
    case Kind::TypeEnum: collect_with_members(DeclKind::Enum, id, DeclKind::Member, 0, prelude); break;
    case Kind::Board: collect_with_members(DeclKind::Board, id, DeclKind::Group, 2, prelude); break;
    case Kind::Players: {
        if (valid(players_.id)) context_.declared_twice(span, "players", (*players_.tree)[players_.id].span);
        players_.id = id;
        players_.tree = context_.tree;
        std::uint32_t number = 0;
        for (NodeId player : children(id).subspan(1))
            if (valid(player)) declare(DeclKind::Player, player, this->span(player), prelude, {.number = number++});
        break;
    }
    case Kind::Teams:
        if (valid(teams_.id)) context_.declared_twice(span, "teams", (*teams_.tree)[teams_.id].span);
        teams_.id = id;
        teams_.tree = context_.tree;
        break;
    case Kind::State:
    case Kind::Local:
        declare(DeclKind::State, id, span, prelude);
        state_declarations_.push_back(declarations_.back().get());
        break;
    case Kind::Def: declare(DeclKind::Def, id, span, prelude); break;
    case Kind::PathDef: declare(DeclKind::Path, id, span, prelude); break;
    case Kind::EffectDef: declare(DeclKind::Effect, id, span, prelude); break;
    case Kind::Move:
    case Kind::Chance: declare_rule(item); break;
    case Kind::Turn:
        if (valid(turn_.id)) context_.declared_twice(span, "turn", (*turn_.tree)[turn_.id].span);
        turn_.id = id;
        turn_.tree = context_.tree;
        break;
    case Kind::Error:
        lose(n.span);
        for (const Span& cut : context_.cut)
            if (cut.file == n.span.file && cut.end == n.span.end) lose(cut);
        break;
    default: break;
    }
}

// An enumeration and its members, a board and its groups.
void Symbols::collect_with_members(DeclKind kind, NodeId id, DeclKind member, std::size_t first, bool prelude) {
    declare(kind, id, name_span(id), prelude);
    Declaration* owner = declarations_.back().get();
    if (kind == DeclKind::Board) board_declarations_.push_back(owner);
    std::uint32_t number = 0;
    for (NodeId part : children(id).subspan(first))
        if (valid(part)) declare(member, part, name_span(part), prelude, {owner, number++});
}

void Symbols::find_single_members() {
    std::vector<std::string> types;
    std::vector<Declaration*> aliases;
    for (const auto& d : declarations_) {
        if (d->kind == DeclKind::Alias) aliases.push_back(d.get());
        if (d->kind == DeclKind::Alias || d->kind == DeclKind::Enum || d->kind == DeclKind::Board)
            types.push_back(d->name);
    }
    for (Declaration* alias : aliases) {
        const InTree scope(context_, alias->tree);
        const NodeId of = child(alias->node, 0);
        if (!valid(of) || node(of).kind != Kind::TypeName) continue;
        const std::string& name = node(of).text;
        if (name.front() < 'A' || name.front() > 'Z' || find(name) != nullptr || is_lost(name)) continue;
        std::vector<std::string> others = types;
        std::erase(others, alias->name);
        if (!suggestion(name, std::move(others)).empty()) continue; // a type is meant, and misspelt
        alias->kind = DeclKind::Enum;
        declare(DeclKind::Member, of, span(of), alias->prelude, {alias, 0});
    }
}

void Symbols::declare(DeclKind kind, NodeId id, Span name, bool prelude, const MemberOf& of) {
    auto declaration = std::make_unique<Declaration>();
    declaration->kind = kind;
    declaration->name = node(id).text;
    note_use(name, name);
    declaration->tree = context_.tree;
    declaration->node = id;
    declaration->span = name;
    declaration->prelude = prelude;
    declaration->broken = context_.is_cut(name);
    declaration->extended = context_.extended_files.contains(name.file);
    declaration->owner = of.owner;
    declaration->number = of.number;
    auto& table = prelude ? prelude_table_ : table_;
    const auto [it, fresh] = table.emplace(declaration->name, declaration.get());
    if (!fresh) context_.declared_twice(name, declaration->name, it->second->span);
    declarations_.push_back(std::move(declaration));
}

namespace {

// All names that are used below a node.
void names_below(const syntax::Tree& tree, NodeId id, std::vector<std::string_view>& names) {
    if (!valid(id)) return;
    const auto& n = tree[id];
    if (n.kind == Kind::Name || n.kind == Kind::Call || n.kind == Kind::EffectCall) names.push_back(n.text);
    for (NodeId child : tree.children(id)) names_below(tree, child, names);
}

// Marks the nodes that lie on cycles: those of strongly connected components with several nodes, and those with an edge
// to themselves (R. Tarjan, Depth-first search and linear graph algorithms, 1972; without recursion).
class Cycles {
public:
    explicit Cycles(const std::vector<std::vector<std::size_t>>& edges)
        : edges_(edges), order_(edges.size(), 0), low_(edges.size(), 0), open_(edges.size(), false),
          cyclic(edges.size(), false) {
        for (std::size_t i = 0; i < edges.size(); ++i)
            if (order_[i] == 0) walk(i);
    }

private:
    const std::vector<std::vector<std::size_t>>& edges_;
    std::vector<std::size_t> order_, low_;
    std::vector<bool> open_;
    std::vector<std::size_t> stack_;
    std::size_t count_ = 0;

    struct Frame {
        std::size_t at, next;
    };

    void enter(std::size_t i, std::vector<Frame>& frames) {
        order_[i] = low_[i] = ++count_;
        open_[i] = true;
        stack_.push_back(i);
        frames.push_back({i, 0});
    }

    void leave(std::size_t i) {
        if (low_[i] != order_[i]) return;
        const bool many = stack_.back() != i || std::ranges::find(edges_[i], i) != edges_[i].end();
        for (bool more = true; more;) {
            const std::size_t member = stack_.back();
            stack_.pop_back();
            open_[member] = false;
            cyclic[member] = many;
            more = member != i;
        }
    }

    void walk(std::size_t root) {
        std::vector<Frame> frames;
        enter(root, frames);
        while (!frames.empty()) {
            auto& [at, next] = frames.back();
            if (next < edges_[at].size()) {
                const std::size_t to = edges_[at][next++];
                if (order_[to] == 0) {
                    enter(to, frames);
                } else if (open_[to]) {
                    low_[at] = std::min(low_[at], order_[to]);
                }
                continue;
            }
            const std::size_t done = at;
            frames.pop_back();
            if (!frames.empty()) low_[frames.back().at] = std::min(low_[frames.back().at], low_[done]);
            leave(done);
        }
    }

public:
    std::vector<bool> cyclic;
};

} // namespace

void Symbols::find_recursion() {
    boost::unordered_flat_map<const Declaration*, std::size_t> numbers;
    std::vector<Declaration*> definitions;
    for (auto& declaration : declarations_) {
        const auto kind = declaration->kind;
        if (kind != DeclKind::Def && kind != DeclKind::Path && kind != DeclKind::Effect) continue;
        numbers.emplace(declaration.get(), definitions.size());
        definitions.push_back(declaration.get());
    }
    std::vector<std::vector<std::size_t>> edges(definitions.size());
    for (std::size_t i = 0; i < definitions.size(); ++i) {
        std::vector<std::string_view> names;
        names_below(*definitions[i]->tree, definitions[i]->node, names);
        for (auto name : names) {
            auto it = numbers.find(find(name));
            if (it != numbers.end()) edges[i].push_back(it->second);
        }
    }
    const Cycles cycles(edges);
    for (std::size_t i = 0; i < definitions.size(); ++i) {
        Declaration& definition = *definitions[i];
        definition.recursive = cycles.cyclic[i];
        if (definition.recursive && definition.kind != DeclKind::Def)
            error(Message::RecursiveDefinition, definition.span,
                  {definition.kind == DeclKind::Path ? "path" : "effect", definition.name});
    }
}

void Symbols::find_assigned_names(NodeId id) {
    if (!valid(id)) return;
    const auto& n = node(id);
    if (n.kind == Kind::Assign) {
        const NodeId target = child(id, 0);
        if (valid(target))
            assigned_names_.insert(node(node(target).kind == Kind::Index ? child(target, 0) : target).text);
    }
    if (n.kind == Kind::EffectCall)
        for (NodeId argument : children(id))
            if (valid(argument) && node(argument).kind == Kind::Name) assigned_names_.insert(node(argument).text);
    for (NodeId child : children(id)) find_assigned_names(child);
}

} // namespace zug::lang

// Which declarations count: those of all files, less those that an extending file replaces.
//
// A declaration replaces the one of the same kind and name in the files below it and takes over its position in the
// order, so that parameters and rules keep theirs. Declarations that a game has one of are replaced as a whole. What is
// replaced is never checked.

#include "lang/resolve/assembly.hpp"

#include "lang/core/scopes.hpp"

#include <algorithm>

namespace zug::lang {

namespace {

enum class NameSpace : char { None = ' ', Names = 'n', Rules = 'r' };

struct Sort {
    NameSpace space = NameSpace::None;
    std::string_view text; // with an article
};

// Kinds with the same text can replace each other. Rules have a name space of their own.
Sort sort_of(Kind kind) {
    switch (kind) {
    case Kind::Param: return {NameSpace::Names, "a parameter"};
    case Kind::TypeAlias:
    case Kind::TypeEnum: return {NameSpace::Names, "a type"};
    case Kind::Board: return {NameSpace::Names, "a board"};
    case Kind::State:
    case Kind::Local: return {NameSpace::Names, "a state variable"};
    case Kind::Def: return {NameSpace::Names, "a `def`"};
    case Kind::PathDef: return {NameSpace::Names, "a `path`"};
    case Kind::EffectDef: return {NameSpace::Names, "an `effect`"};
    case Kind::Move: return {NameSpace::Rules, "a move rule"};
    case Kind::Chance: return {NameSpace::Rules, "a chance rule"};
    default: return {};
    }
}

// The key of declarations that are replaced as a whole: those that a game has one of, the notations of one rule or
// board, the looks of one name, and what is loud of one rule. Empty for all others.
std::string whole(const syntax::Tree& tree, NodeId id) {
    const auto& node = tree[id];
    switch (node.kind) {
    case Kind::Game:
    case Kind::Players:
    case Kind::Teams:
    case Kind::Turn:
    case Kind::StuckPass:
    case Kind::NotationTurn:
    case Kind::Position:
    case Kind::Eval:
    case Kind::Bound: return std::string(kind_name(node.kind));
    case Kind::Loud:
    case Kind::Look:
    case Kind::Notation:
    case Kind::NotationSites: {
        const NodeId of = tree.child(id, 0);
        const std::string_view kind =
            node.kind == Kind::NotationSites ? kind_name(Kind::Notation) : kind_name(node.kind);
        return std::string(kind) + " " + (valid(of) ? tree[of].text : "");
    }
    default: return {};
    }
}

} // namespace

void Assembly::assemble(const std::vector<SourceTree>& files) {
    const std::size_t errors = context_.report->error_count();
    for (const auto& file : files) top_level_ = std::max(top_level_, file.level);
    for (const auto& file : files) {
        if (!valid(file.tree->root)) continue;
        const InTree scope(context_, file.tree);
        if (file.level < top_level_ && !file.prelude) context_.extended_files.insert(span(file.tree->root).file);
        NodeId before = none_id<NodeId>;
        for (NodeId id : children(file.tree->root)) {
            if (!valid(id)) continue;
            if (node(id).kind == Kind::Error && valid(before) && !begins_line(id))
                context_.cut.push_back({span(id).file, span(before).begin, span(id).end});
            before = id;
            const Item item{.tree = file.tree, .id = id, .level = file.level, .prelude = file.prelude};
            if (node(id).kind == Kind::Phase)
                add_phase(item);
            else
                add_item(item);
        }
    }
    if (context_.report->error_count() > errors) throw GiveUp{}; // errors at uses of the names would only repeat it
    std::ranges::copy_if(items_, std::back_inserter(positions_), [](const Item& item) {
        return valid(item.id) && (*item.tree)[item.id].kind == Kind::Position;
    });
    drop_replaced_wholes();
    std::erase_if(items_, [](const Item& item) { return !valid(item.id); });
}

// Whether it stands at the very left, where declarations do: then it is likely one whose keyword is misspelt.
bool Assembly::begins_line(NodeId id) const {
    const Span at = span(id);
    return at.begin == 0 || context_.sources.text(at.file)[at.begin - 1] == '\n';
}

// `move go also`: to the rule that the files below have.
void Assembly::add_to_rule(const Item& more) {
    const auto& n = node(more.id);
    const auto found = item_positions_.find(std::string(1, static_cast<char>(NameSpace::Rules)) + n.text);
    Item* const rule = found == item_positions_.end() ? nullptr : &items_[found->second];
    if (rule == nullptr || !valid(rule->id) || rule->level == more.level) {
        error(Message::NothingToAddTo, name_span(more.id), {n.text});
        return;
    }
    const Kind wanted = n.kind == Kind::MoveAlso ? Kind::Move : Kind::Chance;
    if (const Kind kind = (*rule->tree)[rule->id].kind; kind != wanted) {
        error(Message::KindChanged, name_span(more.id),
              {n.text, std::string(sort_of(kind).text), std::string(sort_of(wanted).text)});
        return;
    }
    if (!rule->additions.empty() && rule->additions.back().level == more.level)
        error(Message::DeclaredTwice, name_span(more.id), {n.text});
    rule->additions.push_back({.tree = more.tree, .id = more.id, .level = more.level});
}

void Assembly::add_item(const Item& item) {
    if (node(item.id).kind == Kind::MoveAlso || node(item.id).kind == Kind::ChanceAlso) return add_to_rule(item);
    const Sort sort = sort_of(node(item.id).kind);
    const auto append = [&] { items_.push_back(item); };
    if (item.prelude || sort.space == NameSpace::None) return append();
    const std::string& name = node(item.id).text;
    const auto [it, fresh] =
        item_positions_.emplace(std::string(1, static_cast<char>(sort.space)) + name, items_.size());
    if (fresh) return append();
    Item& replaced = items_[it->second];
    const bool added_to = !replaced.additions.empty() && replaced.additions.back().level == item.level;
    if (added_to) error(Message::DeclaredTwice, name_span(item.id), {name});
    if (replaced.level == item.level) return append(); // declared twice: Symbols::collect reports it
    if (valid(replaced.id))
        if (const Sort before = sort_of((*replaced.tree)[replaced.id].kind); before.text != sort.text)
            error(Message::KindChanged, name_span(item.id), {name, std::string(before.text), std::string(sort.text)});
    replaced = item;
}

// A phase replaces the one of the same name with all its rules.
void Assembly::add_phase(const Item& phase) {
    for (Item& item : items_)
        if (item.level < phase.level && valid(item.phase) && (*item.tree)[item.phase].text == node(phase.id).text) {
            for (const Addition& more : item.additions)
                if (more.level == phase.level)
                    error(Message::NothingToAddTo, phase.tree == more.tree ? name_span(more.id) : span(phase.id),
                          {(*more.tree)[more.id].text});
            item.id = none_id<NodeId>;
        }
    for (NodeId rule : children(phase.id).subspan(1)) {
        if (!valid(rule)) continue;
        Item item = phase;
        item.id = rule;
        item.phase = phase.id;
        add_item(item);
    }
}

// Also drops the tests of extended files, which are about another game, and teams of players who are replaced.
void Assembly::drop_replaced_wholes() {
    const std::string players(kind_name(Kind::Players));
    std::map<std::string, unsigned> highest;
    for (const Item& item : items_)
        if (valid(item.id)) {
            unsigned& level = highest[whole(*item.tree, item.id)];
            level = std::max(level, item.level);
        }
    for (Item& item : items_) {
        if (!valid(item.id)) continue;
        const bool test = (*item.tree)[item.id].kind == Kind::Test && item.level < top_level_;
        const std::string key = whole(*item.tree, item.id);
        const bool of_others = (*item.tree)[item.id].kind == Kind::Teams && item.level < highest[players];
        if (test || of_others || (!key.empty() && item.level < highest[key])) item.id = none_id<NodeId>;
    }
}

std::optional<Item> Assembly::replaced_position(const syntax::Tree* tree) const {
    const auto own = std::ranges::find(positions_, tree, &Item::tree);
    if (own == positions_.end()) return std::nullopt;
    std::optional<Item> result;
    for (const Item& item : positions_)
        if (item.level < own->level && (!result || item.level > result->level)) result = item;
    return result;
}

// The declarations of a kind, in order of falling level.
std::vector<Item> Assembly::own_first(Kind kind) const {
    std::vector<Item> result;
    for (const Item& item : items_)
        if ((*item.tree)[item.id].kind == kind) result.push_back(item);
    std::ranges::stable_sort(result, std::ranges::greater(), &Item::level);
    return result;
}

} // namespace zug::lang

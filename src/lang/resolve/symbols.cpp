// Lookup of names, and suggestions for unknown ones.

#include "lang/resolve/symbols.hpp"

#include "base/nearest.hpp"
#include "base/printable.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/shapes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zug::lang {
void Symbols::declare_rule(const Item& item) {
    const NodeId id = item.id;
    const auto& n = node(id);
    if (n.kind != Kind::Move && n.kind != Kind::Chance) return;
    if (const auto first = find_rule(n.text))
        context_.declared_twice(name_span(id), n.text, program_.rules[*first].span);
    ir::Rule rule;
    rule.name = n.text;
    rule.chance = n.kind == Kind::Chance;
    rule.span = name_span(id);
    note_use(rule.span, rule.span);
    const Span declared = rule.span;
    program_.rules.push(std::move(rule));
    rules_.push({.tree = context_.tree, .id = id, .phase = item.phase, .additions = item.additions});
    for (const Addition& more : item.additions) {
        const InTree scope(context_, more.tree);
        note_use(more.id, declared);
        find_assigned_names(more.id);
    }
}

std::optional<ir::RuleId> Symbols::find_rule(std::string_view name) {
    for (std::uint32_t i = 0; i < program_.rules.size(); ++i)
        if (program_.rules[static_cast<ir::RuleId>(i)].name == name) return static_cast<ir::RuleId>(i);
    return {};
}

bool Symbols::has_params() const {
    return std::ranges::any_of(declarations_, [](const auto& d) { return d->kind == DeclKind::Param; });
}

bool Symbols::fixed_players() const { return !valid(players_.id) || !valid(players_.tree->child(players_.id, 0)); }

Declaration* Symbols::find(std::string_view name) {
    const std::string key(name);
    if (auto it = table_.find(key); it != table_.end()) return it->second;
    if (auto it = prelude_table_.find(key); it != prelude_table_.end()) return it->second;
    return nullptr;
}

std::vector<std::string> Symbols::known_names() {
    std::vector<std::string> names{"me",      "none",      "true",  "false", "player", "stuck",  "site", "dir", "count",
                                   "min",     "max",       "next",  "prev",  "adj",    "some",   "all",  "not", "and",
                                   "compass", "diagonals", "ortho", "axes",  "abs",    "number", "tip",  "team"};
    for (std::size_t i = context_.first_local; i < context_.locals.size(); ++i)
        names.push_back(context_.locals[i].name);
    for (const auto& declaration : declarations_) names.push_back(declaration->name);
    for (const auto& board : program_.boards)
        for (std::uint32_t i = 0; i < board.dir_count; ++i)
            names.push_back(board.steps[static_cast<ir::StepId>(i)].name);
    return names;
}

namespace {

// Words of other languages, and what is said instead.
struct ForeignWord {
    std::string_view word, hint;
};
constexpr ForeignWord foreign_words[] = {
    {"size", "`count s` is the number of members of a set"},
    {"len", "`count s` is the number of members of a set"},
    {"length", "`count s` is the number of members of a set"},
    {"neighbours", "`c.adj` is the set of the neighbours of `c`"},
    {"neighbors", "`c.adj` is the set of the neighbours of `c`"},
    {"adjacent", "`c.adj` is the set of the neighbours of `c`"},
    {"distance", "`c.adj^k` is the set of sites that k steps lead to from `c`"},
    {"opponent", "did you mean `foe`?"},
    {"enemy", "did you mean `foe`?"},
    {"self", "did you mean `me`?"},
    {"exists", "did you mean `some`?"},
    {"any", "did you mean `some`?"},
    {"every", "did you mean `all`?"},
    {"forall", "did you mean `all`?"},
    {"contains", "`x in s` asks whether a set contains x"},
    {"null", "did you mean `none`?"},
    {"nil", "did you mean `none`?"},
    {"occupied", "`at.(_)` is the set of sites where `at` is not none"},
    {"free", "`empty` is the set of sites where `at` is none"},
    {"floor", "`a div b` is the whole part of a quotient"},
    {"random", "what happens by chance is a rule that begins with `chance` in place of `move`"},
};

} // namespace

// A likely fix for an unknown name, or an empty text. The number of comparisons is bounded for all names of a load
// together, so that a file with very many wrong names stays cheap.
std::string Symbols::suggestion(std::string_view name, std::vector<std::string> known) {
    constexpr std::size_t most_comparisons = 100'000;
    if (const auto* foreign = std::ranges::find(foreign_words, name, &ForeignWord::word);
        foreign != std::end(foreign_words))
        return std::string(foreign->hint);
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    comparisons_ += known.size();
    if (comparisons_ > most_comparisons || name.size() > 100) return "";
    const std::string near = nearest(name, known);
    return near.empty() ? "" : "did you mean `" + near + "`?";
}

namespace {

// `north_east`, `upright`: the direction of boards that is meant by the words, `NE`; empty: the name is none of them.
std::string compass_direction(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, char>, 8> words = {{{"north", 'N'},
                                                                         {"south", 'S'},
                                                                         {"east", 'E'},
                                                                         {"west", 'W'},
                                                                         {"up", 'N'},
                                                                         {"down", 'S'},
                                                                         {"right", 'E'},
                                                                         {"left", 'W'}}};
    std::string letters;
    while (!name.empty()) {
        const auto* const word = std::ranges::find_if(words, [&](const auto& w) { return name.starts_with(w.first); });
        if (word == words.end()) return {};
        letters += word->second;
        name.remove_prefix(word->first.size());
        if (name.size() > 1 && name.front() == '_') name.remove_prefix(1);
    }
    return letters;
}

} // namespace

void Symbols::unknown_name(std::string_view name, Span at, std::string otherwise) {
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
    const bool like_site = site_coordinates(name).has_value();
    std::string fix = like_site ? site_hint() : "";
    const auto known = known_names();
    const std::string direction = compass_direction(name);
    if (fix.empty() && std::ranges::find(known, direction) != known.end())
        fix = fmt::format("did you mean `{}`?", direction);
    if (fix.empty()) fix = suggestion(name, known);
    if (fix.empty()) fix = std::move(otherwise);
    error(Message::UnknownName, at, {std::string(name)}, std::move(fix));
}

void Symbols::unknown_value(std::string_view name, Span at, TypeId wanted) {
    const TypeKind k = kind(bare(wanted));
    if (find_rule(name) || (k != TypeKind::Enum && k != TypeKind::Player)) return unknown_name(name, at);
    std::vector<std::string> values;
    for (std::uint64_t i = 0; i < types().cardinality(bare(wanted)); ++i)
        values.push_back(ir::value_text(program_, bare(wanted), types().value(bare(wanted), i)));
    const std::string what = k == TypeKind::Enum ? "values of " + type_noun(bare(wanted)) : "players";
    none_of(Message::UnknownName, name, at, {std::move(values), what});
}

void Symbols::none_of(Message message, std::string_view name, Span at, const Known& known) {
    if (!is_lost(name)) error(message, at, {std::string(name)}, hint(name, known));
}

std::string Symbols::hint(std::string_view name, const Known& known) {
    std::string near = suggestion(name, known.names);
    if (!near.empty() || known.names.empty()) return near;
    return fmt::format("{}: {}", known.what, listed(known.names));
}

std::string Symbols::site_hint() const {
    std::vector<std::string> boards;
    for (const auto& board : program_.boards) {
        std::vector<std::string> sites;
        for (const auto& site : board.sites) sites.push_back(site.name);
        boards.push_back(fmt::format("`{}` has {}", board.name, listed(sites)));
    }
    return fmt::format("{}", fmt::join(boards, "; "));
}

std::vector<std::string> Symbols::rule_names() const {
    std::vector<std::string> names;
    for (const auto& rule : program_.rules) names.push_back(rule.name);
    return names;
}

} // namespace zug::lang

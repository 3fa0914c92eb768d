#pragma once
// The symbol table: the names that the files and the prelude declare, the rules, and suggestions for misspelt names.
// Internal to src/lang.

#include "lang/core/part.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>
#include <set>

namespace zug::lang {

// A rule as written, and the names that its body may use.
struct RuleNode {
    const syntax::Tree* tree = nullptr;
    NodeId id{};
    NodeId phase = none_id<NodeId>;
    std::vector<Addition> additions = {};
    std::vector<Local> names = {}; // parameters, then what `let` and `is` gave
    std::vector<TypeId> sets = {}; // by parameter: the type of one that is a set; none_id: it is a single value
    bool planned = false;          // the turn plan mentions it
    bool broken = false;           // a parameter is wrong
};

// Of a member, group or player: the declaration that it is part of (null for players), and its index there.
struct MemberOf {
    Declaration* owner = nullptr;
    std::uint32_t number = 0;
};

// Names that could stand in a place, and what they are: `rules`.
struct Known {
    std::vector<std::string> names;
    std::string_view what;
};

struct TreeNode {
    const syntax::Tree* tree = nullptr;
    NodeId id = none_id<NodeId>;
};

class Symbols : CheckerPart {
public:
    explicit Symbols(Context& context) : CheckerPart(context) {}

    using Declarations = std::vector<std::unique_ptr<Declaration>>;
    const Declarations& declarations() const { return declarations_; } // in the order of the files
    const std::vector<Declaration*>& boards() const { return board_declarations_; }
    const std::vector<Declaration*>& states() const { return state_declarations_; }
    IdVector<ir::RuleId, RuleNode>& rules() { return rules_; }
    bool has_params() const;    // values that a user can change
    bool fixed_players() const; // as many play as are named
    // A superset of the states that rules can change: those assigned by name, or passed to an effect.
    const std::set<std::string>& assigned_names() const { return assigned_names_; }
    const TreeNode& players() const { return players_; } // the declarations that a game has one of; invalid: none
    const TreeNode& teams() const { return teams_; }
    const TreeNode& turn() const { return turn_; }

    // Declares what an item declares.
    void collect(const Item& item);
    // `type thing = Hole`, where nothing else is called `Hole`, declares an enumeration of one member. After all items
    // are collected.
    void find_single_members();
    // Marks the definitions that depend on themselves. After all items are collected.
    void find_recursion();
    // The declaration of a name: of the files, else of the prelude; null if there is none.
    Declaration* find(std::string_view name);
    // Reports a name that nothing declares, with a suggestion; `otherwise`: where no name is like it.
    void unknown_name(std::string_view name, Span span, std::string otherwise = "");
    // The same where a value of the type is wanted: says which values an enumeration has, or who the players are.
    void unknown_value(std::string_view name, Span span, TypeId wanted);
    // Reports a name that is none of `known`, with the nearest of them, or else all: `rules: a, b`.
    void none_of(Message message, std::string_view name, Span span, const Known& known);
    // `did you mean ...?` for the known name that is nearest to `name`, or an empty text.
    std::string suggestion(std::string_view name, std::vector<std::string> known);
    // The same, or else which names there are.
    std::string hint(std::string_view name, const Known& known);
    // Which sites the boards have, for a name that looks like one of a site.
    std::string site_hint() const;
    std::vector<std::string> rule_names() const;

    // What a wrong declaration would have declared is lost: that it is unknown, is no error of the place that uses it.
    // Loses all words of a text that is no declaration, or a wrong one.
    void lose(Span text);
    // Marks as broken what a text that could not be read declares anew. After all items are collected.
    void break_redeclared();
    bool is_lost(std::string_view name) const;
    bool lacks_board() const;   // some board is lost
    bool lacks_players() const; // the declaration of the players is lost
    bool lacks_state() const;   // some state variable is lost or broken
    // All names that an expression can use here.
    std::vector<std::string> known_names();
    std::optional<ir::RuleId> find_rule(std::string_view name);

private:
    void collect_with_members(DeclKind kind, NodeId id, DeclKind member, std::size_t first, bool prelude);
    void declare(DeclKind kind, NodeId id, Span name, bool prelude, const MemberOf& of = {});
    void find_assigned_names(NodeId id);
    void declare_rule(const Item& item);

    std::vector<std::unique_ptr<Declaration>> declarations_;
    boost::unordered_flat_map<std::string, Declaration*> table_, prelude_table_;
    std::vector<Declaration*> board_declarations_, state_declarations_;
    IdVector<ir::RuleId, RuleNode> rules_;
    std::set<std::string> assigned_names_;
    boost::unordered_flat_set<std::string> lost_;
    std::set<std::string> redeclared_; // the words at the beginning of lost texts
    bool lost_board_ = false;
    bool lost_name_ = false; // a declaration lacks its name
    TreeNode players_, teams_, turn_;
    NodeId game_node_ = none_id<NodeId>;
    std::size_t comparisons_ = 0; // of names, to suggest one
};

} // namespace zug::lang

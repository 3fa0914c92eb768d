#pragma once
// The context in which an expression is lowered: the bindings of its names, the player `me`, and assumptions about the
// state. A Context is a value that is passed down by const reference; with_...() return changed copies. Nothing in it
// outlives the routine that is being built. Below it are lifted values: what an expression is for each value of one
// variable (see lowering.hpp).

#include "compiler/graph/value_graph.hpp"
#include "executor/hash.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace zug::run {

struct Env;

// The binding of a variable while an expression is lowered.
struct Binding {
    enum class Kind : std::uint8_t { Value, Table, Closure };
    Kind kind = Kind::Value;
    NodeRef node = no_node; // Value: a word or a set
    std::vector<std::int64_t>
        table;         // Table: register word by bit of the lifted variable; `undefined` where there is none
    ir::ExprId expr{}; // Closure: an expression in its own environment (a path, or not yet lowered)
    const Env* env = nullptr;
};

// A list of bindings, the innermost first. It shares its tail with the enclosing environments.
struct Env {
    ir::VarId var{};
    Binding binding;
    const Env* next = nullptr;
};

// An assumption: the value of a map at the site that is bound to a variable.
struct Assumption {
    ir::StateId state{};
    ir::VarId var{};
    std::int64_t value = 0; // in the form of a register
    friend bool operator==(const Assumption&, const Assumption&) = default;
};

// Reads of a map that is stored as planes are as if one site had changed.
struct Moved {
    ir::StateId state{};
    NodeRef site = no_node;
    std::uint64_t before = 0, now = 0; // ordinals of its values
    bool only = false;                 // no other site held the value that it held before
    bool missed = false;               // set by a read that can't take the change into account
};

// The set that a recursive definition has grown to so far, while its body is evaluated once more.
struct Recursion {
    ir::FunctionId function{};
    NodeRef value = no_node; // what it is grown to so far; of a condition the entries of which it holds
    const Recursion* outer = nullptr;
};

struct Context {
    const Env* env = nullptr;
    std::uint32_t me = 0;
    // The answer to `stuck`; nullopt: determined at run time. See Lowering::stuck_answers().
    std::optional<bool> stuck = std::nullopt;
    // By StateId: the register that a variable is read from; 0: that of the state. With a snapshot, the state in the
    // frame is partly changed, so that no question can be answered at run time.
    const std::vector<Reg>* snapshot = nullptr;
    std::optional<Assumption> assumed = std::nullopt; // about the state; holds until the state changes
    Moved* moved = nullptr;
    const Recursion* recursion = nullptr;
    NodeRef asked_inside = no_node; // the variable of the loop that a question must not be moved out of; or none

    Context with_env(const Env* to) const {
        return changed([&](Context& c) { c.env = to; });
    }
    // For another expression, none of whose names is bound yet.
    Context without_names() const { return with_env(nullptr); }
    Context with_me(std::uint32_t player) const {
        return changed([&](Context& c) { c.me = player; });
    }
    Context with_stuck(bool answer) const {
        return changed([&](Context& c) { c.stuck = answer; });
    }
    Context with_snapshot(const std::vector<Reg>* regs) const {
        return changed([&](Context& c) { c.snapshot = regs; });
    }
    Context with_assumed(const std::optional<Assumption>& what) const {
        return changed([&](Context& c) { c.assumed = what; });
    }
    Context with_moved(Moved* change) const {
        return changed([&](Context& c) { c.moved = change; });
    }
    Context with_recursion(const Recursion* what) const {
        return changed([&](Context& c) { c.recursion = what; });
    }
    Context with_asked_inside(NodeRef loop_var) const {
        return changed([&](Context& c) { c.asked_inside = loop_var; });
    }
    bool may_ask() const { return snapshot == nullptr; }

private:
    template <class F>
    Context changed(F&& change) const {
        Context copy = *this;
        change(copy);
        return copy;
    }
};

// An expression, and the context in which its names are looked up.
struct Scoped {
    ir::ExprId expr{};
    Context in;
};

// -- lifted values

// Hashes keys that are hashes themselves.
struct WordsHashBucket {
    std::size_t operator()(const WordsHash& key) const { return static_cast<std::size_t>(key[0]); }
};

// The variable that is lifted: sets and tables of a lifted result are indexed by the bits of its type.
struct Lift {
    SetShape shape;
    NodeRef universe = no_node;
    std::vector<std::uint64_t> real; // the bits that are a value of the type
    bool entries = false;            // of several variables: the bits are the entries of a matrix (EntryLift)
    NodeRef within = no_node;        // only what is found for these values is used; no_node: for all

    // Leaves the other values out.
    template <class F>
    void keep(ValueGraph& graph, F&& is_kept) {
        const std::vector<std::uint64_t> before = real;
        for (std::size_t b = 0; b < shape.bits; ++b)
            if (is_real(b) && !is_kept(b)) real[b / 64] &= ~(std::uint64_t{1} << (b % 64));
        if (real != before) universe = graph.set(std::vector(real));
    }
    // Leaves out those that are not in a constant set.
    void keep_members(ValueGraph& graph, NodeRef set) {
        const std::vector<std::uint64_t> members = graph[set].value;
        keep(graph, [&](std::size_t b) { return (members[b / 64] >> (b % 64) & 1) != 0; });
    }
    // Of the values in a set only, besides.
    Lift narrowed(ValueGraph& graph, NodeRef set) const {
        Lift result = *this;
        result.within = within == no_node ? set : graph.and_(within, set);
        return result;
    }
    bool is_real(std::size_t bit) const { return (real[bit / 64] >> (bit % 64) & 1) != 0; }
};

// Several variables that are lifted together, since a matrix can be read by them.
struct EntryLift {
    Lift lift;
    std::vector<std::vector<std::int64_t>> values; // by variable, by bit
};

// A variable of several, and the set that it ranges over, which may depend on those before it.
struct EntryDomain {
    ir::VarId var{};
    ir::ExprId domain{};
};

// The scope of such variables: the context in which they have their values, and the entries that they mean.
struct EntryScope {
    Lift lift;
    Context in;
    NodeRef entries = no_node;
};

// A scalar that depends on the lifted variable.
struct LiftedScalar {
    enum class Kind : std::uint8_t { Table, Word, Map };
    Kind kind = Kind::Table;
    std::vector<std::int64_t> table; // Table: the values; Map: the bit that is read (undefined: none)
    NodeRef word = no_node;          // Word: the same for all
    ir::StateId state{};             // Map: a variable stored as planes
    // Map, if the variable has several indices: the row that is read, or which one, where that depends on the lifted
    // variable, too.
    NodeRef row = no_node;
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> values; // Map: by ordinal of the variable's value
};

// A candidate for the value of a variable: a table over the lifted variable, and the values of that for which it
// counts.
struct Candidate {
    std::vector<std::int64_t> table;
    NodeRef guard = no_node;
};

// Moves of a rule as a set: for each bit of `set`, a move, whose parameters are given in the form of registers.
struct MoveSet {
    NodeRef set = no_node;
    std::vector<std::vector<std::int64_t>> params; // by parameter, by bit
    std::optional<Assumption> assumed;             // it holds for all of them
    Lift lift;                                     // whose bits the set has
};

} // namespace zug::run

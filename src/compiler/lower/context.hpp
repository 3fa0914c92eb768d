#pragma once
// The context in which an expression is lowered: the bindings of its names, the player `me`, and assumptions about the
// state. A Context is a value that is passed down by const reference; with_...() return changed copies. Nothing in it
// outlives the routine that is being built.

#include "compiler/graph/value_graph.hpp"

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
    NodeRef value = no_node;
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

} // namespace zug::run

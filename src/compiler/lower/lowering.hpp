#pragma once
// From the finite core to byte code, for one player as `me` at a time.
//
// Three ways to give a value to an expression, tried in this order for every binder:
//   lifted    the bound variable ranges over a type of n values: a truth that depends on it becomes one n-bit set, a
//   term
//             that depends on it a table; `some x reaches S` becomes the backward image of S (lift.cpp);
//   unrolled  the domain is small or constant: one copy a value, folded (expressions.cpp);
//   looped    a loop of the byte code (expressions.cpp).
// What none of them can say (recursive definitions, a `can` with an `ensure`) is asked of the reference evaluator at
// run time. Functions signal "not in this way" by no_node or false and leave the graph usable (unused nodes cost
// nothing).

#include "compiler/lower/lifted.hpp"
#include "executor/hash.hpp"

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

namespace zug::run {

class Lowering {
public:
    Lowering(const ir::Program& program, const StateLayout& layout, Bytecode& code, ValueGraph& graph);

    // How many answers to `stuck` have come from Context::stuck so far.
    std::size_t stuck_answers() const { return stuck_answers_; }
    // False once the budget of nodes is used up; there can be a new one.
    bool within_budget() const {
        return graph_.built() - paid_ < node_budget && steps_ < step_budget && !graph_.overflow();
    }
    void renew_budget() {
        paid_ = graph_.built();
        steps_ = 0;
    }
    bool failed() const { return failed_; }

    // A failure that isn't the program's: some way to lower something was tried in vain, and another is taken. For
    // notes to the rule file's author: forget what the last one was; say what it was; the same, where it may also be
    // that there were too many move sets.
    void forget_failure() { failure_reason_ = {}; }
    void record_refusal();
    void record_too_many();
    // Gives up the program; the value returned stands for nothing.
    NodeRef fail();

    // -- expressions (expressions.cpp, sets.cpp)
    NodeRef eval(ir::ExprId e, const Context& in);
    Context bind(ir::VarId var, ir::ExprId value, const Context& in, const Context& onto);
    // A name worked out once, which keeps its value when the state changes.
    Context bind_kept(const ir::Clause& let, const Context& in);
    Context bind_node(ir::VarId var, NodeRef node, const Context& onto);
    Context bind_table(ir::VarId var, std::vector<std::int64_t> table, const Context& onto);

    // -- instances of a rule (cases.cpp, instances.cpp)
    static constexpr std::size_t most_move_sets = 4096; // sets of instances of one rule
    struct MoveSetQuery {
        std::size_t most = most_move_sets; // sets
        std::vector<bool> used = {};       // by clause: it is known to hold
        NodeRef guard = no_node;           // what is known of the first parameter (no_node: nothing)
    };
    // As sets; false if some condition can't be lifted, or they are more than the query allows. Parameters that the
    // context binds are given.
    bool move_sets(const ir::Rule& rule, const Context& in, std::vector<MoveSet>& out, MoveSetQuery query);
    bool move_sets(const ir::Rule& rule, const Context& in, std::vector<MoveSet>& out) {
        return move_sets(rule, in, out, MoveSetQuery());
    }
    void drop_foreign(ir::TypeId type, std::vector<Candidate>& list, const Lift& lift);
    // Of a case of the rule, found without parameters given, those for which a condition on the parameters holds;
    // no_node: it can't be lifted.
    NodeRef those_where(const ir::Rule& rule, const MoveSet& c, ir::ExprId condition, const Context& in);
    // Those conditions of a rule that its parameters have no part in.
    NodeRef common_condition(const ir::Rule& rule, const Context& in);
    // The value that a loop over a set of the type stands at.
    NodeRef item_of(ir::TypeId type, const ValueGraph::OpenLoop& loop);
    // Whether it depends on more than the state, as far as can be seen beforehand.
    bool asks_history(ir::ExprId e);
    // Whether the clauses name nothing but what they bind themselves.
    bool is_about_state(const std::vector<ir::Clause>& list);
    // The clauses of a list evaluated for given bindings: their conjunction, and the environment after their lets.
    NodeRef clauses(const std::vector<ir::Clause>& list, Context& in);

    const StateLayout& layout() const { return layout_; }
    ValueGraph& graph() { return graph_; }
    Bytecode& code() { return code_; }
    const ir::Program& program() const { return program_; }
    NodeRef universe(ir::TypeId element);
    NodeRef empty(std::uint16_t width) { return graph_.set(std::vector<std::uint64_t>(width, 0)); }
    std::uint16_t width_of(ir::TypeId type) const; // of a value of this type in words
    // The bit number of a scalar in sets over its type, and back.
    NodeRef to_bit(ir::TypeId type, NodeRef value);
    NodeRef from_bit(ir::TypeId type, NodeRef bit);
    // The ordinal of a scalar; none of a type that isn't optional gives a number out of range.
    NodeRef outside(ir::TypeId wanted, ir::TypeId given, NodeRef value);
    NodeRef ordinal(ir::TypeId type, NodeRef value);
    // The place number of an index list in a Words or Sets variable, out of range if an index is none.
    NodeRef place_number(const ir::StateVariable& variable, std::span<const NodeRef> indices);
    NodeRef state_place(ir::StateId id, const Context& in);
    // The first register that a variable is read from: the state's, or a copy.
    Reg base_of(ir::StateId id, const Context& in) const;
    // The places of an indexed variable that are not padding, as a set of place numbers.
    std::vector<std::uint64_t> real_places(const ir::StateVariable& variable) const;

    const ir::Expr& expr(ir::ExprId e) const { return program_.exprs[e]; }
    ir::TypeKind kind(ir::ExprId e) const { return program_.types.kind(expr(e).type); }
    const std::vector<ir::VarId>& free_vars(ir::ExprId e);
    bool names_known(ir::ExprId e, const Context& in); // whether all its free names are in `env`
    // The value that each bit of a lift over the type stands for, as a register holds it.
    std::vector<std::int64_t> values_by_bit(ir::TypeId type, const Lift& lift) const;
    bool depends(ir::ExprId e, const Context& in);
    const Binding* find(ir::VarId var, const Context& in) const;
    // Strips lets, calls, names and decided ifs.
    Scoped resolve(ir::ExprId e, Context in);

    NodeRef eval_set(ir::ExprId e, const Context& in);
    NodeRef eval_arithmetic(ir::ExprId e, const Context& in);
    NodeRef eval_structure(ir::ExprId e, const Context& in);
    NodeRef eval_equal(ir::ExprId e, const Context& in);
    NodeRef eval_in(ir::ExprId e, const Context& in);
    NodeRef eval_map(ir::ExprId e, const Context& in, const std::vector<std::int64_t>* values);
    NodeRef eval_binder(ir::ExprId e, const Context& in);
    NodeRef unroll(ir::ExprId e, const Context& in, NodeRef domain, const std::vector<std::uint64_t>& bits);
    NodeRef loop(ir::ExprId e, const Context& in, NodeRef domain);
    NodeRef combine(ir::ExprId e, NodeRef sum, NodeRef item, NodeRef guard);
    NodeRef neutral(ir::ExprId e);
    NodeRef eval_can(ir::ExprId e, const Context& in);
    NodeRef can_for(ir::RuleId id, const Context& in, std::span<const NodeRef> pattern);
    bool asks(ir::ExprId e, bool stuck_known);
    NodeRef only_where(NodeRef truth, const Context& in, const std::function<NodeRef(const Context&)>& body);
    NodeRef eval_logic(ir::ExprId e, const Context& in);
    void forget_other_epochs();
    bool hash_of(ir::ExprId e, const Context& in, bool values, WordsHasher& hasher);
    static void hash_assumptions(const Context& in, WordsHasher& hasher);
    bool too_large(const std::vector<Candidate>& list);
    std::optional<WordsHash> memo_key(ir::ExprId e, const Context& in);
    NodeRef lift_can(ir::ExprId e, const Context& in, const Lift& lift);
    NodeRef ask_reference(ir::ExprId e, const Context& in);
    NodeRef constant_state(ir::StateId id);
    bool functional(ir::ExprId e, const Context& in); // an image with at most one member
    ir::TypeId element(ir::ExprId set) const { return program_.types.inner(expr(set).type); }

    // -- paths (paths.cpp)
    NodeRef image(NodeRef set, ir::ExprId path, const Context& in, bool back);
    NodeRef image_power(NodeRef set, ir::ExprId path, const Context& in, bool back);
    NodeRef image_slide(NodeRef set, ir::ExprId path, const Context& in, bool back);
    NodeRef image_of_few(NodeRef set, ir::ExprId path, const Context& in, bool back);
    // How many members a set has as a rule: what a plane holds at the start is taken for what it holds later.
    std::uint64_t expected_size(NodeRef set, int depth = 8) const;
    NodeRef image_closure(NodeRef set, ir::ExprId path, const Context& in, bool back);
    NodeRef image_table(NodeRef set, const ir::Board& board, ir::BoardId id, const std::vector<std::int32_t>& to,
                        bool back);
    NodeRef image_dirs(NodeRef set, ir::BoardId board, NodeRef dirs, bool back);
    // Bit to bit; -1 where the step leads nowhere.
    std::vector<std::int64_t> step_table(ir::BoardId id, const std::vector<std::int32_t>& to, bool back) const;
    // A path of constant steps into one set: the flood instructions know it.
    struct Flood {
        std::vector<std::vector<std::int64_t>> steps;
        NodeRef into = no_node;
    };
    bool is_line(NodeRef set, ir::ExprId path, const Context& in, Flood& line);
    bool as_flood(ir::ExprId path, const Context& in, Flood& flood);
    bool constant_dirs(ir::ExprId path, const Context& in, std::vector<std::vector<std::int64_t>>& steps);
    NodeRef all_sites(ir::BoardId id);
    NodeRef step_of_one(NodeRef set, NodeRef row, std::vector<std::int64_t> table);
    NodeRef shift_by(NodeRef set, const std::vector<std::int64_t>& table);

    // -- lifting (lift.cpp, relations.cpp)
    Lift lift_over(ir::TypeId type);
    NodeRef lift_truth(ir::ExprId e, const Context& in, const Lift& lift) {
        return tried(e, [&] { return find_truth(e, in, lift); });
    }
    NodeRef find_truth(ir::ExprId e, const Context& in, const Lift& lift);
    NodeRef lift_equal(const Scoped& a, const Scoped& b, const Lift& lift);
    NodeRef lift_by_row(const std::vector<std::int64_t>& table, NodeRef word, const Lift& lift);
    NodeRef lift_less(const Scoped& a, const Scoped& b, const Lift& lift);
    NodeRef lift_binder(ir::ExprId e, const Context& in, const Lift& lift);
    bool lift_term(ir::ExprId e, const Context& in, const Lift& lift, Term& out) {
        return tried(e, [&] { return find_term(e, in, lift, out); });
    }
    bool find_term(ir::ExprId e, const Context& in, const Lift& lift, Term& out);
    bool lift_table(ir::ExprId e, const Context& in, const Lift& lift, std::vector<std::int64_t>& out);
    // {v | set(v) meets target}
    // Of expressions in one environment: whether they are written alike; whether the condition can hold only where the
    // set is not empty.
    bool same(ir::ExprId a, ir::ExprId b) const;
    bool implies_some(ir::ExprId condition, ir::ExprId set) const;
    NodeRef lift_meets(ir::ExprId set, const Context& in, NodeRef target, const Lift& lift) {
        return tried(set, [&] { return find_meets(set, in, target, lift); });
    }
    NodeRef find_meets(ir::ExprId set, const Context& in, NodeRef target, const Lift& lift);
    // {v | term(v) in set(v)}
    NodeRef lift_member(const std::vector<std::int64_t>& term, ir::ExprId set, const Context& in, const Lift& lift);
    // the union of set(v) over v in `over`
    NodeRef lift_union(ir::ExprId set, const Context& in, NodeRef over, const Lift& lift) {
        return tried(set, [&] { return find_union(set, in, over, lift); });
    }
    NodeRef find_union(ir::ExprId set, const Context& in, NodeRef over, const Lift& lift);
    bool each_member(ir::ExprId binder, const Context& in, const Lift& lift,
                     const std::function<bool(NodeRef is_in, const Context& inner)>& f);
    NodeRef preimage(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift);
    NodeRef lifted_constant(const std::vector<bool>& members, const Lift& lift);
    NodeRef map_equals(const Term& term, std::int64_t value, const Context& in, const Lift& lift);
    // A condition about the value at one place of a map; no_node: it is another (lift_values.cpp).
    NodeRef lift_by_value(ir::ExprId e, const Context& in, const Lift& lift);
    // (lift_words.cpp)
    NodeRef padding(const Lift& lift);
    NodeRef lift_above(ir::ExprId map, const Context& in, NodeRef bound, const Lift& lift);
    NodeRef lift_number(const Scoped& a, const Scoped& b, bool equal, const Lift& lift);
    bool truth_by_value(ir::ExprId e, const Context& in, const Lift& lift, std::optional<Term>& about,
                        std::vector<bool>& truth);
    NodeRef plane_of(ir::StateId state, std::uint64_t ordinal, const Context& in);
    NodeRef moved_plane(std::uint64_t ordinal, const Context& in);

    // set(v) as finitely many terms, each with its guard
    bool candidates(ir::ExprId set, const Context& in, const Lift& lift, std::vector<Candidate>& out);
    bool find_candidates(ir::ExprId set, const Context& in, const Lift& lift, std::vector<Candidate>& out);
    // Where a path leads to from the choice, or comes from.
    struct Walk {
        Context in;
        const Lift& lift;
        bool back = false;
    };
    bool path_candidates(const Candidate& from, ir::ExprId path, const Walk& walk, std::vector<Candidate>& out);
    bool path_repeats(const Candidate& from, ir::ExprId path, const Walk& walk, std::vector<Candidate>& out);
    void disjoin(std::vector<Candidate>& list, const Lift& lift);

    // For notes: an attempt to lift an expression. Of one that fails, the innermost part that no way was found for is
    // to blame.
    template <class F>
    std::invoke_result_t<F> tried(ir::ExprId e, F&& attempt);

    // The parameter that is lifted: the first that is a site, else the one with most values; none: their number.
    std::size_t lifted_parameter(const ir::Rule& rule, const Context& in, std::uint64_t& most) const;
    std::size_t times_named(ir::ExprId e, ir::VarId var) const;
    struct Search; // the state of cases()
    const std::int64_t* assumed_at(ir::ExprId map_get, const Context& in);
    bool choose_next(Search& search, Context in, NodeRef guard, std::vector<bool> bound, std::vector<bool> used);

    const ir::Program& program_;
    const StateLayout& layout_;
    Bytecode& code_;
    ValueGraph& graph_;
    std::deque<Env> envs_;
    std::vector<std::optional<std::vector<ir::VarId>>> free_;
    std::array<std::vector<std::optional<bool>>, 2> asks_; // by whether the answer to `stuck` is known
    std::size_t stuck_answers_ = 0;
    struct MemoBucket {
        std::size_t operator()(const WordsHash& key) const { return static_cast<std::size_t>(key[0]); }
    };
    boost::unordered_flat_map<WordsHash, NodeRef, MemoBucket> memo_; // of what memo_stamp_ names
    // What choices() found, or that it found no way.
    boost::unordered_flat_map<WordsHash, std::optional<std::vector<Candidate>>, MemoBucket> known_candidates_;
    boost::unordered_flat_set<WordsHash, MemoBucket> too_large_; // sets with too many choices, by sort
    bool is_too_large_ = false;
    std::uint64_t memo_stamp_ = 0;
    // Definitions that use each other many times over grow without bound when they are followed: beyond these the
    // program is left to the reference executor.
    static constexpr std::size_t node_budget = 400'000, step_budget = 2'000'000;
    struct PlaneSize {
        Reg reg;
        std::uint16_t words;
        std::uint64_t size;
    };
    std::vector<PlaneSize> plane_sizes_; // of planes that are not empty at the start and don't grow
    std::size_t steps_ = 0;              // names and calls followed
    std::size_t paid_ = 0;               // nodes of earlier budgets
    std::uint32_t depth_ = 0;
    bool failed_ = false;
    struct FailureReason {
        ir::ExprId expr = none_id<ir::ExprId>;
        bool too_large = false;
    };
    FailureReason failure_reason_;
};

template <class F>
std::invoke_result_t<F> Lowering::tried(ir::ExprId e, F&& attempt) {
    if (graph_.debug_info() == nullptr) return attempt();
    const FailureReason before = std::exchange(failure_reason_, {});
    const auto result = attempt();
    bool found = false;
    if constexpr (std::is_same_v<decltype(result), const bool>)
        found = result;
    else
        found = result != no_node;
    if (found)
        failure_reason_ = before;
    else if (!valid(failure_reason_.expr))
        failure_reason_.expr = e;
    return result;
}

} // namespace zug::run

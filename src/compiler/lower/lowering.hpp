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

#include "compiler/graph/value_graph.hpp"
#include "executor/hash.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

namespace zug::run {

struct Invalidation;
struct Env;

// What a variable stands for while an expression is lowered.
struct Binding {
    enum class Kind : std::uint8_t { Value, Table, Closure };
    Kind kind = Kind::Value;
    NodeRef node = no_node; // Value: a word or a set
    std::vector<std::int64_t>
        table;         // Table: register word by bit of the lifted variable; `undefined` where there is none
    ir::ExprId expr{}; // Closure: an expression in its own environment (a path, or not yet lowered)
    const Env* env = nullptr;
};
inline constexpr std::int64_t undefined = INT64_MIN + 1;

struct Env {
    ir::VarId var{};
    Binding binding;
    const Env* next = nullptr;
};

// The variable that is lifted: sets and tables of a lifted result are indexed by the bits of its type.
struct Lift {
    SetShape shape;
    NodeRef universe = no_node;
    std::vector<bool> real; // by bit: a value of the type
};

// A scalar that depends on the lifted variable.
struct Term {
    enum class Kind : std::uint8_t { Table, Word, Map };
    Kind kind = Kind::Table;
    std::vector<std::int64_t> table;  // Table: the values; Map: the place that is read (undefined: no place)
    NodeRef word = no_node;           // Word: the same for all
    ir::StateId state{};              // Map: a variable stored as planes
    std::vector<std::int64_t> values; // Map: by ordinal of the variable's value
};

// One way to choose the value of a variable in a move rule: a table over the lifted variable, and where it is allowed.
struct Candidate {
    std::vector<std::int64_t> table;
    NodeRef guard = no_node;
};

// A map, stored as planes, in which one place has changed.
struct Moved {
    ir::StateId state{};
    NodeRef place = no_node;
    std::uint64_t before = 0, now = 0; // ordinals of its values
    bool missed = false;               // something was read that doesn't know of the change
    bool only = false;                 // no other place held the value that it held before
};

// What a map holds at the place that a variable stands for.
struct Assumption {
    ir::StateId state{};
    ir::VarId var{};
    std::int64_t value = 0; // as a register holds it
    friend bool operator==(const Assumption&, const Assumption&) = default;
};

// Instances of a rule as a set: for each bit of `set`, the parameters' register words.
struct MoveSet {
    NodeRef set = no_node;
    std::vector<std::vector<std::int64_t>> params; // by parameter, by bit
    std::optional<Assumption> assumed;             // true of all of them
    Lift lift;                                     // whose bits the set has
};

class Lowering {
public:
    Lowering(const ir::Program& program, const StateLayout& layout, Bytecode& code, ValueGraph& graph);

    void set_me(std::uint32_t player) { me_ = player; }
    void set_snapshot(bool on) { no_questions_ = on; }
    // What `stuck` is taken to be; nullopt: it is asked. Such an answer, once used, shows in used_supposition().
    void suppose_stuck(std::optional<bool> stuck);
    bool used_supposition() const { return used_supposition_; }
    // False once the budget of nodes is used up; there can be a new one.
    bool within_budget() const {
        return graph_.built() - paid_ < node_budget && steps_ < step_budget && !graph_.overflow();
    }
    void renew_budget() {
        paid_ = graph_.built();
        steps_ = 0;
    }
    bool failed() const { return failed_; }

    // -- expressions (expressions.cpp, sets.cpp)
    NodeRef eval(ir::ExprId e, const Env* env);
    const Env* bind(ir::VarId var, ir::ExprId value, const Env* env, const Env* onto);
    // A name worked out once, which keeps its value when the state changes.
    const Env* bind_kept(const ir::Clause& let, const Env* env);
    const Env* bind_node(ir::VarId var, NodeRef node, const Env* onto);
    const Env* bind_table(ir::VarId var, std::vector<std::int64_t> table, const Env* onto);
    // Reads of state variables come from here instead of the state (a snapshot), if set.
    std::vector<Reg> snapshot; // by StateId; 0: the state itself

    // -- instances of a rule (cases.cpp, instances.cpp)
    static constexpr std::size_t case_limit = 4096; // sets of instances of one rule
    // As sets; false if some condition can't be lifted, or they are more than `most`. Parameters that `env` binds are
    // given; `used`: clauses that are known to hold; `guard`: what is known of the first parameter (no_node: nothing).
    bool move_sets(const ir::Rule& rule, const Env* env, std::vector<MoveSet>& out, std::size_t most = case_limit,
                   std::vector<bool> used = {}, NodeRef guard = no_node);
    // As sets, or as records that the routine emits, whichever is less work: always possible. `alone`: the routine does
    // nothing else and may return this as soon as it is clear that there are none. False: some construct has no byte
    // code.
    struct Instances {
        std::vector<MoveSet> move_sets;
        bool emits = false; // given: whether the routine emits others already
    };
    void drop_foreign(ir::TypeId type, std::vector<Candidate>& list, const Lift& lift);
    // Of a case of the rule, found without parameters given, those for which a condition on the parameters holds;
    // no_node: it can't be lifted.
    NodeRef those_where(const ir::Rule& rule, const MoveSet& c, ir::ExprId condition);
    // Those conditions of a rule that its parameters have no part in.
    NodeRef common_condition(const ir::Rule& rule);
    bool instances(ir::RuleId id, std::optional<std::int32_t> early_exit, Instances& out);
    // By shape of the records: the rule, and the parameters by bit; empty: the next of the registers kept.
    struct Record {
        ir::RuleId rule{};
        std::vector<std::vector<std::int64_t>> params;
        std::optional<Assumption> assumed;
        bool known_legal = false; // their `ensure` holds
    };
    std::vector<Record> records;
    // From now on records are put down apart for instances whose `ensure` is known to hold; null: no longer.
    void known_legal_by(const Invalidation* invalidation) { invalidation_ = invalidation; }
    // From now on instances that are sure to be legal are not put down but counted in a register; with `doubt` the
    // others aren't either, and that register is no longer 0 where there are some.
    struct Counting {
        Reg total = 0;
        std::optional<Reg> count_unchecked;
    };
    void count_into(std::optional<Counting> counting);
    // Instances of the rule, whose `ensure` is known to hold or not: false, they are to be put down.
    bool counted(const ir::Rule& rule, NodeRef set, bool known_legal);
    struct KnownLegal {
        NodeRef legal = no_node;   // no_node: none that is known
        NodeRef illegal = no_node; // the same
    };
    // What is left of a set of instances that may be legal or not.
    NodeRef needs_check(NodeRef set, const KnownLegal& known_legal);
    // Those members of the case whose `ensure` holds after the move, as far as `dangers` of the rule's condition tell
    // without making it. `env`: the parameters that the case doesn't give. (assured.cpp)
    KnownLegal known_legal(ir::RuleId id, const MoveSet& found, const Env* env, const Invalidation& invalidation);
    // What is known of the state from now on; it no longer holds when the state changes.
    void assume(const std::optional<Assumption>& assumption) { assumed_ = assumption; }
    // The value that a loop over a set of the type stands at.
    NodeRef item_of(ir::TypeId type, const ValueGraph::OpenLoop& loop);
    std::vector<NodeRef> domains_of(const ir::Rule& rule, std::vector<bool>& used, NodeRef& any_left,
                                    std::optional<std::int32_t> early_exit);
    // Whether it depends on more than the state, as far as can be seen beforehand.
    bool asks_history(ir::ExprId e);
    // Whether the clauses name nothing but what they bind themselves.
    bool is_about_state(const std::vector<ir::Clause>& list);
    // The clauses of a list evaluated for given bindings: their conjunction, and the environment after their lets.
    NodeRef clauses(const std::vector<ir::Clause>& list, const Env*& env);

    const StateLayout& layout() const { return layout_; }
    ValueGraph& graph() { return graph_; }
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
    NodeRef state_place(ir::StateId id);
    // The places of an indexed variable that are not padding, as a set of place numbers.
    std::vector<std::uint64_t> real_places(const ir::StateVariable& variable) const;

private:
    using Args = std::span<const ir::ExprId>;
    const ir::Expr& expr(ir::ExprId e) const { return program_.exprs[e]; }
    ir::TypeKind kind(ir::ExprId e) const { return program_.types.kind(expr(e).type); }
    const std::vector<ir::VarId>& free_vars(ir::ExprId e);
    bool names_known(ir::ExprId e, const Env* env); // whether all its free names are in `env`
    // The value that each bit of a lift over the type stands for, as a register holds it.
    std::vector<std::int64_t> values_by_bit(ir::TypeId type, const Lift& lift) const;
    bool depends(ir::ExprId e, const Env* env);
    const Binding* find(ir::VarId var, const Env* env) const;
    // Strips lets, calls, names and decided ifs.
    struct Resolved {
        ir::ExprId expr;
        const Env* env;
    };
    Resolved resolve(ir::ExprId e, const Env* env);

    NodeRef eval_set(ir::ExprId e, const Env* env);
    NodeRef eval_arithmetic(ir::ExprId e, const Env* env);
    NodeRef eval_structure(ir::ExprId e, const Env* env);
    NodeRef eval_equal(ir::ExprId e, const Env* env);
    NodeRef eval_in(ir::ExprId e, const Env* env);
    NodeRef eval_map(ir::ExprId e, const Env* env, const std::vector<std::int64_t>* values);
    NodeRef eval_binder(ir::ExprId e, const Env* env);
    NodeRef unroll(ir::ExprId e, const Env* env, NodeRef domain, const std::vector<std::uint64_t>& bits);
    NodeRef loop(ir::ExprId e, const Env* env, NodeRef domain);
    NodeRef combine(ir::ExprId e, NodeRef sum, NodeRef item, NodeRef guard);
    NodeRef neutral(ir::ExprId e);
    NodeRef eval_can(ir::ExprId e, const Env* env);
    NodeRef can_for(ir::RuleId id, std::uint32_t player, std::span<const NodeRef> pattern);
    bool asks(ir::ExprId e);
    NodeRef only_where(NodeRef truth, const std::function<NodeRef()>& body);
    NodeRef eval_logic(ir::ExprId e, const Env* env);
    void forget_other_epochs();
    bool hash_of(ir::ExprId e, const Env* env, bool values, WordsHasher& hasher);
    void hash_assumption(WordsHasher& hasher) const;
    bool too_large(const std::vector<Candidate>& list);
    std::optional<WordsHash> memo_key(ir::ExprId e, const Env* env);
    NodeRef lift_can(ir::ExprId e, const Env* env, const Lift& lift);
    NodeRef ask_reference(ir::ExprId e, const Env* env);
    NodeRef constant_state(ir::StateId id);
    NodeRef fail();
    bool functional(ir::ExprId e, const Env* env); // an image with at most one member
    ir::TypeId element(ir::ExprId set) const { return program_.types.inner(expr(set).type); }

    // -- paths (paths.cpp)
    NodeRef image(NodeRef set, ir::ExprId path, const Env* env, bool back);
    NodeRef image_power(NodeRef set, ir::ExprId path, const Env* env, bool back);
    NodeRef image_slide(NodeRef set, ir::ExprId path, const Env* env, bool back);
    NodeRef image_of_few(NodeRef set, ir::ExprId path, const Env* env, bool back);
    // How many members a set has as a rule: what a plane holds at the start is taken for what it holds later.
    std::uint64_t expected_size(NodeRef set, int depth = 8) const;
    NodeRef image_closure(NodeRef set, ir::ExprId path, const Env* env, bool back);
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
    bool is_line(NodeRef set, ir::ExprId path, const Env* env, Flood& line);
    bool as_flood(ir::ExprId path, const Env* env, Flood& flood);
    bool constant_dirs(ir::ExprId path, const Env* env, std::vector<std::vector<std::int64_t>>& steps);
    NodeRef all_sites(ir::BoardId id);
    NodeRef step_of_one(NodeRef set, NodeRef row, std::vector<std::int64_t> table);
    NodeRef shift_by(NodeRef set, const std::vector<std::int64_t>& table);

    // -- lifting (lift.cpp, relations.cpp)
    Lift lift_over(ir::TypeId type);
    NodeRef lift_truth(ir::ExprId e, const Env* env, const Lift& lift) {
        return tried(e, [&] { return find_truth(e, env, lift); });
    }
    NodeRef find_truth(ir::ExprId e, const Env* env, const Lift& lift);
    NodeRef lift_equal(ir::ExprId a, ir::ExprId b, const Env* env, const Env* env_b, const Lift& lift);
    NodeRef lift_by_row(const std::vector<std::int64_t>& table, NodeRef word, const Lift& lift);
    NodeRef lift_less(ir::ExprId a, ir::ExprId b, const Env* env_a, const Env* env_b, const Lift& lift);
    NodeRef lift_binder(ir::ExprId e, const Env* env, const Lift& lift);
    bool lift_term(ir::ExprId e, const Env* env, const Lift& lift, Term& out) {
        return tried(e, [&] { return find_term(e, env, lift, out); });
    }
    bool find_term(ir::ExprId e, const Env* env, const Lift& lift, Term& out);
    bool lift_table(ir::ExprId e, const Env* env, const Lift& lift, std::vector<std::int64_t>& out);
    // {v | set(v) meets target}
    // Of expressions in one environment: whether they are written alike; whether the condition can hold only where the
    // set is not empty.
    bool same(ir::ExprId a, ir::ExprId b) const;
    bool implies_some(ir::ExprId condition, ir::ExprId set) const;
    NodeRef lift_meets(ir::ExprId set, const Env* env, NodeRef target, const Lift& lift) {
        return tried(set, [&] { return find_meets(set, env, target, lift); });
    }
    NodeRef find_meets(ir::ExprId set, const Env* env, NodeRef target, const Lift& lift);
    // {v | term(v) in set(v)}
    NodeRef lift_member(const std::vector<std::int64_t>& term, ir::ExprId set, const Env* env, const Lift& lift);
    // the union of set(v) over v in `over`
    NodeRef lift_union(ir::ExprId set, const Env* env, NodeRef over, const Lift& lift) {
        return tried(set, [&] { return find_union(set, env, over, lift); });
    }
    NodeRef find_union(ir::ExprId set, const Env* env, NodeRef over, const Lift& lift);
    bool each_member(ir::ExprId binder, const Env* env, const Lift& lift,
                     const std::function<bool(NodeRef in, const Env* inner)>& f);
    NodeRef preimage(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift);
    NodeRef lifted_constant(const std::vector<bool>& members, const Lift& lift);
    NodeRef map_equals(const Term& term, std::int64_t value, const Lift& lift);
    // A condition about the value at one place of a map; no_node: it is another (lift_values.cpp).
    NodeRef lift_by_value(ir::ExprId e, const Env* env, const Lift& lift);
    // (lift_words.cpp)
    NodeRef padding(const Lift& lift);
    NodeRef lift_above(ir::ExprId map, const Env* env, NodeRef bound, const Lift& lift);
    NodeRef lift_number(ir::ExprId a, const Env* env_a, ir::ExprId b, const Env* env_b, bool equal, const Lift& lift);
    bool truth_by_value(ir::ExprId e, const Env* env, const Lift& lift, std::optional<Term>& about,
                        std::vector<bool>& truth);
    NodeRef plane_of(ir::StateId state, std::uint64_t ordinal);
    NodeRef moved_plane(std::uint64_t ordinal);

    // set(v) as finitely many terms, each with its guard
    bool candidates(ir::ExprId set, const Env* env, const Lift& lift, std::vector<Candidate>& out);
    bool find_candidates(ir::ExprId set, const Env* env, const Lift& lift, std::vector<Candidate>& out);
    // Where a path leads to from the choice, or comes from.
    struct Walk {
        const Env* env;
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
    void record_refusal(); // of what is built here, for which the last attempt failed

    // The parameter that is lifted: the first that is a site, else the one with most values; none: their number.
    std::size_t lifted_parameter(const ir::Rule& rule, const Env* env, std::uint64_t& most) const;
    std::size_t times_named(ir::ExprId e, ir::VarId var) const;
    struct Change; // by an effect, as a danger
    bool collect_changes(const std::vector<ir::EffectId>& list, const Env* env, const Lift& lift, NodeRef where,
                         const Invalidation& invalidation, std::vector<Change>& out);
    bool add_change(const ir::Effect& effect, const Env* env, const Lift& lift, NodeRef where,
                    const Invalidation& invalidation, std::vector<Change>& out);
    KnownLegal sure_by(const std::vector<Change>& changes, const Lift& lift, const Invalidation& invalidation);
    KnownLegal known_legal_after_first(const ir::Rule& rule, const Env* env, const Lift& lift);
    void hold_without(Moved moved, const ir::Rule& rule, Invalidation& invalidation);
    bool first_change(const ir::Effect& effect, const Env* env, const Lift& lift, Moved& out);
    std::uint64_t values_of(ir::ExprId e, ir::TypeId type, const Env* env, const Lift& lift);
    NodeRef fatal_places(const ir::Effect& effect, std::uint64_t now, const Invalidation& invalidation);
    NodeRef lift_in(ir::ExprId place, NodeRef set, const Env* env, const Lift& lift);
    struct Search; // the state of cases()
    struct Emission;
    bool instances_by_value(Emission& e, ir::StateId state, Instances& out);
    void start_emitting(Instances& out);
    void emit_level(Emission& e, const Env* env, std::vector<bool> used);
    void emit_loop(Emission& e, std::size_t param, const Env* env, std::vector<bool> used, NodeRef domain);
    void emit_move_set(Emission& e, const MoveSet& found, const Env* env);
    std::optional<ir::StateId> map_read_at(ir::ExprId e, ir::VarId var) const;
    const std::int64_t* assumed_at(ir::ExprId map_get, const Env* env);
    bool choose_next(Search& search, const Env* env, NodeRef guard, std::vector<bool> bound, std::vector<bool> used);

    const ir::Program& program_;
    const StateLayout& layout_;
    Bytecode& code_;
    ValueGraph& graph_;
    std::uint32_t me_ = 0;
    std::deque<Env> envs_;
    std::vector<std::optional<std::vector<ir::VarId>>> free_;
    std::vector<std::optional<bool>> asks_;
    NodeRef asked_inside_ = no_node; // the variable of the loop that decides whether there is a question
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
    bool no_questions_ = false;
    std::optional<Assumption> assumed_;
    const Invalidation* invalidation_ = nullptr;
    std::optional<Counting> counting_;
    // The loop that instances are counted in, and what is counted for all its members at once.
    struct CountingLoop {
        ValueGraph::OpenLoop open;
        NodeRef domain = no_node;
        std::optional<NodeRef> done; // members of which nothing is left to count in the loop
        std::vector<NodeRef> counts;
        bool stays = false; // something else happens in the loop
    };
    CountingLoop* counting_loop_ = nullptr;
    NodeRef sum_ = no_node; // what is still to be added to the total
    bool counted_outside(NodeRef set);
    void close(CountingLoop& loop);
    void count_later(NodeRef count);
    void add_to_total(NodeRef count);
    void count_unchecked(NodeRef set);
    std::optional<Moved> moved_;
    std::optional<bool> stuck_;
    bool used_supposition_ = false;
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

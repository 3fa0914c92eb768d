#pragma once
// From the finite core to the value graph, for one player as `me` at a time.
//
// Three ways to lower a binder, tried in this order:
//   lifted    the bound variable ranges over a type of n values: a truth that depends on it becomes one n-bit set, a
//             scalar that depends on it a table; `some x reaches S` becomes the backward image of S (set_lifter.hpp);
//   unrolled  the domain is small or constant: one copy of the body for each value, folded (sets.cpp);
//   looped    a loop of the byte code (sets.cpp).
// A `can` about a rule with an `ensure` becomes a question that the executor answers at run time, by trying moves. What
// none of them can express (most recursive definitions) becomes one that the reference evaluator answers. A function
// that cannot lower its argument in its way returns no_node or false. The graph stays usable: nodes of failed attempts
// are dead, and cost nothing.
//
// Lowering itself lowers expressions and names, and knows the representation of values in registers and in the state.
// The parts for lifting, paths, candidates and move sets are classes of their own (lowering_part.hpp), which it owns.
// All that the value of an expression depends on besides the state is passed down as a Context.

#include "compiler/analysis/block_effects.hpp"
#include "compiler/analysis/can_conditions.hpp"
#include "compiler/analysis/entry_recursion.hpp"
#include "compiler/lower/context.hpp"
#include "executor/hash.hpp"

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace zug::run {

class CandidateFinder;
class MoveSetFinder;
class StaticTables;
class PathLowering;
class SetLifter;

inline constexpr std::size_t most_move_sets = 4096; // of one rule

struct MoveSetQuery {
    std::size_t most = most_move_sets;
    std::vector<bool> used = {}; // by clause of the rule: it is known to hold
    NodeRef guard = no_node;     // what is known of the first parameter (no_node: nothing)
};

// Routines that a question of the kind Can needs (CompiledParts::can).
struct CanRequest {
    ir::RuleId rule{};
    std::uint32_t player = 0;
    std::vector<bool> given; // by parameter
    friend bool operator==(const CanRequest&, const CanRequest&) = default;
};

class Lowering {
public:
    Lowering(const ir::Program& program, const CanConditions& can, const StateLayout& layout, Bytecode& code,
             ValueGraph& graph);
    ~Lowering();
    Lowering(const Lowering&) = delete;
    Lowering& operator=(const Lowering&) = delete;

    const ir::Program& program() const { return program_; }
    const StateLayout& layout() const { return layout_; }
    Bytecode& code() { return code_; }
    ValueGraph& graph() { return graph_; }
    SetLifter& lifter() { return *lifter_; }
    PathLowering& paths() { return *paths_; }
    CandidateFinder& candidates() { return *candidates_; }
    StaticTables& statics() { return *statics_; }

    // -- failure
    // Gives up the program, or the attempt that is under way. The value that is returned must not be used.
    NodeRef fail();
    bool failed() const { return failed_ || attempt_.given_up; }
    // False once the budget of nodes is used up, until a new one is set.
    bool within_budget() const {
        return graph_.built() - paid_ < node_budget && steps_ < step_budget && !graph_.overflow() &&
               graph_.built() < most_budgets * node_budget && paid_steps_ + steps_ < most_budgets * step_budget &&
               graph_.built() < attempt_.most_nodes && steps_ < attempt_.most_steps;
    }
    // Tries a way for which there is another: it may use up a part of the budget only, is given back what it used if it
    // fails, and does not give up the program. f says whether it has done it; it must not have effects until it has.
    // `most_nodes`: that it may build, at most that part.
    template <class F>
    bool attempt(F&& f, std::size_t most_nodes = SIZE_MAX);
    // Charges for a constant of so many words, if it is larger than a board's.
    void pay_for_constant(std::size_t words) {
        if (words > 8) steps_ += words / 2;
    }
    // To be called before what may be large by itself: finding moves, the effects of a rule, random play.
    void renew_budget() {
        paid_ = graph_.built();
        paid_steps_ += std::exchange(steps_, 0);
    }
    // Runs an attempt to lift an expression. If it fails, the failure reason (for notes to the author of the rule file)
    // is the innermost part that could not be lifted, or that there were too many candidates.
    template <class F>
    std::invoke_result_t<F> tried(ir::ExprId e, F&& attempt);
    void record_failure(ir::ExprId e, bool too_large); // unless a reason is recorded already
    void forget_failure() { failure_reason_ = {}; }
    // Note the failure reason of the last attempt in the debug info, for the location of what is built now;
    // record_too_many() says that there are too many candidates if there is no other reason.
    void record_refusal();
    void record_too_many();

    // -- expressions and names (expressions.cpp, names.cpp)
    NodeRef eval(ir::ExprId e, const Context& in);
    // The conjunction of a list of clauses. The names of its lets are added to the context.
    NodeRef clauses(const std::vector<ir::Clause>& list, Context& in);
    // The number of answers to `stuck` that Context::stuck has given so far.
    std::size_t stuck_answers() const { return stuck_answers_; }
    // What the questions so far need, by Question::key.
    const std::vector<CanRequest>& can_requests() const { return can_requests_; }
    UnsureSums& unsure_sums() { return unsure_sums_; }
    // Binds a name to an expression in `in`, as an addition to `onto`.
    Context bind(ir::VarId var, ir::ExprId value, const Context& in, const Context& onto);
    // Binds a name to a value that is computed once, and kept when the state changes.
    Context bind_kept(const ir::Clause& let, const Context& in);
    Context bind_node(ir::VarId var, NodeRef node, const Context& onto);
    Context bind_table(ir::VarId var, std::vector<std::int64_t> table, const Context& onto);
    const Binding* find(ir::VarId var, const Context& in) const; // or null
    const std::vector<ir::VarId>& free_vars(ir::ExprId e);
    bool names_known(ir::ExprId e, const Context& in); // whether all its free names are bound
    bool depends(ir::ExprId e, const Context& in);     // whether it depends on a lifted variable
    bool is_assumed(ir::ExprId e, const Context& in);
    // Follows lets, calls, names and decided ifs to the expression that they stand for.
    Scoped resolve(ir::ExprId e, Context in);
    // The value that is assumed of this read of a map, or null.
    const std::int64_t* assumed_at(ir::ExprId map_get, const Context& in);
    ir::TypeId bare(ir::TypeId type) const { // without `none`
        return program_.types.kind(type) == ir::TypeKind::Optional ? program_.types.inner(type) : type;
    }
    // Whether it is `the S` of a set with at most one member.
    bool is_only_member(const Scoped& e);
    // Adds to a hash what an expression depends on besides the state, its names and `me`.
    static void hash_assumptions(const Context& in, WordsHasher& hasher);

    // -- for all values of a variable at once, and as sets of moves
    Lift lift_over(ir::TypeId type);
    // nullopt: no matrix has indices that these variables can be.
    std::optional<EntryLift> lift_over_entries(std::span<const ir::VarId> vars);
    // Over all entries of this matrix, by its indices.
    EntryLift entry_lift(ir::StateId matrix);
    // The same, each variable in its domain. nullopt: also where a domain can't be lifted.
    std::optional<EntryScope> lift_in_domains(std::span<const EntryDomain> list, const Context& in);
    NodeRef lift_truth(ir::ExprId e, const Context& in, const Lift& lift);
    bool lift_scalar(ir::ExprId e, const Context& in, const Lift& lift, LiftedScalar& out);
    // MoveSetFinder::leading_site, find, those_where and names
    std::size_t leading_site(const ir::Rule& rule, const Context& in) const;
    bool move_sets(const ir::Rule& rule, const Context& in, std::vector<MoveSet>& out, const MoveSetQuery& query = {});
    NodeRef those_where(const ir::Rule& rule, const MoveSet& found, ir::ExprId condition, const Context& in);
    bool names(const ir::Rule& rule, ir::ExprId e, ir::VarId var) const;

    // -- questions (questions.cpp)
    // The reference evaluator knows the expressions of this program only: that which is lowered, before passes added to
    // it.
    void ask_about(const ir::Program& checked) { most_asked_ = checked.exprs.size(); }
    // What a recursive condition about the entries of a matrix is, or null.
    const EntryRecursion* entry_recursion(ir::FunctionId id);
    // The entries for which a call of it holds, given the arguments that are not indices. no_node: they differ from
    // entry to entry, or the condition can't be lifted.
    NodeRef grown_entries(const Scoped& call, const EntryRecursion& about);
    // Its parameters, as the arguments of the call.
    Context inside_call(const Scoped& call);
    // Whether it depends on more than the state, as far as can be seen beforehand.
    bool asks_history(ir::ExprId e);
    // Whether all names of the clauses are bound by the clauses themselves.
    bool is_about_state(const std::vector<ir::Clause>& list);

    // -- values in registers (values.cpp)
    // The most members of a domain for which a body that can't be lifted is repeated, not looped over. What a rule says
    // of kinds differs from kind to kind, and is folded where the kind is known.
    std::size_t unroll_limit(ir::TypeId type) const;
    NodeRef universe(ir::TypeId element);
    NodeRef empty(std::uint16_t width) { return graph_.set(std::vector<std::uint64_t>(width, 0)); }
    std::uint16_t width_of(ir::TypeId type) const; // of a value of this type, in words
    // The bit number of a scalar in sets over its type, and back.
    NodeRef to_bit(ir::TypeId type, NodeRef value);
    NodeRef from_bit(ir::TypeId type, NodeRef bit);
    // The member of the current iteration of a loop over a set of the type.
    NodeRef item_of(ir::TypeId type, const ValueGraph::OpenLoop& loop);
    // The value that each bit of a lift over the type stands for, in the form of a register.
    std::vector<std::int64_t> values_by_bit(ir::TypeId type, const Lift& lift) const;
    // The truth that a value is not one of the type `wanted`, given that it is one of the type `given`.
    NodeRef outside(ir::TypeId wanted, ir::TypeId given, NodeRef value);
    // The ordinal of a scalar. For `none`, where the type is not optional, it is a number out of range.
    NodeRef ordinal(ir::TypeId type, NodeRef value);

    // -- the state (state_reads.cpp)
    // The number of an index list among the entries of a variable, out of range if an index is none. Of the first
    // indices only: the number of the row of entries that they have in common.
    NodeRef entry_number(ir::StateId id, std::span<const NodeRef> indices);
    // The entries of an indexed variable that are not padding, as a set of their numbers.
    std::vector<std::uint64_t> real_entries(ir::StateId id) const;
    NodeRef state_words(ir::StateId id, const Context& in);
    // The number of an entry of a map stored as words or bytes, given its words; `otherwise` if there is no such entry.
    NodeRef number_at(const VariableLayout& at, NodeRef row, NodeRef entry, std::int64_t otherwise);
    // The sets that a constant map holds, by number of the entry. Empty: there are too many.
    std::vector<std::uint64_t> constant_rows(ir::StateId id) const;
    // The first register that a variable is read from: the state's, or a copy.
    Reg base_of(ir::StateId id, const Context& in) const;
    // Where a map stored as planes holds the value with this ordinal: the members of the index type, or of the last one
    // in a row; without a row, of several indices the numbers of the entries.
    NodeRef plane_of(ir::StateId state, std::uint64_t ordinal, const Context& in, NodeRef row = no_node);
    NodeRef plane_universe(ir::StateId state, NodeRef row);
    NodeRef test_entry(const Scoped& read, const std::function<NodeRef(NodeRef)>& held);
    // An estimate of the size of a set: planes are assumed to stay as large as they are at the start of a game.
    std::uint64_t expected_size(NodeRef set, int depth = 8) const;

private:
    const ir::Expr& expr(ir::ExprId e) const { return program_.exprs[e]; }
    ir::TypeKind kind(ir::ExprId e) const { return program_.types.kind(expr(e).type); }
    ir::TypeId element(ir::ExprId set) const { return program_.types.inner(expr(set).type); }

    NodeRef eval_operation(const Scoped& e);
    NodeRef eval_name(const Scoped& e);
    NodeRef eval_stuck(const Scoped& e);
    NodeRef eval_arithmetic(ir::ExprId e, const Context& in);
    NodeRef eval_equal(ir::ExprId e, const Context& in);
    NodeRef eval_stored_equal(const Scoped& map, ir::ExprId other, const Context& in);
    NodeRef eval_in(ir::ExprId e, const Context& in);
    bool functional(ir::ExprId e, const Context& in); // whether the set is an image with at most one member
    std::optional<WordsHash> memo_key(ir::ExprId e, const Context& in);
    // values.cpp
    NodeRef eval_structure(ir::ExprId e, const Context& in);
    NodeRef eval_is_none(ir::ExprId e, const Context& in);
    NodeRef eval_tuple(ir::ExprId e, const Context& in);
    NodeRef eval_part(ir::ExprId e, const Context& in);
    NodeRef eval_player_after(ir::ExprId e, const Context& in);
    NodeRef eval_site_at(ir::ExprId e, const Context& in);
    NodeRef eval_site_number(ir::ExprId e, const Context& in);
    NodeRef eval_of_site(ir::ExprId e, const Context& in);
    NodeRef word_table(NodeRef at, std::vector<std::int64_t> values, std::int64_t low);
    const ir::Board& board_of(ir::TypeId site) const {
        return program_.boards[static_cast<ir::BoardId>(program_.types[bare(site)].ref)];
    }
    // sets.cpp
    NodeRef eval_set(ir::ExprId e, const Context& in);
    NodeRef eval_single(ir::ExprId e, const Context& in);
    NodeRef eval_range(ir::ExprId e, const Context& in);
    NodeRef eval_retyped(ir::ExprId e, const Context& in);
    NodeRef eval_the(ir::ExprId e, const Context& in);
    NodeRef eval_binder(ir::ExprId e, const Context& in);
    struct EntryBinder;
    std::optional<EntryBinder> entry_binder(ir::ExprId e);
    bool add_domain(ir::ExprId binder, EntryBinder& found);
    NodeRef lift_entries(ir::ExprId e, const Context& in);
    NodeRef compare_words(const Scoped& body, ir::ExprId e, NodeRef domain, const Lift& lift);
    NodeRef swap_binders(ir::ExprId e, const Context& inner, NodeRef domain, const Lift& lift);
    NodeRef lift_body(ir::ExprId e, const Context& inner, NodeRef domain, const Lift& lift);
    bool asks_recursive(ir::ExprId e, std::set<ir::FunctionId>& met) const;
    NodeRef unroll(ir::ExprId e, const Context& in, NodeRef domain, const std::vector<std::uint64_t>& bits);
    NodeRef loop(ir::ExprId e, const Context& in, NodeRef domain, const std::vector<ir::ExprId>& parts);
    NodeRef lift_parts(ir::ExprId e, const Context& inner, NodeRef domain, const Lift& lift,
                       std::vector<ir::ExprId>& parts);
    NodeRef extreme_member(const Scoped& e, NodeRef domain);
    NodeRef combine(ir::ExprId e, NodeRef sum, NodeRef item, NodeRef guard);
    NodeRef neutral(ir::ExprId e);
    // questions.cpp
    NodeRef eval_recursive(ir::ExprId e, const Context& in);
    std::optional<WordsHash> key_of_call(const Scoped& call);
    WordsHasher hasher_of(const Scoped& call) const;
    NodeRef eval_entry_recursion(const Scoped& call, const EntryRecursion& about);
    bool grows(ir::FunctionId id);
    bool calls_itself_only(ir::FunctionId id, ir::ExprId e);
    bool recurs(ir::ExprId e) const;
    bool is_sum_of_calls(ir::ExprId e) const;
    NodeRef ask_reference(ir::ExprId e, const Context& in);
    NodeRef ask(Question question, std::span<const NodeRef> given, const Context& in);
    bool asks(ir::ExprId e, bool stuck_known);
    NodeRef only_where(NodeRef truth, const Context& in, const std::function<NodeRef(const Context&)>& body);
    NodeRef eval_logic(ir::ExprId e, const Context& in);
    NodeRef eval_can(ir::ExprId e, const Context& in);
    NodeRef can_for(ir::ExprId e, const Context& player, std::span<const NodeRef> pattern);
    NodeRef some_legal(ir::ExprId e, std::uint32_t player, std::span<const NodeRef> pattern, NodeRef possible,
                       const Context& in);
    std::uint32_t can_request(CanRequest request, std::span<const NodeRef> pattern);
    // state_reads.cpp
    void find_plane_sizes();
    NodeRef constant_state(ir::StateId id);
    NodeRef eval_map(ir::ExprId e, const Context& in, const std::vector<std::int64_t>* values);
    NodeRef constant_sets(ir::StateId id, NodeRef entry);
    NodeRef constant_map(ir::StateId id, NodeRef entry, const std::vector<std::int64_t>& by_ordinal);
    NodeRef stored_plane(ir::StateId state, std::uint64_t ordinal, const Context& in, NodeRef row);
    NodeRef matrix_row(const VariableLayout& at, const std::function<NodeRef(std::uint64_t)>& word, NodeRef row);
    NodeRef moved_plane(std::uint64_t ordinal, const Context& in);

    const ir::Program& program_;
    const CanConditions& can_conditions_;
    const StateLayout& layout_;
    Bytecode& code_;
    ValueGraph& graph_;
    std::unique_ptr<SetLifter> lifter_;
    std::unique_ptr<PathLowering> paths_;
    std::unique_ptr<CandidateFinder> candidates_;
    std::unique_ptr<MoveSetFinder> move_sets_;
    std::unique_ptr<StaticTables> statics_;
    std::deque<Env> envs_;
    std::vector<std::optional<std::vector<ir::VarId>>> free_;
    std::vector<std::optional<bool>> grows_;                                     // by function
    std::vector<std::optional<std::optional<EntryRecursion>>> entry_recursions_; // by function, of those asked for
    std::array<std::vector<std::optional<bool>>, 2> asks_; // by whether the answer to `stuck` is known
    std::size_t stuck_answers_ = 0;
    std::size_t most_asked_ = SIZE_MAX; // the first expression that the reference evaluator does not know
    std::vector<CanRequest> can_requests_;
    UnsureSums unsure_sums_;
    boost::unordered_flat_map<WordsHash, NodeRef, WordsHashBucket> memo_; // of what memo_stamp_ names
    std::uint64_t memo_stamp_ = 0;
    // Definitions that use each other several times grow exponentially when they are expanded. Beyond these bounds of a
    // routine, or so many times as much for the whole program, it is left to the reference executor.
    static constexpr std::size_t node_budget = 400'000, step_budget = 2'000'000, most_budgets = 4;
    struct PlaneSize {
        Reg reg;
        std::uint16_t words;
        std::uint64_t size;
    };
    std::vector<PlaneSize> plane_sizes_; // of planes that are not empty at the start and never grow
    std::size_t steps_ = 0;              // names and calls followed
    std::size_t paid_ = 0;               // nodes of earlier budgets
    std::size_t paid_steps_ = 0;         // steps of earlier budgets
    std::uint32_t depth_ = 0;
    bool failed_ = false;
    struct Attempt {
        std::size_t most_nodes = SIZE_MAX, most_steps = SIZE_MAX;
        bool under_way = false, given_up = false;
    };
    Attempt attempt_;
    struct FailureReason {
        ir::ExprId expr = none_id<ir::ExprId>;
        bool too_large = false;
    };
    FailureReason failure_reason_;
};

template <class F>
bool Lowering::attempt(F&& f, std::size_t most_nodes) {
    constexpr std::size_t share = 4;
    if (failed()) return false;
    const std::size_t steps = steps_, built = graph_.built(), paid = paid_;
    Attempt own{built + std::min(most_nodes, node_budget / share), steps + step_budget / share, true, false};
    own.most_nodes = std::min(own.most_nodes, attempt_.most_nodes);
    own.most_steps = std::min(own.most_steps, attempt_.most_steps);
    const Attempt outer = std::exchange(attempt_, own);
    const bool done = f();
    const bool given_up = std::exchange(attempt_, outer).given_up;
    if (done && !given_up) return true;
    paid_ = paid + graph_.built() - built; // attempts within this one are part of it
    steps_ = steps;
    return false;
}

template <class F>
std::invoke_result_t<F> Lowering::tried(ir::ExprId e, F&& attempt) {
    using Result = std::invoke_result_t<F>;
    constexpr bool is_truth = std::is_same_v<Result, bool>;
    const auto found = [](const Result& result) {
        if constexpr (is_truth)
            return result;
        else
            return result != no_node;
    };
    const auto lift = [&]() -> Result {
        if (!graph_.passes().on(Pass::Lift)) {
            if constexpr (is_truth)
                return false;
            else
                return no_node;
        }
        const Passes::Timer timer(graph_.passes(), Pass::Lift);
        const Result result = attempt();
        if (found(result)) graph_.passes().changed(Pass::Lift);
        return result;
    };
    if (graph_.debug_info() == nullptr) return lift();
    const FailureReason before = std::exchange(failure_reason_, {});
    const Result result = lift();
    if (found(result))
        failure_reason_ = before;
    else if (!valid(failure_reason_.expr))
        failure_reason_.expr = e;
    return result;
}

} // namespace zug::run

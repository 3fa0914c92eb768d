#pragma once
// Lowering of `then` blocks. Everything that a block reads is read before its first change, so that all of it sees the
// old state.

#include "compiler/lower/lowering.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace zug::run {

class Effects {
public:
    // `clamps`: a number that is out of the range of a variable without indices is clamped, and is no fault. So a move
    // is applied for the test of its `ensure`, which comes before the check for faults.
    explicit Effects(Lowering& lowering, Bytecode& code, bool clamps = false)
        : lowering_(lowering), graph_(lowering.graph()), code_(code), clamps_(clamps) {}

    // States a fact about the state before the first block: the site is a member of the set.
    void know(NodeRef slot, NodeRef set) { facts_.emplace_back(slot, set); }

    // States that a condition holds before the first block, or does not.
    void assume(ir::ExprId condition, bool holds = true) { given_.emplace_back(condition, holds); }
    // Sums fit where the program says so of moves (ir::Program::sums_fit).
    void trust_sums() { trusts_ = true; }

    // States that these two never assign to one slot.
    void keep_distinct(ir::EffectId a, ir::EffectId b) {
        distinct_.emplace_back(&lowering_.program().effects[a], &lowering_.program().effects[b]);
    }

    // States that the value that it assigns is never none.
    void keep_some(ir::EffectId assignment) { some_.push_back(&lowering_.program().effects[assignment]); }

    // The effects of one block. `in` is extended by its lets, and loses what it assumes of the state, which changes.
    // False: lowering has failed.
    bool block(const ir::Block& block, Context& in);

private:
    // A loop as changes of planes, which are right if `exact` holds.
    struct PlaneChange {
        Reg reg = 0;
        NodeRef after = no_node;
    };
    struct LiftedLoop {
        std::vector<PlaneChange> planes = {};
        NodeRef exact = no_node;
    };
    // An effect whose operands are built. `condition`: no_node if it is unconditional.
    struct Pending {
        const ir::Effect* effect = nullptr;
        ir::EffectKind kind{}; // of an assignment in loops over the entries of a matrix: AssignSet
        NodeRef condition = no_node;
        NodeRef slot = no_node; // slot number, or the set of AssignSet and For
        NodeRef value = no_node;
        NodeRef ordinal = no_node; // of the value, where it goes into planes
        NodeRef checked = no_node; // the value if it is assigned, else one in range; no_node: it never is
        Context in;                // For
        std::optional<LiftedLoop> lifted = std::nullopt; // For
    };
    // The changes of a block come in this order: what is added to maps that are assigned as wholes, whose entries hold
    // the value before the block plus the sum in the end; assignments to whole maps; all others, which override those.
    enum class Phase : std::uint8_t { Sums, Wholes, Entries };
    void take_snapshot(NodeRef needed);
    void collect(const std::vector<ir::EffectId>& list, const Context& in, NodeRef condition,
                 std::vector<Pending>& out);
    bool collect_entries(const ir::Effect& loop, const Context& in, NodeRef condition, std::vector<Pending>& out);
    void apply(const std::vector<Pending>& list);
    void apply_phase(const std::vector<Pending>& list);
    void apply_one(const Pending& p);
    bool is_due(const ir::Effect& e) const;
    void prepare_wholes();
    void keep_sums();
    void put_back_sums();
    void check_whole(ir::StateId id);
    NodeRef value_if_assigned(const Pending& p);
    void assign(const Pending& p);
    void assign_set(const Pending& p);
    std::vector<std::uint64_t> filled(ir::StateId id, NodeRef value) const;
    void assign_all(const Pending& p);
    void add(const Pending& p);
    void note_unsure(const ir::Effect& sum);
    // Changes an entry of a map whose entries are words or sets of words.
    void put_at(const VariableLayout& at, NodeRef slot, NodeRef value);
    void for_each(const Pending& p);
    void loop(const Pending& p);
    // effect_loops.cpp
    struct LoopChange;
    struct LoopBody;
    bool depends_on_move(NodeRef set) const;
    void lift_loops(std::vector<Pending>& list);
    bool lift_loop(const Pending& p, const std::vector<Pending>& list, LiftedLoop& out);
    bool lift_loops_over_entries(const Pending& p, const Context& before, const std::vector<Pending>& list,
                                 LiftedLoop& out);
    struct EntryLoop;
    std::optional<EntryLoop> entry_loop(const ir::Effect& loop, const Context& in, NodeRef condition);
    bool collect_assignments(const std::vector<ir::EffectId>& list, const EntryScope& scope, std::vector<Pending>& out);
    bool lift_body(const std::vector<ir::EffectId>& effects, const EntryScope& scope, const std::vector<Pending>& list,
                   LiftedLoop& out);
    bool lift_effects(const std::vector<ir::EffectId>& list, const Context& in, NodeRef over, LoopBody& body);
    bool lift_assignment(const ir::Effect& e, const Context& in, NodeRef over, LoopBody& body);
    bool put_value(const ir::Effect& e, const Context& in, NodeRef value, NodeRef over, LoopBody& body);
    LoopChange& change_of(ir::StateId id, LoopBody& body);
    bool change_planes(const LoopChange& change, const std::vector<Pending>& list, LiftedLoop& out);
    bool changes(const LiftedLoop& lifted, ir::StateId id) const;
    NodeRef some_loop_is_left(const std::vector<Pending>& list) const;
    void apply_lifted(const Pending& p);
    void turn_to(const Pending& p, std::int32_t how);
    // Reports a fault if the value is out of the range of the variable. Optional variables accept `none`.
    bool may_not_fit(ir::StateId id, ir::TypeId given) const;
    bool may_not_fit(ir::StateId id, NodeRef value, ir::TypeId given) const;
    std::pair<NodeRef, NodeRef> range_of(ir::StateId id); // of what is not `none`
    NodeRef is_in_range(ir::StateId id, NodeRef value);
    NodeRef fitting(ir::StateId id); // some value in range
    NodeRef clamped(NodeRef value, const ir::Type& range);
    void check_range(ir::StateId id, NodeRef value, ir::TypeId given);
    void check_range(ir::StateId id, NodeRef value); // whatever is known of it
    bool surely_fits(const Pending& sum) const;
    bool trusted(ir::StateId id) const {
        const std::vector<bool>& fit = lowering_.program().sums_fit;
        return trusts_ && !fit.empty() && fit[index(id)];
    }
    std::optional<std::pair<std::int64_t, std::int64_t>> given_range(const ir::Effect& read, ir::ExprId condition,
                                                                     bool holds) const;
    bool reads(ir::ExprId e, const ir::Effect& slot) const;
    void check_sums(ir::StateId id);
    void check_doubles(const std::vector<Pending>& list, std::size_t i);
    Reg empty_slots(ir::StateId id);
    void check_not_in(const Pending& p, Reg slots, std::uint16_t words, NodeRef name);
    NodeRef if_any(NodeRef slot) const;
    bool surely_distinct(NodeRef a, NodeRef b) const;
    bool are_distinct(const Pending& a, const Pending& b) const;
    void survey(const std::vector<ir::EffectId>& list, bool looped);
    bool known_off(NodeRef slot, ir::StateId id, std::uint32_t plane) const;
    std::int32_t name_number(ir::StateId id);

    Lowering& lowering_;
    ValueGraph& graph_;
    Bytecode& code_;
    std::vector<Reg> snapshot_;          // by StateId: see Context; of the block at hand
    std::vector<std::uint32_t> assigns_; // by StateId: assignments in this block that may be to the same slot
    std::vector<bool> loops_;            // by StateId: some of them in a loop or over a set
    std::vector<Reg> touched_;           // by StateId: the set of slots assigned so far; 0: not kept
    std::vector<Reg> summed_;            // the same of slots added to, where both may happen
    std::vector<bool> added_;            // by StateId: some effect adds to it
    std::vector<std::uint32_t> sums_;    // by StateId: how many do (more than one in a loop)
    std::vector<bool> may_leave_;        // by StateId: a sum may be out of range
    std::vector<std::pair<ir::ExprId, bool>> given_; // conditions before the block, and whether they hold
    std::vector<std::uint32_t> wholes_; // by StateId: assignments to the whole map (more than one in a loop)
    // By StateId, of maps that are assigned as wholes; 0: not needed.
    std::vector<Reg> done_;     // the set {0} once it has been, where it may be twice
    std::vector<Reg> kept_;     // the entries with what was added to them
    std::vector<Reg> assigned_; // the value, where it may be out of range, which matters if no effect overrides it
    std::vector<bool> unsure_;  // by StateId: that is so
    Phase phase_ = Phase::Entries;
    std::vector<std::pair<NodeRef, NodeRef>> facts_;
    std::vector<std::pair<const ir::Effect*, const ir::Effect*>> distinct_;
    std::vector<const ir::Effect*> some_;
    bool has_loop_ = false;
    bool clamps_;
    bool trusts_ = false;
};

} // namespace zug::run

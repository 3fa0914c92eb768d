#pragma once
// The moves of a turn plan: the search of reference/chains.hpp, which defines what a plan means, in flat memory that is
// reused between searches, with the steps made in a machine's frame.

#include "interpreter/chain_arena.hpp"
#include "interpreter/referee.hpp"

#include <bit>
#include <vector>

namespace zug::run {

class TurnChains {
public:
    using Node = ChainArena::Node;
    using Nodes = std::vector<Node>;

    enum class Order : std::uint8_t {
        Steps, // that of reference/chains.hpp
        Any,   // unspecified: moves, and the steps of each, come as they are found
    };

    explicit TurnChains(Referee& referee);

    // All moves of the state in the frame, good until the next search. Empty after a fault. This and any() leave
    // another state in the frame.
    // `opening`: a rule whose instances have just been found for this state.
    const Nodes& moves(Order order, ir::RuleId opening = none_id<ir::RuleId>);
    // Whether there are moves, or a fault in the search for them.
    bool any();
    bool failed() const { return failed_; }
    // The fault is known already: there are too many chains.
    bool exceeded() const { return exceeded_; }
    // Of a move: the state after the turn has passed, and the steps. Each result is asked for once.
    std::span<const std::uint64_t> result(Node n);
    void steps(Node n, std::vector<StepCode>& out) const { arena_.steps(n, out); }

private:
    using Repeat = ir::PlanStep::Repeat;
    using Alternatives = std::vector<std::uint32_t>; // indices into TurnPlan::chains

    // Keeps those for which `good` holds; asked in turn, once each.
    template <class F>
    static void keep_if(Nodes& nodes, F&& good) {
        std::size_t kept = 0;
        for (const auto n : nodes)
            if (good(n)) nodes[kept++] = n;
        nodes.resize(kept);
    }

    void begin();
    void enter(Node n);
    void leave(std::uint64_t* words) const;
    void fail(ir::RuleId rule, Node n);
    void fail_for_excess(ir::RuleId rule);

    void first_nonempty(const Alternatives& alternatives, Node from, Nodes& out);
    void chain_nodes(std::uint32_t chain, Node from, Nodes& out);
    void step_nodes(const ir::PlanStep& step, Node from, Nodes& out);
    void star_nodes(const ir::PlanStep& step, Node from, Nodes& out, MetNodes& met);
    void item_nodes(const ir::PlanStep& step, Node from, Nodes& out);
    // The nodes after one, from the first of them on. No set: none are left out.
    struct Siblings {
        MetNodes* met;
        Node first;
        bool is_new(ChainArena& arena, Node n, std::uint64_t hash);
    };
    bool next_nodes(const ir::PlanStep& step, Node n, Nodes& open, MetNodes& met);
    bool rule_nodes(ir::RuleId rule, Node from, Nodes& out, Siblings siblings = {nullptr, ChainArena::none});
    // A step as found.
    struct Found {
        StepCode code;
        Pick pick;
        bool operator<(const Found& other) const { return code < other.code; }
    };
    bool make_step(ir::RuleId rule, const Found& step, Node from);
    void drop_repeats(Nodes& nodes, Node from);
    void keep_most(std::uint32_t chain, Node from, Nodes& nodes);
    double most(std::uint32_t chain, Node n);
    bool can_step(ir::RuleId rule, Node from);
    bool end_is_alike(const Nodes& nodes) const;
    void drop_alike(Nodes& nodes);
    void finish(Nodes& nodes);
    bool finish(Node n);
    bool may_be_empty(const Alternatives& alternatives) const;

    double sum(Node n, std::size_t k) const { return std::bit_cast<double>(arena_.words(n)[sums_ + k]); }

    Referee& referee_;
    const ir::TurnPlan& plan_;
    std::uint32_t state_words_;
    // A node's words: the state; the turn effect made so far, and whom it names; the sums by chain; the hash of `by`.
    std::size_t kind_, player_, sums_, key_, node_words_;
    ChainArena arena_;
    std::vector<char> may_be_empty_; // by chain
    bool same_steps_ = false;        // by steps, and chains of the same steps may be found twice
    std::uint32_t mover_ = 0;
    Node start_{};
    Node in_frame_ = ChainArena::none; // whose state is in the frame, as enter() puts it there
    bool failed_ = false, exceeded_ = false;
    bool ends_later_ = false; // the turns of `moves_` have not been ended
    Order order_ = Order::Steps;
    ir::RuleId found_for_start_ = none_id<ir::RuleId>;
    Nodes moves_;
    std::vector<Found> found_;
    std::vector<double> values_;
    Pool<Nodes> lists_;
    Pool<MetNodes> mets_;
};

} // namespace zug::run

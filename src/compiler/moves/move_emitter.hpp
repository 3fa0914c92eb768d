#pragma once
// The moves of one rule, found by a routine: as sets that it leaves in registers, or as records that it emits.
//
// A set is computed for all sites at once, but one is needed for each choice of the other parameters: 56 for a queen,
// all computed whether there is a queen or not. Records need a loop over the pieces, with a few instructions for each.
// So a rule with many choices is split by the value at the site that the others are looked for from, and for each kind
// of piece the cheaper form is chosen, by the number of such pieces at the start of a game.

#include "compiler/lower/lowering_part.hpp"
#include "compiler/moves/legality_analysis.hpp"
#include "compiler/moves/move_counter.hpp"

#include <optional>
#include <vector>

namespace zug::run {

// The meaning of a shape of records: a set of moves of the rule, by bit. Parameters without a table are in the
// registers that the shape keeps, in order.
struct MoveRecord {
    ir::RuleId rule{};
    std::vector<std::vector<std::int64_t>> params;
    std::optional<Assumption> assumed;
    bool known_legal = false; // their `ensure` holds
};

struct FoundMoves {
    std::vector<MoveSet> move_sets;
    bool emits = false; // the routine emits records (of this rule or others)
};

// Use one for each rule and routine.
class MoveEmitter : private LoweringPart {
public:
    struct Options {
        // Of the rule's `ensure`: moves that are known to be legal are emitted separately from the others.
        const Invalidation* invalidation = nullptr;
        MoveCounter* counter = nullptr; // takes moves that need not be emitted
        // The result that a routine which finds nothing else returns as soon as it is known that there are no moves.
        std::optional<std::int32_t> early_exit = std::nullopt;
        // There are often no moves: what all of them need is tested before anything else.
        bool often_none = false;
        // The same rule with more conditions, whose moves are found instead of the rule's.
        const ir::Rule* narrowed = nullptr;
    };
    // `records`: by shape of the routine's records; shapes are added to it and to the byte code together.
    MoveEmitter(Lowering& lowering, std::vector<MoveRecord>& records, ir::RuleId id, const Options& options)
        : LoweringPart(lowering), records_(records), id_(id),
          rule_(options.narrowed != nullptr ? *options.narrowed : program_.rules[id]), options_(options),
          leading_(lowering.leading_site(rule_, {})) {}

    // Adds the rule's moves to `out`; if the context binds parameters, those with these values. False: some construct
    // has no byte code.
    bool find(const Context& in, FoundMoves& out);

private:
    static constexpr std::uint64_t many = 1'000; // pieces, or a number that is not known
    // move_costs.cpp
    std::size_t sets_that_pay(const Context& in);
    std::size_t sets_that_pay(std::uint64_t pieces);
    bool is_narrowed(ir::VarId param, const Context* in = nullptr);
    bool is_site(std::size_t param) const;
    std::size_t next_param(const Context& in) const;
    std::size_t site_to_begin_with() const;

    std::optional<ir::StateId> map_at_leading_site() const;
    std::optional<ir::StateId> map_read_at(ir::ExprId e, ir::VarId var) const;
    bool few_ways() const;
    void end_if_impossible(const Context& in);
    bool emit_all(const Context& in, FoundMoves& out);
    bool find_only_parameter(const Context& in, FoundMoves& out);
    std::size_t tests_of_state() const;
    bool emit_given(const Context& in, FoundMoves& out);
    void start_emitting(FoundMoves& out);

    bool find_by_value(ir::StateId state, const Context& in, FoundMoves& out);
    NodeRef narrow_by_site(NodeRef domain, const Context& in, std::vector<bool>& used);

    std::vector<std::size_t> testable_clauses(Context& in, const std::vector<bool>& used);
    void find_domains(const Context& in, std::vector<bool>& used);
    NodeRef domain_of(std::size_t param, const Context& in, std::vector<bool>& used);
    NodeRef narrowed(ir::VarId param, NodeRef domain, const Context& in, std::vector<bool>& used, bool& rest);
    NodeRef members_where(std::size_t param, const Context& in, std::vector<bool>& used, NodeRef domain);

    using Guards = std::vector<ValueGraph::OpenLoop>;
    bool open_guards(Context& in, std::vector<bool>& used, Guards& guards);
    void emit_level(Context in, std::vector<bool> used);
    void emit_next_parameter(const Context& in, const std::vector<bool>& used);
    void emit_loop(std::size_t param, const Context& in, std::vector<bool> used, NodeRef domain);
    MoveSet last_moves(std::size_t param, const Context& in, std::vector<bool> used, NodeRef domain);
    void emit_move_set(const MoveSet& found, const Context& in);
    void put(MoveRecord& record, NodeRef set, const std::vector<NodeRef>& kept);

    std::vector<MoveRecord>& records_;
    ir::RuleId id_;
    const ir::Rule& rule_;
    Options options_;
    std::size_t leading_;          // MoveSetFinder::leading_site; the number of parameters: none is a site
    std::vector<NodeRef> domains_; // by parameter: the values that satisfy the clauses on it alone; empty: not computed
    std::vector<bool> in_domains_; // by clause: used for them
    NodeRef any_left_ = no_node;   // whether all domains have members, until that has been asked
    bool unrolls_ = false;         // no parameter is a site, and all have few values
};

} // namespace zug::run

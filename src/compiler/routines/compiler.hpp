#pragma once
// The compilation of one program to byte code. Internal to compile().

#include "bytecode/compiled_program.hpp"
#include "compiler/analysis/weakest_precondition.hpp"
#include "compiler/compile.hpp"
#include "compiler/graph/value_graph.hpp"
#include "compiler/lower/lowering.hpp"
#include "compiler/routines/effects_compiler.hpp"
#include "compiler/routines/find_compiler.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::run {

// One compilation: fills a Compiled whose program, layout and virtual machine are set. Use once.
class Compiler {
public:
    Compiler(Compiled& out, DebugInfo* debug_info, Passes& passes)
        : out_(out), passes_(passes), program_(extended()), graph_(out.code, *out.layout, out.vm, passes),
          lowering_(program_, can_conditions_, *out.layout, out.code, graph_), asks_within_moves_(asks_within_moves()),
          finder_(out, program_, lowering_), effects_(out, program_, lowering_, asks_within_moves_) {
        graph_.keep_debug_info(debug_info);
        lowering_.ask_about(*out.program);
    }

    // The parts that executors can do without.
    struct Extras {
        bool walks = true, loud = true;
    };
    // False: the code built so far is unusable. If `failed` is not null, it can be had without that extra.
    bool all(Extras extras);
    UnsureSums& unsure_sums() { return lowering_.unsure_sums(); }
    std::size_t nodes_built() const { return graph_.built(); }
    std::string why;
    bool Extras::*failed = nullptr;

private:
    std::uint32_t players() const { return program_.player_count(); }
    bool ok(const std::string& what);
    bool fail(const std::string& what);
    bool plan();
    bool plan_effects(std::uint32_t player);
    std::optional<Compiled::PlanEnd> plan_end() const;
    bool is_constant(ir::ExprId e) const;
    NumberCode number(ir::ExprId e, const Context& in);
    // playout.cpp, move_parameters.cpp
    bool random_play();
    bool play();
    std::optional<Entry> play_node(std::uint32_t player, std::uint32_t last);
    // Values of some parameters of a chance rule that are drawn after others: by parameter, by bit of their set.
    struct LaterPart {
        std::vector<std::vector<std::int64_t>> params;
        Reg set = 0;
        std::uint16_t words = 1;
        std::uint32_t bits = 64;
        Reg drawn = 0; // two words: a number without meaning, and the bit
    };
    // The moves that one drawing chooses from: the move sets of PlayCode, and shapes of records, from `first` on.
    struct PlayGroup {
        Entry entry = no_entry; // of the routine that finds them
        FoundMoves found;
        std::size_t first = 0, first_shape = 0, last_shape = 0;
        std::int32_t drawing = 0, draw = 0; // the instruction that draws
        // Of a turn plan. By move set, if some are followed by a second step: the register with the number of
        // continuations, or 0. `then` draws one of them.
        std::vector<Reg> weights;
        std::optional<Instr> then;
        // So many of the sets, the last, are of turns of two steps: their parameters are those of both.
        std::size_t pairs = 0;
        ir::RuleId second{};
        bool follows = false;    // these are the second steps
        NodeRef guard = no_node; // of a turn plan: whether there are moves, where that guards code before the drawing
        std::uint32_t last = 0;  // of events: the player who moved last
        std::vector<std::vector<LaterPart>> later = {}; // of events, by move set
        std::size_t ways() const { return found.move_sets.size() + last_shape - first_shape; }
    };
    bool play_begin(std::uint32_t player, std::uint32_t last, PlayGroup& group, std::optional<PlayGroup>& events);
    void begin_group(PlayGroup& group);
    void play_draw(PlayGroup& group, const std::vector<ir::RuleId>& rules);
    bool play_group(const PlayGroup& group, std::uint32_t player, std::int32_t retry);
    // Moves that the same code applies: those of a rule with the same assumption on the state, and with `ensure` known
    // to hold or not.
    struct MoveKind {
        ir::RuleId rule{};
        std::optional<Assumption> assumed;
        bool known_legal = false;
        friend bool operator==(const MoveKind&, const MoveKind&) = default;
    };
    // Of a set of turns of two steps, with the parameters of both.
    struct SecondStep {
        ir::RuleId rule{};
        const MoveSet* turns = nullptr;
    };
    struct SharedMoves {
        std::int32_t retry;                                          // where a move that isn't legal is taken back
        bool follows;                                                // a step has come before
        std::optional<Instr> then;                                   // draws the step that comes after
        std::uint32_t last = 0;                                      // of events: the player who moved last
        std::vector<std::pair<MoveKind, std::uint32_t>> bodies = {}; // where their code begins
        std::optional<SecondStep> second = {};                       // that step, where it is drawn with the first
    };
    bool play_second(const SecondStep& second, std::uint32_t player);
    Instr draw_from(std::int32_t drawing, std::uint16_t width) const;
    // A drawn move: `params` by bit; parameters with an empty list are in the registers `kept`. `own`: it has code of
    // its own, which the other moves of its kind do not share.
    struct DrawnMove {
        MoveKind kind;
        const std::vector<std::vector<std::int64_t>>& params;
        std::vector<Reg> kept;
        bool own;
    };
    bool play_drawn(const DrawnMove& move, std::uint32_t player, SharedMoves& shared);
    // The kind that a set or record of moves shares its code with.
    MoveKind kind_of(ir::RuleId id, const std::optional<Assumption>& assumed, bool known_legal, bool own) const;
    bool play_move(const MoveKind& kind, const Context& in, const SharedMoves& shared);
    bool play_end(std::uint32_t player, bool turned, std::size_t first, std::int32_t retry);
    void close_move(std::size_t first, std::int32_t retry);
    void set_to(Reg reg, std::uint64_t value);
    void reset_locals();
    void drop_idle_copy(std::size_t first);
    void pass_turn(std::uint32_t player, bool turned);
    void play_next_game(const PlayGroup& group, std::uint32_t last);
    void reserve_tallies();
    std::vector<Reg> game_counters() const;
    bool can_merge(const PlayGroup& group) const;
    std::optional<bool> try_merged(const PlayGroup& group, std::uint32_t player, std::int32_t retry);
    bool play_merged(const PlayGroup& group, std::uint32_t player, std::int32_t retry);
    bool play_set(const PlayGroup& group, std::size_t k, std::uint32_t player, SharedMoves& shared);
    // How far the code has been built, so that what is tried can be taken back.
    struct Mark {
        std::size_t instrs, origins, to_nodes, dispatches, to_end_checks;
    };
    Mark mark_code();
    void take_back(const Mark& mark);
    void play_restart();
    std::uint32_t node_of(std::uint32_t player, std::uint32_t last) const;
    NodeRef parameter_of(const std::vector<std::int64_t>& table, NodeRef bit);
    // chance_playout.cpp
    // The events of a chance rule that are due, and of those the ones of equal weight. `others`: each event is a member
    // of the set together with one of each of these, all of them for parameters of their own.
    struct DueEvents {
        ir::RuleId rule{};
        MoveSet events;
        std::vector<MoveSet> others = {};
    };
    struct WeighedEvents;
    bool chance_changes_locals() const;
    bool weigh(const DueEvents& due, std::uint32_t player, std::vector<WeighedEvents>& out);
    bool make_integers(std::vector<WeighedEvents>& all);
    bool find_events(std::uint32_t player, std::vector<DueEvents>& out);
    bool draw_events(std::uint32_t player, const std::vector<DueEvents>& due, PlayGroup& group);
    void end_event(std::uint32_t player, bool turned, std::size_t first, const SharedMoves& shared);
    // independent_events.cpp
    std::vector<ir::Rule> independent_parts(ir::RuleId id);
    std::optional<DueEvents> find_independent(ir::RuleId id, std::uint32_t player);
    NodeRef combinations(const DueEvents& due);
    MoveSetCode independent_code(ir::RuleId id, const MoveSet& first, const std::vector<LaterPart>& later);
    std::vector<LaterPart> keep_for_later(const DueEvents& due);
    void bind_drawn(ir::RuleId id, std::span<const std::vector<std::int64_t>> tables, Reg drawn, Context& in);
    bool play_independent(const PlayGroup& group, std::size_t k, std::uint32_t player, SharedMoves& shared);
    // turn_playout.cpp
    // The compilation of an opening: the first steps, and what may follow them, by player.
    struct OpeningPlan {
        std::vector<FirstStep> first;
        std::vector<std::optional<Continuation>> next;
    };
    struct StepPair {
        ir::RuleId first, second;
        std::uint32_t player;
    };
    std::optional<Continuation> continuation(const StepPair& steps);
    const ir::Program& extended();
    void find_openings(const ir::Program& program);
    std::optional<Entry> play_turn_node(std::uint32_t player, std::uint32_t last);
    struct TurnNode;
    struct Second;
    void open(TurnNode& node);
    bool play_opening(TurnNode& node, const TurnOpening& opening, const OpeningPlan& plan);
    std::size_t jump_unless(TurnNode& node, NodeRef truth);
    bool play_ways(TurnNode& node, const TurnOpening& opening, const OpeningPlan& plan,
                   const std::optional<Continuation>& next);
    bool play_first(TurnNode& node, const TurnOpening& opening, const FirstStep& first,
                    const std::optional<Continuation>& next);
    bool add_pairs(TurnNode& node, Second& second, const FirstStep& first, const Continuation& next);
    bool add_turns(TurnNode& node, ir::RuleId second, const FirstStep& first, const Continuation& next);
    void draw_second(PlayGroup& group, Second& second);
    void pass_idle_draw(const PlayGroup& group);
    bool none_further(TurnNode& node, const FirstStep& first, const Continuation& next);
    NodeRef any_of(const std::vector<MoveSet>& move_sets);
    NodeRef any_pair(const std::vector<MoveSet>& move_sets);

    bool walk_lines();
    // loud.cpp
    bool loud();
    void find_in_walk();
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> walk_bits(std::uint32_t player) const;

    // line_walk.cpp
    bool walk();
    bool walk_from(std::uint32_t player);
    bool codes_ascend(std::span<const MoveSetCode> move_sets) const;
    bool store_moves(PlayGroup& group);
    void store_position(std::uint32_t player);
    void skip_if_counted(std::uint32_t player, std::int32_t again);

    Reg drawn() const { return walks_ ? out_.walk.drawn : out_.play.drawn; }
    std::vector<MoveSetCode>& drawn_move_sets() { return walks_ ? out_.walk.move_sets : out_.play.move_sets; }
    std::span<const MoveSetCode> codes_of(const PlayGroup& group) const {
        return std::span(walks_ ? out_.walk.move_sets : out_.play.move_sets)
            .subspan(group.first, group.found.move_sets.size());
    }

    bool rule(ir::RuleId id);
    bool can(const CanRequest& request);
    bool all_can();
    void ends(std::uint32_t last);
    // Emits the end clauses, given the answer to `stuck`; returns the first clause that depends on it.
    std::size_t end_clauses(std::uint32_t last, bool stuck);
    Compiled::Values reals(const std::vector<ir::ExprId>& list, std::uint32_t me);
    Compiled::Key key(const ir::HistoryKey& key, std::uint32_t me);
    void fixed_parts();
    bool asks_within_moves();

    Compiled& out_;
    Passes& passes_;
    // The program with what compilation adds: paths for static relations, and with a turn plan what OpeningPlan needs.
    std::optional<ir::Program> extended_;
    CanConditions can_conditions_;
    std::vector<OpeningPlan> opening_plans_; // by opening
    bool turns_change_ = false;              // some effect of a turn says who is next
    const ir::Program& program_;
    ValueGraph graph_;
    Lowering lowering_;
    const bool asks_within_moves_; // asks_within_moves()
    FindCompiler finder_;
    EffectsCompiler effects_;
    // Jumps of the play routine to be patched: instruction, and the node or the player who moved last.
    std::vector<std::pair<std::size_t, std::uint32_t>> to_nodes_, dispatches_;
    std::vector<std::size_t> to_restart_;
    bool walks_ = false;                     // moves are made for WalkCode, not for PlayCode
    std::vector<std::size_t> to_end_checks_; // jumps after a move to the check of the end clauses, to be patched
};

// The conditional jump for a conditional return; any other opcode is returned as it is.
Opcode jump_for(Opcode returning);

// Whether some effect determines the next player.
bool turns(const ir::Program& program, const std::vector<ir::Block>& blocks);

} // namespace zug::run

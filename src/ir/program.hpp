#pragma once
// The intermediate representation (IR): a game as flat arrays of typed nodes, indexed by ids. The checker makes it;
// executors, passes, the printer and the verifier read it. Nothing here refers to the syntax tree, except spans for
// run-time faults.
//
// State. A position is a list of slots, one small unsigned number each, in the order of `states`; after them the player
// to move, and, if keeps_last, the player who moved last (as ordinals). A state variable has one slot for each value of
// its index (row-major over its index types, ordinals), holding the ordinal of its value; where the value type is a
// set, each of those is card(element) slots of 0 or 1. This list of slots is the canonical form that executors agree
// on, that position text is made from, and that is compared and counted. The initial player to move is player 0, and
// without keeps_last the player who moved last is the one before the player to move.
//
// Turn. At a state, in this order: the first end clause that holds ends the game (asked with `me` the player who moved
// last); else, if some instance of a chance rule applies (asked with `me` the player to move), it is a chance node;
// else the player to move decides among the legal moves; if there are none and stuck_pass, the only move is to pass
// (which changes nothing and passes the turn); if there are none otherwise, that is a fault. A move: `lets` of the
// rule, then its `when`; blocks of `then` one after the other, each reading what the former made and changing all at
// once; then `ensure` (with `me` the mover) on the state after its effects and before the turn passes; then the turn
// passes to the next player, unless Again or Next said otherwise. A chance event keeps the turn unless told.
// Local variables return to their initial values when the turn passes, be it to the same player (Again keeps them, and
// so does a chance event without Next). A Next of none is as if it weren't there. A player who passes moves last, too.
// Where `keys` exist, the state after each move or pass, chance events not counted, is recorded in the history (and the
// initial state too), with the keys evaluated with `me` the mover; Earlier counts the records equal to the current
// value. Asked of a state as it stands between moves (when, end, eval, bound, the first block of then) it leaves out
// the newest record, which is that state's own; asked after effects (later blocks and steps, ensure) it counts them
// all. Effects that fail (out of range, ...) make a move neither legal nor illegal: its `ensure` is asked with a number
// cut to its range and what can't be done left undone; so asked, a move without a range to hold it is found, and fails
// when it is played. In a chain a step whose effects fail is legal.
//
// Chains. Without a turn plan every move rule instance is a move of one step. With one, a move is a chain of steps as
// the plan says: alternatives are tried in order, the first with a chain of at least one step decides; `+ * ?` are
// greedy (a step that can be made must be made; `?` once at most), but where they `may` the player can stop at any
// time; between steps neither chance nor end is asked and the turn does not pass; `ensure` of each step is asked; after
// the last step the plan's `then` blocks run; `most` keeps the chains with the greatest value. If no alternative has a
// chain of a step but one of them may be empty (only ? and *), the empty chain is the one move. Two chains are the same
// move when they lead to the same state, after the plan's `then` and the passing of the turn; with `by`, only if its
// values, asked after the last step and before the plan's `then`, are the same, too; with `by_steps`, only if they are
// made of the same steps. The first found stands for all that are the same.

#include "base/bits.hpp"
#include "base/id.hpp"
#include "diag/span.hpp"
#include "ir/board.hpp"
#include "ir/looks.hpp"
#include "ir/types.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace zug::ir {

enum class ExprId : std::uint32_t {};
enum class VarId : std::uint32_t {};
enum class StateId : std::uint32_t {};
enum class FunctionId : std::uint32_t {};
enum class RuleId : std::uint32_t {};
enum class EffectId : std::uint32_t {};
enum class KeyId : std::uint32_t {};
enum class SetConstId : std::uint32_t {};

enum class Op : std::uint8_t {
#define OP(name, arity, text) name,
#include "ir/ops.def"
#undef OP
};
std::string_view op_text(Op op);
int op_arity(Op op);
// Whether the operation has a variable of its own, named by its imm: Let and the binders over sets.
bool binds_variable(Op op);
// Whether it computes a number from one or two numbers: Add to Max.
bool is_arithmetic(Op op);

struct Expr {
    Op op = Op::Const;
    TypeId type{};
    std::uint32_t first_arg = 0; // into Program::args
    std::uint32_t arg_count = 0;
    std::int64_t imm = 0;
    Span span;
};

struct Variable {
    std::string name;
    TypeId type{};
};

struct Function {
    std::string name;
    std::vector<VarId> params;
    ExprId body = none_id<ExprId>;
    bool recursive = false; // part of a cycle of calls: its value is the least fixpoint (Bool or Set)
};

struct StateVariable {
    std::string name;
    std::vector<TypeId> indices; // empty: one value
    TypeId value{};
    bool local = false;
    bool assigned = false;              // some rule can change it; otherwise it is a constant table
    std::vector<std::uint32_t> initial; // slots
    std::uint32_t first_slot = 0;
    Span span;
};

// A clause of `when` or `ensure`, or a `let`: a test, or a name for a value that later clauses, `then` and `ensure` see
// (worked out where it stands, on the state before the move; in `ensure`, after it).
struct Clause {
    ExprId expr = none_id<ExprId>;
    VarId bind = none_id<VarId>; // none: a test
};

enum class EffectKind : std::uint8_t {
    Assign, // map[indices] := value, or a variable without index (no indices); an index that is none: nothing happens
    Add,    // map[indices] += value (adds up with other Adds of the same block; an Assign to the same entry is a fault)
    AssignSet, // map[S] := value for every index in the set indices[0]; the map has one index
    AssignAll, // m := value for every entry; effects on single entries of the same block override it (an Add: the
               // value the entry held before, plus the sum)
    If,        // condition = value: yes, else no
    For,       // for var in the set `value`: yes
    Let,       // var := value in yes
    Again,
    Next, // the turn goes to the player `value`
};

struct Effect {
    EffectKind kind = EffectKind::Assign;
    StateId state{};
    std::vector<ExprId> indices;
    ExprId value = none_id<ExprId>;
    VarId var = none_id<VarId>;
    std::vector<EffectId> yes, no;
    Span span;
};

// One `then`: names worked out on the state it reads, then all its effects at once. The names stay visible later.
struct Block {
    std::vector<Clause> lets;
    std::vector<EffectId> effects;
};

struct Rule {
    std::string name;
    bool chance = false;
    std::vector<VarId> params;       // scalar types
    std::vector<Clause> when;        // lets and tests in order
    ExprId weight = none_id<ExprId>; // chance: Int or Real, absent: 1. Negative or all zero: a fault
    std::vector<Block> then;
    std::vector<Clause> ensure;
    std::uint64_t first_code = 0; // step codes of this rule: first_code + mixed radix of the parameters' ordinals
    std::uint64_t code_count = 1;
    Span span;
};

// Values by which positions, or chains, are distinguished.
struct HistoryKey {
    std::vector<ExprId> parts; // scalars and sets; whole maps are in `maps`
    std::vector<StateId> maps;
};

struct PlanStep {
    enum class Repeat : std::uint8_t { One, Optional, Star, Plus };
    Repeat repeat = Repeat::One;
    bool may = false;                 // the player may stop though it could be made, or be made again; not with One
    RuleId rule = none_id<RuleId>;    // or, if none, the group
    std::vector<std::uint32_t> group; // indices into TurnPlan::chains, tried in order
};

struct PlanChain {
    std::vector<PlanStep> steps;
    ExprId most = none_id<ExprId>; // the greatest is kept: asked after the last step...
    // ...or, if `most_sum` isn't empty, the sum over the steps of a value of each step's rule (by RuleId; none: 0)
    std::vector<ExprId> most_sum;
};

struct TurnPlan {
    std::vector<PlanChain> chains;
    std::vector<std::uint32_t> alternatives; // tried in order
    // Chains that lead to the same state are one move only if this, asked after the last step, is equal...
    std::optional<HistoryKey> by;
    bool by_steps = false; // ...or only if their steps are
    std::vector<Block> then;
};

// The first clause whose condition holds ends the game.
struct EndClause {
    ExprId condition = none_id<ExprId>;
    std::vector<ExprId> payoffs; // one a player, Real
    Span span;
};

// What a game of one player without chance is bounded by, asked of a position where it goes on: Reals. One that the
// file does not give says nothing.
struct Bound {
    ExprId moves = none_id<ExprId>;  // no play from there ends with a payoff above 0 in fewer moves
    ExprId payoff = none_id<ExprId>; // no play from there is worth more, where play that never ends is worth 0
};

struct Glyph {
    TypeId type{}; // of the value it stands for
    std::int64_t value = 0;
    std::string text;
    std::string colour; // or empty
};

// A text, followed by a value; both only where the condition holds.
struct NotationPart {
    std::string text;
    ExprId expr = none_id<ExprId>;
    ExprId when = none_id<ExprId>; // none: always
};

// One way to write a step of a rule, used where its conditions hold. All is evaluated on the state in which the turn
// began, whichever step of the chain it is, with the rule's parameters bound; nothing in it asks the game a question
// (Stuck, Earlier, Can).
struct Notation {
    std::vector<Clause> when; // those names of the rule that are needed, in order; then the conditions
    bool always = true;       // there are no conditions
    std::vector<NotationPart> text;
    std::optional<std::vector<NotationPart>> later; // where the step isn't the first of its turn
};

// How the file writes positions: parts in order. Between two parts that are not Text there is a Text that begins with a
// blank or one of `;[]`.
struct PositionPart {
    enum class Kind : std::uint8_t {
        Text,
        State, // a variable's value
        Turn,  // who is to move
        Last,  // who moved last
        Any,   // any word is accepted and ignored
    };
    // A map to numbers, written as letters: `2P3p`, or `PPppp`. Both are read.
    enum class Counts : std::uint8_t { None, Numbers, Letters };
    Kind kind = Kind::Text;
    std::string text = {}; // Text; Any: what is written; counts: what is written if all are 0
    StateId state = none_id<StateId>;
    // Texts of values; of the members of a set, or of the entries of a map of counts, by their indices, in the order in
    // which they are written. None of these last begins another.
    std::vector<std::pair<std::int64_t, std::string>> names = {};
    Counts counts = Counts::None;
};

// The format of positions that the game has from a file that it extends.
struct InheritedPosition {
    std::string where;  // `file:line:column`; empty: there is none
    std::string misfit; // where and why it does not fit this game, which then has none; or empty
};

struct Test {
    enum class Check : std::uint8_t {
        Perft,
        Moves,
        Legal,
        Illegal,
        Loud,
        Position,
        Draw,
        Open,
        Wins,
        Payoffs,
        Value,
        Holds
    };
    struct Item {
        Check check = Check::Open;
        std::int64_t depth = -1;       // Perft, Value (-1: to the end)
        std::uint64_t count = 0;       // Perft
        std::string text;              // Moves, Legal, Illegal, Loud, Position
        std::vector<double> values;    // Payoffs, Value
        std::int64_t player = 0;       // Wins
        ExprId expr = none_id<ExprId>; // Holds
        Span span;
    };
    std::string title;
    std::vector<std::pair<std::string, std::string>> params; // `with`: the file is loaded anew with these; then only
                                                             // that load's checks of this test are filled in
    std::string from, after;
    std::vector<Item> items; // empty when params differ from those of this load
    Span span;
};

// A term of the sum that `eval` is: a weight times what it says of each player. Its expressions are parts of `evals`.
struct EvalTerm {
    struct Part {
        std::vector<std::pair<VarId, ExprId>> lets; // around it, the outermost first
        ExprId expr{};                              // Int or Real
    };
    std::string text;  // of it without the weight, on one line
    double weight = 1; // as the file has it
    std::vector<Part> by_player;
};

struct Param {
    std::string name;
    TypeId type{};
    std::string value; // as text
};

// What a program was made from.
struct Source {
    std::string name; // of the file, without folder and ending
};

struct Program {
    Source source;
    std::string title;
    std::vector<std::string> extends; // the files that this one extends, the nearest first, as they are written
    TypeTable types;
    IdVector<BoardId, Board> boards;
    IdVector<EnumId, std::vector<std::string>> enums;
    std::vector<std::string> enum_names; // by EnumId
    std::vector<std::string> players;
    // By player: the number of their team, teams being numbered in the order of their first members. Empty: everyone
    // plays for themselves. Members of a team have the same payoffs.
    std::vector<std::uint32_t> teams;
    std::vector<Param> params;

    IdVector<ExprId, Expr> exprs;
    std::vector<ExprId> args;
    IdVector<SetConstId, Bits> set_consts;
    IdVector<VarId, Variable> vars;
    IdVector<FunctionId, Function> functions;
    IdVector<StateId, StateVariable> states;
    IdVector<EffectId, Effect> effects;
    IdVector<RuleId, Rule> rules;
    IdVector<KeyId, HistoryKey> keys;

    std::optional<TurnPlan> turn;
    // By StateId, or empty: in moves sums never leave the range of the variable, since none is legal where they could
    // (compiler/turns/sum_limits.hpp).
    std::vector<bool> sums_fit;
    bool stuck_pass = false;
    std::vector<EndClause> ends;
    std::vector<ExprId> evals; // one a player, Real; empty without `eval`
    // What `evals` add up, but for constants; empty where that is not known, or a single term.
    std::vector<EvalTerm> terms;
    // By RuleId, Bool: which moves of the rule are loud, asked where its `when` has held, of the state before the step
    // and with the names of `when` bound; none: no move is. Empty: no move of any rule is. Advice for searches, which
    // wait for quiescence over loud moves; a chain is loud if one of its steps is.
    std::vector<ExprId> loud;
    std::optional<Bound> bound;
    bool keeps_last = false; // the state says who moved last: the turn does not tell

    std::uint32_t slot_count = 0; // slots of the state variables; the turn (and last) come after
    std::uint64_t code_count = 0; // step codes of all rules

    std::vector<Glyph> glyphs;
    Looks looks;
    std::vector<std::vector<Notation>> notations; // by RuleId: the first that applies; none: the default notation
    std::optional<std::string> step_separator;    // between the steps of a turn
    std::vector<PositionPart> position;           // empty: the general text only
    InheritedPosition inherited_position;
    std::vector<Test> tests;

    TypeId player_type{};

    // Which moves of a rule are loud; none: no move is.
    ExprId loud_when(RuleId rule) const { return loud.empty() ? none_id<ExprId> : loud[index(rule)]; }
    bool has_loud() const {
        return std::ranges::any_of(loud, [](ExprId id) { return valid(id); });
    }
    std::span<const ExprId> arguments(ExprId id) const {
        const Expr& e = exprs[id];
        return {args.data() + e.first_arg, e.arg_count};
    }
    ExprId argument(ExprId id, std::size_t i) const { return args[exprs[id].first_arg + i]; }
    std::uint32_t player_count() const { return static_cast<std::uint32_t>(players.size()); }
    std::uint32_t team_of(std::uint32_t player) const { return teams.empty() ? player : teams[player]; }
    std::uint32_t team_count() const { return teams.empty() ? player_count() : std::ranges::max(teams) + 1; }
    std::uint32_t total_slots() const { return slot_count + 1 + (keeps_last ? 1U : 0U); }
};

// The number of slots of one value of the variable: 1, or card(element) for a set.
std::uint32_t slots_per_value(const Program& program, StateId state);
// The number of values of each slot, including those of the turn and the last mover; 1 for slots that no rule changes.
std::vector<std::uint64_t> slot_sizes(const Program& program);

// Between a step code and the rule with the values of its parameters. encode_step() is empty if a value is outside the
// type of its parameter.
void decode_step(const Program& program, std::uint64_t code, RuleId& rule, std::vector<std::int64_t>& params);
std::optional<std::uint64_t> encode_step(const Program& program, RuleId rule, std::span<const std::int64_t> params);

// A value as text: the name of a player or member, the text of a site, a number, (White, Pawn), none.
std::string value_text(const Program& program, TypeId type, std::int64_t value);

} // namespace zug::ir

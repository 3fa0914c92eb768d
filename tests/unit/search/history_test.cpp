// Games whose past matters: what a search keeps of a position must not answer for the same position with another past.

#include "interpreter/make_interpreter.hpp"
#include "lang/load.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace zug;
using namespace zug::search;
using run::MoveList;
using run::NodeKind;
using run::State;

namespace {

// An executor whose hash leaves the history out, so that tables go by position alone.
class Forgetful final : public run::Executor {
public:
    explicit Forgetful(std::unique_ptr<run::Executor> inner) : inner_(std::move(inner)) {}
    std::unique_ptr<Executor> clone() const override { return std::make_unique<Forgetful>(inner_->clone()); }
    const ir::Program& program() const override { return inner_->program(); }
    std::string_view name() const override { return "forgetful"; }
    void initial(State& out) const override { inner_->initial(out); }
    void store(const State& state, std::vector<std::uint32_t>& slots) const override { inner_->store(state, slots); }
    void load(std::span<const std::uint32_t> slots, State& out) const override { inner_->load(slots, out); }
    std::uint32_t to_move(const State& state) const override { return inner_->to_move(state); }
    NodeKind kind(const State& state) override { return inner_->kind(state); }
    NodeKind expand(const State& state, MoveList& moves) override { return inner_->expand(state, moves); }
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override {
        return inner_->successor(state, moves, i, out);
    }
    bool payoffs(const State& state, std::span<double> out) override { return inner_->payoffs(state, out); }
    void evals(const State& state, std::span<double> out) override { inner_->evals(state, out); }
    bool holds(const State& state, ir::ExprId condition) override { return inner_->holds(state, condition); }
    std::uint64_t hash(const State& state) const override {
        State position = state;
        position.history.reset();
        return inner_->hash(position);
    }

private:
    std::unique_ptr<run::Executor> inner_;
};

std::shared_ptr<const ir::Program> program_of(const std::string& text) {
    const lang::Loaded loaded = lang::load_text("test.zug", text);
    REQUIRE_MESSAGE(loaded.program, diag::render(loaded.sources, loaded.report));
    return loaded.program;
}

// Rooms by number, and for each those that can be reached in one step.
using Graph = std::vector<std::vector<std::size_t>>;

std::string board_text(const Graph& graph) {
    std::string text = "board room = graph\n";
    for (std::size_t a = 0; a < graph.size(); ++a) {
        text += "  r" + std::to_string(a) + ":";
        for (const auto b : graph[a]) text += " r" + std::to_string(b);
        text += "\n";
    }
    return text;
}

// Connected, with up to so many edges more than a tree's.
Graph random_graph(std::size_t rooms, int more, Random& random) {
    Graph graph(rooms);
    const auto join = [&](std::size_t a, std::size_t b) {
        if (a == b || std::ranges::count(graph[a], b) > 0) return;
        graph[a].push_back(b);
        graph[b].push_back(a);
    };
    for (std::size_t a = 1; a < rooms; ++a) join(a, random.below(static_cast<std::uint32_t>(a)));
    for (int extra = 0; extra < more; ++extra)
        join(random.below(static_cast<std::uint32_t>(rooms)), random.below(static_cast<std::uint32_t>(rooms)));
    return graph;
}

// The value for the first player by every way to search.
double agreed_value(const std::shared_ptr<const ir::Program>& program) {
    game::Game game(program);
    const double value = search::search(game, game.initial(), Method::Minimax, {}).value[0];
    for (const Method method : {Method::AlphaBeta, Method::Expectimax, Method::MaxN})
        for (const bool table : {true, false}) {
            Options options;
            options.table = table;
            const Result result = search::search(game, game.initial(), method, {}, options);
            CAPTURE(method_name(method));
            CAPTURE(table);
            CHECK(result.exact);
            CHECK(result.value[0] == value);
        }
    game::Game reference(program, game::ExecutorKind::Reference);
    CHECK(search::search(reference, reference.initial(), Method::AlphaBeta, {}).value[0] == value);
    return value;
}

bool errs_without_history(const std::shared_ptr<const ir::Program>& program, double value) {
    game::Game game(std::make_unique<Forgetful>(run::make_interpreter(program)));
    Options options;
    options.deepening = false;
    return search::search(game, game.initial(), Method::AlphaBeta, {}, options).value[0] != value;
}

// ---- undirected vertex geography: a token goes from room to room and never back

std::string geography(const Graph& graph) {
    return "game \"Geography\"\nplayers A, B\n" + board_text(graph) +
           "state here: room = r0\n"
           "move go(r: room)\n  when r in here.out\n  then here := r\n  ensure earlier(here) = 0\n"
           "end me wins when stuck\n";
}

// The most edges without a room in common, among the rooms of the mask.
int matching(const Graph& graph, unsigned rooms) {
    if (rooms == 0) return 0;
    const auto a = static_cast<std::size_t>(std::countr_zero(rooms));
    const unsigned rest = rooms & ~(1U << a);
    int best = matching(graph, rest);
    for (const auto b : graph[a])
        if ((rest >> b & 1U) != 0) best = std::max(best, 1 + matching(graph, rest & ~(1U << b)));
    return best;
}

// ---- a token that may go in cycles, until a position has been there so often before

std::string roundabout(const Graph& graph, const std::vector<int>& wins, int times) {
    const auto rooms = [&](int who) {
        std::string list;
        for (std::size_t a = 0; a < wins.size(); ++a)
            if (wins[a] == who) list += (list.empty() ? "r" : ", r") + std::to_string(a);
        return "{" + list + "}";
    };
    return "game \"Roundabout\"\nplayers A, B\n" + board_text(graph) + "state here: room = r0\n" +
           "move go(r: room)\n  when r in here.out\n  then here := r\n" + "end\n  A wins when here in " + rooms(1) +
           "\n  B wins when here in " + rooms(-1) + "\n  draw when earlier(here, me) = " + std::to_string(times) + "\n";
}

// By position: what each player can force, all else being a draw. The token is in `room`, player 0 or 1 to move.
double value_by_position(const Graph& graph, const std::vector<int>& wins) {
    const std::size_t rooms = graph.size();
    std::vector<int> value(2 * rooms);
    for (std::size_t i = 0; i < 2 * rooms; ++i) value[i] = wins[i / 2];
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < 2 * rooms; ++i) {
            if (wins[i / 2] != 0 || value[i] != 0) continue;
            const int sign = i % 2 == 0 ? 1 : -1;
            int best = -1;
            for (const auto next : graph[i / 2]) best = std::max(best, sign * value[2 * next + 1 - i % 2]);
            if (best == 0) continue;
            value[i] = sign * best;
            changed = true;
        }
    }
    return value[0];
}

} // namespace

// Fraenkel, Scheinerman and Ullman, "Undirected edge geography" (1993): who is to move wins if and only if every
// matching of the most edges covers the token's room.
TEST_CASE("superko: geography has the value that matchings give, and a table by position gets it wrong") {
    Random random(5);
    int errors = 0;
    for (int i = 0; i < 60; ++i) {
        const Graph graph = random_graph(6 + static_cast<std::size_t>(i % 4), 6, random);
        const unsigned all = (1U << graph.size()) - 1;
        const bool wins = matching(graph, all) > matching(graph, all & ~1U);
        const auto program = program_of(geography(graph));
        CAPTURE(board_text(graph));
        CHECK(agreed_value(program) == (wins ? 1 : -1));
        errors += errs_without_history(program, wins ? 1 : -1);
    }
    CHECK(errors > 0);
}

TEST_CASE("repetition: the value is that of solving by position") {
    Random random(7);
    int decided = 0;
    for (int i = 0; i < 200; ++i) {
        const int times = 1 + i % 2;
        Graph graph = random_graph(times == 1 ? 8 : 4, 3, random);
        for (auto& ways : graph) // some one-way streets
            if (ways.size() > 1 && random.below(2) == 0) ways.erase(ways.begin());
        std::vector<int> wins(graph.size());
        for (std::size_t a = 1; a < wins.size(); ++a)
            wins[a] = random.below(4) == 0 ? (random.below(2) == 0 ? 1 : -1) : 0;
        const auto program = program_of(roundabout(graph, wins, times));
        CAPTURE(roundabout(graph, wins, times));
        const double value = value_by_position(graph, wins);
        CHECK(agreed_value(program) == value);
        decided += value != 0;
    }
    CHECK(decided > 10);
}

// The interaction of graph and history (Campbell, "The graph-history interaction", 1985): a position is met first where
// its winning move repeats an earlier one, and again where it doesn't.
TEST_CASE("repetition: a table by position takes a win for a draw") {
    const Graph graph = {{2, 3}, {0}, {6, 4}, {4, 7}, {3, 5, 2}, {7}, {2}, {5, 3}};
    const auto program = program_of(roundabout(graph, {0, 0, 0, 0, 0, 0, 0, 1}, 1));
    CHECK(agreed_value(program) == 1);
    CHECK(errs_without_history(program, 1));
}

// Men only go right, so positions before their steps can't come again, but kings go either way, and if `loose` is set,
// as it never is from the start, men do, too.
TEST_CASE("repetition: lines to one position are the same where what was before can't come again, and only there") {
    const auto program = program_of(
        "game \"Ratchet\"\nplayers A, B\nboard cell = grid(5, 2)\ntype kind = Man | King\n"
        "state at: cell -> (player, kind)? = (A, Man) on {a1}, (A, King) on {c1}, (B, Man) on {a2}, (B, King) on {d2}\n"
        "state loose: bool\n"
        "move go(c: cell, d: dir)\n  when c in men(me), d in (if loose or at[c] = (me, King): {E, W, N, S} else {E}),\n"
        "       c.d in empty\n  then at[c.d] := at[c], at[c] := none\n"
        "move loosen\n  when not loose, no men(A)\n  then loose := true\n"
        "end\n  foe wins when stuck\n  draw when earlier(at, loose, me) = 1\n"
        "eval p = 3 * (sum c in at.(p, Man): x(c)) + sum c in at.(p, King): (7 * x(c) * x(c) + y(c)) mod 11\n");
    game::Game game(program, game::ExecutorKind::Interpreter);
    Random random(3);
    for (int i = 0; i < 60; ++i) {
        State start = *game.parse_position(i % 2 == 0 ? "loose=true" : ""), next;
        MoveList moves;
        for (std::uint32_t plies = random.below(6); plies > 0; --plies) {
            if (game.expand(start, moves) != NodeKind::Decision) break;
            const std::uint32_t move = random.below(static_cast<std::uint32_t>(moves.size()));
            REQUIRE(game.successor(start, moves, move, next));
            start = next;
        }
        Limits limits;
        limits.depth = 6;
        CAPTURE(game.position_text(start));
        CHECK(search::search(game, start, Method::AlphaBeta, limits).value[0] ==
              search::search(game, start, Method::Minimax, limits).value[0]);
    }
}

TEST_CASE("repetition: a table answers for a position before which a man has moved, whatever led there") {
    const auto nodes = [](const char* repetition) {
        const lang::Loaded loaded =
            lang::load_file(ZUG_SOURCE_DIR "/rules/english-draughts.zug", {{"repetition", repetition}});
        game::Game game(loaded.program);
        Limits limits;
        limits.depth = 9;
        return search::search(game, game.initial(), Method::AlphaBeta, limits).nodes;
    };
    CHECK(static_cast<double>(nodes("true")) < 1.1 * static_cast<double>(nodes("false")));
}

// Behind a chance event the newest record is not the state's own, yet it doesn't count either: then the hash has to
// tell which one it is.
TEST_CASE("states with equal hashes answer alike about their past") {
    const auto program =
        program_of("game \"Lots\"\nplayers A, B\nstate here: 0..2\nstate rolling: bool\n"
                   "move go(t: 0..2)\n  when not rolling\n  then here := t, rolling := true, again\n"
                   "chance land(t: 0..2)\n  when rolling\n  then here := t, rolling := false, next foe\n"
                   "end draw when earlier(here) = 3\n"
                   "test: holds earlier(here) = 0, holds earlier(here) = 1, holds earlier(here) = 2\n");
    for (const auto executor : {game::ExecutorKind::Interpreter, game::ExecutorKind::Reference}) {
        game::Game game(program, executor);
        std::map<std::uint64_t, std::vector<bool>> answers;
        std::vector<State> states{game.initial()};
        int met_again = 0;
        for (int ply = 0; ply < 6; ++ply) {
            std::vector<State> next;
            for (const State& state : states) {
                std::vector<bool> here;
                for (const auto& item : program->tests[0].items)
                    here.push_back(game.executor().holds(state, item.expr));
                const auto [it, fresh] = answers.emplace(game.hash(state), here);
                CHECK(it->second == here);
                met_again += !fresh;
                MoveList moves;
                const NodeKind kind = game.expand(state, moves);
                if (kind == NodeKind::Terminal) continue;
                for (std::size_t i = 0; i < moves.size(); ++i)
                    REQUIRE(game.successor(state, moves, i, next.emplace_back()));
            }
            states = std::move(next);
        }
        CHECK(met_again > 0);
    }
}

// A search that goes through the tree in one go (run/subtree.hpp) is in nothing different from one that goes move by
// move, which is what a trace makes of it. By byte code, which takes the place of machine code here; and by that.

#include "game/line.hpp"
#include "lang/load.hpp"
#include "native/native.hpp"
#include "run/routines.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace zug;
using namespace zug::search;
using game::ExecutorKind;

namespace {

const std::filesystem::path rules = std::filesystem::path(ZUG_SOURCE_DIR) / "rules";

// The routine of subtrees, which is the last of a program, as if it had been translated.
class ByteCode : public run::RoutineTable {
public:
    explicit ByteCode(const run::Compiled& compiled) : routines_(compiled.code.instrs.size(), nullptr) {
        if (compiled.subtree.entry != run::no_entry) routines_[compiled.subtree.entry] = run_last;
        publish(routines_.data());
    }
    void wanted() override {}

private:
    static std::int32_t run_last(std::uint64_t* frame, run::RoutineHost* host) {
        const auto& bridge = *static_cast<run::HostBridge*>(host);
        const run::Code& code = *bridge.code;
        return run::machine_for(code.main_width)(code, code.routines.back().entry, frame, *bridge.host);
    }
    std::vector<run::Routine> routines_;
};

// Without an evaluation, which such a search has no use for.
game::Game played(const lang::Loaded& loaded, bool native) {
    auto program = std::make_shared<ir::Program>(*loaded.program);
    program->evals.clear();
    if (native) return game::Game(program, ExecutorKind::BestNative);
    std::string why;
    std::shared_ptr<const run::Compiled> compiled = run::compile(program, why);
    if (!compiled) return game::Game(program);
    return game::Game(run::make_interpreter(compiled, std::make_shared<ByteCode>(*compiled)));
}

game::Game bare(const std::filesystem::path& file, bool native = false) {
    const lang::Loaded loaded = lang::load_file(file.string());
    REQUIRE_MESSAGE(loaded.program, file << " doesn't load");
    return played(loaded, native);
}

game::Game written(const std::string& text, bool native = false) {
    const lang::Loaded loaded = lang::load_text("random.zug", text);
    REQUIRE_MESSAGE(loaded.program, text);
    return played(loaded, native);
}

// Small games of men that are put on a board, step and capture, with ends and payoffs of several kinds; some can go on
// for ever, in some a player without a move passes, in others that is a fault.
std::string random_rules(std::uint64_t seed) {
    Random random(seed);
    const auto one_of = [&](const std::vector<std::string>& choices) {
        return choices[random.below(static_cast<std::uint32_t>(choices.size()))];
    };
    std::string text =
        "game \"Random\"\nplayers A, B\nboard cell = " + one_of({"grid(3, 3)", "grid(4, 3)", "grid(5, 2)", "ring(6)"}) +
        "\nstate at: cell -> player?";
    text += one_of({"", " = A on {c: cell | x(c) = 1}, B on {c: cell | x(c) = 3}"}) + "\n";
    const std::string put =
        "move put(c: cell)\n  when c in empty" +
        one_of({"", ", no c.adj & at.me", ", count at.me < 4", ", some c.adj & at.foe or no at.foe"}) +
        "\n  then at[c] := me\n";
    const std::string step = "move step(f: cell, t: cell)\n  when f in at.me, t in f.adj" +
                             one_of({" & empty", " \\ at.me", " & at.foe"}) + "\n  then at[f] := none, at[t] := me\n";
    text += one_of({put, step, put + step, step + put});
    text += one_of({"", "stuck pass\n"}) + "end\n";
    text += one_of({"", "  me wins when count at.me >= 4\n", "  me loses when some c in at.me: no c.adj \\ at.me\n",
                    "  payoff p = count at.p - count at.(next(p)) when no at.foe\n"});
    text += one_of(
        {"  draw when no empty\n", "  payoff p = 0.5 * (count at.p - count at.(next(p))) when count empty < 2\n"});
    return text;
}

bool in_one_go(game::Game& game) {
    return refusal(Method::AlphaBeta, game.traits()).empty() && game::Line(game).subtree() != nullptr;
}

Options plain(bool deepening = false) {
    Options options;
    options.table = options.ordering = false;
    options.deepening = deepening;
    return options;
}

Limits limited(int depth, std::uint64_t nodes = 0) {
    Limits limits;
    limits.depth = depth;
    limits.nodes = nodes;
    return limits;
}

Result searched(game::Game& game, const game::State& root, Limits limits, bool by_moves, const Options& options) {
    if (by_moves) limits.trace = [](const Visit&) {};
    return search::search(game, root, Method::AlphaBeta, limits, options);
}

void same(const Result& one_go, const Result& by_moves) {
    CHECK(one_go.nodes == by_moves.nodes);
    CHECK(one_go.value == by_moves.value);
    CHECK(one_go.pv_ids == by_moves.pv_ids);
    CHECK(one_go.exact == by_moves.exact);
    CHECK(one_go.complete == by_moves.complete);
    CHECK(one_go.depth == by_moves.depth);
    CHECK(one_go.fault == by_moves.fault);
}

// To every depth that takes no more nodes than these, and to the deepest of them with less. Returns that depth.
int check(game::Game& game, const game::State& root, std::uint64_t most) {
    int depth = 0;
    std::uint64_t nodes = 0;
    for (; depth < 12; ++depth) {
        CAPTURE(depth + 1);
        const Limits limits = limited(depth + 1, most);
        const Result by_moves = searched(game, root, limits, true, plain());
        same(searched(game, root, limits, false, plain()), by_moves);
        if (!by_moves.complete) break;
        nodes = by_moves.nodes;
    }
    for (const std::uint64_t limit :
         std::initializer_list<std::uint64_t>{1, 2, 3, 7, 100, nodes / 2, nodes - 1, nodes, nodes + 1}) {
        CAPTURE(limit);
        for (const bool deepening : {false, true})
            same(searched(game, root, limited(depth, limit), false, plain(deepening)),
                 searched(game, root, limited(depth, limit), true, plain(deepening)));
    }
    return depth;
}

// After so many random moves, or fewer where the game is over before.
game::State after(game::Game& game, std::uint32_t plies, Random& random) {
    game::State before = game.initial(), state = before;
    for (std::uint32_t ply = 0; ply < plies && game.kind(state) == game::NodeKind::Decision; ++ply) {
        before = state;
        game.playout(state, random, 1);
    }
    return game.kind(state) == game::NodeKind::Decision ? state : before;
}

void check_everywhere(game::Game& game, std::uint64_t most) {
    Random random(7);
    for (const std::uint32_t plies : {0U, 1U, 4U, 7U, 15U, 30U}) {
        CAPTURE(plies);
        check(game, after(game, plies, random), most);
    }
}

} // namespace

TEST_CASE("going through the tree in one go changes nothing, on any rule file that it is for") {
    std::set<std::string> games;
    for (const auto& entry : std::filesystem::directory_iterator(rules)) {
        if (entry.path().extension() != ".zug" || entry.path().stem() == "prelude") continue;
        game::Game game = bare(entry.path());
        if (!in_one_go(game)) continue;
        const std::string name = entry.path().stem().string();
        games.insert(name);
        CAPTURE(name);
        check_everywhere(game, 3000);
    }
    for (const char* const name : {"connect-four", "tic-tac-toe", "misere-tic-tac-toe", "gomoku", "hex"})
        CHECK_MESSAGE(games.contains(name), name);
}

TEST_CASE("nor in small games with payoffs to be worked out, passes, faults and no end") {
    int games = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const std::string text = random_rules(seed);
        CAPTURE(text);
        game::Game game = written(text);
        if (!in_one_go(game)) continue;
        ++games;
        check_everywhere(game, 1500);
    }
    CHECK(games > 40);
}

TEST_CASE("nor in machine code") {
    if (!native::unavailable().empty()) return;
    for (const char* const name : {"connect-four", "tic-tac-toe", "gomoku"}) {
        CAPTURE(name);
        game::Game game = bare(rules / (std::string(name) + ".zug"), true);
        REQUIRE(in_one_go(game));
        check_everywhere(game, 20000);
    }
    for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
        const std::string text = random_rules(seed);
        CAPTURE(text);
        game::Game game = written(text, true);
        if (in_one_go(game)) check_everywhere(game, 3000);
    }
}

TEST_CASE("a search in one go stops when it is told to, and within its time") {
    game::Game game = bare(rules / "connect-four.zug");
    std::atomic<bool> stop = true;
    Limits limits = limited(20);
    limits.stop = &stop;
    const Result stopped = searched(game, game.initial(), limits, false, plain());
    CHECK_FALSE(stopped.complete);
    CHECK(stopped.nodes == 0);
    limits = limited(30);
    limits.seconds = 0.05;
    const Result timed = searched(game, game.initial(), limits, false, plain(true));
    CHECK_FALSE(timed.complete);
    CHECK(timed.seconds >= 0.05);
    CHECK(timed.depth >= 1);
}

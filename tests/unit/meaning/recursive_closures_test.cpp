// Sets that are defined by themselves: said in any of several ways, they become a repeated path, and mean what they
// mean to the reference evaluator.

#include "compiler/normalise/memberships.hpp"
#include "compiler/recursion/recursive_closures.hpp"
#include "game/perft.hpp"
#include "tests/unit/game/text_games.hpp"

#include <array>

using namespace zug;
using namespace zug::game;

namespace {

// Black and White surround each other on a small board; what is surrounded is taken.
std::string game_with(const std::string& group) {
    return "game \"Groups\"\n"
           "players Black, White\n"
           "board cell = grid(4, 3)\n"
           "state at: cell -> player? = Black on {a1, b1, d3}, White on {a2, c1, d2}\n" +
           group +
           "\ndef dead(p: player) = {c in at.p | no group(c, p).ortho & empty}\n"
           "move place(c: cell)\n"
           "  when c in empty\n"
           "  then at[c] := me\n"
           "  then at[dead(foe)] := none\n"
           "  ensure no dead(me)\n"
           "stuck pass\n"
           "end me wins when count at.foe > 5\n";
}

std::uint64_t closed(const std::string& text) {
    const lang::Loaded loaded = lang::load_text("groups.zug", text);
    INFO(diag::render(loaded.sources, loaded.report));
    REQUIRE(loaded.program);
    ir::Program program = *loaded.program;
    run::narrow_domains(program);
    return run::close_recursions(program);
}

std::uint64_t perft_of(const std::string& text, ExecutorKind kind) {
    Game game = game_of(text, kind);
    const auto nodes = perft(game, game.initial(), 3);
    REQUIRE_MESSAGE(nodes, (nodes ? "" : nodes.error().text));
    return *nodes;
}

} // namespace

TEST_CASE("a set that grows along a path from itself is a repeated path") {
    const std::array groups{
        "def group(c: cell, p: player) = {n: cell | n = c or at[n] = p and some n.ortho & group(c, p)}",
        "def group(c: cell, p: player) = {n: cell | n = c or n in group(c, p).ortho & at.p}",
        "def group(c: cell, p: player) = {n: cell | n = c or n in at.p and (some m in n.ortho: m in group(c, p))}",
        "def group(c: cell, p: player) = {n: cell | c = n or at[n] = p and some group(c, p) & n.(ortho & at.p)}",
        "def group(c: cell, p: player) = c | group(c, p).ortho & at.p",
        "def group(c: cell, p: player) = c | at.p & group(c, p).N | (at.p & group(c, p).S | group(c, p).(E | W) & "
        "at.p)",
        "def group(c: cell, p: player) = {n in at.p | n = c or some n.ortho & group(c, p)}",
        "def group(c: cell, p: player) = c | {n in group(c, p).ortho | at[n] = p}",
        "def group(c: cell, p: player) = c | (union n in at.p & group(c, p): n.ortho & at.p)",
    };
    const std::uint64_t wanted =
        perft_of(game_with("def group(c: cell, p: player) = c.(ortho & at.p)^*"), ExecutorKind::Reference);
    for (const std::string group : groups) {
        CAPTURE(group);
        CHECK(closed(game_with(group)) == 1);
        CHECK(perft_of(game_with(group), ExecutorKind::Interpreter) == wanted);
        CHECK(perft_of(game_with(group), ExecutorKind::Reference) == wanted);
    }
}

// Steps forth and steps back differ where a path leads one way only.
TEST_CASE("a path that leads one way is followed the way it was said") {
    const std::array<std::pair<const char*, const char*>, 2> groups{{
        {"def group(c: cell, p: player) = {n: cell | n = c or at[n] = p and some n.(N | E) & group(c, p)}",
         "def group(c: cell, p: player) = c.((S | W) & at.p)^*"},
        {"def group(c: cell, p: player) = c | group(c, p).(N | E).N & at.p",
         "def group(c: cell, p: player) = c.((N | E).N & at.p)^*"},
    }};
    for (const auto& [recursive, path] : groups) {
        CAPTURE(recursive);
        CHECK(closed(game_with(recursive)) == 1);
        const std::uint64_t wanted = perft_of(game_with(path), ExecutorKind::Reference);
        CHECK(perft_of(game_with(recursive), ExecutorKind::Interpreter) == wanted);
        CHECK(perft_of(game_with(recursive), ExecutorKind::Reference) == wanted);
    }
}

TEST_CASE("a set that does not grow along a path stays as it is defined") {
    const std::array groups{
        // Of other arguments.
        "def group(c: cell, p: player) = {n: cell | n = c or at[n] = p and some n.ortho & group(c, next(p))}",
        // Two members make one.
        "def group(c: cell, p: player) = {n: cell | n = c or at[n] = p and some n.N & group(c, p) and some n.E & "
        "group(c, p)}",
        // A path that leads from a member to where another is.
        "def group(c: cell, p: player) = c | group(c, p).ortho & group(c, p).diagonals",
    };
    for (const std::string group : groups) {
        CAPTURE(group);
        CHECK(closed(game_with(group)) == 0);
        CHECK(perft_of(game_with(group), ExecutorKind::Interpreter) ==
              perft_of(game_with(group), ExecutorKind::Reference));
    }
}

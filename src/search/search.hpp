#pragma once
// The interface of search: limits and options, results, and which method suits which game.
//
// Depth is counted in plies, and a ply is a move or a chance event. A node is a state that was visited, the root
// included; every visit counts, in every pass. Values are utilities on the rule file's scale. Where a line ends at the
// depth limit and not at an end of the game, game::Game::evaluate stands for its utility (see leaf.hpp); it lies
// strictly inside the range of the game's utilities, so a value on the edge of that range is always a proven one.
//
//   method      games                          value        how
//   minimax     two players, zero sum          exact        every line, no pruning; no chance
//   alphabeta   two players, zero sum          the same     pruning, iterative deepening, with a table; no chance
//   expectimax  those, and one player; chance  mean value   Star1 pruning at chance nodes, with a table
//   maxn        any                            a vector     no pruning but by the range of utilities, with a table
//
// At equal depth every method that suits a game gives the identical value. There is one qualification: a search whose
// value is already proven to the end stops deepening, for no greater depth would give another.
//
// Without a limit on the depth, alphabeta deepens until the value is proven; the other methods make a single pass to
// the end of every line. Where `seconds` or `nodes` is limited they deepen iteratively too, so that there is always
// an answer. A single pass over a game that can go on past max_depth plies (any game with a cycle) fails; give a depth.

#include "game/game.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::search {

enum class Method : std::uint8_t { Minimax, AlphaBeta, Expectimax, MaxN };

inline constexpr int unlimited_depth = -1;
inline constexpr int max_depth = 1024; // recursion goes no deeper: the stack has room for it, sanitized builds too

// The progress of a running search: reported after each completed depth (`completed`), and about twice a second in
// between.
struct Result;
struct Progress {
    const Result& result; // of the deepest completed pass, with nodes and seconds up to now
    bool completed = false;
};

// A visited state, for tests and for drawing search trees. `line` holds the ids of the moves that lead to it.
struct Visit {
    std::span<const std::uint64_t> line;
    const game::State& state;
    bool leaf = false; // an end of the game, or the depth limit
};

struct Limits {
    int depth = unlimited_depth;
    double seconds = 0;                      // 0: no limit
    std::uint64_t nodes = 0;                 // 0: no limit; never exceeded
    const std::atomic<bool>* stop = nullptr; // looked at every few hundred nodes
    std::function<void(const Progress&)> progress;
    std::function<void(const Visit&)> trace; // called at each node; costs one untaken branch when empty
    // For searches that take turns (turns.hpp): called from time to time with the work since the last call, in
    // positions made. The same search calls it at the same points in every run.
    std::function<void(std::uint64_t)> turn;
};

// Parts that can be switched off, to measure their effect. None of them changes a value.
struct Options {
    bool table = true;     // transposition table
    bool ordering = true;  // table move, killers, history; off: by move id
    bool deepening = true; // off: alphabeta makes a single pass too
    bool pruning = true;   // off: every line is searched
    std::size_t table_bytes = std::size_t{32} << 20;
};

struct Result {
    Method method = Method::Minimax;
    std::vector<double> value;         // by player
    std::vector<std::uint64_t> pv_ids; // principal variation, up to the first chance event
    std::vector<std::string> pv;       // the same in the game's notation
    std::uint64_t nodes = 0;
    int depth = 0; // of the deepest completed pass; 0: the value is the root's evaluation
    double seconds = 0;
    bool exact = false;    // the value is proven to the end of the game
    bool complete = false; // ran to the depth asked for, or to a proof; false: a limit stopped it
    std::string fault;     // the method doesn't suit the game, or a rule failed; then the value is as of before, if any
};

// What `auto` means for a game: alphabeta or expectimax where the value is one number, else maxn.
Method automatic(const game::Traits& traits);
std::string_view method_name(Method method);
std::optional<Method> method_named(std::string_view name);
// Why the method can't search such a game and what to use instead; empty if it can.
std::string refusal(Method method, const game::Traits& traits);

// A searcher keeps its table from search to search. The game must outlive it.
class Engine;
class Searcher {
public:
    Searcher(game::Game& game, Method method, const Options& options = {});
    Searcher(Searcher&&) noexcept;
    Searcher& operator=(Searcher&&) noexcept;
    ~Searcher();

    Result run(const game::State& root, const Limits& limits);
    // Back to the state of a new searcher, so that a search doesn't depend on those before it.
    void forget();

private:
    std::unique_ptr<Engine> engine_; // empty if the method doesn't suit the game
    Method method_;
    std::string refusal_;
};

// One search with a searcher of its own.
Result search(game::Game& game, const game::State& root, Method method, const Limits& limits,
              const Options& options = {});

} // namespace zug::search

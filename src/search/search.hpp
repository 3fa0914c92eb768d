#pragma once
// The interface of search: limits and options, results, and which method suits which game.
//
// Depth is counted in plies, and a ply is a move or a chance event. A node is a state that was visited, the root
// included; every visit counts, in every pass. Values are utilities on the rule file's scale. Where a line ends at the
// depth limit and not at an end of the game, game::Game::evaluate stands for its utility (see leaf.hpp); it lies
// strictly inside the range of the game's utilities, so a value on the edge of that range is always a proven one. A
// side is a player or a team.
//
//   method      games                          value        how
//   minimax     two sides, zero sum            exact        every line, no pruning; no chance
//   alphabeta   two sides, zero sum            the same     pruning, iterative deepening, with a table; no chance
//   expectimax  those, and one player; chance  mean value   Star2 pruning at chance nodes, with a table
//   maxn        any                            a vector     pruning by the range and sum of utilities, with a table
//   paranoid    two players or more            a vector     the others minimise the mover's utility; as expectimax
//   bestreply   two players or more            an estimate  the same, but only one of the others chooses freely
//   errant      two sides, zero sum            an estimate  against an opponent who errs, every line; chance
//   uct         any                            an estimate  means of playouts, with proofs; see monte_carlo/
//   bstar       two sides, zero sum            an estimate  a tree grown until one move is the best; no chance
//   mgss        the same                       the same     grown where that helps the choice most; see best_first/
//   astar       one player; no chance          exact        the best end by the shortest way; keeps all positions
//   idastar     the same                       the same     depth-first, length by length, with a table
//   dfbb        the same                       the same     depth-first branch and bound, with a table
//
// At equal depth the first four methods give the identical value in every game that they suit, and so do paranoid and
// bestreply for two sides and zero sum, the latter if each is one player. errant, uct, bstar and mgss estimate it, and
// the last three look at ends of the game alone (one_player.hpp). There is one qualification: a search whose value is
// already proven to the end stops deepening, for no greater depth would give another.
//
// Without a limit on the depth, alphabeta deepens until the value is proven; the other methods make a single pass to
// the end of every line. Where `seconds` or `nodes` is limited they deepen iteratively too, so that there is always
// an answer. A single pass over a game that can go on past max_depth plies (any game with a cycle) fails; give a depth.

#include "search/core/limits.hpp"
#include "search/core/options.hpp"
#include "search/core/result.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zug::search {

struct MethodInfo {
    Method method;
    std::string_view name;
    std::string_view what; // for people
    std::string_view source;
};
std::span<const MethodInfo> all_methods();

// What `auto` means for a game: astar for one player without chance (dfbb where the rules ask for earlier positions),
// else alphabeta or expectimax where the value is one number, else maxn.
Method automatic(const game::Traits& traits);
std::string_view method_name(Method method);
std::optional<Method> method_named(std::string_view name);
// Why the method can't search such a game and what to use instead; empty if it can.
std::string refusal(Method method, const game::Traits& traits);
// The same, also of the opponent whom the options name.
std::string refusal(Method method, const Options& options, const game::Traits& traits);

// A searcher keeps its table from search to search. The game must outlive it.
class Algorithm;
class Searcher {
public:
    Searcher(game::Game& game, Method method, const Options& options = {});
    Searcher(Searcher&&) noexcept;
    Searcher& operator=(Searcher&&) noexcept;
    ~Searcher();

    // Finds out what the game's evaluation is worth, if Options::calibration asks for it: up to four seconds, the first
    // time that somebody plays the game. Returns soon after `stop` is set. run() does so, too, outside its limits.
    void prepare(const std::atomic<bool>* stop);
    Result run(const game::State& root, const Limits& limits);
    // Back to the state of a new searcher, so that a search doesn't depend on those before it.
    void forget();

private:
    game::Game* game_;
    Method method_;
    Options options_;
    std::unique_ptr<game::Game> calibrated_; // empty: the game as it is given
    std::unique_ptr<Algorithm> algorithm_;   // empty if the method doesn't suit the game, and before prepare()
    std::string refusal_;
};

// One search with a searcher of its own.
Result search(game::Game& game, const game::State& root, Method method, const Limits& limits,
              const Options& options = {});

} // namespace zug::search

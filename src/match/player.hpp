#pragma once
// Who makes the moves of a seat, and the short texts that name them.
//
//   random          a legal move, all equally likely
//   solved:DIR      the best move, from the game's database (solve/database) in that folder; with
//                   solved:DIR,tease=on,error=0.1, of the moves that give nothing away, the one that sets an opponent
//                   who errs the most problems (solve/database/tease.hpp); the error is that of errant
//   human           asks a person
//   uci:COMMAND     another program, a command of the shell, that speaks UCI; as in uci:stockfish,time=1,option.Hash=64
//                   with time, depth and nodes, the options of the program, and with patience=30s, how long it may
//                   take beyond its time; without limits it has a second a move
//   xboard:COMMAND  the same for programs that speak xboard's protocol, without nodes; variant=capablanca names the
//   game
//                   to them, where it is not chess
//   gtp:COMMAND     the same for programs that speak GTP, with time and patience
//   METHOD          a search method (search/search.hpp), or `auto`, which chooses one that suits the game; as in
//                   METHOD:depth=6,time=2s with limits and other settings, separated by commas (search/settings.hpp)
//
// A search player without any limit gets default_nodes per move: it then answers quickly in every game, and its games
// are reproducible, which they would not be under a time limit. Against people, see suit_people().
//
// A search player with rote=FILE remembers the positions in which it moved (learn/rote_memory.hpp), so its games depend
// on those before.
//
// Another program that ends, does not answer in time, or plays what is not legal loses the game (NoMove::Why::Forfeit),
// and is started again for the next one.
//
// `auto` searches selectively, looks for proofs (search/proving.hpp), and evaluates as the game offers
// (game::Game::offer), unless its settings say otherwise.

#include "engines/clients.hpp"
#include "game/game.hpp"
#include "search/settings.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::match {

inline constexpr std::uint64_t default_nodes = 100'000;

enum class PlayerKind : std::uint8_t { Random, Human, Search, Solved, Uci, Xboard, Gtp };

// Whether it is another program.
constexpr bool is_outside(PlayerKind kind) {
    return kind == PlayerKind::Uci || kind == PlayerKind::Xboard || kind == PlayerKind::Gtp;
}

struct PlayerSpec {
    std::string text; // as given
    PlayerKind kind = PlayerKind::Random;
    search::Settings search;   // of a search player; of a solved one, the error; of another program, the limits
    bool limits_given = false; // by the text
    std::string folder;        // of a solved player
    bool tease = false;        // of a solved player
    engines::Launch launch;    // of another program
};

// The players that are no search methods, and what they do.
struct OtherPlayer {
    std::string_view name, what;
};
std::span<const OtherPlayer> other_players();

// The error says what is wrong, what is allowed, and what may have been meant. A folder's name may have commas and `=`:
// what is at its end is a setting only if its name is one or nearly so. A slash at the end makes all of it a folder.
tl::expected<PlayerSpec, Error> parse_player(std::string_view text);
// A search player whose text has no limit gets what suits a person who waits for it: a second a move, on all
// processors.
void suit_people(PlayerSpec& spec);
// Players separated by commas; a piece such as `time=2s` belongs to the player before it, or to the name of its folder.
tl::expected<std::vector<PlayerSpec>, Error> parse_players(std::string_view text);
// Why the player can't play such a game; empty if it can.
std::string unsuitable(const PlayerSpec& spec, const game::Traits& traits);
// The same for a given instance of the game; this also checks that a database for it exists.
std::string unsuitable(const PlayerSpec& spec, game::Game& game);
// Whether it makes the same move whenever it meets the same position in the same game.
bool deterministic(const PlayerSpec& spec);

// A person, as a user interface presents them.
class Human {
public:
    virtual ~Human() = default;
    // The index of a move, or empty: gives up the game.
    virtual std::optional<std::size_t> ask(game::Game& game, const game::State& state, const game::MoveList& moves) = 0;
};

// Why there is no move.
struct NoMove {
    enum class Why : std::uint8_t {
        Quit,
        Stopped,
        Fault,
        Forfeit // the player has lost the game by what it did or did not do
    };
    Why why = Why::Quit;
    std::string text; // of a fault or a forfeit
};

// A move of a game: of a list, and the states before and after it.
struct Step {
    const game::State& before;
    const game::MoveList& moves;
    std::size_t move = 0;
    const game::State& after;
};

class Player {
public:
    virtual ~Player() = default;
    // Forgets earlier games; random choices then depend on the seed only.
    virtual void new_game(std::uint64_t seed) = 0;
    // The index of a move in `moves`, the list from expand(state), which is not empty. Returns soon after `stop` is
    // set.
    virtual tl::expected<std::size_t, NoMove> choose(const game::State& state, const game::MoveList& moves,
                                                     const std::atomic<bool>* stop) = 0;
    // A move of the game has been made, by whichever player or by chance. Those who don't remember the game need not be
    // told.
    virtual void see(const Step&) {}
    // The game has ended. The error: what the player remembers of it can't be kept.
    virtual tl::expected<void, Error> game_over() { return {}; }
    // Has a search report its progress, if the player searches.
    virtual void watch(std::function<void(const search::Progress&)>) {}
    // The search behind the last move, or what there was of it when it was stopped. Its line is not written
    // (Result::pv).
    virtual const search::Result* thoughts() const { return nullptr; }
    // From now on a move may take what these limits say of depth, time and nodes, instead of what the player's text
    // says. Only players that search heed it.
    virtual void allow(const search::Limits&) {}
    // Searches a position as for a move of its own, but within these limits, and without book and random moves. The
    // game may be over there, or chance have the move. Empty: the player does not search.
    virtual std::optional<search::Result> analyse(const game::State&, const search::Limits&) { return std::nullopt; }
};

// A player of this game; the game must outlive it. A human player asks `human`.
std::unique_ptr<Player> make_player(const PlayerSpec& spec, game::Game& game, Human* human = nullptr);

} // namespace zug::match

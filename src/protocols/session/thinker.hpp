#pragma once
// A player who answers questions of a protocol: which move, what it is worth, what else there is.

#include "base/error.hpp"
#include "game/game.hpp"
#include "match/player.hpp"
#include "protocols/session/findings.hpp"

#include <tl/expected.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::protocols {

struct Question {
    game::State state;
    std::optional<search::Limits> limits{};  // depth, time and nodes; none: those of the player's text
    std::vector<std::uint64_t> candidates{}; // ids of moves; empty: all
    std::size_t lines = 1;
};

struct Answer {
    std::optional<std::size_t> move; // in the list that expand() gives; empty: the game is over
    std::string text;                // of the move
    std::string reply;               // that is expected to it; may be empty
    Findings findings;
};

// The player that a text names, for a person or program that waits for it: without limits it thinks for a second a
// move. An error: the text is wrong, the player does not suit the game, it is none of this program, or its tables take
// more than so many bytes. (Whoever may send messages may not start commands of the shell by that.)
tl::expected<match::PlayerSpec, Error> player_of(std::string_view text, game::Game& game, std::uint64_t memory);

// Limits of a search that goes on until it is stopped, with every method.
search::Limits endless();

class Thinker {
public:
    using Tell = std::function<void(const Findings&)>;

    // Has its own clones of the game. Used by one thread at a time.
    Thinker(const game::Game& game, match::PlayerSpec spec);
    Thinker(const Thinker&) = delete;
    Thinker& operator=(const Thinker&) = delete;

    void new_game(std::uint64_t seed);
    // Tells what it has found after each pass, and about twice a second. Returns soon after `stop` is set, with the
    // best move so far. An error: a rule failed, or chance has the move.
    tl::expected<Answer, Error> answer(const Question& question, const Tell& tell, const std::atomic<bool>& stop);
    // The game has ended. The error: what the player remembers of it can't be kept.
    tl::expected<void, Error> game_over();

private:
    match::Player& player_for(const std::optional<search::Limits>& limits);
    search::Limits own_limits() const; // of the player's text
    tl::expected<std::size_t, Error> choose(const Question& question, const Tell& tell, const std::atomic<bool>& stop);
    tl::expected<std::size_t, Error> compare(const Question& question, const Tell& tell, const std::atomic<bool>& stop);
    std::optional<std::size_t> hurried_move(match::Player& player, const game::State& state);

    game::Game game_, texts_; // the latter for texts while a search plays on the former
    match::PlayerSpec spec_;
    std::uint64_t seed_ = 1;
    bool was_limited_ = false;                              // by a question
    std::array<std::unique_ptr<match::Player>, 2> players_; // the second searches to a depth alone; made when needed
    game::MoveList moves_;
    Findings findings_;
};

} // namespace zug::protocols

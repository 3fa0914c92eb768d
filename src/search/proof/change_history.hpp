#pragma once
// How often moves decided positions in a search, by what they change in a position: moves of a player that make the
// same change share a number. It orders moves (J. Schaeffer, The History Heuristic and Alpha-Beta Search Enhancements
// in Practice, 1989).

#include "base/random.hpp"
#include "game/line.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace zug::search {

class ChangeHistory {
public:
    explicit ChangeHistory(game::Game& game);

    // The entry of the move that was made at `ply`.
    std::uint32_t entry(game::Line& line, int ply) const;
    std::int32_t operator[](std::uint32_t entry) const { return values_[entry]; }

    // Begins with how random games from a position went, each counted for every move in it as if that had been the
    // first (B. Bruegmann, Monte Carlo Go, 1993). For games with listed utilities. Ends early when `goes_on`, asked
    // before each game, says no. Cost: at most most_games games of most_plies plies, or most_listed moves listed.
    void learn(game::Game& game, const game::State& root, std::uint64_t seed, const std::function<bool()>& goes_on);
    static constexpr std::uint32_t most_games = 2000, most_listed = 1'000'000;
    static constexpr int most_plies = 200;
    // The mean length of those games.
    double plies() const { return plies_; }

    // A move was tried in vain, or decided after so many had been.
    void failed(std::uint32_t entry) { --values_[entry]; }
    void decided(std::uint32_t entry, std::size_t tried);

private:
    static constexpr unsigned change_bits = 12;

    // The first player's utility at the end of a random game. Empty: it did not end. `played`: the entries of its
    // moves.
    std::optional<double> play(game::Game& game, game::Line& line, Random& random, std::vector<std::uint32_t>& played);

    std::vector<std::int32_t> values_; // by player and change
    std::uint64_t listed_ = 0;         // moves, while learning
    double plies_ = most_plies;
};

} // namespace zug::search

#pragma once
// Programs that speak xboard's protocol, the chess engine communication protocol (T. Mann, H. G. Muller, "Chess Engine
// Communication Protocol", version 2, 2009), as players. Older ones, which don't answer `protover`, are taken, too.
//
// As with xboard, the program answers the move of its opponent as soon as it is told; where it is told several at once,
// it takes them in force mode, without an answer. A time for each move that is no whole number of seconds can't be said
// in the protocol: then the program gets a clock for forty moves, which is set so that each has as much.

#include "engines/clients.hpp"

#include <cstddef>
#include <set>
#include <span>

namespace zug::engines {

class XboardClient : ProgramClient {
public:
    explicit XboardClient(Launch launch) : ProgramClient(std::move(launch)) {}

    // Forgets the game before. `position`: where it begins, as FEN; empty: at the start.
    tl::expected<void, Error> new_game(const std::string& position, const Allowance& allowance,
                                       const std::atomic<bool>* stop);
    // Whether it can begin anywhere but at the start. Known once it has run.
    bool takes_positions() const { return features_.contains("setboard"); }
    // The text of the move that it plays after these, which it has not been told yet; or `resign`. It then knows them
    // all.
    tl::expected<std::string, Error> best_move(std::span<const std::string> moves, const Allowance& allowance,
                                               const std::atomic<bool>* stop);

private:
    tl::expected<void, Error> introduce(const std::atomic<bool>* stop);
    // What the line says of `done`: whether that was all, or more will come, however late.
    std::optional<bool> take_features(std::string_view text, const Patience& patience);
    tl::expected<void, Error> say_all(const std::vector<std::string>& lines, const Patience& patience);
    // What the program is told so that it moves.
    std::vector<std::string> request(std::span<const std::string> moves, const Allowance& allowance);
    // Until all that it was told has been done, if it can say so.
    tl::expected<void, Error> settle(const Patience& patience);

    std::set<std::string, std::less<>> features_; // those that are on
    std::size_t moves_ = 0;                       // that it has made in this game
    bool answers_ = false;                        // the next move that it is told, with one of its own
};

} // namespace zug::engines

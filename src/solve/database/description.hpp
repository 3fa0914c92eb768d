#pragma once
// What a database says about itself: which game it is of, how its keys and values are to be read, and the figures of
// the solution. It is read from JSON and then checked against the game, so that nothing in it can lead astray what uses
// it, whoever has written it. Whether the figures are right is for verify() to find out.

#include "solve/solve.hpp"

namespace zug::solve {

// The game that a database belongs to.
struct Identity {
    std::string name;                                        // of the rule file, without folder and extension
    std::vector<std::pair<std::string, std::string>> params; // all parameters, in the order of the file
    Digest rules{};                                          // game::Game::rules_digest
};
Identity identity_of(const game::Game& game);

struct Description {
    PositionCode code;
    Outcomes outcomes;
    Ties ties = Ties::Spiteful;
    ExpectedValues expected; // with chance
    Solution solution;
    std::vector<Histogram::Count> histogram; // without chance
};

// An error: it is of another game (the sentence says what differs), or not what the solver writes about this one.
// `combinations`: packed; `positions`: how many are stored.
tl::expected<Description, Error> read_description(const std::string& text, std::span<const std::uint8_t> combinations,
                                                  game::Game& game, std::uint64_t positions);

} // namespace zug::solve

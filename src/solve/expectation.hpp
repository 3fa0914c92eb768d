#pragma once
// Expected utilities in games with chance, of two players whose utilities add up to zero and of one: backward induction
// over the tiers as in induction.hpp, with the mean at chance nodes.
//
// A tier in which play can come back to a position is solved by value iteration from both sides (interval iteration: S.
// Haddad, B. Monmege, Interval iteration for MDPs, 2018): one sequence of values starts at the least utility that the
// game has and rises, one at the greatest and falls, and the truth is between them. It ends when they are `precision`
// apart everywhere. If they stay apart, players can keep the game from ending, and it is refused.
//
// The errors of tiers add up; the sum of the gaps along the way is what is reported.

#include "solve/space.hpp"

namespace zug::solve {

inline constexpr double precision = 1e-12; // of the utilities' range

struct Expectation {
    double value = 0; // of the start: the first player's expected utility
    double error = 0; // at most
};

// The errors of induce(), and that values don't converge.
tl::expected<Expectation, game::Error> expect(Crew& crew, const PositionCode& code, Space& space, Key start,
                                              const Stop& stop, const Means& means);

} // namespace zug::solve

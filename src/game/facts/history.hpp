#pragma once
// Whether a game whose rules read earlier positions can be solved position by position.
//
// Such a solver gives each position one value, whatever led to it, and values play that never ends as a draw, 0 for
// all. Call the game under that convention the game of cycles. What is found here:
//
//   None            Nothing that decides a value reads earlier positions.
//   RepetitionDraw  The only rules that do are draws by repetition, and the game of cycles gives each position the
//                   value that it has in the game itself when play begins there, with no past. The value with a past
//                   may differ: what is won may need a position that has been there too often already.
//   PathDependent   Anything else, or no proof was found. `why` is a sentence that names the rule and the clause.
//
// RepetitionDraw is said only where all this holds:
//   1. `earlier` occurs in conditions of `end` clauses that pay 0 to all and nowhere else, there compared as `= k` or
//      `>= k` with a constant k > 0, joined to other conditions by `and` and `or` alone. (`eval` may ask anything.)
//   2. There is no chance, and there are two sides, players or teams, whose utilities always add up to zero, or one
//      player alone.
//   3. Equal keys mean equal positions: a key has `me` among its parts where there are several players, the turn
//      follows from who moved last, and each state variable that a rule, the turn or `end` reads is whole in the key,
//      or is `local` in a game without `again`, or is read for nothing but its own next value, or is a counter, or is
//      in the key in so far as it matters (both below).
//
// Why it is sound. A side that can force some utility v > 0 in the game of cycles can do so along a line on which the
// number of plies to the end, at best play, falls with every ply. So no position comes twice on it, by 3 no key does,
// and by 1 no draw by repetition is met: v can be forced in the game itself. A side that can hold 0 in the game of
// cycles holds it in the game itself by the same moves, since a repetition adds nothing but draws. Both sides being
// in one of these two cases, at equal and opposite v, the values agree. With chance the first step fails: the way to
// the end may lead through the same position again and again.
//
// A counter is a number, or a map of numbers, that the key leaves out, whose next value is itself, itself plus a
// constant, or a constant, by conditions that don't read it, and that is read besides only in draws: by `> k`, by
// `>= k`, or by `= k` where no turn can pass by k, alone or joined by `or`. Having counted less can only be better for
// who is winning. So if the key of a position came again on a shortest way to a win, the counter would have to have
// gone back in between. One that never goes back can't; of one that does, it is assumed that it goes back
// only at moves that can't be undone, as captures are.
//
// A variable matters in so far as a move can use it where the key has a part like `{s = v | can go(_, s, _) for foe}`,
// and only `go` reads v, to compare that parameter with it. It is assumed that where the condition fails v
// might as well be none.
//
// Each assumption that was made is a sentence in `assumes`; if that is empty, everything is proved.

#include "base/error.hpp"
#include "game/facts/traits.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace zug::game {

struct History {
    HistoryKind kind = HistoryKind::None;
    std::uint64_t occurrences = 0;     // the fewest earlier ones of a position that make a draw
    std::vector<ir::StateId> counters; // that a draw by repetition leaves out of its key
    std::vector<std::string> assumes;
    std::string why; // of PathDependent
};

// `zero_sum`: as in Traits. Time: linear in the size of the program for each state variable.
History find_history(const ir::Program& program, bool zero_sum);

// For solvers: the history of a game that can be solved by position; the error says why this one can't.
tl::expected<History, Error> solvable_by_position(const ir::Program& program);

} // namespace zug::game

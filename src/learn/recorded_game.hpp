#pragma once
// A game that was played, to be learned from.

#include <cstdint>
#include <vector>

namespace zug::learn {

struct RecordedGame {
    std::vector<std::uint32_t> start; // the slots of its first position (run::Executor::store)
    std::vector<std::uint64_t> moves; // ids, of chance events, too
    // By move, then player: the utility that the player who made it expected. NaN: none is known. Empty: of no move.
    std::vector<float> values;
    std::vector<double> utilities; // of its end, by player; empty: it has none
};

} // namespace zug::learn

#pragma once
// What a search has learned of kinds of moves (game::MoveKinds): how much loud ones gain, and which are loud at all.
//
// The gain of a loud move is the value that quiescence search found after it, less the value of standing still: a piece
// that is taken back counts for little. Its mean by kind orders captures as 'most valuable victim, least valuable
// aggressor' or static exchange evaluation would (see H. Kaindl, "Quiescence search in computer chess", 1982), without
// a word of pieces.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace zug::search {

class KindTable {
public:
    using Slot = std::uint32_t;

    explicit KindTable(double range) : kinds_(std::size_t{1} << bits), range_(range) {}

    // Kinds that share a slot share what is learned.
    static Slot slot(std::uint64_t kind) { return static_cast<Slot>(kind >> (64 - bits)); }

    // The mean gain as a share of the range of utilities; 0 of an unknown kind.
    double share(Slot slot) const { return kinds_[slot].share; }
    // Whether moves of the kind have lost often enough to be left out. Now and then it says no, so that learning goes
    // on.
    bool loses(Slot slot) { return kinds_[slot].share < 0 && kinds_[slot].seen >= enough && ++asked_ % retry != 0; }
    void learn_gain(Slot slot, double gain) {
        Kind& kind = kinds_[slot];
        kind.seen = std::min(kind.seen + 1, memory);
        kind.share += (static_cast<float>(gain / range_) - kind.share) / static_cast<float>(kind.seen);
    }

    // Whether moves of the kind have been told apart, and what the last of them was.
    bool is_known(Slot slot) const { return kinds_[slot].told; }
    bool is_loud(Slot slot) const { return kinds_[slot].loud; }
    void tell(Slot slot, bool loud) { kinds_[slot].told = true, kinds_[slot].loud = loud; }

    void forget() { std::ranges::fill(kinds_, Kind{}); }

private:
    static constexpr int bits = 13;
    static constexpr std::uint32_t memory = 256; // a mean over about so many moves
    static constexpr std::uint32_t enough = 16, retry = 32;
    struct Kind {
        float share = 0;
        std::uint32_t seen = 0;
        bool told = false, loud = false;
    };
    std::vector<Kind> kinds_;
    double range_;
    std::uint32_t asked_ = 0;
};

} // namespace zug::search

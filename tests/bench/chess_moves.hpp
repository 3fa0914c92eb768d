#pragma once
// The legal moves of a chess position, as sets.
//
// A man that stands alone between its king and an enemy slider is pinned: it may only move along that line. Pinned men
// are where the squares reached by the slider and those seen by the king meet. Since a man either moves along a line or
// jumps, pins cost one intersection per line, and moves needn't be tested one by one.

#include "tests/bench/chess_board.hpp"

#include <array>

namespace zug::by_hand {

// Target squares by direction, one lane per direction: lines for slides, jumps for knights. For pawns the lane of the
// row holds double steps, and promotions are kept apart.
struct Moves {
    enum Group { SlideUp, SlideDown, JumpUp, JumpDown, Pawns, Rest };
    static constexpr std::size_t group_count = Rest + 1;
    std::array<Four, group_count> sets; // Rest: the king's steps in the row's lane, and promotions
    Set castles;                        // the king's targets
    Set en_passant;                     // the pawns that can

    // A pawn that promotes has four moves to its square.
    static bool promotes(std::size_t group, std::size_t line) { return group == Rest && line != along_row; }
    std::uint32_t total() const {
        constexpr Four weights = {0, 2, 2, 2}; // as shifts
        Four sum = members(sets[Rest]) << weights;
        for (std::size_t group = 0; group < Rest; ++group) sum += members(sets[group]);
        return static_cast<std::uint32_t>((sum[0] + sum[1]) + (sum[2] + sum[3])) + count(castles) + count(en_passant);
    }
};

// Generates the legal moves of one side.
template <bool white>
class Legal {
public:
    static constexpr Set last_row = row(white ? 8 : 1), home = row(white ? 1 : 8);

    Legal(const Men& mine, const Men& theirs, Set rooks, Set skipped)
        : mine_(mine), theirs_(theirs), empty_(~(mine.all | theirs.all)) {
        const Four foes = theirs.sliders(), king = all_four(mine.king);
        // The king can't hide behind himself, so their reach goes through him.
        const Four reach_up = slide_up(foes, empty_ | mine.king), reach_down = slide_down(foes, empty_ | mine.king);
        const Four foe_jumpers = all_four(theirs.kinds[knights]);
        const Four jumped = jump_up(foe_jumpers) | jump_down(foe_jumpers);
        const Set attacked = any_of_four(reach_up | reach_down | jumped) | king_attacks(theirs.king) |
                             pawn_attacks<!white>(theirs.kinds[pawns]);
        const Four sight_up = slide_up(king, empty_), sight_down = slide_down(king, empty_);
        const Four pinned = ((reach_up & sight_down) | (reach_down & sight_up)) & all_four(mine.all);
        const Four unpinned = ~everywhere(pinned);
        free_ = pinned | unpinned;

        check = (attacked & mine.king) != 0;
        const Set answers = check ? check_answers(sight_up, sight_down) : ~Set{0};
        const Four to = all_four(answers & ~mine.all), sliders = mine.sliders() & free_;
        moves.sets[Moves::SlideUp] = slide_up(sliders, empty_) & to;
        moves.sets[Moves::SlideDown] = slide_down(sliders, empty_) & to;
        const Four jumpers = all_four(mine.kinds[knights]) & unpinned;
        moves.sets[Moves::JumpUp] = jump_up(jumpers) & to;
        moves.sets[Moves::JumpDown] = jump_down(jumpers) & to;
        add_pawns_and_king(answers, king_attacks(mine.king) & ~mine.all & ~attacked);
        moves.castles = check || (rooks & home) == 0 ? 0 : castles(rooks, attacked);
        moves.en_passant = skipped == 0 ? 0 : en_passant(skipped);
    }

    Moves moves;
    bool check;

private:
    // The squares a man can move to in order to end a check: the checker's, and those between it and the king. None for
    // a double check.
    Set check_answers(Four sight_up, Four sight_down) const {
        const Four foes = theirs_.sliders();
        const Four up = sight_up & foes, down = sight_down & foes;
        const Set beside = (knight_attacks(mine_.king) & theirs_.kinds[knights]) |
                           (pawn_attacks<white>(mine_.king) & theirs_.kinds[pawns]);
        if (count(beside | any_of_four(up | down)) > 1) return 0;
        const Four seen =
            (reinterpret_cast<Four>(up != 0) & sight_up) | (reinterpret_cast<Four>(down != 0) & sight_down);
        return beside | any_of_four(seen);
    }

    void add_pawns_and_king(Set answers, Set king) {
        const Four men = all_four(mine_.kinds[pawns]) & free_;
        Four to = (white ? step_up(men) : step_down(men)) & Four{0, theirs_.all, empty_, theirs_.all};
        constexpr int ahead = white ? 8 : -8;
        to[along_row] = shift<ahead>(to[along_column] & row(white ? 3 : 6)) & empty_;
        to &= all_four(answers);
        const Four promotions = to & all_four(last_row);
        moves.sets[Moves::Pawns] = to ^ promotions;
        moves.sets[Moves::Rest] = promotions;
        moves.sets[Moves::Rest][along_row] = king;
    }

    Set castles(Set rooks, Set attacked) const {
        constexpr Set e = home & column_a << 4;
        constexpr Set short_way = e << 1 | e << 2, long_way = e >> 1 | e >> 2, long_gap = long_way | e >> 3;
        Set to = 0;
        if ((rooks & e << 3) != 0 && (short_way & (~empty_ | attacked)) == 0) to |= e << 2;
        if ((rooks & e >> 4) != 0 && (long_gap & ~empty_) == 0 && (long_way & attacked) == 0) to |= e >> 2;
        return to;
    }

    // Two men leave their squares at once, so each capture is tested for a check by itself.
    Set en_passant(Set skipped) const {
        const Set taken = shift < white ? -8 : 8 > (skipped);
        Set legal = 0;
        each(pawn_attacks<!white>(skipped) & mine_.kinds[pawns], [&](Set from) {
            const Set empty = (empty_ | from | taken) & ~skipped;
            const Four king = all_four(mine_.king);
            const Set seen = any_of_four((slide_up(king, empty) | slide_down(king, empty)) & theirs_.sliders());
            const Set beside = (knight_attacks(mine_.king) & theirs_.kinds[knights]) |
                               (pawn_attacks<white>(mine_.king) & theirs_.kinds[pawns] & ~taken);
            if ((seen | beside) == 0) legal |= from;
        });
        return legal;
    }

    const Men& mine_;
    const Men& theirs_;
    const Set empty_;
    Four free_; // the men that may move along each line
};

} // namespace zug::by_hand

#pragma once
// A chess position, its moves and the positions after them, with the fifty-move rule but without the rules on
// repetition and dead positions.

#include "tests/bench/chess_moves.hpp"

namespace zug::by_hand {

inline constexpr std::uint32_t quiet_limit = 100;
inline constexpr Set corners = (row(1) | row(8)) & (column_a | column_h);
inline constexpr std::array<int, 3> lesser_promotions = {knights, diagonal, straight};

constexpr Men first_men(bool white) {
    const Set pieces = row(white ? 1 : 8), men = row(white ? 2 : 7);
    const Set jumpers = pieces & (column_b | column_g), queen = pieces & column_a << 3;
    const Set bishops = pieces & (column_a << 2 | column_a << 5);
    return {Four{men, jumpers, bishops | queen, (corners & pieces) | queen}, pieces & column_a << 4, men | pieces};
}

template <bool white>
struct Chess {
    Men mine = first_men(white), theirs = first_men(!white);
    Set rooks = corners; // that may still castle
    Set skipped = 0;     // the square a pawn has just jumped over
    std::uint32_t quiet = 0;

    using Next = Chess<!white>;

    Moves moves() const { return Legal<white>(mine, theirs, rooks, skipped).moves; }
    std::uint64_t move_count() const { return quiet == quiet_limit ? 0 : moves().total(); }

    // The origin of the move to a square.
    Set origin(std::size_t group, std::size_t line, Set to) const {
        const Rays& from = rays[static_cast<std::size_t>(std::countr_zero(to))];
        switch (group) {
        case Moves::SlideUp: return std::bit_floor(from.down[line] & mine.all);
        case Moves::SlideDown: {
            const Set behind = from.up[line] & mine.all;
            return behind & (0 - behind);
        }
        case Moves::JumpUp: return to >> jumps[line];
        case Moves::JumpDown: return to << jumps[line];
        case Moves::Pawns:
            if (line == along_row) return white ? to >> 16 : to << 16;
            return white ? to >> steps[line] : to << steps[line];
        default:
            if (line == along_row) return mine.king;
            return white ? to >> steps[line] : to << steps[line];
        }
    }
    // After any move but castling, promotion and en passant.
    Next after(Set from, Set to) const {
        const bool pawn = (from & mine.kinds[pawns]) != 0, noisy = pawn || (to & theirs.all) != 0;
        constexpr int ahead = white ? 8 : -8;
        // The square between, for a pawn's double step.
        const Set jumped = shift<ahead>(from & mine.kinds[pawns]) & shift<-ahead>(to);
        const Set kept = rooks & ~(from | to) & ((from & mine.king) != 0 ? ~Legal<white>::home : ~Set{0});
        return {theirs.without(to), mine.moved(from, to), kept, jumped, noisy ? 0 : quiet + 1};
    }
    Next promoted(Set from, Set to, std::uint32_t choice) const {
        Next next = after(from, to);
        next.theirs.kinds[pawns] ^= to;
        if (choice < lesser_promotions.size()) {
            next.theirs.kinds[lesser_promotions[choice]] |= to;
        } else {
            next.theirs.kinds[diagonal] |= to;
            next.theirs.kinds[straight] |= to;
        }
        return next;
    }
    Next castled(Set to) const {
        const bool short_way = to > mine.king;
        const Set corner = short_way ? to << 1 : to >> 2, beside = short_way ? to >> 1 : to << 1;
        return {theirs, mine.moved(mine.king, to).moved(corner, beside), rooks & ~Legal<white>::home, 0, quiet + 1};
    }
    Next en_passant(Set from) const {
        const Set taken = shift < white ? -8 : 8 > (skipped);
        return {theirs.without(taken), mine.moved(from, skipped), rooks, 0, 0};
    }

    template <class F>
    void each_next(F&& f) const {
        if (quiet == quiet_limit) return;
        const Moves found = moves();
        for (std::size_t group = 0; group < Moves::group_count; ++group)
            for (std::size_t line = 0; line < 4; ++line) {
                const bool promotion = Moves::promotes(group, line);
                each(found.sets[group][line], [&](Set to) {
                    const Set from = origin(group, line, to);
                    if (!promotion) return f(after(from, to));
                    for (std::uint32_t choice = 0; choice < 4; ++choice) f(promoted(from, to, choice));
                });
            }
        each(found.castles, [&](Set to) { f(castled(to)); });
        each(found.en_passant, [&](Set from) { f(en_passant(from)); });
    }

    // The position after move `n`, counted from 0 in the order of each_next().
    Next numbered(const Moves& found, std::uint32_t n) const {
        for (std::size_t group = 0; group < Moves::group_count; ++group)
            for (std::size_t line = 0; line < 4; ++line) {
                const Set set = found.sets[group][line];
                const bool promotion = Moves::promotes(group, line);
                const std::uint32_t here = count(set) << (promotion ? 2 : 0);
                if (n >= here) {
                    n -= here;
                    continue;
                }
                const Set to = nth(set, promotion ? n / 4 : n), from = origin(group, line, to);
                return promotion ? promoted(from, to, n % 4) : after(from, to);
            }
        const std::uint32_t castles = count(found.castles);
        return n < castles ? castled(nth(found.castles, n)) : en_passant(nth(found.en_passant, n - castles));
    }
};

} // namespace zug::by_hand

// What alpha-beta knows of the kinds of moves, to try loud ones in the order of what they gain.

#include "search/alpha_beta/alpha_beta.hpp"

#include <algorithm>

namespace zug::search {

using game::NodeKind;

void AlphaBeta::find_kinds(int ply) {
    Frame& frame = frames_[ply];
    const game::MoveList& moves = line_.moves(ply);
    line_.read(ply, move_kinds_, frame.contents);
    frame.kinds.resize(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i)
        frame.kinds[i] = KindTable::slot(move_kinds_.of(moves.steps(i), frame.contents));
}

void AlphaBeta::tell_kinds(int ply) {
    find_kinds(ply);
    Frame& frame = frames_[ply];
    if (std::ranges::all_of(frame.kinds, [&](KindTable::Slot kind) { return kinds_.is_known(kind); })) return;
    for (const KindTable::Slot kind : frame.kinds) kinds_.tell(kind, false);
    if (line_.list_loud(ply) == NodeKind::Decision) find_loud_kinds(ply);
    line_.list(ply);
    find_kinds(ply);
}

void AlphaBeta::find_loud_kinds(int ply) {
    find_kinds(ply);
    for (const KindTable::Slot kind : frames_[ply].kinds) kinds_.tell(kind, true);
}

void AlphaBeta::rank(int ply, std::optional<std::uint64_t> hint) {
    Frame& frame = frames_[ply];
    if (options_.ordering)
        order_.rank(frame, line_.moves(ply), line_.mover(ply), hint, has_loud_ ? &kinds_ : nullptr);
    else
        rank_by_id(frame, line_.moves(ply));
}

} // namespace zug::search

#include "search/minimax.hpp"

#include "search/leaf.hpp"

namespace zug::search {

using game::NodeKind;

bool Minimax::pass(int depth, std::span<double> value) {
    evaluated_ = false;
    value[0] = node(0, depth);
    value[1] = -value[0];
    return !evaluated_;
}

double Minimax::node(int ply, int remaining) {
    Frame& frame = frames_[ply];
    frame.pv.clear();
    if (!enter(ply)) return 0;
    if (remaining == 0) return horizon(ply);
    const NodeKind kind = game_.expand(frame.state, frame.moves);
    show(ply, kind == NodeKind::Terminal);
    if (kind == NodeKind::Terminal) return terminal_value(game_, frame.state);
    if (kind == NodeKind::Decision) return decide(ply, remaining);
    kind == NodeKind::Fault ? rule_failed() : unexpected_chance();
    return 0;
}

double Minimax::horizon(int ply) {
    const game::State& state = frames_[ply].state;
    show(ply, true);
    switch (game_.kind(state)) {
    case NodeKind::Terminal: return terminal_value(game_, state);
    case NodeKind::Fault: rule_failed(); return 0;
    default: break;
    }
    evaluated_ = true;
    return may_evaluate() ? static_value(game_, state) : 0;
}

double Minimax::decide(int ply, int remaining) {
    Frame& frame = frames_[ply];
    const double sign = frame.mover == 0 ? 1 : -1;
    double best = 0;
    std::uint64_t best_move = 0;
    for (std::size_t i = 0; i < frame.moves.size(); ++i) {
        if (!descend(ply, i)) return 0;
        const double value = node(ply + 1, remaining - 1);
        if (budget_.stopped()) return 0;
        const std::uint64_t move = frame.moves.id(i);
        const bool better = i == 0 || sign * value > sign * best || (value == best && move < best_move);
        if (!better) continue;
        best = value;
        best_move = move;
        adopt_pv(ply, move);
    }
    return best;
}

} // namespace zug::search

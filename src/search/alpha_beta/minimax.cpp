#include "search/alpha_beta/minimax.hpp"

#include "search/core/leaf.hpp"

namespace zug::search {

using game::Next;
using game::NodeKind;

bool Minimax::pass(int depth, std::span<double> value) {
    evaluated_ = false;
    share_out(node(0, depth, Next::Unknown), first_side_, value);
    return !evaluated_;
}

double Minimax::node(int ply, int remaining, Next at) {
    frames_[ply].pv.clear();
    if (!enter(ply)) return 0;
    if (at == Next::Terminal) return terminal(ply);
    if (remaining == 0) return horizon(ply, at);
    const Next next = first(ply);
    if (next == Next::Fault) return 0;
    switch (line_.found(ply)) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Chance: unexpected_chance(); return 0;
    default: break;
    }
    show(ply, false);
    return decide(ply, remaining, next);
}

double Minimax::terminal(int ply) {
    show(ply, true);
    const auto value = terminal_value(line_, ply, game_.traits());
    if (!value) rule_failed();
    return value.value_or(0);
}

double Minimax::horizon(int ply, Next at) {
    const NodeKind kind = at == Next::Open ? NodeKind::Decision : line_.kind(ply);
    if (kind == NodeKind::Terminal) return terminal(ply);
    show(ply, true);
    if (kind == NodeKind::Fault) {
        rule_failed();
        return 0;
    }
    evaluated_ = true;
    return may_evaluate() ? static_value(line_, ply, game_.traits()) : 0;
}

// `at`: what the first move leads to.
double Minimax::decide(int ply, int remaining, Next at) {
    const double sign = (first_side_ >> line_.mover(ply) & 1) != 0 ? 1 : -1;
    double best = 0;
    std::optional<std::uint64_t> best_move;
    for (; at != Next::None; at = next(ply)) {
        if (at == Next::Fault) return 0;
        const double value = node(ply + 1, remaining - 1, at);
        if (budget_.stopped()) return 0;
        if (best_move && sign * value < sign * best) continue;
        const std::uint64_t move = line_.move_id(ply);
        if (best_move && value == best && move >= *best_move) continue;
        best = value;
        best_move = move;
        adopt_pv(ply, move);
    }
    return best;
}

} // namespace zug::search

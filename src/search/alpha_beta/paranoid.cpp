#include "search/alpha_beta/paranoid.hpp"

namespace zug::search {

Paranoid::Paranoid(game::Game& game, const Options& options, Method method)
    : Expectimax(game, options, nullptr, method) {}

void Paranoid::begin_search() {
    maximise(line_.mover(0));
    Expectimax::begin_search();
}

bool Paranoid::pass(int depth, std::span<double> value) {
    const bool proven = Expectimax::pass(depth, value);
    const double own = value[maximiser_], others = lowest_ + highest_ - own;
    for (std::size_t p = 0; p < value.size(); ++p) value[p] = (allies_ >> p & 1) != 0 ? own : others;
    return proven;
}

std::uint64_t Paranoid::key(int ply) { return line_.hash(ply) ^ (maximiser_ + 1) * 0x9FB21C651E98DF25ULL; }

} // namespace zug::search

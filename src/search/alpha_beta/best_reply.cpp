#include "search/alpha_beta/best_reply.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {
// A probe of a chance node would have to follow the usual moves too.
Options without_probes(Options options) {
    if (options.star == Star::Star2) options.star = Star::Star1;
    return options;
}
} // namespace

BestReply::BestReply(game::Game& game, const Options& options)
    : Paranoid(game, without_probes(options), Method::BestReply), worths_(game.players()) {
    walks_ = false;
}

bool BestReply::pass(int depth, std::span<double> value) {
    const bool proven = Paranoid::pass(depth, value);
    return proven && game_.players() == 2;
}

void BestReply::extend(int ply, int, std::span<const double>) { frames_[ply].pv.clear(); }

BestReply::Step& BestReply::step(int ply) {
    if (steps_.size() <= static_cast<std::size_t>(ply)) steps_.resize(static_cast<std::size_t>(ply) + 1);
    return steps_[static_cast<std::size_t>(ply)];
}

void BestReply::arrive(int ply) {
    Step& here = step(ply);
    here.chooser = nobody;
    if (ply == 0 || side(ply) == 0) return;
    const Step& before = step(ply - 1);
    const bool chooses = side(ply - 1) != 0 && before.chooser == nobody && line_.found(ply - 1) == NodeKind::Decision &&
                         line_.move_id(ply - 1) != before.usual;
    here.chooser = chooses ? line_.mover(ply - 1) : before.chooser;
}

std::uint64_t BestReply::key(int ply) {
    arrive(ply);
    return Paranoid::key(ply) ^ (std::uint64_t{step(ply).chooser} + 1) * 0xD6E8FEB86659FD93ULL;
}

Claim BestReply::chance(int ply, int remaining, Window window) {
    arrive(ply);
    return Paranoid::chance(ply, remaining, window);
}

double BestReply::worth(int ply, std::uint32_t player, Next at) {
    const bool over = at == Next::Terminal || (at != Next::Open && line_.kind(ply) == NodeKind::Terminal);
    if (!over)
        static_values(line_, ply, game_.traits(), worths_);
    else if (!terminal_values(line_, ply, worths_))
        rule_failed();
    return worths_[player];
}

std::size_t BestReply::usual_move(int ply) {
    const game::MoveList& moves = line_.moves(ply);
    std::size_t best = 0;
    double greatest = -infinity;
    for (std::size_t i = 0; i < moves.size() && moves.size() > 1; ++i) {
        const Next at = descend(ply, i);
        if (at == Next::Fault) break;
        const double value = worth(ply + 1, line_.mover(ply), at);
        if (value < greatest || (value == greatest && moves.id(i) >= moves.id(best))) continue;
        best = i;
        greatest = value;
    }
    budget_.made(moves.size());
    return best;
}

AlphaBeta::Decision BestReply::decide(int ply, int remaining, Window window, const Begun& begun) {
    arrive(ply);
    if (side(ply) == 0 || step(ply).chooser == line_.mover(ply)) return Paranoid::decide(ply, remaining, window, begun);
    const std::size_t usual = usual_move(ply);
    step(ply).usual = line_.moves(ply).id(usual);
    if (step(ply).chooser == nobody) return Paranoid::decide(ply, remaining, window, begun);
    const Claim claim = child(ply, usual, remaining, window);
    if (budget_.stopped()) return {};
    Decision only;
    take(ply, only, claim, window.alpha);
    return only;
}

} // namespace zug::search

#include "solve/value_iteration.hpp"

namespace zug::solve {

namespace {

constexpr std::uint32_t most_sweeps = 1'000'000, between_looks = 64;

double value_of(const Circles::Node& node, std::span<const Circles::Move> moves, const Array<double>& values) {
    const auto worth = [&](const Circles::Move& move) {
        return node.choice == Circles::Choice::Mean ? move.probability * values[move.to] : values[move.to];
    };
    double value = node.leaves ? node.outside : worth(moves.front());
    for (const auto& move : node.leaves ? moves : moves.subspan(1))
        value = Circles::join(node.choice, value, worth(move));
    return value;
}

} // namespace

Circles::Circles(Scratch& scratch)
    : scratch_(scratch), nodes_(scratch.moves_in_files() ? scratch.work().create_nameless() : nullptr),
      moves_(scratch.moves_in_files() ? scratch.work().create_nameless() : nullptr) {}

void Circles::append(const Part& part) {
    firsts_.push_back(moves_.size());
    nodes_.append(part.nodes);
    moves_.append(part.moves);
}

// In place, so that what is new is used at once; the last positions first, which are often nearer to the end. Gives the
// greatest change.
double Circles::sweep(Bounds& bounds, Outcome& outcome) const {
    double change = 0;
    outcome.gap = 0;
    std::array<Node, block_keys> nodes_room;
    std::vector<Move> moves_room;
    for (std::size_t p = firsts_.size(); p-- > 0;) {
        const std::span<const Node> nodes = nodes_.block(p, nodes_room);
        const std::uint64_t end = p + 1 == firsts_.size() ? moves_.size() : firsts_[p + 1];
        std::span<const Move> rest = moves_.read(firsts_[p], end - firsts_[p], moves_room);
        for (std::size_t i = nodes.size(); i-- > 0;) {
            const Node& node = nodes[i];
            const auto moves = rest.last(node.moves);
            rest = rest.first(rest.size() - node.moves);
            double &low = bounds.low[node.place], &high = bounds.high[node.place];
            const double rises = std::max(low, value_of(node, moves, bounds.low) - node.rounding);
            const double falls = std::min(high, value_of(node, moves, bounds.high) + node.rounding);
            change = std::max({change, rises - low, high - falls});
            low = rises;
            high = falls;
            if (high - low > outcome.gap) {
                outcome.gap = high - low;
                outcome.widest = node.place;
            }
            scratch_.look(1 + moves.size() / 2);
        }
    }
    return change;
}

Circles::Outcome Circles::iterate(const ExpectedValues& expected, Array<double>& values,
                                  const std::function<bool()>& stop) {
    Outcome outcome;
    Bounds bounds{values, scratch_.of_positions<double>(values.size())};
    if (scratch_.work().trouble().any()) return outcome; // which the caller finds
    scan([&](const Node& node) {
        bounds.low[node.place] = expected.least();
        bounds.high[node.place] = expected.greatest();
        scratch_.look();
    });
    const double enough = precision * expected.range();
    outcome.slow = true;
    for (std::uint32_t n = 0; n < most_sweeps && !scratch_.work().trouble().any(); ++n) {
        const double change = sweep(bounds, outcome);
        outcome.slow = outcome.gap > enough && change > enough * 1e-3;
        if (!outcome.slow) break;
        if ((n + 1) % between_looks == 0 && stop()) {
            outcome.stopped = true;
            return outcome;
        }
    }
    scan([&](const Node& node) {
        values[node.place] = (bounds.low[node.place] + bounds.high[node.place]) / 2;
        scratch_.look();
    });
    return outcome;
}

} // namespace zug::solve

#include "solve/value_iteration.hpp"

namespace zug::solve {

namespace {

constexpr std::uint32_t most_sweeps = 1'000'000, between_looks = 64;

double value_of(const Circles::Node& node, std::span<const Circles::Move> moves, const std::vector<double>& values) {
    const auto worth = [&](const Circles::Move& move) {
        return node.choice == Circles::Choice::Mean ? move.probability * values[move.to] : values[move.to];
    };
    double value = node.leaves ? node.outside : worth(moves.front());
    for (const auto& move : node.leaves ? moves : moves.subspan(1))
        value = Circles::join(node.choice, value, worth(move));
    return value;
}

} // namespace

// In place, so that what is new is used at once; the last positions first, which are often nearer to the end. Gives the
// greatest change.
double Circles::sweep(Bounds& bounds, Outcome& outcome) const {
    double change = 0;
    outcome.gap = 0;
    for (std::size_t p = parts_.size(); p-- > 0;) {
        const Part& part = parts_[p];
        for (std::size_t i = part.nodes.size(); i-- > 0;) {
            const Node& node = part.nodes[i];
            const Place place = places_[p * block_keys + i];
            const std::uint64_t begin = i == 0 ? 0 : part.nodes[i - 1].end;
            const auto moves = std::span(part.moves).subspan(begin, node.end - begin);
            double &low = bounds.low[place], &high = bounds.high[place];
            const double rises = std::max(low, value_of(node, moves, bounds.low) - node.rounding);
            const double falls = std::min(high, value_of(node, moves, bounds.high) + node.rounding);
            change = std::max({change, rises - low, high - falls});
            low = rises;
            high = falls;
            if (high - low > outcome.gap) {
                outcome.gap = high - low;
                outcome.widest = place;
            }
        }
    }
    return change;
}

Circles::Outcome Circles::iterate(const ExpectedValues& expected, std::vector<double>& values,
                                  const std::function<bool()>& stop) {
    Bounds bounds{std::vector<double>(values.size(), expected.least()),
                  std::vector<double>(values.size(), expected.greatest())};
    const double enough = precision * expected.range();
    Outcome outcome;
    outcome.slow = true;
    for (std::uint32_t n = 0; n < most_sweeps; ++n) {
        const double change = sweep(bounds, outcome);
        outcome.slow = outcome.gap > enough && change > enough * 1e-3;
        if (!outcome.slow) break;
        if ((n + 1) % between_looks == 0 && stop()) {
            outcome.stopped = true;
            return outcome;
        }
    }
    for (const Place place : places_) values[place] = (bounds.low[place] + bounds.high[place]) / 2;
    return outcome;
}

} // namespace zug::solve

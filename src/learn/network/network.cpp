#include "learn/network/network.hpp"

#include "learn/model/view_evaluator.hpp"
#include "learn/network/softmax.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace zug::learn {

namespace {

class NetworkValues {
public:
    explicit NetworkValues(const Network& network)
        : network_(network), sums_{make_sums(network), make_sums(network)}, cut_(network.units) {}

    void look(const Viewer::View& view, std::span<double> out) {
        const auto sums =
            sums_[view.exchanged ? 1 : 0].update(view.slots, network_.hidden.data(), network_.hidden_bias.data());
        const std::int16_t one = network_.one;
        for (std::size_t u = 0; u < cut_.size(); ++u) cut_[u] = std::clamp(sums[u], std::int16_t{0}, one);
        for (std::uint32_t o = 0; o < network_.outputs; ++o) out[o] = expected(view.stage * network_.outputs + o);
        if (view.exchanged) out[0] = -out[0];
    }

private:
    static Sums<std::int16_t> make_sums(const Network& network) { return {network.columns, network.units}; }
    // The utility that an output expects.
    double expected(std::size_t output) const {
        const std::size_t count = network_.utilities.size();
        std::array<double, most_utilities> room{};
        const std::span numbers = std::span(room).first(count);
        for (std::size_t c = 0; c < count; ++c) numbers[c] = network_.unit * sum(output * count + c);
        softmax(numbers);
        double utility = 0;
        for (std::size_t c = 0; c < count; ++c) utility += numbers[c] * network_.utilities[c];
        return utility;
    }
    std::int32_t sum(std::size_t row) const {
        const std::int16_t* const weights = network_.output.data() + row * cut_.size();
        std::int32_t sum = network_.output_bias[row];
        for (std::size_t u = 0; u < cut_.size(); ++u) sum += std::int32_t{cut_[u]} * std::int32_t{weights[u]};
        return sum;
    }

    const Network& network_;
    std::array<Sums<std::int16_t>, 2> sums_; // of views as they are, and of exchanged ones, which differ in most slots
    std::vector<std::int16_t> cut_;          // the hidden layer
};

// The most that sums of a unit can come to, whatever each slot holds: every partial sum of an update, which subtracts
// before it adds, is within it, too.
bool hidden_fits(const Network& network, std::size_t unit) {
    std::int64_t most = std::abs(network.hidden_bias[unit]);
    for (std::size_t slot = 0; slot < network.columns.slots(); ++slot) {
        std::int64_t greatest = 0;
        for (std::size_t c = network.columns.first[slot]; c < network.columns.first[slot + 1]; ++c)
            greatest = std::max<std::int64_t>(greatest, std::abs(network.hidden[c * network.units + unit]));
        most += greatest;
    }
    return most <= std::numeric_limits<std::int16_t>::max();
}

bool output_fits(const Network& network, std::size_t row) {
    std::int64_t most = std::abs(std::int64_t{network.output_bias[row]});
    for (std::size_t u = 0; u < network.units; ++u)
        most += std::int64_t{network.one} * std::abs(network.output[row * network.units + u]);
    return most <= std::numeric_limits<std::int32_t>::max();
}

} // namespace

bool fits(const Network& network, const game::Game& game) {
    if (!fits(network.viewpoint, network.outputs, game) || !fits(network.columns, game)) return false;
    if (network.units == 0 || network.units > most_units || network.one < 1 || !std::isfinite(network.unit))
        return false;
    const std::vector<double>& utilities = network.utilities;
    if (utilities.empty() || utilities.size() > most_utilities) return false;
    for (const double utility : utilities)
        if (!(utility >= game.traits().min_utility && utility <= game.traits().max_utility)) return false;
    for (std::size_t c = 0; network.viewpoint.exchange && c < utilities.size(); ++c)
        if (utilities[c] != -utilities[utilities.size() - 1 - c]) return false;
    const std::size_t rows = std::size_t{network.viewpoint.stages} * network.outputs * utilities.size();
    if (network.hidden.size() != std::size_t{network.columns.count()} * network.units ||
        network.hidden_bias.size() != network.units || network.output.size() != rows * network.units ||
        network.output_bias.size() != rows)
        return false;
    for (std::size_t u = 0; u < network.units; ++u)
        if (!hidden_fits(network, u)) return false;
    for (std::size_t row = 0; row < rows; ++row)
        if (!output_fits(network, row)) return false;
    return true;
}

std::unique_ptr<game::Evaluator> make_evaluator(const Network& network, std::shared_ptr<const void> owner) {
    return std::make_unique<ViewEvaluator<Network, NetworkValues>>(network, std::move(owner));
}

} // namespace zug::learn

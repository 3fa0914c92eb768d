#include "learn/network/network_learner.hpp"

#include "base/random.hpp"
#include "learn/model/ends.hpp"
#include "learn/model/shared_weights.hpp"
#include "learn/network/softmax.hpp"

#include <cmath>
#include <numeric>
#include <set>

namespace zug::learn {

namespace {

// How much of a step in one slot is taken in the others of its family. Between the eighth part of this and eight times
// as much, chess was learned equally well, and without any much more slowly.
float family_share(std::uint32_t slots) { return 1 / std::sqrt(static_cast<float>(slots)); }

std::array<std::vector<float> NetworkWeights::*, 4> parts() {
    return {&NetworkWeights::hidden, &NetworkWeights::hidden_bias, &NetworkWeights::output,
            &NetworkWeights::output_bias};
}

class NetworkLearner final : public Learner {
public:
    explicit NetworkLearner(NetworkCourse& course)
        : course_(course), viewer_(course.viewpoint, course.mover_slot), seen_(course.columns, course.units),
          learned_(course.columns, course.units), own_(course.weights), base_(course.weights), layer_(course.units),
          back_(course.units), step_(course.units), numbers_(width()) {}

    std::uint32_t width() const override { return course_.outputs * classes(); }

    void target(std::span<const double> utilities, std::span<float> out) const override {
        for (std::uint32_t o = 0; o < course_.outputs; ++o) spread(utilities[o], out.subspan(o * classes(), classes()));
    }

    double utility(std::span<const float> estimate, std::uint32_t player) const override {
        const std::size_t first = course_.outputs > 1 ? player * classes() : 0;
        double utility = 0;
        for (std::uint32_t c = 0; c < classes(); ++c)
            utility += static_cast<double>(estimate[first + c]) * course_.utilities[c];
        return course_.outputs > 1 || course_.team[player] == 0 ? utility : -utility;
    }

    void estimate(std::span<const std::uint32_t> slots, std::span<float> out) override {
        const Viewer::View view = viewer_.of(slots);
        look(seen_, view, out);
        if (view.exchanged) std::ranges::reverse(out);
    }
    void refresh() override { seen_.forget(); }

    double learn(std::span<const std::uint32_t> slots, std::span<const float> target, double rate) override {
        const Viewer::View view = viewer_.of(slots);
        learned_.forget();
        look(learned_, view, numbers_);
        double squares = 0;
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            numbers_[i] -= view.exchanged ? target[numbers_.size() - 1 - i] : target[i];
            squares += static_cast<double>(numbers_[i]) * static_cast<double>(numbers_[i]);
        }
        descend(view, static_cast<float>(rate));
        return squares / static_cast<double>(numbers_.size());
    }

    void share(bool now) override {
        if (++games_ % games_until_shared != 0 && !now) return;
        const std::scoped_lock lock(course_.mutex);
        for (const auto part : parts()) share_weights(course_.weights.*part, own_.*part, base_.*part);
        seen_.forget();
    }

private:
    std::uint32_t classes() const { return static_cast<std::uint32_t>(course_.utilities.size()); }

    // All on the utility, or shared by the two that it is between, so that their mean is as expected.
    void spread(double utility, std::span<float> out) const {
        std::ranges::fill(out, 0.0F);
        const std::vector<double>& all = course_.utilities;
        const auto above = static_cast<std::size_t>(std::ranges::lower_bound(all, utility) - all.begin());
        if (above == 0 || above == all.size()) {
            out[above == 0 ? 0 : above - 1] = 1;
            return;
        }
        const double share = (utility - all[above - 1]) / (all[above] - all[above - 1]);
        out[above] = static_cast<float>(share);
        out[above - 1] = static_cast<float>(1 - share);
    }

    // Leaves the hidden layer in layer_.
    void look(Sums<float>& sums, const Viewer::View& view, std::span<float> out) {
        const auto hidden = sums.update(view.slots, own_.hidden.data(), own_.hidden_bias.data());
        for (std::size_t u = 0; u < layer_.size(); ++u) layer_[u] = std::clamp(hidden[u], 0.0F, 1.0F);
        const std::size_t first = view.stage * out.size();
        for (std::size_t row = 0; row < out.size(); ++row) {
            const float* const weights = own_.output.data() + (first + row) * layer_.size();
            float sum = own_.output_bias[first + row];
            for (std::size_t u = 0; u < layer_.size(); ++u) sum += layer_[u] * weights[u];
            out[row] = sum;
        }
        for (std::uint32_t o = 0; o < course_.outputs; ++o) softmax(out.subspan(o * classes(), classes()));
    }

    // A step against the gradient of the cross entropy: numbers_ is that of the sums of the outputs.
    void descend(const Viewer::View& view, float rate) {
        const std::size_t first = view.stage * numbers_.size(), units = layer_.size();
        std::ranges::fill(back_, 0.0F);
        for (std::size_t row = 0; row < numbers_.size(); ++row) {
            float* const weights = own_.output.data() + (first + row) * units;
            const float step = rate * numbers_[row];
            for (std::size_t u = 0; u < units; ++u) back_[u] += step * weights[u];
            for (std::size_t u = 0; u < units; ++u) weights[u] -= step * layer_[u];
            own_.output_bias[first + row] -= step;
        }
        for (std::size_t u = 0; u < units; ++u)
            if (layer_[u] <= 0 || layer_[u] >= 1) back_[u] = 0;
        for (std::size_t u = 0; u < units; ++u) own_.hidden_bias[u] -= back_[u];
        for (std::size_t s = 0; s < view.slots.size(); ++s) {
            const std::uint32_t value = view.slots[s] >> course_.columns.shifts[s];
            if (value > 0 && course_.columns.values(s) > 0) change_columns(s, value);
        }
        for (const Family& family : course_.families) change_family(family, view.slots);
    }

    // The columns of each value in all slots of the family, by a share of the steps of those slots that hold it.
    void change_family(const Family& family, std::span<const std::uint32_t> slots) {
        const Columns& columns = course_.columns;
        const std::size_t units = layer_.size(), first = columns.first[family.first_slot];
        const std::uint32_t values = columns.values(family.first_slot);
        counts_.assign(values, 0);
        for (const std::uint32_t slot : slots.subspan(family.first_slot, family.slots))
            if (const std::uint32_t value = slot >> columns.shifts[family.first_slot]; value > 0) ++counts_[value - 1];
        for (std::uint32_t v = 0; v < values; ++v) {
            if (counts_[v] == 0) continue;
            const float share = family_share(family.slots) * static_cast<float>(counts_[v]);
            for (std::size_t u = 0; u < units; ++u) step_[u] = share * back_[u];
            for (std::uint32_t s = 0; s < family.slots; ++s) {
                float* const column = own_.hidden.data() + (first + std::size_t{s} * values + v) * units;
                for (std::size_t u = 0; u < units; ++u) column[u] -= step_[u];
            }
        }
    }

    // The column of a value of the slot; where values are numbers, the others as well, as if each number that a value
    // reaches were an input of its own.
    void change_columns(std::size_t slot, std::uint32_t value) {
        const std::size_t units = layer_.size();
        float* column = own_.hidden.data() + std::size_t{course_.columns.first[slot]} * units;
        const bool numbers = course_.columns.numbers[slot] != 0;
        for (std::uint32_t v = 1; v <= course_.columns.values(slot); ++v, column += units) {
            if (!numbers && v != value) continue;
            const auto shared = numbers ? static_cast<float>(std::min(v, value)) : 1.0F;
            for (std::size_t u = 0; u < units; ++u) column[u] -= shared * back_[u];
        }
    }

    NetworkCourse& course_;
    Viewer viewer_;
    Sums<float> seen_, learned_;
    NetworkWeights own_, base_; // base_: own_ when it was last shared
    std::vector<float> layer_, back_, step_, numbers_;
    std::vector<std::uint32_t> counts_; // by value: the slots of a family that hold it
    std::uint32_t games_ = 0;
};

// The utilities of the ends of random games, or if there are many, some of them, evenly spread; with the bounds.
std::vector<double> find_utilities(game::Game& game, bool with_negatives) {
    std::set<double> seen(game.traits().utilities.begin(), game.traits().utilities.end());
    for_each_random_end(game, [&](const game::State&, std::span<const double> utilities) {
        seen.insert(utilities.begin(), utilities.end());
    });
    if (with_negatives)
        for (const double utility : std::vector(seen.begin(), seen.end())) seen.insert(-utility);
    const std::vector<double> all(seen.begin(), seen.end());
    if (all.size() <= most_utilities) return all;
    // Those with negatives have theirs among them, since both halves are chosen alike.
    std::vector<double> some(most_utilities);
    for (std::size_t i = 0; i < most_utilities / 2; ++i) {
        const std::size_t chosen = i * (all.size() - 1) / (most_utilities - 1);
        some[i] = all[chosen];
        some[most_utilities - 1 - i] = all[all.size() - 1 - chosen];
    }
    return some;
}

std::int16_t rounded(float number, double scale) {
    return static_cast<std::int16_t>(std::lround(static_cast<double>(number) * scale));
}

// The most that a hidden unit can add up to.
double most_of_hidden(const NetworkWeights& weights, const Columns& columns, std::size_t units) {
    double most = 0;
    for (std::size_t u = 0; u < units; ++u) {
        double sum = std::abs(static_cast<double>(weights.hidden_bias[u]));
        for (std::size_t slot = 0; slot < columns.slots(); ++slot) {
            float greatest = 0;
            for (std::size_t c = columns.first[slot]; c < columns.first[slot + 1]; ++c)
                greatest = std::max(greatest, std::abs(weights.hidden[c * units + u]));
            sum += static_cast<double>(greatest);
        }
        most = std::max(most, sum);
    }
    return most;
}

} // namespace

NetworkCourse::NetworkCourse(game::Game& game, bool apart, std::uint64_t seed, std::uint32_t units)
    : viewpoint(find_viewpoint(game, apart)), columns(find_columns(game)), families(find_families(game)),
      utilities(find_utilities(game, viewpoint.exchange.has_value())), outputs(estimated_players(game.traits())),
      units(units), mover_slot(game.program().slot_count), team(game.traits().team) {
    const std::size_t rows = std::size_t{viewpoint.stages} * outputs * utilities.size();
    weights.hidden.resize(std::size_t{columns.count()} * units);
    weights.hidden_bias.assign(units, 0.5F);
    weights.output.resize(rows * units);
    weights.output_bias.resize(rows);
    Random random(seed);
    const auto fill = [&](std::vector<float>& numbers, double width) {
        for (float& number : numbers) number = static_cast<float>((2 * random.unit() - 1) * width);
    };
    fill(weights.hidden, 1 / std::sqrt(static_cast<double>(columns.slots())));
    fill(weights.output, 1 / std::sqrt(static_cast<double>(units)));
}

Network NetworkCourse::net() {
    const std::scoped_lock lock(mutex);
    constexpr double most_one = 1024, margin = 0.99;
    Network net;
    net.viewpoint = viewpoint;
    net.columns = columns;
    net.utilities = utilities;
    net.outputs = outputs;
    net.units = units;
    const double hidden = std::min(most_one, std::floor(margin * 32'767 / most_of_hidden(weights, columns, units)));
    const double one = std::max(1.0, hidden);
    net.one = static_cast<std::int16_t>(one);
    float most = 0;
    for (const float weight : weights.output) most = std::max(most, std::abs(weight));
    for (const float weight : weights.output_bias) most = std::max(most, std::abs(weight));
    const double room = std::min(32'767.0, margin * 2'147'483'647 / (one * (units + 1)));
    const double scale = room / std::max(static_cast<double>(most), 1e-9);
    net.unit = 1 / (scale * one);
    for (const float weight : weights.hidden) net.hidden.push_back(rounded(weight, one));
    for (const float weight : weights.hidden_bias) net.hidden_bias.push_back(rounded(weight, one));
    for (const float weight : weights.output) net.output.push_back(rounded(weight, scale));
    for (const float weight : weights.output_bias)
        net.output_bias.push_back(static_cast<std::int32_t>(std::lround(static_cast<double>(weight) * scale * one)));
    return net;
}

std::vector<float> NetworkCourse::save() {
    const std::scoped_lock lock(mutex);
    std::vector<float> numbers;
    for (const auto part : parts()) numbers.insert(numbers.end(), (weights.*part).begin(), (weights.*part).end());
    return numbers;
}

bool NetworkCourse::load(std::span<const float> numbers) {
    std::size_t count = 0;
    for (const auto part : parts()) count += (weights.*part).size();
    if (numbers.size() != count) return false;
    const std::scoped_lock lock(mutex);
    for (const auto part : parts()) {
        const auto own = numbers.first((weights.*part).size());
        std::ranges::copy(own, (weights.*part).begin());
        numbers = numbers.subspan(own.size());
    }
    return true;
}

bool NetworkCourse::take(const Network& net) {
    if (net.units != units || net.outputs != outputs || net.columns != columns) return false;
    const std::scoped_lock lock(mutex);
    viewpoint = net.viewpoint;
    utilities = net.utilities;
    const auto scaled = [](const auto& from, double unit) {
        std::vector<float> numbers;
        for (const auto number : from) numbers.push_back(static_cast<float>(number * unit));
        return numbers;
    };
    weights = {.hidden = scaled(net.hidden, 1.0 / net.one),
               .hidden_bias = scaled(net.hidden_bias, 1.0 / net.one),
               .output = scaled(net.output, net.unit * net.one),
               .output_bias = scaled(net.output_bias, net.unit)};
    return true;
}

std::unique_ptr<Learner> make_learner(NetworkCourse& course) {
    const std::scoped_lock lock(course.mutex); // others may be learning already
    return std::make_unique<NetworkLearner>(course);
}

} // namespace zug::learn

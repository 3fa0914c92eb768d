#include "learn/tuples/tuple_learner.hpp"

#include "learn/tuples/feature_norm.hpp"

#include <algorithm>
#include <cmath>

namespace zug::learn {

namespace {

class TupleLearner final : public Learner {
public:
    explicit TupleLearner(TupleCourse& course)
        : course_(course), viewer_(course.viewpoint, course.mover_slot), seen_(course.found.inputs, course.outputs),
          learned_(course.found.inputs, course.outputs), values_(course.outputs),
          norm_(course.found.inputs.patterns.size()), features_(course.found.inputs.patterns.size()) {}

    std::uint32_t width() const override { return course_.outputs; }

    void target(std::span<const double> utilities, std::span<float> out) const override {
        course_.scale.targets(utilities, out);
    }

    double utility(std::span<const float> estimate, std::uint32_t player) const override {
        return course_.scale.utility_of(estimate, player, course_.team);
    }

    void estimate(std::span<const std::uint32_t> slots, std::span<float> out) override { look(seen_, slots, out); }
    void refresh() override { seen_.forget(); }

    double learn(std::span<const std::uint32_t> slots, std::span<const float> target, double rate) override {
        learned_.forget();
        const bool exchanged = look(learned_, slots, values_);
        const auto share = static_cast<float>(rate / length());
        double squares = 0;
        for (std::uint32_t o = 0; o < course_.outputs; ++o) {
            const float error = target[o] - values_[o];
            squares += static_cast<double>(error) * static_cast<double>(error);
            change(o, share * (exchanged ? -error : error));
        }
        return squares / course_.outputs;
    }

private:
    // Whether the players are exchanged in what the weights say.
    bool look(SelectedSum<float>& sum, std::span<const std::uint32_t> slots, std::span<float> out) {
        const Viewer::View view = viewer_.of(slots);
        sum.update(view.slots, view.stage, [&](std::size_t i) { return course_.weights[i]; });
        for (std::uint32_t o = 0; o < course_.outputs; ++o) {
            const double to_come = course_.scale.expected(static_cast<double>(sum[o]));
            const auto value = static_cast<float>(to_come + course_.scale.scored(slots, o));
            out[o] = view.exchanged ? -value : value;
        }
        return view.exchanged;
    }

    // What a step is divided by. Without bounds steps that are too long make values grow from game to game, until play
    // is as good as random. Bounds prevent that, and there the longer steps learn faster.
    double length() {
        return static_cast<double>(course_.scale.bounded ? features_.size() : norm_.squared(features()));
    }

    // The weights that are learned from; of those that are equal the least.
    std::span<const std::uint32_t> features() {
        const std::vector<std::uint32_t>& ring = course_.found.ring;
        std::ranges::copy(learned_.weights(), features_.begin());
        for (std::size_t p = 0; p < features_.size(); ++p)
            if (const std::uint32_t weight = features_[p]; course_.found.has_equals[p])
                for (std::uint32_t equal = ring[weight]; equal != weight; equal = ring[equal])
                    features_[p] = std::min(features_[p], equal);
        return features_;
    }

    void change(std::uint32_t output, float change) {
        const std::vector<std::uint32_t>& ring = course_.found.ring;
        const std::span<const std::uint32_t> weights = learned_.weights();
        for (std::size_t p = 0; p < weights.size(); ++p) {
            const std::uint32_t weight = weights[p];
            course_.weights.learn(learned_.at(weight, output), change);
            if (!course_.found.has_equals[p]) continue;
            for (std::uint32_t equal = ring[weight]; equal != weight; equal = ring[equal])
                course_.weights.copy(learned_.at(weight, output), learned_.at(equal, output));
        }
    }

    TupleCourse& course_;
    Viewer viewer_;
    SelectedSum<float> seen_, learned_; // of positions that are estimated; of positions learned from
    std::vector<float> values_;
    FeatureNorm norm_;
    std::vector<std::uint32_t> features_;
};

} // namespace

TupleCourse::TupleCourse(game::Game& game, bool apart, std::uint64_t seed, const InputLimits& limits)
    : viewpoint(find_viewpoint(game, apart)), scale(find_scale_with_scores(game)),
      found(find_inputs(game, seed, limits, scale.score_slots())), outputs(estimated_players(game.traits())),
      mover_slot(game.program().slot_count), team(game.traits().team),
      weights(std::size_t{found.inputs.weights} * viewpoint.stages * outputs) {}

bool TupleCourse::take(const TupleNet& net) {
    if (net.inputs != found.inputs || net.outputs != outputs) return false;
    viewpoint = net.viewpoint;
    scale = net.scale;
    weights = Weights(net.weights.size());
    for (std::size_t i = 0; i < net.weights.size(); ++i)
        weights.begin_at(i, static_cast<float>(net.weights[i] * net.unit),
                         1 / static_cast<float>(found.inputs.patterns.size()));
    return true;
}

TupleNet TupleCourse::net() const {
    TupleNet net{
        .viewpoint = viewpoint, .inputs = found.inputs, .outputs = outputs, .scale = scale, .unit = 1, .weights = {}};
    float most = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) most = std::max(most, std::abs(weights[i]));
    if (most > 0) net.unit = static_cast<double>(most) / 32'767;
    for (std::size_t i = 0; i < weights.size(); ++i)
        net.weights.push_back(static_cast<std::int16_t>(std::lround(static_cast<double>(weights[i]) / net.unit)));
    return net;
}

std::unique_ptr<Learner> make_learner(TupleCourse& course) { return std::make_unique<TupleLearner>(course); }

} // namespace zug::learn

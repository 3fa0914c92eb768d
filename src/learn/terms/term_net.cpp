#include "learn/terms/term_net.hpp"

#include "executor/position_buffer.hpp"
#include "ir/weighted.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace zug::learn {

namespace {

class TermEvaluator final : public game::Evaluator {
public:
    TermEvaluator(game::Game weighted, const OutputScale& scale) : weighted_(std::move(weighted)), scale_(scale) {}

    std::unique_ptr<Evaluator> clone() const override {
        return std::make_unique<TermEvaluator>(weighted_.clone(), scale_);
    }

    // States of the game that is played may be written otherwise than those of the weighted one.
    void evaluate(const run::Executor& executor, run::PositionBuffer& here, std::span<double> out) override {
        slots_.resize(weighted_.program().total_slots());
        executor.read_slots(here, slots_);
        weighted_.executor().load(slots_, state_);
        weighted_.lead(state_, out);
        for (double& value : out) value = scale_.utility(value);
    }

private:
    game::Game weighted_;
    OutputScale scale_;
    std::vector<std::uint32_t> slots_;
    game::State state_;
};

} // namespace

bool fits(const TermNet& net, const game::Game& game) {
    const std::vector<ir::EvalTerm>& terms = game.program().terms;
    const auto finite = [](double number) { return std::isfinite(number); };
    return !terms.empty() && net.weights.size() == terms.size() && net.spread.size() == terms.size() &&
           std::ranges::equal(net.terms, terms, {}, {}, &ir::EvalTerm::text) &&
           std::ranges::all_of(net.weights, finite) && std::ranges::all_of(net.spread, finite) &&
           fits(net.scale, 0, game);
}

std::vector<double> as_written(const TermNet& net, const game::Game& game) {
    const std::vector<ir::EvalTerm>& terms = game.program().terms;
    double products = 0, squares = 0;
    for (std::size_t t = 0; t < terms.size(); ++t) {
        const double learned = net.weights[t] * net.spread[t];
        products += learned * terms[t].weight * net.spread[t];
        squares += learned * learned;
    }
    const double factor = products > 0 ? products / squares : 1;
    std::vector<double> weights;
    for (const double weight : net.weights) weights.push_back(factor * weight);
    return weights;
}

std::unique_ptr<game::Evaluator> make_evaluator(const TermNet& net, const game::Game& game) {
    auto program = std::make_shared<const ir::Program>(ir::with_weights(game.program(), net.weights));
    return std::make_unique<TermEvaluator>(game::Game(std::move(program), game.executor_kind()), net.scale);
}

} // namespace zug::learn

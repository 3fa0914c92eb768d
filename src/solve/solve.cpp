#include "solve/solve.hpp"

#include "game/history.hpp"
#include "solve/expectation.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

// Whether values are known where play goes round in circles.
bool allows_cycles(const game::Traits& traits) { return traits.players == 1 || traits.zero_sum; }

class Run {
public:
    Run(game::Game& game, const game::State& start, const Options& options, Keeper* keeper)
        : game_(game), start_(start), options_(options), keeper_(keeper) {}

    tl::expected<Solution, game::Error> by(const Measure& measure, const SymmetryGroup& symmetries,
                                           const std::vector<std::string>& assumes) {
        auto code = PositionCode::of(game_, measure, symmetries);
        if (!code) return tl::unexpected(code.error());
        Crew crew(game_, *code, options_.threads);
        const Key start = code->encode(start_);
        auto space = enumerate(crew, *code, start, {measure.rises, options_.most_positions, options_.stop});
        if (!space) return tl::unexpected(space.error());
        if (game_.traits().chance) return expected(crew, *code, *space, start, measure, symmetries);
        const bool cycles = space->cycles() && allows_cycles(game_.traits());
        const Outcomes outcomes(space->ends, game_.players(), cycles, options_.ties);
        Solution solution = begun(*space, *code);
        solution.assumes = assumes;
        if (keeper_ != nullptr)
            if (auto begun = keeper_->begin({measure, symmetries, outcomes, options_.ties, start}); !begun)
                return tl::unexpected(begun.error());
        const auto histogram = induce(
            crew, *code, *space, outcomes,
            [&](const Tier& tier, std::span<const Result> results) -> tl::expected<void, game::Error> {
                if (tier.number == code->tier(start)) look_up_start(tier, results, start, outcomes, solution);
                return keeper_ != nullptr ? keeper_->keep(tier, results) : tl::expected<void, game::Error>{};
            },
            options_.stop);
        if (!histogram) return tl::unexpected(histogram.error());
        solution.tally = tally(*histogram, outcomes);
        if (keeper_ != nullptr)
            if (auto ended = keeper_->end(solution, *histogram); !ended) return tl::unexpected(ended.error());
        return solution;
    }

private:
    static Solution begun(const Space& space, const PositionCode& code) {
        Solution solution;
        solution.positions = space.all_positions;
        solution.with_symmetry = space.positions;
        solution.symmetries = static_cast<std::uint32_t>(code.symmetries());
        solution.moves = space.moves;
        solution.tiers = space.tiers.size();
        solution.longest_jump = space.longest_jump;
        solution.cycles = space.cycles();
        return solution;
    }

    // The same of games with chance.
    tl::expected<Solution, game::Error> expected(Crew& crew, const PositionCode& code, Space& space, Key start,
                                                 const Measure& measure, const SymmetryGroup& symmetries) {
        Solution solution = begun(space, code);
        const Outcomes outcomes(space.ends, game_.players(), false, options_.ties);
        const ExpectedValues expected(space.ends, game_.players(), game_.traits().zero_sum, options_.ties);
        if (keeper_ != nullptr)
            if (auto begun = keeper_->begin({measure, symmetries, outcomes, options_.ties, start, &expected}); !begun)
                return tl::unexpected(begun.error());
        const auto expectation = expect(
            crew, code, space, start, expected,
            [&](const Tier& tier, ExpectedValues::Columns values) -> tl::expected<void, game::Error> {
                return keeper_ != nullptr ? keeper_->keep_expected(tier, values) : tl::expected<void, game::Error>{};
            },
            options_.stop);
        if (!expectation) return tl::unexpected(expectation.error());
        solution.chance = true;
        solution.value = expectation->value;
        solution.error = expectation->error;
        solution.win_probability = expected.win_probability(expectation->value.front());
        solution.counts = expectation->counts;
        if (keeper_ != nullptr)
            if (auto ended = keeper_->end(solution, Histogram(0)); !ended) return tl::unexpected(ended.error());
        return solution;
    }

    static void look_up_start(const Tier& tier, std::span<const Result> results, Key start, const Outcomes& outcomes,
                              Solution& solution) {
        std::array<Key, block_keys> room;
        for (std::size_t b = 0; b < tier.keys.blocks(); ++b) {
            const std::span<const Key> keys = tier.keys.block(b, room);
            const auto at = std::ranges::lower_bound(keys, start);
            if (at == keys.end() || *at != start) continue;
            const Result result = results[b * block_keys + static_cast<std::size_t>(at - keys.begin())];
            const std::uint32_t outcome = outcomes.outcome(result);
            solution.value = outcomes.payoffs(outcome);
            solution.repetition = outcomes.is_repetition(outcome);
            if (!solution.repetition) solution.remoteness = outcomes.remoteness(result);
        }
    }

    static Tally tally(const Histogram& histogram, const Outcomes& outcomes) {
        Tally tally;
        for (std::uint32_t mover = 0; mover < histogram.players(); ++mover)
            for (std::uint32_t result = 0; result <= UINT16_MAX; ++result) {
                const std::uint64_t count = histogram.count(mover, static_cast<Result>(result));
                if (count == 0) continue;
                const double value = outcomes.utility(outcomes.outcome(static_cast<Result>(result)), mover);
                (value > 0 ? tally.won : value < 0 ? tally.lost : tally.drawn) += count;
            }
        return tally;
    }

    game::Game& game_;
    const game::State& start_;
    const Options& options_;
    Keeper* keeper_;
};

} // namespace

tl::expected<Solution, game::Error> solve(game::Game& game, const game::State& start, const Options& options,
                                          Keeper* keeper) {
    const auto history = game::solvable_by_position(game.program());
    if (!history) return tl::unexpected(history.error());
    game.clear_fault();
    Run run(game, start, options, keeper);
    const SymmetryGroup none = SymmetryGroup::trivial(game.program().total_slots());
    SymmetryGroup symmetries = options.symmetries ? find_symmetries(game, start) : none;
    Measure measure = guess_measure(game, start);
    // What was only supposed is given up where it fails.
    while (true) {
        auto solution = run.by(measure, symmetries, history->assumes);
        if (!solution && solution.error().text == measure_fails)
            measure = {};
        else if (!solution && solution.error().text == symmetry_fails)
            symmetries = none;
        else
            return solution;
        game.clear_fault();
    }
}

} // namespace zug::solve

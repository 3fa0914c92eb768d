#include "solve/solve.hpp"

#include "game/facts/history.hpp"
#include "solve/enumeration/exploration.hpp"
#include "solve/expectation/expectation.hpp"
#include "solve/storage/packed_combinations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::solve {

namespace {

// The contents of a checkpoint, apart from the files that Work lists.
struct Saved {
    std::vector<std::vector<std::int32_t>> weights; // of the potential function
    std::int32_t least = 0, greatest = 0;
    bool rises = false;
    std::vector<game::Symmetry> symmetries; // that generate the group
    archive::Bytes combinations;            // packed
    bool solving = false;                   // else the space is being enumerated
    archive::Bytes stage;                   // the state of the enumeration, or of solving
    archive::Bytes sink;

    TierPotential potential() const { return {weights, least, greatest, rises}; }
};

// What random games suggest, and what is kept until the enumeration meets a counterexample.
struct Hypotheses {
    TierPotential potential;
    game::SymmetryGroup symmetries;
    std::shared_ptr<Combinations> combinations; // not null
};

struct Problem {
    game::Game& game;
    const game::State& start;
    const Options& options;
    SolutionSink* sink; // or null
    Work& work;
    const std::vector<std::string>& assumes;
};

class Run {
public:
    explicit Run(const Problem& problem)
        : game_(problem.game), start_(problem.start), options_(problem.options), sink_(problem.sink),
          work_(problem.work), assumes_(problem.assumes) {}

    // Solves under these hypotheses. `saved`: a checkpoint to resume from, or null. If it fails for combinations that
    // they lack, these are added to them.
    tl::expected<Solution, Error> solve(const Hypotheses& hypotheses, const Saved* saved) {
        auto code = PositionCode::of(game_, hypotheses.potential, hypotheses.symmetries, hypotheses.combinations);
        if (!code) return tl::unexpected(code.error());
        packed_ = pack(*hypotheses.combinations);
        WalkerPool pool(game_, *code, options_.threads);
        const Key start = code->encode(start_);
        bool solving = saved != nullptr && saved->solving;
        const Resources resources{left_beside(*hypotheses.combinations), work_,
                                  [&](archive::Bytes stage) { save(hypotheses, solving, std::move(stage)); }};
        tl::expected<Space, Error> space;
        if (solving) {
            if (!restore_space(*space, work_, saved->stage)) return failure(std::string(unreadable));
        } else {
            const Limits limits{hypotheses.potential.rises, options_.most_positions, options_.stop};
            space = enumerate({pool, *code, start, limits, resources, saved != nullptr ? &saved->stage : nullptr});
            if (!space && space.error().text == combination_fails) return find_missed(pool, *code, limits, hypotheses);
            if (!space) return tl::unexpected(space.error());
        }
        const Saved* const checkpoint = solving ? saved : nullptr;
        solving = true;
        const SpaceTask task{
            pool, *code, *space, start, options_.stop, resources, checkpoint != nullptr ? &checkpoint->stage : nullptr};
        if (game_.traits().chance) return solve_by_expectation(task, hypotheses, checkpoint);
        return solve_by_induction(task, hypotheses, checkpoint);
    }

private:
    // What is left of the budget.
    Budget left_beside(const Combinations& combinations) const {
        Budget budget = options_.budget;
        budget.bytes -= std::min<std::uint64_t>(budget.bytes, combinations.bytes());
        return budget;
    }

    // Adds what the enumeration met and the hypotheses lack, and what can be reached from there. Always an error.
    tl::unexpected<Error> find_missed(WalkerPool& pool, const PositionCode& code, const Limits& limits,
                                      const Hypotheses& hypotheses) {
        const auto found = explore({pool, limits, explored_at_most_, options_.budget.combinations()});
        explored_at_most_ *= 2;
        if (!found) return tl::unexpected(found.error());
        // The code numbers the old ones no more once there are others, but it is not asked for keys again.
        Combinations& known = *hypotheses.combinations;
        for (std::uint32_t i = 0; i < found->size() && known.has_room(); ++i) code.lines().add_to(known, (*found)[i]);
        known.sort();
        if (known.bytes() <= options_.budget.combinations() && known.has_room())
            return failure(std::string(combination_fails));
        return failure(fmt::format("{}, and a list of those that occur takes more than {} MB: --memory allows more",
                                   too_wide, options_.budget.combinations() >> 20));
    }

    tl::expected<Solution, Error> solve_by_induction(const SpaceTask& task, const Hypotheses& hypotheses,
                                                     const Saved* saved) {
        const Space& space = task.space;
        const bool cycles = space.cycles() && allows_cycles(game_.traits());
        const Outcomes outcomes(space.ends, game_.traits(), cycles, options_.ties);
        Solution solution = begun(space, task.code);
        if (sink_ != nullptr) {
            const auto begun = sink_->begin(frame_of(hypotheses, outcomes, task.start, nullptr),
                                            saved != nullptr ? &saved->sink : nullptr);
            if (!begun) return tl::unexpected(begun.error());
        }
        const Sink sink = [&](const Tier& tier, std::size_t first_block, std::span<const Result> results) {
            return sink_ != nullptr ? sink_->keep(tier, first_block, results) : tl::expected<void, Error>{};
        };
        const auto induced = backward_induction(task, outcomes, sink);
        if (!induced) return tl::unexpected(induced.error());
        const std::uint32_t outcome = outcomes.outcome(induced->start);
        solution.value = outcomes.payoffs(outcome);
        solution.repetition = outcomes.is_repetition(outcome);
        if (!solution.repetition) solution.remoteness = outcomes.remoteness(induced->start);
        solution.tally = tally(induced->histogram, outcomes);
        if (sink_ != nullptr)
            if (auto ended = sink_->end(solution, induced->histogram); !ended) return tl::unexpected(ended.error());
        return solution;
    }

    Frame frame_of(const Hypotheses& hypotheses, const Outcomes& outcomes, Key start,
                   const ExpectedValues* expected) const {
        return {hypotheses.potential, hypotheses.symmetries, packed_, outcomes, options_.ties, start, expected};
    }

    void save(const Hypotheses& hypotheses, bool solving, archive::Bytes stage) {
        const TierPotential& potential = hypotheses.potential;
        Saved saved{potential.weights,
                    potential.least,
                    potential.greatest,
                    potential.rises,
                    hypotheses.symmetries.generators,
                    packed_,
                    solving,
                    std::move(stage),
                    {}};
        if (solving && sink_ != nullptr) {
            auto kept = sink_->save();
            if (!kept) return work_.io_error().note(kept.error().text);
            saved.sink = std::move(*kept);
        }
        archive::Writer writer;
        writer.value(saved);
        work_.save(writer.bytes);
    }

    Solution begun(const Space& space, const PositionCode& code) const {
        Solution solution;
        solution.assumes = assumes_;
        solution.positions = space.all_positions;
        solution.with_symmetry = space.positions;
        solution.symmetries = static_cast<std::uint32_t>(code.symmetries());
        solution.moves = space.moves;
        solution.tiers = space.tier_count;
        solution.longest_jump = space.longest_jump;
        solution.cycles = space.cycles();
        return solution;
    }

    // The same for games with chance.
    tl::expected<Solution, Error> solve_by_expectation(const SpaceTask& task, const Hypotheses& hypotheses,
                                                       const Saved* saved) {
        const Space& space = task.space;
        Solution solution = begun(space, task.code);
        const Outcomes outcomes(space.ends, game_.traits(), false, options_.ties);
        const ExpectedValues expected(space.ends, game_.traits(), options_.ties);
        if (sink_ != nullptr) {
            const auto begun = sink_->begin(frame_of(hypotheses, outcomes, task.start, &expected),
                                            saved != nullptr ? &saved->sink : nullptr);
            if (!begun) return tl::unexpected(begun.error());
        }
        const ValueSink sink = [&](const Tier& tier, std::size_t first_block, ExpectedValues::Columns values) {
            return sink_ != nullptr ? sink_->keep_expected(tier, first_block, values) : tl::expected<void, Error>{};
        };
        const auto expectation = solve_expected(task, expected, sink);
        if (!expectation) return tl::unexpected(expectation.error());
        solution.chance = true;
        solution.value = expectation->value;
        solution.error = expectation->error;
        solution.win_probability = expected.win_probability(expectation->value.front());
        solution.counts = expectation->counts;
        if (sink_ != nullptr)
            if (auto ended = sink_->end(solution, Histogram(0)); !ended) return tl::unexpected(ended.error());
        return solution;
    }

    static Tally tally(const Histogram& histogram, const Outcomes& outcomes) {
        Tally tally;
        for (const auto& [mover, result, positions] : histogram.counts()) {
            const double value = outcomes.utility(outcomes.outcome(result), mover);
            (value > 0 ? tally.won : value < 0 ? tally.lost : tally.drawn) += positions;
        }
        return tally;
    }

    game::Game& game_;
    const game::State& start_;
    const Options& options_;
    SolutionSink* sink_;
    Work& work_;
    const std::vector<std::string>& assumes_;
    archive::Bytes packed_;                    // the combinations
    std::uint64_t explored_at_most_ = 1 << 20; // positions, the next time: twice as many each time
};

SolveKey solve_key_of(game::Game& game, const game::State& start, const Options& options) {
    const ir::Program& program = game.program();
    SolveKey solve_key{program.source.name, {}, game.rules_digest(), static_cast<std::uint8_t>(options.ties),
                       options.symmetries,  {}};
    for (const ir::Param& param : program.params) solve_key.params.emplace_back(param.name, param.value);
    game.executor().store(start, solve_key.start);
    return solve_key;
}

// The hypotheses of a checkpoint. Empty: they do not fit this game.
std::optional<Hypotheses> hypotheses_of(const Saved& saved, const ir::Program& program) {
    const auto sizes = ir::slot_sizes(program);
    for (const game::Symmetry& symmetry : saved.symmetries)
        if (!symmetry.permutes(sizes)) return std::nullopt;
    auto symmetries = game::SymmetryGroup::generated_by(saved.symmetries, sizes.size());
    auto combinations = unpack_combinations(program, saved.combinations, TupleSet::none);
    if (!symmetries || !combinations) return std::nullopt;
    return Hypotheses{saved.potential(), std::move(*symmetries),
                      std::make_shared<Combinations>(std::move(*combinations))};
}

// The contents of the checkpoint, if there is one that can be used. An error: it can't be read or trusted, and stays.
tl::expected<std::optional<Saved>, Error> find_saved(Work& work, const game::Game& game, const Options& options) {
    if (options.again) {
        work.clear();
        return std::nullopt;
    }
    std::string why;
    const auto found = work.find(why);
    if (!found) return tl::unexpected(found.error());
    const auto say = [&](const std::string& text) {
        if (options.note) options.note(text);
    };
    if (*found) {
        auto saved = archive::read<Saved>(**found);
        if (saved && hypotheses_of(*saved, game.program())) {
            say("resuming from a checkpoint");
            return saved;
        }
        why = unreadable;
        work.clear();
    }
    if (!why.empty()) say("the checkpoint can't be used (" + why + "): starting again");
    return std::nullopt;
}

} // namespace

tl::expected<Solution, Error> solve(game::Game& game, const game::State& start, const Options& options,
                                    SolutionSink* sink) {
    const auto history = game::solvable_by_position(game.program());
    if (!history) return tl::unexpected(history.error());
    // Before random games are played, which can take seconds.
    if (std::string why = PositionCode::refusal(game.program()); !why.empty()) return failure(std::move(why));
    game.clear_fault();
    Work work(options.work, solve_key_of(game, start, options));
    const auto found = find_saved(work, game, options);
    if (!found) return tl::unexpected(found.error());
    const std::optional<Saved>& saved = *found;
    Run run({game, start, options, sink, work, history->assumes});
    const game::SymmetryGroup none = game::SymmetryGroup::trivial(game.program().total_slots());
    const auto guess = [&] {
        return Hypotheses{guess_potential(game, start), options.symmetries ? game::find_symmetries(game, start) : none,
                          std::make_shared<Combinations>()};
    };
    const Saved* from = saved ? &*saved : nullptr;
    Hypotheses hypotheses = from != nullptr ? *hypotheses_of(*from, game.program()) : guess();
    if (from == nullptr) work.clear();
    std::optional<TupleSet> guessed; // positions whose combinations are listed first
    // A hypothesis that fails is replaced, and the game is solved again.
    while (true) {
        auto solution = run.solve(hypotheses, from);
        if (solution) work.clear();
        if (solution) return solution;
        // What could not be read for an I/O error may be whole.
        if (auto good = work.io_error().check(); !good) return tl::unexpected(good.error());
        const std::string& why = solution.error().text;
        if (why == unreadable && from != nullptr) {
            if (options.note) options.note("the checkpoint is damaged: starting again");
            hypotheses = guess();
        } else if (why == potential_fails) {
            hypotheses.potential = {};
        } else if (why == symmetry_fails) {
            hypotheses.symmetries = none;
        } else if (why == too_wide && !hypotheses.combinations->one_block()) {
            if (!guessed) guessed = positions_of_random_games(game, start);
            if (hypotheses.combinations->all() && options.note) options.note(std::string(lists_combinations));
            hypotheses.symmetries = none;
            *hypotheses.combinations =
                Combinations::of_positions(game.program(), hypotheses.combinations->wider(), *guessed);
        } else if (why != combination_fails) {
            return solution;
        }
        from = nullptr;
        work.clear();
        game.clear_fault();
    }
}

} // namespace zug::solve

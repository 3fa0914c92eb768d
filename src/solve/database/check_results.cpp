#include "solve/database/checker.hpp"
#include "solve/database/known_values.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

class ResultChecker final : public Checker {
public:
    ResultChecker(const Database& database, const Budget& budget)
        : database_(database), known_(database, budget.tables()) {}

    Done begin_tier(std::uint32_t tier, std::size_t from_block, std::size_t to_block) override {
        known_.forget_above(tier + database_.solution().longest_jump);
        return known_.add(tier, from_block, to_block);
    }

    Done check(const CheckedPositions& checked, const Database::Block& block, const Report& report) const override {
        KnownValues<Result>::Found found;
        if (auto done = known_.find(checked.successors, found); !done) return done;
        std::size_t from = 0, number = 0;
        for (const auto& position : checked.positions) {
            const std::size_t count = position.successors_end - from;
            const auto payoffs = std::span(checked.numbers).subspan(number, position.numbers_end - number);
            if (std::ranges::count(std::span(found.known).subspan(from, count), 0) != 0)
                report(position.key, "a successor is missing of ", "");
            else if (derive(position, payoffs, std::span(found.values).subspan(from, count)) !=
                     block.results[position.index])
                report(position.key, "wrong is the result of ", "");
            from = position.successors_end;
            number = position.numbers_end;
        }
        return {};
    }

private:
    std::optional<Result> derive(const CheckedPositions::Position& position, std::span<const double> payoffs,
                                 std::span<const Result> successors) const {
        const Outcomes& outcomes = database_.outcomes();
        if (position.kind != game::NodeKind::Terminal) return outcomes.derive(position.mover, successors);
        const auto outcome = outcomes.find(payoffs);
        return outcome ? std::optional(outcomes.pack(*outcome, 0)) : std::nullopt;
    }

    const Database& database_;
    KnownValues<Result> known_;
};

} // namespace

std::unique_ptr<Checker> result_checker(const Database& database, const Budget& budget) {
    return std::make_unique<ResultChecker>(database, budget);
}

} // namespace zug::solve

#include "solve/database/checker.hpp"
#include "solve/database/known_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zug::solve {

namespace {

class ExpectationChecker final : public Checker {
public:
    ExpectationChecker(const Database& database, const Budget& budget)
        : database_(database), expected_(database.expected()) {
        for (std::uint32_t w = 0; w < expected_.width(); ++w)
            known_.emplace_back(database, budget.tables() / expected_.width(), w);
    }

    Done begin_tier(std::uint32_t tier, std::size_t from_block, std::size_t to_block) override {
        for (auto& known : known_) {
            known.forget_above(tier + database_.solution().longest_jump);
            if (auto done = known.add(tier, from_block, to_block); !done) return done;
        }
        return {};
    }

    Done check(const CheckedPositions& checked, const Database::Block& block, const Report& report) const override {
        std::vector<KnownValues<double>::Found> found(known_.size());
        for (std::size_t w = 0; w < known_.size(); ++w)
            if (auto done = known_[w].find(checked.successors, found[w]); !done) return done;
        std::size_t from = 0, number = 0;
        for (const auto& position : checked.positions) {
            const std::size_t count = position.successors_end - from;
            const auto numbers = std::span(checked.numbers).subspan(number, position.numbers_end - number);
            if (std::ranges::count(std::span(found.front().known).subspan(from, count), 0) != 0) {
                report(position.key, "a successor is missing of ", "");
            } else {
                std::vector<std::vector<double>> values;
                for (const auto& of : found) {
                    const auto own = std::span(of.values).subspan(from, count);
                    values.emplace_back(own.begin(), own.end());
                }
                compare(position, derive(position, numbers, values), count, block, report);
            }
            from = position.successors_end;
            number = position.numbers_end;
        }
        return {};
    }

private:
    std::vector<double> derive(const CheckedPositions::Position& position, std::span<const double> numbers,
                               ExpectedValues::Columns values) const {
        if (position.kind == game::NodeKind::Terminal) return {numbers.begin(), numbers.end()};
        std::vector<double> derived(expected_.players());
        std::vector<std::size_t> buffer;
        if (position.kind == game::NodeKind::Chance)
            expected_.mean(numbers, values, derived);
        else
            expected_.choose(position.mover, values, derived, buffer);
        return derived;
    }

    void compare(const CheckedPositions::Position& position, std::span<const double> derived, std::size_t successors,
                 const Database::Block& block, const Report& report) const {
        // The stored value and those of the successors may each be off by the stated error.
        const double rounding = successors == 0 ? 0 : expected_.rounding(successors);
        const double tolerance = 2 * database_.solution().error + rounding;
        for (std::uint32_t w = 0; w < expected_.width(); ++w) {
            const double kept = block.values[w][position.index];
            if (std::abs(derived[w] - kept) <= tolerance) continue;
            return report(position.key, "wrong is the value of ",
                          fmt::format(": {:.12g}, not {:.12g}", derived[w], kept));
        }
    }

    const Database& database_;
    const ExpectedValues& expected_;
    std::vector<KnownValues<double>> known_; // by stored number
};

} // namespace

std::unique_ptr<Checker> expectation_checker(const Database& database, const Budget& budget) {
    return std::make_unique<ExpectationChecker>(database, budget);
}

} // namespace zug::solve

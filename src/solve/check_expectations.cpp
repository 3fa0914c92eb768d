#include "solve/checker.hpp"
#include "solve/later.hpp"

#include <fmt/format.h>

namespace zug::solve {

namespace {

class ExpectationChecker final : public Checker {
public:
    explicit ExpectationChecker(const Database& database)
        : database_(database), expected_(database.expected()),
          later_(expected_.width(), Later<double>(database.code())) {}

    void take(std::uint32_t tier, Database::Block content) override {
        for (std::uint32_t w = 0; w < expected_.width(); ++w) {
            later_[w].forget_above(tier + database_.solution().longest_jump);
            Row<double> row;
            row.append(content.values[w]);
            later_[w].add(tier, PackedKeys(content.keys), std::move(row));
        }
        tier_ = std::move(content);
    }

    std::string check(Walker& walker, Key key, std::size_t i) const override {
        std::vector<Key> successors;
        walker.expand(key, successors);
        std::vector<double> derived(expected_.players());
        double rounding = 0;
        switch (walker.kind()) {
        case game::NodeKind::Fault: return {};
        case game::NodeKind::Terminal: walker.payoffs(derived); break;
        default:
            std::vector<std::vector<double>> values(expected_.width());
            Later<double>::Room room;
            for (std::uint32_t w = 0; w < expected_.width(); ++w)
                if (!later_[w].find_some(successors, values[w], room))
                    return "a successor is missing of " + walker.text();
            rounding = expected_.rounding(successors.size());
            derive(walker, values, derived);
        }
        // Position and successors may each be wrong by the error.
        const double tolerance = 2 * database_.solution().error + rounding;
        for (std::uint32_t w = 0; w < expected_.width(); ++w)
            if (!(std::abs(derived[w] - tier_.values[w][i]) <= tolerance))
                return fmt::format("wrong is the value of {}: {:.12g}, not {:.12g}", walker.text(), derived[w],
                                   tier_.values[w][i]);
        return {};
    }

private:
    void derive(Walker& walker, ExpectedValues::Columns values, std::span<double> derived) const {
        if (walker.kind() == game::NodeKind::Decision) {
            std::vector<std::size_t> room;
            return expected_.choose(walker.mover(), values, derived, room);
        }
        std::vector<double> probabilities;
        for (std::size_t i = 0; i < values.front().size(); ++i) probabilities.push_back(walker.probability(i));
        expected_.mean(probabilities, values, derived);
    }

    const Database& database_;
    const ExpectedValues& expected_;
    std::vector<Later<double>> later_; // by number kept
    Database::Block tier_;
};

} // namespace

std::unique_ptr<Checker> expectation_checker(const Database& database) {
    return std::make_unique<ExpectationChecker>(database);
}

} // namespace zug::solve

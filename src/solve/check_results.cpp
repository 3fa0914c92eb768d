#include "solve/checker.hpp"
#include "solve/later.hpp"

namespace zug::solve {

namespace {

class ResultChecker final : public Checker {
public:
    explicit ResultChecker(const Database& database) : database_(database), later_(database.code()) {}

    void take(std::uint32_t tier, Database::Block content) override {
        later_.forget_above(tier + database_.solution().longest_jump);
        Row<Result> row;
        row.append(content.results);
        later_.add(tier, PackedKeys(content.keys), std::move(row));
        tier_ = std::move(content);
    }

    std::string check(Walker& walker, Key key, std::size_t i) const override {
        std::vector<Key> successors;
        std::vector<Result> results;
        Later<Result>::Room room;
        walker.expand(key, successors);
        if (walker.kind() == game::NodeKind::Fault) return {};
        const Outcomes& outcomes = database_.outcomes();
        std::optional<Result> derived;
        if (walker.kind() == game::NodeKind::Terminal) {
            Payoffs payoffs(outcomes.players());
            walker.payoffs(payoffs);
            if (const auto outcome = outcomes.find(payoffs)) derived = outcomes.pack(*outcome, 0);
        } else if (!later_.find_some(successors, results, room)) {
            return "a successor is missing of " + walker.text();
        } else {
            derived = outcomes.derive(walker.mover(), results);
        }
        return derived == tier_.results[i] ? "" : "wrong is the result of " + walker.text();
    }

private:
    const Database& database_;
    Later<Result> later_;
    Database::Block tier_;
};

} // namespace

std::unique_ptr<Checker> result_checker(const Database& database) { return std::make_unique<ResultChecker>(database); }

} // namespace zug::solve

#include "solve/database/verify.hpp"

#include "base/first_error.hpp"
#include "solve/database/checker.hpp"
#include "solve/database/figures.hpp"
#include "solve/database/query.hpp"
#include "solve/parallel/walker_pool.hpp"

#include <fmt/format.h>

#include <mutex>

namespace zug::solve {

namespace {

constexpr std::size_t most_reports = 10;

class Verification {
public:
    Verification(Database& database, game::Game& game, std::uint32_t threads, const Stop& stop, const Budget& budget)
        : database_(database), stop_(stop), budget_(budget), pool_(game, database.code(), threads),
          checker_(database.chance() ? expectation_checker(database, budget) : result_checker(database, budget)) {}

    tl::expected<Check, Error> run() {
        std::size_t begin = 0;
        for (std::size_t end = database_.blocks(); end > 0; end = begin) {
            const auto tier = [&](std::size_t block) { return database_.code().tier(database_.first_key(block)); };
            for (begin = end - 1; begin > 0 && tier(begin - 1) == tier(end - 1);) --begin;
            if (auto begun = checker_->begin_tier(tier(begin), begin, end); !begun)
                return tl::unexpected(begun.error());
            check_tier(begin, end);
            ++figures_.tiers;
            if (auto good = error_.check(); !good) return tl::unexpected(good.error());
        }
        check_.positions = figures_.positions;
        for (std::string& difference : figures_.differences(database_)) report(std::move(difference));
        if (auto done = check_start(); !done) return tl::unexpected(done.error());
        return std::move(check_);
    }

private:
    void check_tier(std::size_t begin, std::size_t end) {
        const std::size_t window = 64 * pool_.size();
        for (std::size_t from = begin; from < end && !error_.any(); from += window) {
            pool_.share(std::min(window, end - from), [&](std::size_t thread, std::size_t i) {
                if (!error_.any()) check_block(pool_.walker(thread), from + i);
            });
            if (stop_ && stop_({Stage::Work::Checking, figures_.positions, database_.solution().positions}))
                error_.note(std::string(stopped));
        }
    }

    tl::expected<void, Error> check_start() {
        const Solution& said = database_.solution();
        const auto found = standing_of(database_, pool_.walker(0).game().initial());
        if (!found) return tl::unexpected(found.error());
        if (!*found)
            report("the start is missing");
        else if ((*found)->value != said.value || (*found)->remoteness != said.remoteness ||
                 (*found)->repetition != said.repetition)
            report("the value of the start is not that of its position");
        return {};
    }

    void check_block(Walker& walker, std::size_t number) {
        const auto block = database_.read(number);
        if (!block) return error_.note(block.error().text);
        std::vector<Key> images;
        CheckedPositions checked;
        Figures figures;
        game::State state;
        for (std::size_t i = 0; i < block->keys.size() && !error_.any(); ++i) {
            database_.code().decode(block->keys[i], state);
            database_.code().images(state, images);
            if (images.front() != block->keys[i])
                report("another position should stand for " + walker.game().position_text(state));
            for (const Key image : images) {
                figures.moves += add(walker, image, i, checked);
                figures.add(database_, *block, i, walker.kind(), walker.mover());
                if (checked.successors.size() >= budget_.queries(pool_.size())) check(walker, checked, *block);
            }
        }
        check(walker, checked, *block);
        const std::lock_guard lock(mutex_);
        figures_.add(figures);
    }

    // Returns the number of moves.
    std::size_t add(Walker& walker, Key key, std::size_t index, CheckedPositions& checked) {
        const std::size_t before = checked.successors.size(), numbers = checked.numbers.size();
        walker.expand(key, checked.successors);
        switch (walker.kind()) {
        case game::NodeKind::Fault: error_.note(walker.error()); return 0;
        case game::NodeKind::Terminal:
            checked.numbers.resize(numbers + walker.game().players());
            if (!walker.payoffs(std::span(checked.numbers).subspan(numbers))) {
                error_.note(walker.error());
                return 0;
            }
            break;
        case game::NodeKind::Chance:
            for (std::size_t i = 0; i < checked.successors.size() - before; ++i)
                checked.numbers.push_back(walker.probability(i));
            break;
        case game::NodeKind::Decision: break;
        }
        checked.positions.push_back(
            {key, index, walker.kind(), walker.mover(), checked.successors.size(), checked.numbers.size()});
        return checked.successors.size() - before;
    }

    void check(Walker& walker, CheckedPositions& checked, const Database::Block& block) {
        const auto done =
            checker_->check(checked, block, [&](Key key, std::string_view before, std::string_view after) {
                game::State state;
                database_.code().decode(key, state);
                report(fmt::format("{}{}{}", before, walker.game().position_text(state), after));
            });
        if (!done) error_.note(done.error().text);
        checked.clear();
    }

    void report(std::string what) {
        const std::lock_guard lock(mutex_);
        if (check_.wrong.size() < most_reports) check_.wrong.push_back(std::move(what));
    }

    Database& database_; // which caches blocks: read() is for all threads
    const Stop& stop_;
    const Budget& budget_;
    WalkerPool pool_;
    std::unique_ptr<Checker> checker_;
    std::mutex mutex_;
    Check check_;
    Figures figures_;
    FirstError error_;
};

} // namespace

tl::expected<Check, Error> verify(Database& database, game::Game& game, std::uint32_t threads, const Stop& stop,
                                  const Budget& budget) {
    return Verification(database, game, threads, stop, budget).run();
}

} // namespace zug::solve

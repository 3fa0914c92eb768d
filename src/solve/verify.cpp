#include "solve/verify.hpp"

#include "solve/crew.hpp"
#include "solve/later.hpp"

#include <fmt/format.h>

#include <mutex>

namespace zug::solve {

namespace {

constexpr std::size_t most_reports = 10;

class Verification {
public:
    Verification(Database& database, game::Game& game, std::uint32_t threads, const Stop& stop)
        : database_(database), stop_(stop), crew_(game, database.code(), threads), later_(database.code()) {}

    tl::expected<Check, game::Error> run() {
        std::size_t end = database_.blocks();
        while (end > 0) {
            auto begun = read_tier(end);
            if (!begun) return tl::unexpected(begun.error());
            end = *begun;
            check_tier();
            if (!error_.empty()) return tl::unexpected(game::Error{error_});
        }
        if (check_.positions != database_.positions())
            report(fmt::format("there are {} positions, not {}", check_.positions, database_.positions()));
        return std::move(check_);
    }

private:
    // The tier that ends before block `end`; gives its first block.
    tl::expected<std::size_t, game::Error> read_tier(std::size_t end) {
        keys_.clear();
        results_.clear();
        std::size_t begin = end;
        std::vector<Database::Block> blocks;
        for (; begin > 0; --begin) {
            auto block = database_.read(begin - 1);
            if (!block) return tl::unexpected(block.error());
            const std::uint32_t tier = database_.code().tier(block->keys.front());
            if (begin == end) tier_ = tier;
            if (tier != tier_) break;
            blocks.push_back(std::move(*block));
        }
        for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
            keys_.insert(keys_.end(), block->keys.begin(), block->keys.end());
            results_.insert(results_.end(), block->results.begin(), block->results.end());
        }
        later_.forget_above(tier_ + database_.solution().longest_jump);
        Row<Result> row;
        row.append(results_);
        later_.add(tier_, PackedKeys(keys_), std::move(row));
        return begin;
    }

    void check_tier() {
        const std::size_t chunks = (keys_.size() + block_keys - 1) / block_keys;
        crew_.share(chunks, [&](std::size_t thread, std::size_t chunk) {
            if (failed_) return;
            check_chunk(crew_.walker(thread), chunk * block_keys, std::min(keys_.size(), (chunk + 1) * block_keys));
        });
        check_.positions += keys_.size();
        if (stop_ && stop_({Stage::Work::Checking, check_.positions, database_.positions()})) error_ = stopped;
    }

    void check_chunk(Walker& walker, std::size_t from, std::size_t to) {
        std::vector<Key> successors;
        std::vector<Result> results;
        Later<Result>::Room room;
        Payoffs payoffs(database_.outcomes().players());
        const Outcomes& outcomes = database_.outcomes();
        for (std::size_t i = from; i < to; ++i) {
            successors.clear();
            walker.expand(keys_[i], successors);
            if (walker.kind() == game::NodeKind::Fault) return fail(walker.error());
            std::optional<Result> expected;
            if (walker.kind() == game::NodeKind::Terminal) {
                walker.payoffs(payoffs);
                expected = outcomes.pack(outcomes.of(payoffs), 0);
            } else if (!later_.find_some(successors, results, room)) {
                report("a successor is missing of " + walker.text());
                continue;
            } else {
                expected = outcomes.derive(walker.mover(), results);
            }
            if (expected != results_[i]) report("wrong is the result of " + walker.text());
        }
    }

    void fail(std::string why) {
        const std::lock_guard lock(mutex_);
        error_ = std::move(why);
        failed_ = true;
    }
    void report(std::string what) {
        const std::lock_guard lock(mutex_);
        if (check_.wrong.size() < most_reports) check_.wrong.push_back(std::move(what));
    }

    Database& database_;
    const Stop& stop_;
    Crew crew_;
    Later<Result> later_;
    std::uint32_t tier_ = 0;
    std::vector<Key> keys_; // of the tier
    std::vector<Result> results_;
    std::mutex mutex_;
    Check check_;
    std::atomic<bool> failed_ = false;
    std::string error_;
};

} // namespace

tl::expected<Check, game::Error> verify(Database& database, game::Game& game, std::uint32_t threads, const Stop& stop) {
    return Verification(database, game, threads, stop).run();
}

} // namespace zug::solve

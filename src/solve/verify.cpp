#include "solve/verify.hpp"

#include "solve/checker.hpp"

#include <fmt/format.h>

#include <mutex>

namespace zug::solve {

namespace {

constexpr std::size_t most_reports = 10;

class Verification {
public:
    Verification(Database& database, game::Game& game, std::uint32_t threads, const Stop& stop)
        : database_(database), stop_(stop), crew_(game, database.code(), threads),
          checker_(database.chance() ? expectation_checker(database) : result_checker(database)) {}

    tl::expected<Check, game::Error> run() {
        std::size_t end = database_.blocks();
        while (end > 0) {
            auto begun = read_tier(end);
            if (!begun) return tl::unexpected(begun.error());
            end = *begun;
            check_tier();
            if (!error_.empty()) return tl::unexpected(game::Error{error_});
        }
        check_.positions = positions_;
        if (check_.positions != database_.solution().positions)
            report(fmt::format("there are {} positions, not {}", check_.positions, database_.solution().positions));
        return std::move(check_);
    }

private:
    // Hands over the tier that ends before block `end`; gives its first block.
    tl::expected<std::size_t, game::Error> read_tier(std::size_t end) {
        std::uint32_t tier = 0;
        std::size_t begin = end;
        std::vector<Database::Block> blocks;
        for (; begin > 0; --begin) {
            auto block = database_.read(begin - 1);
            if (!block) return tl::unexpected(block.error());
            const std::uint32_t own = database_.code().tier(block->keys.front());
            if (begin == end) tier = own;
            if (own != tier) break;
            blocks.push_back(std::move(*block));
        }
        Database::Block all = std::move(blocks.back());
        for (std::size_t i = blocks.size() - 1; i-- > 0;) append(blocks[i], all);
        keys_ = all.keys;
        checker_->take(tier, std::move(all));
        return begin;
    }

    static void append(const Database::Block& block, Database::Block& all) {
        all.keys.insert(all.keys.end(), block.keys.begin(), block.keys.end());
        all.results.insert(all.results.end(), block.results.begin(), block.results.end());
        for (std::size_t w = 0; w < all.values.size(); ++w)
            all.values[w].insert(all.values[w].end(), block.values[w].begin(), block.values[w].end());
    }

    void check_tier() {
        const std::size_t chunks = (keys_.size() + block_keys - 1) / block_keys;
        crew_.share(chunks, [&](std::size_t thread, std::size_t chunk) {
            check_chunk(crew_.walker(thread), chunk * block_keys, std::min(keys_.size(), (chunk + 1) * block_keys));
        });
        if (stop_ && stop_({Stage::Work::Checking, positions_, database_.solution().positions})) error_ = stopped;
    }

    void check_chunk(Walker& walker, std::size_t from, std::size_t to) {
        std::vector<Key> images;
        game::State state;
        for (std::size_t i = from; i < to && !failed_; ++i) {
            database_.code().decode(keys_[i], state);
            database_.code().images(state, images);
            if (images.front() != keys_[i])
                report("another position should stand for " + walker.game().position_text(state));
            for (const Key image : images) check(walker, image, i);
            positions_ += images.size();
        }
    }

    void check(Walker& walker, Key key, std::size_t i) {
        std::string wrong = checker_->check(walker, key, i);
        if (walker.kind() == game::NodeKind::Fault) fail(walker.error());
        if (!wrong.empty()) report(std::move(wrong));
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
    std::unique_ptr<Checker> checker_;
    std::vector<Key> keys_; // of the tier
    std::atomic<std::uint64_t> positions_ = 0;
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

#include "solve/induction.hpp"

#include "solve/later.hpp"
#include "solve/loops.hpp"

#include <fmt/format.h>

#include <atomic>

namespace zug::solve {

void Histogram::add(const Histogram& other) {
    for (std::size_t mover = 0; mover < counts_.size(); ++mover)
        for (std::size_t result = 0; result < counts_[mover].size(); ++result)
            counts_[mover][result] += other.counts_[mover][result];
}

namespace {

constexpr std::uint64_t between_looks = 64; // blocks that a thread does before it asks whether to stop

class Induction {
public:
    Induction(Crew& crew, const PositionCode& code, Space& space, const Outcomes& outcomes, const Sink& sink,
              const Stop& stop)
        : crew_(crew), code_(code), space_(space), outcomes_(outcomes), sink_(sink), stop_(stop), later_(code),
          histograms_(crew.size(), Histogram(outcomes.players())), rooms_(crew.size()) {}

    tl::expected<Histogram, game::Error> run() {
        while (!space_.tiers.empty()) {
            if (auto done = run_tier(space_.tiers.back()); !done) return tl::unexpected(done.error());
            space_.tiers.pop_back();
        }
        for (std::size_t i = 1; i < histograms_.size(); ++i) histograms_.front().add(histograms_[i]);
        return std::move(histograms_.front());
    }

private:
    // A block of positions and what is found about them.
    struct Room {
        std::array<Key, block_keys> keys;
        std::vector<Key> successors;
        std::vector<Result> results;               // of the successors
        std::array<std::uint32_t, block_keys> end; // of the successors of each position
        std::array<std::uint8_t, block_keys> mover;
        std::array<std::uint32_t, block_keys> orbit;
        std::array<Result, block_keys> ended; // where there are none
        Payoffs payoffs;
    };

    tl::expected<void, game::Error> run_tier(const Tier& tier) {
        std::vector<Result> results(tier.keys.size());
        if (outcomes_.cycles() || tier.inner) {
            const LoopWork work{crew_, code_, outcomes_, later_, histograms_.front()};
            auto done = outcomes_.cycles() ? solve_loops(work, tier, results) : solve_in_order(work, tier, results);
            if (!done) return done;
            done_ += results.size();
            if (stop_ && stop_({Stage::Work::Solving, done_, space_.positions})) error_ = stopped;
        } else {
            crew_.share(tier.keys.blocks(), [&](std::size_t thread, std::size_t b) {
                if (failed_) return;
                run_block(thread, tier.keys, b, results);
                if (thread == 0 && ++looks_ % between_looks == 0 && stop_ &&
                    stop_({Stage::Work::Solving, done_, space_.positions}))
                    fail(std::string(stopped));
            });
        }
        if (!error_.empty()) return tl::unexpected(game::Error{error_});
        if (auto kept = sink_(tier, results); !kept) return kept;
        if (space_.tiers.size() > 1)
            later_.forget_above(space_.tiers[space_.tiers.size() - 2].number + space_.longest_jump);
        later_.add(tier.number, tier.keys, results);
        return {};
    }

    void fail(std::string why) {
        if (!failed_.exchange(true)) error_ = std::move(why);
    }

    void run_block(std::size_t thread, const PackedKeys& tier, std::size_t b, std::vector<Result>& results) {
        Room& room = rooms_[thread];
        Walker& walker = crew_.walker(thread);
        const std::span<const Key> keys = tier.block(b, room.keys);
        room.successors.clear();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            walker.expand(keys[i], room.successors);
            if (walker.kind() == game::NodeKind::Fault) return fail(walker.error());
            room.end[i] = static_cast<std::uint32_t>(room.successors.size());
            room.mover[i] = static_cast<std::uint8_t>(walker.mover());
            room.orbit[i] = walker.orbit();
            if (walker.kind() == game::NodeKind::Terminal) room.ended[i] = ended(walker, room.payoffs);
        }
        later_.find(room.successors, room.results);
        std::uint32_t from = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            Result result = room.ended[i];
            if (from != room.end[i]) {
                const Result best =
                    outcomes_.best(room.mover[i], std::span(room.results).subspan(from, room.end[i] - from));
                if (outcomes_.remoteness(best) == outcomes_.most_remoteness()) return fail(too_long(outcomes_));
                result = static_cast<Result>(best + 1);
            }
            from = room.end[i];
            results[b * block_keys + i] = result;
            histograms_[thread].add(room.mover[i], result, room.orbit[i]);
        }
        done_ += keys.size();
    }

    Result ended(Walker& walker, Payoffs& payoffs) const {
        payoffs.resize(outcomes_.players());
        walker.payoffs(payoffs);
        return outcomes_.pack(outcomes_.of(payoffs), 0);
    }

    Crew& crew_;
    const PositionCode& code_;
    Space& space_;
    const Outcomes& outcomes_;
    const Sink& sink_;
    const Stop& stop_;
    Later<Result> later_;
    std::vector<Histogram> histograms_;
    std::vector<Room> rooms_;
    std::atomic<std::uint64_t> done_ = 0;
    std::uint64_t looks_ = 0;
    std::atomic<bool> failed_ = false;
    std::string error_;
};

} // namespace

tl::expected<Histogram, game::Error> induce(Crew& crew, const PositionCode& code, Space& space,
                                            const Outcomes& outcomes, const Sink& sink, const Stop& stop) {
    return Induction(crew, code, space, outcomes, sink, stop).run();
}

} // namespace zug::solve

#include "solve/retrograde/backward_induction.hpp"

#include "solve/retrograde/cyclic_tier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace zug::solve {

std::vector<Histogram::Count> Histogram::counts() const {
    std::vector<Count> all;
    for (std::uint32_t mover = 0; mover < players(); ++mover)
        for (std::uint32_t result = 0; result <= UINT16_MAX; ++result)
            if (const auto positions = count(mover, static_cast<Result>(result)); positions != 0)
                all.push_back({mover, static_cast<Result>(result), positions});
    return all;
}

namespace {

constexpr std::uint64_t between_looks = 64;    // batches of a thread between two reports of progress
constexpr std::size_t most_batch_blocks = 256; // whose successors are looked up together
constexpr std::size_t least_window_blocks = 512;

class Induction {
public:
    Induction(const SpaceTask& task, const Outcomes& outcomes, const Sink& sink)
        : pool_(task.pool), code_(task.code), space_(task.space), start_(task.start), outcomes_(outcomes), sink_(sink),
          stop_(task.stop), resources_(task.resources), solved_tiers_(code_, table_bytes()),
          histograms_(pool_.size(), Histogram(outcomes.players())), buffers_(pool_.size()), done_(space_.solved()) {}

    bool resume(const archive::Bytes& bytes) {
        auto state = archive::read<State>(bytes);
        if (!state || !solved_tiers_.restore(resources_.work, state->solved_tiers)) return false;
        next_block_ = state->next_block;
        column_ = ColumnFile<Result>();
        if (next_block_ != 0 && !column_.restore(resources_.work, state->column)) return false;
        for (const auto& count : state->histogram) histograms_.front().add(count);
        start_result_ = state->start;
        done_ += next_block_ * block_keys;
        cyclic_tier_ = std::move(state->cyclic_tier);
        return !resources_.work.io_error().any();
    }

    tl::expected<InductionResult, Error> run() {
        while (!space_.tiers.empty()) {
            if (auto done = run_tier(space_.tiers.back()); !done) return tl::unexpected(done.error());
            close_tier();
            if (space_.tiers.empty()) break;
            if (auto looked = look(); !looked) return tl::unexpected(looked.error());
        }
        return InductionResult{total(), start_result_};
    }

private:
    struct State {
        SpaceState space;
        std::uint64_t next_block = 0;               // of the last tier
        ColumnState column;                         // its results so far, if there are any
        std::optional<CyclicTierState> cyclic_tier; // of the last tier, if it is being solved at once
        SolvedTiersState solved_tiers;
        std::vector<Histogram::Count> histogram;
        Result start = 0;
    };
    // A batch of blocks of positions, and what a thread finds about them.
    struct Buffer {
        std::array<Key, block_keys> keys;
        std::vector<Key> successors;
        std::vector<Result> results;    // of the successors
        std::vector<std::uint64_t> end; // of the successors of each position
        std::vector<std::uint8_t> mover;
        std::vector<std::uint32_t> orbit;
        std::vector<Result> ended; // of positions without successors
        Payoffs payoffs;
        SolvedTiers<Result>::Buffer solved_tiers;
        std::uint64_t batches = 0;
    };
    using Done = tl::expected<void, Error>;

    bool is_at_once(const Tier& tier) const { return outcomes_.cycles() || tier.inner != 0; }

    // Tiers that are solved at once need memory beside the tables.
    std::uint64_t table_bytes() const {
        std::uint64_t bytes = resources_.budget.tables();
        for (const Tier& tier : space_.tiers)
            if (is_at_once(tier))
                bytes = std::min(bytes, resources_.budget.tables_beside(TierMoves::need(tier).positions));
        return bytes;
    }

    Done run_tier(const Tier& tier) {
        if (next_block_ == 0)
            column_ = ColumnFile<Result>(solved_tiers_.has_room(tier.keys.size()) ? nullptr : resources_.work.create());
        if (is_at_once(tier)) return solve_tier_at_once(tier);
        const std::size_t batch = batch_blocks();
        const std::size_t window = std::max(least_window_blocks, 2 * pool_.size() * batch);
        while (next_block_ < tier.keys.blocks()) {
            const std::size_t to = std::min(next_block_ + window, tier.keys.blocks());
            results_.resize(std::min(to * block_keys, tier.keys.size()) - next_block_ * block_keys);
            pool_.share((to - next_block_ + batch - 1) / batch, [&](std::size_t thread, std::size_t i) {
                const std::size_t from = next_block_ + i * batch;
                if (!error_.any()) run_batch(thread, tier.keys, from, std::min(from + batch, to));
            });
            if (auto handed = hand_on(tier); !handed) return handed;
            next_block_ = to;
            if (next_block_ == tier.keys.blocks()) break;
            if (auto looked = look(); !looked) return looked;
        }
        return {};
    }

    // The number of blocks in a batch: more than one if results are read from files.
    std::size_t batch_blocks() const {
        if (solved_tiers_.in_memory()) return 1;
        const std::size_t moves = block_keys * (1 + space_.moves / space_.all_positions);
        return std::clamp<std::size_t>(resources_.budget.queries(pool_.size()) / moves, 1, most_batch_blocks);
    }

    Done solve_tier_at_once(const Tier& tier) {
        if (auto checked = check_position_count(tier.keys.size()); !checked) return checked;
        Scratch scratch(resources_.work, resources_.budget.scratch(solved_tiers_.bytes()), TierMoves::need(tier));
        auto results = scratch.of_positions<Result>(tier.keys.size());
        if (auto good = resources_.work.io_error().check(); !good) return good;
        const CyclicTierWork work{
            {{pool_, code_, resources_, scratch, [&] { return asked_to_stop(); }}, outcomes_, solved_tiers_},
            histograms_,
            cyclic_tier_ ? &*cyclic_tier_ : nullptr,
            [&](CyclicTierState state) {
                cyclic_tier_ = std::move(state);
                save();
            }};
        auto done =
            outcomes_.cycles() ? solve_cyclic_tier(work, tier, results) : solve_acyclic_tier(work, tier, results);
        // If it stopped at a safepoint, a checkpoint has been written there.
        if (!done && done.error().text == stopped && resources_.work.has_folder() && !cyclic_tier_) save();
        if (!done) return done;
        cyclic_tier_.reset();
        done_ += results.size();
        for (; next_block_ < tier.keys.blocks(); next_block_ += least_window_blocks) {
            const auto window = results.slice(next_block_ * block_keys, least_window_blocks * block_keys);
            results_.assign(window.begin(), window.end());
            if (auto handed = hand_on(tier); !handed) return handed;
            scratch.look(Scratch::pages(window.size_bytes()));
        }
        return {};
    }

    // Hands the results from next_block_ on to the sink.
    Done hand_on(const Tier& tier) {
        if (auto good = error_.check(); !good) return good;
        if (auto good = resources_.work.io_error().check(); !good) return good;
        if (tier.number == code_.tier(start_)) look_up_start(tier);
        column_.append(results_);
        return sink_(tier, next_block_, results_);
    }

    void look_up_start(const Tier& tier) {
        std::array<Key, block_keys> buffer;
        const std::size_t block = tier.keys.block_of(start_);
        if (block < next_block_ || (block - next_block_) * block_keys >= results_.size()) return;
        const std::span<const Key> keys = tier.keys.block(block, buffer);
        const auto index = static_cast<std::size_t>(std::ranges::lower_bound(keys, start_) - keys.begin());
        start_result_ = results_[(block - next_block_) * block_keys + index];
    }

    void close_tier() {
        Tier tier = std::move(space_.tiers.back());
        space_.tiers.pop_back();
        results_.clear();
        next_block_ = 0;
        if (!space_.tiers.empty()) solved_tiers_.forget_above(space_.tiers.back().number + space_.longest_jump);
        solved_tiers_.add(tier.number, std::move(tier.keys), std::exchange(column_, ColumnFile<Result>()));
    }

    bool asked_to_stop() { return stop_ && stop_({Stage::Work::Solving, done_, space_.positions}); }

    // Runs between steps, while no other thread works.
    Done look() {
        const bool stops = asked_to_stop();
        if (resources_.work.is_due(stops)) save();
        if (auto good = resources_.work.io_error().check(); !good) return good;
        return stops ? Done(failure(std::string(stopped))) : Done();
    }

    void save() {
        const auto file = resources_.work.create();
        for (Tier& tier : space_.tiers) tier.keys.move_to(file);
        solved_tiers_.move_to(file);
        if (next_block_ != 0) column_.move_to(resources_.work.create());
        archive::Writer writer;
        writer.value(State{state_of(space_), next_block_, next_block_ != 0 ? column_.state() : ColumnState(),
                           cyclic_tier_, solved_tiers_.state(), total().counts(), start_result_});
        resources_.save(std::move(writer.bytes));
    }

    Histogram total() const {
        Histogram all(outcomes_.players());
        for (const Histogram& histogram : histograms_)
            for (const auto& count : histogram.counts()) all.add(count);
        return all;
    }

    void run_batch(std::size_t thread, const PackedKeys& tier, std::size_t from, std::size_t to) {
        Buffer& buffer = buffers_[thread];
        if (!expand(thread, tier, from, to)) return;
        solved_tiers_.find(buffer.successors, buffer.results, buffer.solved_tiers);
        const auto out = std::span(results_).subspan((from - next_block_) * block_keys, buffer.end.size());
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            Result result = buffer.ended[i];
            if (begin != buffer.end[i]) {
                const Result best =
                    outcomes_.best(buffer.mover[i], std::span(buffer.results).subspan(begin, buffer.end[i] - begin));
                if (outcomes_.remoteness(best) == outcomes_.most_remoteness()) return error_.note(too_long(outcomes_));
                result = static_cast<Result>(best + 1);
            }
            begin = buffer.end[i];
            out[i] = result;
            histograms_[thread].add(buffer.mover[i], result, buffer.orbit[i]);
        }
        done_ += out.size();
        if (thread == 0 && ++buffer.batches % between_looks == 0) (void)asked_to_stop(); // look() asks once more
    }

    bool expand(std::size_t thread, const PackedKeys& tier, std::size_t from, std::size_t to) {
        Buffer& buffer = buffers_[thread];
        Walker& walker = pool_.walker(thread);
        buffer.successors.clear();
        buffer.end.clear();
        buffer.mover.clear();
        buffer.orbit.clear();
        buffer.ended.clear();
        buffer.payoffs.resize(outcomes_.players());
        for (std::size_t block = from; block < to; ++block)
            for (const Key key : tier.block(block, buffer.keys)) {
                walker.expand(key, buffer.successors);
                if (walker.kind() == game::NodeKind::Fault) return error_.note(walker.error()), false;
                buffer.end.push_back(buffer.successors.size());
                buffer.mover.push_back(static_cast<std::uint8_t>(walker.mover()));
                buffer.orbit.push_back(walker.orbit());
                const bool is_end = walker.kind() == game::NodeKind::Terminal;
                if (is_end && !walker.payoffs(buffer.payoffs)) return error_.note(walker.error()), false;
                buffer.ended.push_back(is_end ? outcomes_.pack(outcomes_.of(buffer.payoffs), 0) : Result{0});
            }
        return true;
    }

    WalkerPool& pool_;
    const PositionCode& code_;
    Space& space_;
    const Key start_;
    const Outcomes& outcomes_;
    const Sink& sink_;
    const Stop& stop_;
    const Resources& resources_;
    SolvedTiers<Result> solved_tiers_;
    std::size_t next_block_ = 0;                 // of the tier under way
    ColumnFile<Result> column_;                  // its results before next_block_
    std::optional<CyclicTierState> cyclic_tier_; // the state of that tier in the last checkpoint
    std::vector<Result> results_;                // from next_block_ on, being found
    Result start_result_ = 0;
    std::vector<Histogram> histograms_; // by thread
    std::vector<Buffer> buffers_;       // by thread
    std::atomic<std::uint64_t> done_ = 0;
    FirstError error_;
};

} // namespace

tl::expected<InductionResult, Error> backward_induction(const SpaceTask& task, const Outcomes& outcomes,
                                                        const Sink& sink) {
    Induction induction(task, outcomes, sink);
    if (task.resume != nullptr && !induction.resume(*task.resume)) return failure(std::string(unreadable));
    return induction.run();
}

bool restore_space(Space& space, const Work& work, const archive::Bytes& bytes) {
    SpaceState state;
    archive::Reader(bytes).value(state);
    return restore(space, work, state);
}

} // namespace zug::solve

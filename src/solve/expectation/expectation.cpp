#include "solve/expectation/expectation.hpp"

#include "solve/expectation/cycle_nodes.hpp"
#include "solve/storage/array_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace zug::solve {

namespace {

constexpr std::uint64_t between_looks = 64; // blocks of a thread between two reports of progress
constexpr std::size_t window_blocks = 512;  // handed to the sink together, and solved between two safepoints

// A tier under way, at a safepoint.
struct TierState {
    std::string arrays;                    // file: the values, and other arrays of the method
    std::uint64_t next_block = 0;          // of a tier without moves inside it
    std::optional<TierGraph::State> graph; // of a tier with moves inside it: determines the order
    std::optional<Cycles::State> cycles;   // the positions that are iterated
    std::uint32_t sweeps = 0;
    std::uint64_t most_outcomes = 0; // of means whose rounding has not been added to the error yet
};

class ExpectationSolver {
public:
    ExpectationSolver(const SpaceTask& task, const ExpectedValues& expected, const ValueSink& sink)
        : pool_(task.pool), code_(task.code), space_(task.space), start_(task.start), expected_(expected), sink_(sink),
          stop_(task.stop), resources_(task.resources), values_(pool_, code_, expected, solved_tiers_) {
        std::uint64_t tables = resources_.budget.tables();
        for (const Tier& tier : space_.tiers)
            tables = std::min(tables, resources_.budget.tables_beside(need(tier).positions));
        for (std::uint32_t w = 0; w < expected.width(); ++w)
            solved_tiers_.emplace_back(code_, tables / expected.width());
        done_ = space_.solved();
    }

    bool resume(const archive::Bytes& bytes) {
        auto state = archive::read<State>(bytes);
        if (!state || state->solved_tiers.size() != solved_tiers_.size()) return false;
        for (std::size_t w = 0; w < solved_tiers_.size(); ++w)
            if (!solved_tiers_[w].restore(resources_.work, state->solved_tiers[w])) return false;
        result_ = state->result;
        under_way_ = std::move(state->under_way);
        return !resources_.work.io_error().any();
    }

    tl::expected<Expectation, Error> run() {
        while (!space_.tiers.empty()) {
            if (auto done = run_tier(space_.tiers.back()); !done) {
                // If it stopped at a safepoint, a checkpoint has been written there.
                if (done.error().text == stopped && resources_.work.has_folder() && !under_way_) save();
                return tl::unexpected(done.error());
            }
            close_tier();
            if (!space_.tiers.empty()) look_between();
            if (auto good = whether_good(); !good) return tl::unexpected(good.error());
        }
        return result_;
    }

private:
    struct State {
        SpaceState space;
        std::vector<SolvedTiersState> solved_tiers;
        std::optional<TierState> under_way; // the last tier
        Expectation result;                 // of the solved tiers
    };

    using Done = tl::expected<void, Error>;

    Done whether_good() const {
        if (auto good = values_.error().check(); !good) return good;
        return resources_.work.io_error().check();
    }

    Done run_tier(const Tier& tier) {
        if (auto checked = check_position_count(tier.keys.size()); !checked) return checked;
        std::uint64_t tables = 0;
        for (const auto& solved_tiers : solved_tiers_) tables += solved_tiers.bytes();
        values_.end();
        scratch_.emplace(resources_.work, resources_.budget.scratch(tables), need(tier));
        values_.begin(*scratch_, tier.keys.size());
        if (auto good = whether_good(); !good) return good;
        std::optional<ArrayReader> saved;
        if (under_way_) saved.emplace(restore());
        tier.inner != 0 ? run_inner(tier, saved) : run_outer(tier, saved);
        graph_.reset();
        if (auto good = whether_good(); !good) return good;
        under_way_.reset();
        return hand_on(tier);
    }

    // The values; in a tier with moves inside it also the graph, a bucket queue and bounds.
    Scratch::Need need(const Tier& tier) const {
        const std::uint64_t size = tier.keys.size(), values = 8 * expected_.width() * size;
        if (tier.inner == 0) return {values, values};
        return {values + 110 * size + 32 * tier.inner, values + 30 * size};
    }

    bool asked_to_stop() { return stop_ && stop_({Stage::Work::Solving, done_, space_.positions}); }
    void fail(std::string_view why) { values_.error().note(std::string(why)); }

    // -- checkpoints

    // Called at a safepoint; returns whether to end, because of a stop or an error. Before a stop, and when one is due,
    // writes a checkpoint, to which fill(state, arrays) adds the state of the tier besides the values.
    template <class Fill>
    bool safepoint(Fill&& fill) {
        if (values_.error().any() || resources_.work.io_error().any()) return true;
        const bool stops = asked_to_stop();
        if (resources_.work.is_due(stops)) {
            const auto file = resources_.work.create();
            ArrayWriter arrays(*file, *scratch_);
            visit_values(arrays);
            TierState state;
            state.arrays = file->name();
            state.most_outcomes = values_.most_outcomes();
            fill(state, arrays);
            under_way_ = std::move(state);
            save();
        }
        if (stops) fail(stopped);
        return stops || resources_.work.io_error().any();
    }

    template <class Arrays>
    void visit_values(Arrays& arrays) {
        for (std::uint32_t w = 0; w < expected_.width(); ++w) arrays(values_.column(w));
    }

    // Restores the values; what fill() added comes next in the result.
    ArrayReader restore() {
        ArrayReader arrays(resources_.work.file(under_way_->arrays), 0, *scratch_);
        visit_values(arrays);
        values_.set_most_outcomes(under_way_->most_outcomes);
        return arrays;
    }
    bool is_restored(const ArrayReader& arrays) {
        if (!arrays.done()) fail(unreadable);
        return arrays.done();
    }

    // Runs between tiers.
    void look_between() {
        const bool stops = asked_to_stop();
        if (resources_.work.is_due(stops)) save();
        if (stops) fail(stopped);
    }

    void save() {
        const auto file = resources_.work.create();
        State state;
        for (Tier& tier : space_.tiers) tier.keys.move_to(file);
        state.space = state_of(space_);
        for (auto& solved_tiers : solved_tiers_) {
            solved_tiers.move_to(file);
            state.solved_tiers.push_back(solved_tiers.state());
        }
        state.under_way = under_way_;
        state.result = result_;
        state.result.counts.add(values_.counts());
        archive::Writer writer;
        writer.value(state);
        resources_.save(std::move(writer.bytes));
    }

    // -- a tier without moves inside it

    void run_outer(const Tier& tier, const std::optional<ArrayReader>& saved) {
        if (saved && !is_restored(*saved)) return;
        const std::size_t blocks = tier.keys.blocks();
        for (std::size_t next = saved ? under_way_->next_block : 0; next < blocks;) {
            const std::size_t to = std::min(next + window_blocks * pool_.size(), blocks);
            pool_.share(to - next, [&](std::size_t thread, std::size_t i) { solve_block(thread, tier, next + i); });
            next = to;
            if (safepoint([&](TierState& state, ArrayWriter&) { state.next_block = next; })) return;
        }
        result_.error += values_.rounding();
    }

    void solve_block(std::size_t thread, const Tier& tier, std::size_t block) {
        if (values_.error().any()) return;
        std::array<Key, block_keys> keys;
        auto index = static_cast<PositionIndex>(block * block_keys);
        for (const Key key : tier.keys.block(block, keys)) values_.solve(thread, key, index++, {});
        done_ += block_keys;
        scratch_->look();
        if (thread == 0 && ++looks_ % between_looks == 0) (void)asked_to_stop(); // safepoint() asks once more
    }

    // -- a tier with moves inside it

    void run_inner(const Tier& tier, std::optional<ArrayReader>& saved) {
        if (saved && under_way_->cycles) return run_cycles(tier, &*saved);
        if (!run_in_order(tier, saved) || !graph_->on_cycle()) return;
        run_cycles(tier, nullptr);
    }

    // False: stopped, or failed.
    bool run_in_order(const Tier& tier, std::optional<ArrayReader>& saved) {
        auto graph = saved
                         ? TierGraph::restore(tier, *scratch_, *under_way_->graph)
                         : TierGraph::of({pool_, code_, resources_, *scratch_, [&] { return asked_to_stop(); }}, tier);
        if (!graph) return fail(graph.error().text), false;
        graph_ = std::move(*graph);
        if (scratch_->moves_in_files()) return_memory();
        std::optional<TierOrder> order;
        const std::function<bool()> at_safepoint = [&] {
            return safepoint([&](TierState& state, ArrayWriter& arrays) {
                state.graph = graph_->save(*scratch_);
                order->visit(arrays);
            });
        };
        order.emplace(*graph_, pool_, *scratch_, at_safepoint);
        if (resources_.work.io_error().any()) return false;
        if (saved) {
            order->visit(*saved);
            if (!is_restored(*saved)) return false;
            order->restored();
        } else {
            order->begin();
        }
        return order->run(
            [&](std::size_t thread, std::uint32_t, std::span<const PositionIndex> indices) {
                values_.each(tier, indices, [&](Key key, PositionIndex index) {
                    values_.solve(thread, key, index, graph_->after(index));
                });
                done_ += indices.size();
            },
            [&](std::uint32_t) { result_.error += values_.rounding(); });
    }

    std::string text_of(const Tier& tier, PositionIndex index) {
        std::array<Key, block_keys> buffer;
        std::vector<Key> successors;
        pool_.walker(0).expand(tier.keys.block(index / block_keys, buffer)[index % block_keys], successors);
        return pool_.walker(0).text();
    }

    void run_cycles(const Tier& tier, ArrayReader* saved) {
        if (expected_.width() > 1)
            return fail(fmt::format("play can come back to the position {}: games with chance and such cycles are "
                                    "solved only for one player, or for two whose utilities are known to add up to "
                                    "zero",
                                    text_of(tier, *graph_->on_cycle())));
        Cycles cycles(*scratch_);
        if (saved == nullptr) done_ += add_nodes({pool_, code_, expected_, tier, *graph_, values_}, cycles);
        graph_.reset();
        auto high = scratch_->of_positions<double>(tier.keys.size());
        if (!whether_good()) return;
        Cycles::Bounds bounds{values_.column(0), high};
        if (saved != nullptr) {
            (*saved)(high);
            if (!is_restored(*saved)) return;
            if (!cycles.restore(*under_way_->cycles)) return fail(unreadable);
            bounds.sweeps = under_way_->sweeps;
        }
        values_.rounding(); // reset: the gap includes the rounding of these means
        const auto outcome = cycles.iterate(expected_, bounds, [&] {
            return safepoint([&](TierState& state, ArrayWriter& arrays) {
                arrays(high);
                state.cycles = cycles.save();
                state.sweeps = bounds.sweeps;
            });
        });
        if (outcome.stopped) return;
        if (outcome.gap > good_enough * expected_.range())
            return fail(fmt::format("values {}, as in the position {}",
                                    outcome.slow ? "converge too slowly"
                                                 : "don't converge: players can keep the game from ending",
                                    text_of(tier, outcome.widest)));
        result_.error += outcome.gap / 2;
        cycles.scan([&](const Cycles::Node& node) { count_node(node); });
    }

    void count_node(const Cycles::Node& node) {
        ValueCounts& counts = values_.own_counts();
        const double value = values_.column(0)[node.index];
        switch (node.choice) {
        case Cycles::Choice::Mean: counts.chance += node.orbit; break;
        case Cycles::Choice::Most: counts.add(expected_, value, node.orbit); break;
        case Cycles::Choice::Least: counts.add(expected_, 0.0 - value, node.orbit); break;
        }
        scratch_->look();
    }

    // -- a tier that is done

    // Hands the values to the sink, and to columns that the tiers before it read.
    Done hand_on(const Tier& tier) {
        for (std::uint32_t w = 0; w < expected_.width(); ++w)
            columns_.emplace_back(solved_tiers_[w].has_room(tier.keys.size()) ? nullptr : resources_.work.create());
        std::vector<std::vector<double>> window(expected_.width());
        for (std::size_t block = 0; block < tier.keys.blocks(); block += window_blocks) {
            for (std::uint32_t w = 0; w < expected_.width(); ++w) {
                const auto values = values_.column(w).slice(block * block_keys, window_blocks * block_keys);
                window[w].assign(values.begin(), values.end());
                columns_[w].append(window[w]);
                scratch_->look(Scratch::pages(values.size_bytes()));
            }
            if (tier.number == code_.tier(start_)) look_up_start(tier, block, window);
            if (auto kept = sink_(tier, block, window); !kept) return kept;
        }
        return {};
    }

    void look_up_start(const Tier& tier, std::size_t first_block, ExpectedValues::Columns window) {
        std::array<Key, block_keys> buffer;
        const std::size_t block = tier.keys.block_of(start_);
        if (block < first_block || block >= first_block + window_blocks) return;
        const std::span<const Key> keys = tier.keys.block(block, buffer);
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(keys, start_) - keys.begin());
        std::vector<double> kept;
        for (const auto& column : window) kept.push_back(column[(block - first_block) * block_keys + at]);
        result_.value = expected_.payoffs(kept);
    }

    void close_tier() {
        result_.counts.add(values_.take_counts());
        values_.end();
        Tier tier = std::move(space_.tiers.back());
        space_.tiers.pop_back();
        for (std::uint32_t w = 0; w < expected_.width(); ++w) {
            if (!space_.tiers.empty()) solved_tiers_[w].forget_above(space_.tiers.back().number + space_.longest_jump);
            solved_tiers_[w].add(tier.number, w + 1 == expected_.width() ? std::move(tier.keys) : tier.keys,
                                 std::move(columns_[w]));
        }
        columns_.clear();
    }

    WalkerPool& pool_;
    const PositionCode& code_;
    Space& space_;
    const Key start_;
    const ExpectedValues& expected_;
    const ValueSink& sink_;
    const Stop& stop_;
    const Resources& resources_;
    std::vector<SolvedTiers<double>> solved_tiers_; // by stored number
    std::optional<Scratch> scratch_;                // of the current tier, like what follows
    TierValues values_;
    std::vector<ColumnFile<double>> columns_; // the same, by number kept, when they are known
    std::optional<TierGraph> graph_;          // of a tier with moves inside it
    std::optional<TierState> under_way_;      // its state in the last checkpoint
    Expectation result_;
    std::atomic<std::uint64_t> done_ = 0;
    std::uint64_t looks_ = 0;
};

} // namespace

tl::expected<Expectation, Error> solve_expected(const SpaceTask& task, const ExpectedValues& expected,
                                                const ValueSink& sink) {
    ExpectationSolver solver(task, expected, sink);
    if (task.resume != nullptr && !solver.resume(*task.resume)) return failure(std::string(unreadable));
    return solver.run();
}

} // namespace zug::solve

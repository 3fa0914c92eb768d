#include "solve/expectation.hpp"

#include "solve/later.hpp"
#include "solve/tier_graph.hpp"
#include "solve/value_iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace zug::solve {

namespace {

constexpr std::uint64_t between_looks = 64; // blocks that a thread does before it asks whether to stop

constexpr std::size_t window_blocks = 512; // that are handed on together
constexpr std::uint64_t places_together = 1 << 12;

class Expecting {
public:
    Expecting(Crew& crew, const PositionCode& code, Space& space, Key start, const ExpectedValues& expected,
              const ValueSink& sink, const Stop& stop, const Means& means)
        : crew_(crew), code_(code), space_(space), start_(start), expected_(expected), sink_(sink), stop_(stop),
          means_(means), rooms_(crew.size()) {
        std::uint64_t tables = means.budget.tables();
        for (const Tier& tier : space.tiers)
            tables = std::min(tables, means.budget.tables_beside(need(tier).positions));
        for (std::uint32_t w = 0; w < expected.width(); ++w) later_.emplace_back(code, tables / expected.width());
        done_ = space.solved();
    }

    bool resume(const archive::Bytes& bytes) {
        State state;
        archive::Reader reader(bytes);
        reader.value(state);
        if (!reader.done() || state.later.size() != later_.size()) return false;
        for (std::size_t w = 0; w < later_.size(); ++w)
            if (!later_[w].restore(means_.work, state.later[w])) return false;
        result_ = state.result;
        return !means_.work.trouble().any();
    }

    tl::expected<Expectation, game::Error> run() {
        while (!space_.tiers.empty()) {
            if (auto done = run_tier(space_.tiers.back()); !done) return tl::unexpected(done.error());
            close_tier();
            if (!space_.tiers.empty()) look_between();
            if (auto good = whether_good(); !good) return tl::unexpected(good.error());
        }
        return result_;
    }

private:
    struct State {
        SpaceState space;
        std::vector<LaterState> later;
        Expectation result; // of the tiers that are done
    };
    // A thread's position under way.
    struct Room {
        std::vector<Key> successors, leaving;
        std::vector<double> probabilities, found, out;
        std::vector<std::vector<double>> values; // of the successors, as ExpectedValues takes them
        std::vector<std::size_t> chosen;
        Payoffs payoffs;
        Later<double>::Room later;
        ValueCounts counts;
        std::size_t most_outcomes = 0; // of a chance node
    };

    using Done = tl::expected<void, game::Error>;

    Done whether_good() const {
        if (failed_) return tl::unexpected(game::Error{error_});
        if (means_.work.trouble().any()) return tl::unexpected(game::Error{means_.work.trouble().text()});
        return {};
    }

    Done run_tier(const Tier& tier) {
        std::uint64_t tables = 0;
        for (const auto& later : later_) tables += later.bytes();
        values_.clear();
        scratch_.emplace(means_.work, means_.budget.loops(tables), need(tier));
        for (std::uint32_t w = 0; w < expected_.width(); ++w)
            values_.push_back(scratch_->of_positions<double>(tier.keys.size()));
        if (auto good = whether_good(); !good) return good;
        tier.inner != 0 ? run_inner(tier) : run_outer(tier);
        graph_.reset();
        if (auto good = whether_good(); !good) return good;
        return hand_on(tier);
    }

    // Bytes: values; and in a tier with moves inside it those, what tells them apart and an agenda, and bounds.
    Scratch::Need need(const Tier& tier) const {
        const std::uint64_t size = tier.keys.size(), values = 8 * expected_.width() * size;
        if (tier.inner == 0) return {values, values};
        return {values + 110 * size + 32 * tier.inner, values + 30 * size};
    }

    // -- a tier without moves inside it

    void run_outer(const Tier& tier) {
        crew_.share(tier.keys.blocks(), [&](std::size_t thread, std::size_t b) {
            if (failed_) return;
            std::array<Key, block_keys> keys;
            std::size_t place = b * block_keys;
            for (const Key key : tier.keys.block(b, keys)) solve(thread, key, static_cast<Place>(place++));
            done_ += block_keys;
            if (thread != 0) return;
            scratch_->look(crew_.size());
            if (++looks_ % between_looks == 0) look();
        });
        result_.error += rounding();
    }

    // What a mean of those that were taken since the last call can be wrong by.
    double rounding() {
        std::size_t most = 0;
        for (Room& room : rooms_) most = std::max(most, std::exchange(room.most_outcomes, 0));
        return most == 0 ? 0 : expected_.rounding(most);
    }

    bool asked_to_stop() { return stop_ && stop_({Stage::Work::Solving, done_, space_.positions}); }
    void look() {
        if (asked_to_stop()) fail(std::string(stopped));
    }
    void fail(std::string why) {
        if (!failed_.exchange(true)) error_ = std::move(why);
    }

    // All successors of the position have values.
    void solve(std::size_t thread, Key key, Place place) {
        Room& room = rooms_[thread];
        Walker& walker = crew_.walker(thread);
        if (!expand(room, walker, key, place)) return;
        room.out.resize(expected_.width());
        if (walker.kind() == game::NodeKind::Terminal)
            std::copy_n(room.payoffs.begin(), expected_.width(), room.out.begin());
        else if (walker.kind() == game::NodeKind::Chance)
            expected_.mean(room.probabilities, room.values, room.out);
        else
            expected_.choose(walker.mover(), room.values, room.out, room.chosen);
        for (std::uint32_t w = 0; w < expected_.width(); ++w) values_[w][place] = room.out[w];
        count(room, walker, room.out);
    }

    static bool is_chance(const Walker& walker) { return walker.kind() == game::NodeKind::Chance; }

    void count(Room& room, Walker& walker, std::span<const double> kept) const {
        if (is_chance(walker))
            room.counts.chance += walker.orbit();
        else
            room.counts.add(expected_, expected_.of(walker.mover(), kept), walker.orbit());
    }

    // What is to be done between tiers.
    void look_between() {
        const bool stops = asked_to_stop();
        if (means_.work.is_due() || (stops && means_.work.has_folder())) save();
        if (stops) fail(std::string(stopped));
    }

    void save() {
        const auto file = means_.work.create();
        State state;
        for (Tier& tier : space_.tiers) tier.keys.move_to(file);
        state.space = state_of(space_);
        for (auto& later : later_) {
            later.move_to(file);
            state.later.push_back(later.state());
        }
        state.result = result_;
        archive::Writer writer;
        writer.value(state);
        means_.save(std::move(writer.bytes));
    }

    // Finds the successors with their probabilities and values; where these are of the tier itself and not known yet,
    // the values are of no use.
    bool expand(Room& room, Walker& walker, Key key, Place place) {
        room.successors.clear();
        walker.expand(key, room.successors);
        if (walker.kind() == game::NodeKind::Fault) return fail(walker.error()), false;
        room.payoffs.resize(expected_.players());
        if (walker.kind() == game::NodeKind::Terminal) walker.payoffs(room.payoffs);
        room.probabilities.clear();
        if (is_chance(walker)) {
            for (std::size_t i = 0; i < room.successors.size(); ++i)
                room.probabilities.push_back(walker.probability(i));
            room.most_outcomes = std::max(room.most_outcomes, room.successors.size());
        }
        room.values.resize(expected_.width());
        const std::uint32_t tier = code_.tier(key);
        room.leaving.clear();
        std::ranges::copy_if(room.successors, std::back_inserter(room.leaving),
                             [&](Key to) { return code_.tier(to) != tier; });
        for (std::uint32_t w = 0; w < expected_.width(); ++w) {
            later_[w].find(room.leaving, room.found, room.later);
            room.values[w].clear();
            auto found = room.found.begin();
            auto inner = graph_ ? graph_->after(place) : std::span<const Place>();
            for (const Key to : room.successors)
                room.values[w].push_back(code_.tier(to) == tier ? values_[w][take_first(inner)] : *found++);
        }
        return true;
    }

    // -- a tier with moves inside it

    void run_inner(const Tier& tier) {
        const std::function<bool()> stops = [&] { return failed_ || asked_to_stop(); };
        auto graph = TierGraph::of(crew_, code_, tier, means_, *scratch_, stops);
        if (!graph) return fail(graph.error().text);
        graph_ = std::move(*graph);
        if (scratch_->moves_in_files()) return_memory();
        std::uint32_t generation = 0;
        const bool ran = graph_->in_order(*scratch_, stops, [&](std::uint32_t next, std::span<const Place> places) {
            if (next != generation) result_.error += rounding();
            generation = next;
            share(tier, places, [&](std::size_t thread, Key key, Place place) { solve(thread, key, place); });
        });
        result_.error += rounding();
        if (!ran) return fail(std::string(stopped));
        if (!failed_ && !means_.work.trouble().any()) run_circles(tier);
    }

    // Calls work(thread, key, place) for ascending places; few of them on this thread alone.
    template <class Work>
    void share(const Tier& tier, std::span<const Place> places, Work&& work) {
        const auto run = [&](std::size_t thread, std::size_t chunk) {
            std::array<Key, block_keys> room;
            std::span<const Key> keys;
            std::size_t block = SIZE_MAX;
            for (std::size_t i = chunk * block_keys; i < std::min(places.size(), (chunk + 1) * block_keys); ++i) {
                if (failed_) return;
                const std::size_t own = places[i] / block_keys;
                if (own != block) keys = tier.keys.block(block = own, room);
                work(thread, keys[places[i] % block_keys], places[i]);
                if (thread == 0) scratch_->look(crew_.size());
            }
        };
        const std::size_t chunks = (places.size() + block_keys - 1) / block_keys;
        if (chunks == 1)
            run(0, 0);
        else
            crew_.share(chunks, run);
        done_ += places.size();
    }

    static Place take_first(std::span<const Place>& places) {
        const Place first = places.front();
        places = places.subspan(1);
        return first;
    }

    std::string text_of(const Tier& tier, Place place) {
        std::array<Key, block_keys> room;
        rooms_.front().successors.clear();
        crew_.walker(0).expand(tier.keys.block(place / block_keys, room)[place % block_keys],
                               rooms_.front().successors);
        return crew_.walker(0).text();
    }

    void run_circles(const Tier& tier) {
        const auto circle = graph_->on_circle();
        if (!circle) return;
        if (expected_.width() > 1)
            return fail(fmt::format("play can come back to the position {}: games with chance and such circles are "
                                    "solved only for one player, or for two whose utilities are known to add up to "
                                    "zero",
                                    text_of(tier, *circle)));
        Circles circles(*scratch_);
        add_nodes(tier, circles);
        rounding(); // of these means is part of the gap
        if (failed_) return;
        const auto outcome = circles.iterate(expected_, values_.front(), [&] { return asked_to_stop(); });
        if (outcome.stopped) return fail(std::string(stopped));
        if (outcome.gap > good_enough * expected_.range())
            return fail(fmt::format("values {}, as in the position {}",
                                    outcome.slow ? "converge too slowly"
                                                 : "don't converge: players can keep the game from ending",
                                    text_of(tier, outcome.widest)));
        result_.error += outcome.gap / 2;
        circles.scan([&](const Circles::Node& node) { count_node(node); });
    }

    void count_node(const Circles::Node& node) {
        ValueCounts& counts = rooms_.front().counts;
        const double value = values_.front()[node.place];
        switch (node.choice) {
        case Circles::Choice::Mean: counts.chance += node.orbit; break;
        case Circles::Choice::Most: counts.add(expected_, value, node.orbit); break;
        case Circles::Choice::Least: counts.add(expected_, 0.0 - value, node.orbit); break;
        }
        scratch_->look();
    }

    void add_nodes(const Tier& tier, Circles& circles) {
        std::vector<Place> places;
        for (Place i = 0; i <= graph_->size() && !failed_; ++i) {
            if (i < graph_->size() && graph_->circles(i)) places.push_back(i);
            if (places.empty() || (i < graph_->size() && places.size() < places_together)) continue;
            std::vector<Circles::Part> parts((places.size() + block_keys - 1) / block_keys);
            share(tier, places, [&](std::size_t thread, Key key, Place place) {
                const auto at = std::ranges::lower_bound(places, place) - places.begin();
                add_node(thread, key, place, parts[static_cast<std::size_t>(at) / block_keys]);
            });
            for (const Circles::Part& part : parts) circles.append(part);
            places.clear();
        }
    }

    void add_node(std::size_t thread, Key key, Place place, Circles::Part& part) {
        Room& room = rooms_[thread];
        Walker& walker = crew_.walker(thread);
        if (!expand(room, walker, key, place)) return;
        const bool chance = is_chance(walker);
        using Choice = Circles::Choice;
        Circles::Node node;
        node.place = place;
        node.orbit = walker.orbit();
        node.choice = chance ? Choice::Mean : walker.mover() == 0 ? Choice::Most : Choice::Least;
        if (chance) node.rounding = expected_.rounding(room.successors.size());
        auto inner = graph_->after(place);
        for (std::size_t i = 0; i < room.successors.size(); ++i) {
            const double probability = chance ? room.probabilities[i] : 1;
            if (code_.tier(room.successors[i]) == code_.tier(key))
                if (const Place to = take_first(inner); graph_->circles(to)) {
                    part.moves.push_back({to, probability});
                    ++node.moves;
                    continue;
                }
            const double worth = probability * room.values[0][i];
            node.outside = node.leaves ? Circles::join(node.choice, node.outside, worth) : worth;
            node.leaves = true;
        }
        part.nodes.push_back(node);
    }

    // -- a tier that is done

    // To the sink, and to rows for the tiers before it.
    Done hand_on(const Tier& tier) {
        for (std::uint32_t w = 0; w < expected_.width(); ++w)
            rows_.emplace_back(later_[w].has_room(tier.keys.size()) ? nullptr : means_.work.create());
        std::vector<std::vector<double>> window(expected_.width());
        for (std::size_t block = 0; block < tier.keys.blocks(); block += window_blocks) {
            for (std::uint32_t w = 0; w < expected_.width(); ++w) {
                const auto values = values_[w].row(block * block_keys, window_blocks * block_keys);
                window[w].assign(values.begin(), values.end());
                rows_[w].append(window[w]);
                scratch_->look(Scratch::pages(values.size_bytes()));
            }
            if (tier.number == code_.tier(start_)) look_up_start(tier, block, window);
            if (auto kept = sink_(tier, block, window); !kept) return kept;
        }
        return {};
    }

    void look_up_start(const Tier& tier, std::size_t first_block, ExpectedValues::Columns window) {
        std::array<Key, block_keys> room;
        const std::size_t block = tier.keys.block_of(start_);
        if (block < first_block || block >= first_block + window_blocks) return;
        const std::span<const Key> keys = tier.keys.block(block, room);
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(keys, start_) - keys.begin());
        std::vector<double> kept;
        for (const auto& column : window) kept.push_back(column[(block - first_block) * block_keys + at]);
        result_.value = expected_.payoffs(kept);
    }

    void close_tier() {
        for (Room& room : rooms_) result_.counts.add(std::exchange(room.counts, ValueCounts()));
        values_.clear();
        Tier tier = std::move(space_.tiers.back());
        space_.tiers.pop_back();
        for (std::uint32_t w = 0; w < expected_.width(); ++w) {
            if (!space_.tiers.empty()) later_[w].forget_above(space_.tiers.back().number + space_.longest_jump);
            later_[w].add(tier.number, w + 1 == expected_.width() ? std::move(tier.keys) : tier.keys,
                          std::move(rows_[w]));
        }
        rows_.clear();
    }

    Crew& crew_;
    const PositionCode& code_;
    Space& space_;
    const Key start_;
    const ExpectedValues& expected_;
    const ValueSink& sink_;
    const Stop& stop_;
    const Means& means_;
    std::vector<Later<double>> later_; // by number kept, as all of these:
    std::optional<Scratch> scratch_;   // of the tier, as what follows
    std::vector<Array<double>> values_;
    std::vector<Row<double>> rows_;  // the same, when they are known
    std::vector<Room> rooms_;        // by thread
    std::optional<TierGraph> graph_; // of a tier with moves inside it
    Expectation result_;
    std::atomic<std::uint64_t> done_ = 0;
    std::uint64_t looks_ = 0;
    std::atomic<bool> failed_ = false;
    std::string error_;
};

} // namespace

tl::expected<Expectation, game::Error> expect(Crew& crew, const PositionCode& code, Space& space, Key start,
                                              const ExpectedValues& expected, const ValueSink& sink, const Stop& stop,
                                              const Means& means, const archive::Bytes* resume) {
    Expecting expecting(crew, code, space, start, expected, sink, stop, means);
    if (resume != nullptr && !expecting.resume(*resume)) return tl::unexpected(game::Error{std::string(unreadable)});
    return expecting.run();
}

} // namespace zug::solve

#include "solve/expectation.hpp"

#include "solve/later.hpp"
#include "solve/tier_moves.hpp"
#include "solve/value_iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace zug::solve {

namespace {

constexpr std::uint64_t between_looks = 64; // blocks that a thread does before it asks whether to stop

class Expecting {
public:
    Expecting(Crew& crew, const PositionCode& code, Space& space, Key start, const ExpectedValues& expected,
              const ValueSink& sink, const Stop& stop, const Means& means)
        : crew_(crew), code_(code), space_(space), start_(start), expected_(expected), sink_(sink), stop_(stop),
          means_(means), values_(expected.width()), rooms_(crew.size()) {
        for (std::uint32_t w = 0; w < expected.width(); ++w)
            later_.emplace_back(code, means.budget.tables() / expected.width());
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
            const Tier& tier = space_.tiers.back();
            for (auto& column : values_) column.assign(tier.keys.size(), 0);
            tier.inner != 0 ? run_inner(tier) : run_outer(tier);
            if (!error_.empty()) return tl::unexpected(game::Error{error_});
            if (tier.number == code_.tier(start_)) look_up_start(tier);
            if (auto kept = sink_(tier, values_); !kept) return tl::unexpected(kept.error());
            hand_down();
            if (!space_.tiers.empty()) look_between();
            if (means_.work.trouble().any()) return tl::unexpected(game::Error{means_.work.trouble().text()});
            if (!error_.empty()) return tl::unexpected(game::Error{error_});
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

    // -- a tier without moves inside it

    void run_outer(const Tier& tier) {
        crew_.share(tier.keys.blocks(), [&](std::size_t thread, std::size_t b) {
            if (failed_) return;
            std::array<Key, block_keys> keys;
            std::size_t place = b * block_keys;
            for (const Key key : tier.keys.block(b, keys)) solve(thread, key, static_cast<Place>(place++));
            done_ += block_keys;
            if (thread == 0 && ++looks_ % between_looks == 0) look();
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
        if (!expand(room, walker, key)) return;
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
    bool expand(Room& room, Walker& walker, Key key) {
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
            for (const Key to : room.successors)
                room.values[w].push_back(code_.tier(to) == tier ? values_[w][graph_->place(to)] : *found++);
        }
        return true;
    }

    // -- a tier with moves inside it

    void run_inner(const Tier& tier) {
        std::uint64_t tables = 0;
        for (const auto& later : later_) tables += later.bytes();
        constexpr std::uint64_t always = 1 << 20; // for small tiers
        const std::uint64_t free = std::max(means_.budget.loops(tables), always);
        const std::uint64_t needed = TierGraph::most_bytes(tier.keys.size(), tier.inner);
        if (needed > free) return fail(too_large(tier.keys.size(), needed, free));
        auto graph = TierGraph::of(crew_, code_, tier);
        if (!graph) return fail(graph.error().text);
        graph_ = std::move(*graph);
        for (std::size_t g = 0; g < graph_->generations() && !failed_; ++g) {
            const auto places = graph_->generation(g);
            share(places.size(),
                  [&](std::size_t thread, std::size_t i) { solve(thread, graph_->key(places[i]), places[i]); });
            result_.error += rounding();
            if (++looks_ % between_looks == 0) look();
        }
        if (!failed_ && !graph_->circling().empty()) run_circles();
        graph_.reset();
    }

    // Calls work(thread, i) for every i below `size`; few of them on this thread alone.
    template <class Work>
    void share(std::size_t size, Work&& work) {
        const auto run = [&](std::size_t thread, std::size_t chunk) {
            for (std::size_t i = chunk * block_keys; i < std::min(size, (chunk + 1) * block_keys) && !failed_; ++i)
                work(thread, i);
            done_ += block_keys;
        };
        const std::size_t chunks = (size + block_keys - 1) / block_keys;
        if (chunks == 1)
            run(0, 0);
        else
            crew_.share(chunks, run);
    }

    std::string text_of(Place place) {
        rooms_.front().successors.clear();
        crew_.walker(0).expand(graph_->key(place), rooms_.front().successors);
        return crew_.walker(0).text();
    }

    void run_circles() {
        const std::vector<Place>& places = graph_->circling();
        if (expected_.width() > 1)
            return fail(fmt::format("play can come back to the position {}: games with chance and such circles are "
                                    "solved only for one player, or for two whose utilities are known to add up to "
                                    "zero",
                                    text_of(graph_->on_circle())));
        circles_.assign(graph_->size(), false);
        std::vector<std::uint32_t> orbits(places.size());
        for (const Place place : places) circles_[place] = true;
        std::vector<Circles::Part> parts((places.size() + block_keys - 1) / block_keys);
        share(places.size(), [&](std::size_t thread, std::size_t i) {
            add_node(thread, graph_->key(places[i]), parts[i / block_keys]);
            orbits[i] = crew_.walker(thread).orbit();
        });
        rounding(); // of these means is part of the gap
        if (failed_) return;
        Circles circles(std::move(parts), places);
        const auto outcome = circles.iterate(expected_, values_.front(), [&] { return asked_to_stop(); });
        if (outcome.stopped) return fail(std::string(stopped));
        if (outcome.gap > good_enough * expected_.range())
            return fail(fmt::format("values {}, as in the position {}",
                                    outcome.slow ? "converge too slowly"
                                                 : "don't converge: players can keep the game from ending",
                                    text_of(outcome.widest)));
        result_.error += outcome.gap / 2;
        ValueCounts& counts = rooms_.front().counts;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double value = values_.front()[places[i]];
            switch (circles.choice(i)) {
            case Circles::Choice::Mean: counts.chance += orbits[i]; break;
            case Circles::Choice::Most: counts.add(expected_, value, orbits[i]); break;
            case Circles::Choice::Least: counts.add(expected_, 0.0 - value, orbits[i]); break;
            }
        }
    }

    void add_node(std::size_t thread, Key key, Circles::Part& part) {
        Room& room = rooms_[thread];
        Walker& walker = crew_.walker(thread);
        if (!expand(room, walker, key)) return;
        const bool chance = is_chance(walker);
        Circles::Node node;
        using Choice = Circles::Choice;
        node.choice = chance ? Choice::Mean : walker.mover() == 0 ? Choice::Most : Choice::Least;
        if (chance) node.rounding = expected_.rounding(room.successors.size());
        for (std::size_t i = 0; i < room.successors.size(); ++i) {
            const Key to = room.successors[i];
            const double probability = chance ? room.probabilities[i] : 1;
            if (code_.tier(to) == code_.tier(key) && circles_[graph_->place(to)]) {
                part.moves.push_back({graph_->place(to), probability});
                continue;
            }
            const double worth = probability * room.values[0][i];
            node.outside = node.leaves ? Circles::join(node.choice, node.outside, worth) : worth;
            node.leaves = true;
        }
        node.end = part.moves.size();
        part.nodes.push_back(node);
    }

    // -- a tier that is done

    void look_up_start(const Tier& tier) {
        std::array<Key, block_keys> room;
        std::vector<double> kept;
        for (std::size_t b = 0; b < tier.keys.blocks(); ++b) {
            const std::span<const Key> keys = tier.keys.block(b, room);
            const auto at = std::ranges::lower_bound(keys, start_);
            if (at == keys.end() || *at != start_) continue;
            for (const auto& column : values_)
                kept.push_back(column[b * block_keys + static_cast<std::size_t>(at - keys.begin())]);
            result_.value = expected_.payoffs(kept);
            return;
        }
    }

    void hand_down() {
        for (Room& room : rooms_) result_.counts.add(std::exchange(room.counts, ValueCounts()));
        Tier tier = std::move(space_.tiers.back());
        space_.tiers.pop_back();
        for (std::uint32_t w = 0; w < expected_.width(); ++w) {
            if (!space_.tiers.empty()) later_[w].forget_above(space_.tiers.back().number + space_.longest_jump);
            Row<double> row(later_[w].has_room(tier.keys.size()) ? nullptr : means_.work.create());
            row.append(values_[w]);
            later_[w].add(tier.number, w + 1 == expected_.width() ? std::move(tier.keys) : tier.keys, std::move(row));
        }
    }

    Crew& crew_;
    const PositionCode& code_;
    Space& space_;
    const Key start_;
    const ExpectedValues& expected_;
    const ValueSink& sink_;
    const Stop& stop_;
    const Means& means_;
    std::vector<Later<double>> later_;        // by number kept, as all of these:
    std::vector<std::vector<double>> values_; // of the tier
    std::vector<Room> rooms_;                 // by thread
    std::optional<TierGraph> graph_;          // of a tier with moves inside it
    std::vector<bool> circles_;               // by place in it
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

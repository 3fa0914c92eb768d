#include "solve/loops.hpp"

#include "solve/tier_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::solve {

namespace {

// Positions by the ply at which something happens to them; those of a ply that is done are forgotten.
class Agenda {
public:
    void clear() { plies_.clear(); }
    void add(std::uint32_t ply, Place place) {
        if (plies_.size() <= ply) plies_.resize(ply + 1);
        plies_[ply].push_back(place);
    }
    // Calls each(ply, place) in the order of the plies, also for what is added meanwhile. Now and then `stops` is
    // asked.
    template <class Each>
    void run(const std::function<bool()>& stops, Each&& each) {
        std::uint64_t count = 0;
        for (std::uint32_t ply = 0; ply < plies_.size() && !stopped_; ++ply) {
            for (std::size_t i = 0; i < plies_[ply].size() && !stopped_; ++i) {
                each(ply, plies_[ply][i]);
                stopped_ = ++count % between_looks == 0 && stops();
            }
            std::vector<Place>().swap(plies_[ply]);
        }
    }
    bool is_stopped() const { return stopped_; }

private:
    static constexpr std::uint64_t between_looks = 1 << 18;

    std::vector<std::vector<Place>> plies_;
    bool stopped_ = false;
};

class Retrograde {
public:
    Retrograde(const TierMoves& moves, const TierWork& work, std::span<Result> results)
        : moves_(moves), outcomes_(work.outcomes), stops_(work.stops), results_(results), flags_(results.size(), 0),
          open_(results.size(), 0), latest_(results.size(), 0) {}

    // Empty, or what is wrong.
    std::string run() {
        force(0);
        force(1);
        value_draws();
        if (agenda_.is_stopped()) return std::string(stopped);
        return too_long_ ? too_long(outcomes_) : "";
    }

private:
    enum Flag : std::uint8_t {
        ForcedByFirst = 1, // a drawn end, by a player
        ForcedBySecond = 2,
        Valued = 4,
        Joined = 8,
        Listed = 16, // to join because a successor in the tier has
    };
    static constexpr unsigned forced = ForcedByFirst | ForcedBySecond;

    bool has(Place i, unsigned flags) const { return (flags_[i] & flags) != 0; }
    void set_flag(Place i, unsigned flag) { flags_[i] = static_cast<std::uint8_t>(flags_[i] | flag); }
    void clear_flags(unsigned flags) {
        for (std::uint8_t& own : flags_) own = static_cast<std::uint8_t>(own & ~flags);
    }

    // A result or end that is worth this much to all who meet it.
    struct Goal {
        double utility;
        bool drawn; // only by an end that the player can force
    };

    void force(std::uint32_t player) {
        player_ = player;
        const double sign = player == 0 ? 1 : -1;
        clear_flags(Joined);
        moves_.scan([&](Place i, const TierMoves::Exits& exits) {
            open_[i] = exits.inner + static_cast<std::uint32_t>(exits.results.size());
        });
        std::vector<double> utilities;
        for (std::uint32_t o = 0; o < outcomes_.size(); ++o)
            if (const double utility = outcomes_.utility(o, 0); sign * utility > 0) utilities.push_back(utility);
        std::ranges::sort(utilities, [&](double a, double b) { return sign * a > sign * b; });
        for (const double utility : utilities) spread({utility, false});
        spread({0, true});
    }

    bool reaches(Result result, const Goal& goal) const {
        const std::uint32_t outcome = outcomes_.outcome(result);
        if (goal.drawn) return outcomes_.is_drawn(outcome) && (outcomes_.forced_by(outcome) >> player_ & 1) != 0;
        return outcomes_.utility(outcome, 0) == goal.utility;
    }

    void spread(const Goal& goal) {
        agenda_.clear();
        clear_flags(Listed);
        moves_.scan([&](Place i, const TierMoves::Exits& exits) {
            if (!has(i, Joined)) list_by_exits(i, exits, goal);
        });
        agenda_.run(stops_, [&](std::uint32_t ply, Place i) {
            if (!has(i, Joined)) join(i, ply, goal);
        });
    }

    void list_by_exits(Place i, const TierMoves::Exits& exits, const Goal& goal) {
        if (exits.is_end) {
            if (reaches(exits.ended, goal)) agenda_.add(0, i);
            return;
        }
        std::uint32_t count = 0, soonest = UINT32_MAX, latest = 0;
        for (const Result result : exits.results) {
            if (!reaches(result, goal)) continue;
            ++count;
            soonest = std::min(soonest, outcomes_.remoteness(result));
            latest = std::max(latest, outcomes_.remoteness(result));
        }
        latest_[i] = static_cast<std::uint16_t>(latest);
        if (count == 0) return;
        open_[i] -= count;
        if (moves_.mover(i) == player_)
            agenda_.add(soonest + 1, i);
        else if (open_[i] == 0)
            agenda_.add(latest + 1, i);
    }

    void join(Place i, std::uint32_t ply, const Goal& goal) {
        set_flag(i, Joined);
        if (goal.drawn)
            set_flag(i, player_ == 0 ? ForcedByFirst : ForcedBySecond);
        else
            set(i, goal.utility, ply);
        for (const Place from : moves_.leading_to(i, room_)) {
            if (has(from, Joined)) continue;
            if (moves_.mover(from) != player_) {
                if (--open_[from] == 0) agenda_.add(std::max<std::uint32_t>(ply, latest_[from]) + 1, from);
            } else if (!has(from, Listed)) {
                set_flag(from, Listed);
                agenda_.add(ply + 1, from);
            }
        }
    }

    void set(Place i, double utility, std::uint32_t ply) {
        too_long_ = too_long_ || ply > outcomes_.most_remoteness();
        std::uint32_t outcome = 0;
        while (outcomes_.utility(outcome, 0) != utility) ++outcome;
        results_[i] = outcomes_.pack(outcome, std::min(ply, outcomes_.most_remoteness()));
        set_flag(i, Valued);
    }

    // What nobody wins: the plies to a drawn end, if one can be forced, both being content.
    void value_draws() {
        agenda_.clear();
        clear_flags(Joined | Listed);
        moves_.scan([&](Place i, const TierMoves::Exits& exits) {
            if (has(i, Valued)) return;
            results_[i] = outcomes_.repetition();
            if (!has(i, forced)) return;
            if (exits.is_end) agenda_.add(0, i);
            std::uint32_t soonest = UINT32_MAX;
            for (const Result result : exits.results)
                if (const auto outcome = outcomes_.outcome(result);
                    outcomes_.is_drawn(outcome) && !outcomes_.is_repetition(outcome))
                    soonest = std::min(soonest, outcomes_.remoteness(result));
            if (soonest != UINT32_MAX) agenda_.add(soonest + 1, i);
        });
        agenda_.run(stops_, [&](std::uint32_t ply, Place i) {
            if (has(i, Joined)) return;
            set_flag(i, Joined);
            too_long_ = too_long_ || ply > outcomes_.most_remoteness();
            results_[i] =
                outcomes_.pack(outcomes_.drawn(flags_[i] & forced), std::min(ply, outcomes_.most_remoteness()));
            for (const Place from : moves_.leading_to(i, room_)) {
                if (has(from, Valued | Joined | Listed) || !has(from, forced)) continue;
                set_flag(from, Listed);
                agenda_.add(ply + 1, from);
            }
        });
    }

    const TierMoves& moves_;
    const Outcomes& outcomes_;
    const std::function<bool()>& stops_;
    std::span<Result> results_;
    std::vector<std::uint8_t> flags_;
    std::vector<std::uint32_t> open_;   // successors that have not joined
    std::vector<std::uint16_t> latest_; // plies of those results that leave the tier and have joined
    Agenda agenda_;
    std::vector<Place> room_;
    std::uint32_t player_ = 0;
    bool too_long_ = false;
};

constexpr std::string_view circle_found = "there is a circle";

class InOrder {
public:
    InOrder(const TierMoves& moves, const TierWork& work, std::span<Result> results)
        : moves_(moves), outcomes_(work.outcomes), results_(results), open_(results.size(), 0),
          flags_(results.size(), 0) {}

    // Empty, or what is wrong; `circle_found` where play goes round in one.
    std::string run() {
        std::vector<Place> ready;
        moves_.scan([&](Place i, const TierMoves::Exits& exits) {
            open_[i] = exits.inner;
            for (const Result result : exits.results) offer(i, result);
            if (exits.is_end) {
                results_[i] = exits.ended;
                flags_[i] = End;
            }
            if (open_[i] == 0) ready.push_back(i);
        });
        std::size_t done = 0;
        for (; !ready.empty(); ++done) {
            const Place i = ready.back();
            ready.pop_back();
            if (!settle(i)) return too_long(outcomes_);
            for (const Place from : moves_.leading_to(i, room_)) {
                offer(from, results_[i]);
                if (--open_[from] == 0) ready.push_back(from);
            }
        }
        return done == results_.size() ? "" : std::string(circle_found);
    }

private:
    // The best of the successors' results that are known.
    void offer(Place i, Result result) {
        const std::uint32_t mover = moves_.mover(i);
        if (flags_[i] != Known || outcomes_.preference(mover, result) > outcomes_.preference(mover, results_[i]))
            results_[i] = result;
        flags_[i] = Known;
    }
    bool settle(Place i) {
        if (flags_[i] == End) return true;
        if (outcomes_.remoteness(results_[i]) == outcomes_.most_remoteness()) return false;
        ++results_[i];
        return true;
    }

    enum Flag : std::uint8_t { Open, Known, End };

    const TierMoves& moves_;
    const Outcomes& outcomes_;
    std::span<Result> results_;
    std::vector<std::uint32_t> open_; // successors in the tier that are not known
    std::vector<std::uint8_t> flags_;
    std::vector<Place> room_;
};

} // namespace

std::string too_long(const Outcomes& outcomes) {
    return fmt::format("best play lasts longer than {} plies, the most that a result has room for beside {} outcomes",
                       outcomes.most_remoteness(), outcomes.size());
}

namespace {

// Of a tier that has circles.
std::string on_circle(const TierWork& work, const Tier& tier) {
    const auto graph = TierGraph::of(work.crew, work.code, tier);
    if (!graph) return graph.error().text;
    std::vector<Key> successors;
    work.crew.walker(0).expand(graph->key(graph->on_circle()), successors);
    return fmt::format("play can come back to the position {}: games with such circles are solved only for one player, "
                       "or for two whose utilities are known to add up to zero",
                       work.crew.walker(0).text());
}

template <class Method>
tl::expected<void, game::Error> solve_by(const LoopWork& work, const Tier& tier, std::span<Result> results) {
    const auto moves = TierMoves::of(work.tier, tier);
    if (!moves) return tl::unexpected(moves.error());
    if (auto why = Method(*moves, work.tier, results).run(); !why.empty())
        return tl::unexpected(game::Error{why == circle_found ? on_circle(work.tier, tier) : std::move(why)});
    for (Place i = 0; i < results.size(); ++i) work.histogram.add(moves->mover(i), results[i], moves->orbit(i));
    return {};
}

} // namespace

tl::expected<void, game::Error> solve_in_order(const LoopWork& work, const Tier& tier, std::span<Result> results) {
    return solve_by<InOrder>(work, tier, results);
}

tl::expected<void, game::Error> solve_loops(const LoopWork& work, const Tier& tier, std::span<Result> results) {
    return solve_by<Retrograde>(work, tier, results);
}

} // namespace zug::solve

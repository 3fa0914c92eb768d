#include "solve/loops.hpp"

#include "solve/agenda.hpp"
#include "solve/array_file.hpp"
#include "solve/tier_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace zug::solve {

namespace {

class Retrograde {
public:
    Retrograde(const TierMoves& moves, const TierWork& work, Array<Result>& results, const std::function<bool()>& rests)
        : moves_(moves), crew_(work.crew), outcomes_(work.outcomes), results_(results),
          flags_(work.scratch.of_positions<std::uint8_t>(moves.size())),
          open_(work.scratch.of_positions<std::uint32_t>(moves.size())),
          latest_(work.scratch.of_positions<std::uint16_t>(moves.size())),
          agenda_(moves.before(), work.crew, work.scratch, rests) {}

    // Empty, or what is wrong.
    std::string run() {
        const std::vector<Goal> goals = all_goals();
        for (; done_ < goals.size(); ++done_)
            if (!spread(goals[done_])) return std::string(stopped);
        if (!value_draws()) return std::string(stopped);
        return too_long_ ? too_long(outcomes_) : "";
    }

    // The state at a point of rest, and going on from there.
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(results_);
        arrays(flags_);
        arrays(open_);
        arrays(latest_);
        agenda_.visit(arrays);
    }
    LoopState::Progress progress() const { return {done_, too_long_}; }
    void restored(const LoopState::Progress& progress) {
        done_ = progress.done;
        too_long_ = progress.too_long;
        agenda_.restored();
        is_listed_ = true;
    }

private:
    enum Flag : std::uint8_t {
        ForcedByFirst = 1, // a drawn end, by a player
        ForcedBySecond = 2,
        Valued = 4,
        Joined = 8,
    };
    static constexpr unsigned forced = ForcedByFirst | ForcedBySecond;

    bool has(Place i, unsigned flags) const { return (flags_[i] & flags) != 0; }
    void set_flag(Place i, unsigned flag) { flags_[i] = static_cast<std::uint8_t>(flags_[i] | flag); }
    void clear_flag(Place i, unsigned flag) { flags_[i] = static_cast<std::uint8_t>(flags_[i] & ~flag); }

    // A result or end that is worth this much to all who meet it.
    struct Goal {
        std::uint32_t player;
        double utility;
        bool drawn;    // only by an end that the player can force
        bool is_first; // of the player's
    };

    std::vector<Goal> all_goals() const {
        std::vector<Goal> goals;
        for (const std::uint32_t player : {0U, 1U}) {
            const double sign = player == 0 ? 1 : -1;
            std::vector<double> utilities;
            for (std::uint32_t o = 0; o < outcomes_.size(); ++o)
                if (const double utility = outcomes_.utility(o, 0); sign * utility > 0) utilities.push_back(utility);
            std::ranges::sort(utilities, [&](double a, double b) { return sign * a > sign * b; });
            for (const double utility : utilities)
                goals.push_back({player, utility, false, utility == utilities.front()});
            goals.push_back({player, 0, true, utilities.empty()});
        }
        return goals;
    }

    void begin_player() {
        moves_.scan(crew_, [&](Place i, const TierMoves::Exits& exits) {
            clear_flag(i, Joined);
            open_[i] = exits.inner + static_cast<std::uint32_t>(exits.results.size());
        });
    }

    bool reaches(Result result, const Goal& goal) const {
        const std::uint32_t outcome = outcomes_.outcome(result);
        if (goal.drawn) return outcomes_.is_drawn(outcome) && (outcomes_.forced_by(outcome) >> player_ & 1) != 0;
        return outcomes_.utility(outcome, 0) == goal.utility;
    }

    void list(const Goal& goal) {
        if (goal.is_first) begin_player();
        agenda_.clear();
        moves_.scan(crew_, [&](Place i, const TierMoves::Exits& exits) {
            if (!has(i, Joined)) list_by_exits(i, exits, goal);
        });
    }

    // As run(): false where it is stopped.
    bool spread(const Goal& goal) {
        player_ = goal.player;
        if (!std::exchange(is_listed_, false)) list(goal);
        return agenda_.run(
            [&](std::size_t, std::uint32_t ply, std::span<const Place> places) {
                for (const Place i : places) join(i, ply, goal);
            },
            pass_nothing,
            [&](std::uint32_t ply, Place from, Nothing) {
                if (has(from, Joined)) return;
                if (moves_.mover(from) == player_)
                    agenda_.add(ply + 1, from);
                else if (--open_[from] == 0)
                    agenda_.add(std::max<std::uint32_t>(ply, latest_[from]) + 1, from);
            },
            end_nothing);
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
    }

    void set(Place i, double utility, std::uint32_t ply) {
        if (ply > outcomes_.most_remoteness()) too_long_ = true;
        std::uint32_t outcome = 0;
        while (outcomes_.utility(outcome, 0) != utility) ++outcome;
        results_[i] = outcomes_.pack(outcome, std::min(ply, outcomes_.most_remoteness()));
        set_flag(i, Valued);
    }

    // What nobody wins: the plies to a drawn end, if one can be forced, both being content.
    bool value_draws() {
        if (!std::exchange(is_listed_, false)) list_draws();
        return agenda_.run(
            [&](std::size_t, std::uint32_t ply, std::span<const Place> places) {
                for (const Place i : places) value_draw(i, ply);
            },
            pass_nothing,
            [&](std::uint32_t ply, Place from, Nothing) {
                if (!has(from, Valued | Joined) && has(from, forced)) agenda_.add(ply + 1, from);
            },
            end_nothing);
    }

    void list_draws() {
        agenda_.clear();
        moves_.scan(crew_, [&](Place i, const TierMoves::Exits& exits) {
            clear_flag(i, Joined);
            if (has(i, Valued)) return;
            results_[i] = outcomes_.repetition();
            if (!has(i, forced)) return;
            if (exits.is_end) agenda_.add(0, i);
            for (const Result result : exits.results)
                if (const auto outcome = outcomes_.outcome(result);
                    outcomes_.is_drawn(outcome) && !outcomes_.is_repetition(outcome))
                    agenda_.add(outcomes_.remoteness(result) + 1, i);
        });
    }

    void value_draw(Place i, std::uint32_t ply) {
        set_flag(i, Joined);
        if (ply > outcomes_.most_remoteness()) too_long_ = true;
        results_[i] = outcomes_.pack(outcomes_.drawn(flags_[i] & forced), std::min(ply, outcomes_.most_remoteness()));
    }

    const TierMoves& moves_;
    Crew& crew_;
    const Outcomes& outcomes_;
    Array<Result>& results_;
    Array<std::uint8_t> flags_;
    Array<std::uint32_t> open_;   // successors that have not joined
    Array<std::uint16_t> latest_; // plies of those results that leave the tier and have joined
    Agenda<std::uint16_t> agenda_;
    std::uint32_t player_ = 0;
    std::uint64_t done_ = 0; // goals
    std::atomic<bool> too_long_ = false;
    bool is_listed_ = false; // the agenda is that of the goal under way already
};

constexpr std::string_view circle_found = "there is a circle";

class InOrder {
public:
    InOrder(const TierMoves& moves, const TierWork& work, Array<Result>& results, const std::function<bool()>& rests)
        : moves_(moves), crew_(work.crew), outcomes_(work.outcomes), results_(results),
          open_(work.scratch.of_positions<std::uint32_t>(moves.size())),
          flags_(work.scratch.of_positions<std::uint8_t>(moves.size())),
          agenda_(moves.before(), work.crew, work.scratch, rests) {}

    // Empty, or what is wrong; `circle_found` where play goes round in one.
    std::string run() {
        if (!is_listed_) list();
        const bool ran = agenda_.run(
            [&](std::size_t, std::uint32_t, std::span<const Place> places) {
                done_ += places.size();
                for (const Place i : places) settle(i);
            },
            [&](Place i) { return results_[i]; },
            [&](std::uint32_t ply, Place from, Result result) {
                offer(from, result);
                if (--open_[from] == 0) agenda_.add(ply + 1, from);
            },
            end_nothing);
        if (!ran) return std::string(stopped);
        if (too_long_) return too_long(outcomes_);
        return done_ == results_.size() ? "" : std::string(circle_found);
    }

    // As those of Retrograde.
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(results_);
        arrays(open_);
        arrays(flags_);
        agenda_.visit(arrays);
    }
    LoopState::Progress progress() const { return {done_, too_long_}; }
    void restored(const LoopState::Progress& progress) {
        done_ = progress.done;
        too_long_ = progress.too_long;
        agenda_.restored();
        is_listed_ = true;
    }

private:
    void list() {
        agenda_.clear();
        moves_.scan(crew_, [&](Place i, const TierMoves::Exits& exits) {
            open_[i] = exits.inner;
            for (const Result result : exits.results) offer(i, result);
            if (exits.is_end) {
                results_[i] = exits.ended;
                flags_[i] = End;
            }
            if (open_[i] == 0) agenda_.add(0, i);
        });
    }
    // The best of the successors' results that are known.
    void offer(Place i, Result result) {
        const std::uint32_t mover = moves_.mover(i);
        if (flags_[i] != Known || outcomes_.preference(mover, result) > outcomes_.preference(mover, results_[i]))
            results_[i] = result;
        flags_[i] = Known;
    }
    void settle(Place i) {
        if (flags_[i] == End) return;
        if (outcomes_.remoteness(results_[i]) == outcomes_.most_remoteness())
            too_long_ = true;
        else
            ++results_[i];
    }

    enum Flag : std::uint8_t { Open, Known, End };

    const TierMoves& moves_;
    Crew& crew_;
    const Outcomes& outcomes_;
    Array<Result>& results_;
    Array<std::uint32_t> open_; // successors in the tier that are not known
    Array<std::uint8_t> flags_;
    Agenda<std::uint16_t> agenda_;
    std::atomic<std::uint64_t> done_ = 0; // positions
    std::atomic<bool> too_long_ = false;
    bool is_listed_ = false;
};

} // namespace

std::string too_long(const Outcomes& outcomes) {
    return fmt::format("best play lasts longer than {} plies, the most that a result has room for beside {} outcomes",
                       outcomes.most_remoteness(), outcomes.size());
}

namespace {

// Of a tier that has circles.
std::string on_circle(const TierWork& work, const Tier& tier) {
    auto graph = TierGraph::of(work.crew, work.code, tier, work.means, work.scratch, work.stops);
    if (!graph) return graph.error().text;
    TierOrder order(*graph, work.crew, work.scratch, work.stops);
    if (work.means.work.trouble().any()) return work.means.work.trouble().text();
    order.begin();
    if (!order.run([](std::size_t, std::uint32_t, std::span<const Place>) {}, end_nothing)) return std::string(stopped);
    const auto circle = graph->on_circle();
    if (!circle) return work.means.work.trouble().text();
    std::array<Key, block_keys> room;
    std::vector<Key> successors;
    work.crew.walker(0).expand(tier.keys.block(*circle / block_keys, room)[*circle % block_keys], successors);
    return fmt::format("play can come back to the position {}: games with such circles are solved only for one player, "
                       "or for two whose utilities are known to add up to zero",
                       work.crew.walker(0).text());
}

// At a point of rest. Whether to stop.
template <class Method>
bool rest(const LoopWork& work, TierMoves& moves, Method& method) {
    const bool stops = work.tier.stops();
    Work& files = work.tier.means.work;
    if (files.is_due() || (stops && files.has_folder())) {
        const auto file = files.create();
        ArrayWriter arrays(*file, work.tier.scratch);
        method.visit(arrays);
        work.save({moves.save(), file->name(), method.progress()});
    }
    return stops || files.trouble().any();
}

// False: the checkpoint has no such state.
template <class Method>
bool restore(const LoopWork& work, Method& method) {
    ArrayReader arrays(work.tier.means.work.file(work.resume->arrays), 0, work.tier.scratch);
    method.visit(arrays);
    if (!arrays.done()) return false;
    method.restored(work.resume->progress);
    return true;
}

void count(const LoopWork& work, const TierMoves& moves, const Array<Result>& results) {
    work.tier.crew.share((results.size() + block_keys - 1) / block_keys, [&](std::size_t thread, std::size_t block) {
        auto place = static_cast<Place>(block * block_keys);
        for (const Result result : results.row(place, block_keys)) {
            work.histograms[thread].add(moves.mover(place), result, moves.orbit(place));
            ++place;
        }
        work.tier.scratch.look();
    });
}

template <class Method>
tl::expected<void, game::Error> solve_by(const LoopWork& work, const Tier& tier, Array<Result>& results) {
    const auto failure = [](std::string text) { return tl::unexpected(game::Error{std::move(text)}); };
    auto moves = work.resume != nullptr ? TierMoves::restore(work.tier, tier, work.resume->moves)
                                        : TierMoves::of(work.tier, tier);
    if (!moves) return tl::unexpected(moves.error());
    if (work.tier.scratch.moves_in_files()) return_memory();
    const Trouble& trouble = work.tier.means.work.trouble();
    std::optional<Method> method;
    const std::function<bool()> rests = [&] { return rest(work, *moves, *method); };
    method.emplace(*moves, work.tier, results, rests);
    if (trouble.any()) return failure(trouble.text());
    if (work.resume != nullptr && !restore(work, *method)) return failure(std::string(unreadable));
    auto why = method->run();
    if (trouble.any()) return failure(trouble.text());
    if (!why.empty()) return failure(why == circle_found ? on_circle(work.tier, tier) : std::move(why));
    count(work, *moves, results);
    return {};
}

} // namespace

tl::expected<void, game::Error> solve_in_order(const LoopWork& work, const Tier& tier, Array<Result>& results) {
    return solve_by<InOrder>(work, tier, results);
}

tl::expected<void, game::Error> solve_loops(const LoopWork& work, const Tier& tier, Array<Result>& results) {
    return solve_by<Retrograde>(work, tier, results);
}

} // namespace zug::solve

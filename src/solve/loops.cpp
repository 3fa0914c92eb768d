#include "solve/loops.hpp"

#include "solve/tier_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::solve {

namespace {

// The moves of a tier's positions: those that stay in it the other way about, and the results of those that leave it.
struct Moves {
    std::vector<std::uint64_t> first_before, first_result; // one more than positions
    std::vector<Place> before;                             // who leads here
    std::vector<Result> results;                           // each result of a position once
    std::vector<std::uint32_t> inner;                      // how many successors are in the tier
    std::vector<std::uint8_t> mover;
    std::vector<std::uint16_t> orbit;
    std::vector<Result> ended;
    std::vector<std::uint8_t> is_end;

    std::span<const Place> leading_to(Place i) const {
        return {before.data() + first_before[i], first_before[i + 1] - first_before[i]};
    }
    std::span<const Result> leaving(Place i) const {
        return {results.data() + first_result[i], first_result[i + 1] - first_result[i]};
    }
};

class MoveFinder {
public:
    MoveFinder(const LoopWork& work, const Tier& tier)
        : work_(work), tier_(tier), index_(tier.keys.size()), parts_(tier.keys.blocks()) {
        moves_.inner.assign(tier.keys.size(), 0);
        moves_.mover.assign(tier.keys.size(), 0);
        moves_.orbit.assign(tier.keys.size(), 0);
        moves_.ended.assign(tier.keys.size(), 0);
        moves_.is_end.assign(tier.keys.size(), 0);
    }

    tl::expected<Moves, game::Error> run() {
        number();
        std::vector<std::string> errors(work_.crew.size());
        work_.crew.share(parts_.size(), [&](std::size_t thread, std::size_t b) {
            if (errors[thread].empty()) errors[thread] = expand(thread, b);
        });
        for (const std::string& error : errors)
            if (!error.empty()) return tl::unexpected(game::Error{error});
        join();
        return std::move(moves_);
    }

private:
    // A block's positions: the places their moves lead to, and the results of those that leave the tier.
    struct Part {
        std::vector<Place> to;
        std::vector<Result> results;
        std::vector<std::uint32_t> result_count;
    };

    void number() {
        std::array<Key, block_keys> room;
        Place place = 0;
        for (std::size_t b = 0; b < tier_.keys.blocks(); ++b)
            for (const Key key : tier_.keys.block(b, room)) index_.insert(index_.place(key), key, place++);
    }

    std::string expand(std::size_t thread, std::size_t b) {
        Walker& walker = work_.crew.walker(thread);
        Part& part = parts_[b];
        std::array<Key, block_keys> room;
        std::vector<Key> successors, leaving;
        std::vector<Result> results;
        Payoffs payoffs(work_.outcomes.players());
        auto place = static_cast<Place>(b * block_keys);
        for (const Key key : tier_.keys.block(b, room)) {
            successors.clear();
            leaving.clear();
            walker.expand(key, successors);
            if (walker.kind() == game::NodeKind::Fault) return walker.error();
            moves_.mover[place] = static_cast<std::uint8_t>(walker.mover());
            moves_.orbit[place] = static_cast<std::uint16_t>(walker.orbit());
            if (walker.kind() == game::NodeKind::Terminal) {
                walker.payoffs(payoffs);
                moves_.is_end[place] = 1;
                moves_.ended[place] = work_.outcomes.pack(work_.outcomes.of(payoffs), 0);
            }
            for (const Key to : successors) {
                if (work_.code.tier(to) != tier_.number) {
                    leaving.push_back(to);
                } else {
                    part.to.push_back(index_.at(index_.place(to), to));
                    ++moves_.inner[place];
                }
            }
            work_.later.find(leaving, results);
            std::ranges::sort(results);
            const auto repeated = std::ranges::unique(results);
            results.erase(repeated.begin(), repeated.end());
            part.results.insert(part.results.end(), results.begin(), results.end());
            part.result_count.push_back(static_cast<std::uint32_t>(results.size()));
            ++place;
        }
        return {};
    }

    void join() {
        index_ = {};
        const std::size_t size = tier_.keys.size();
        moves_.first_before.assign(size + 1, 0);
        moves_.first_result.assign(1, 0);
        for (const Part& part : parts_) {
            for (const Place to : part.to) ++moves_.first_before[to + 1];
            for (const std::uint32_t count : part.result_count)
                moves_.first_result.push_back(moves_.first_result.back() + count);
            moves_.results.insert(moves_.results.end(), part.results.begin(), part.results.end());
        }
        for (std::size_t i = 1; i <= size; ++i) moves_.first_before[i] += moves_.first_before[i - 1];
        moves_.before.resize(moves_.first_before.back());
        std::vector<std::uint64_t> next(moves_.first_before.begin(), moves_.first_before.end() - 1);
        Place from = 0;
        for (Part& part : parts_) {
            auto to = part.to.begin();
            for (std::size_t i = 0; i < part.result_count.size(); ++i, ++from)
                for (std::uint32_t n = moves_.inner[from]; n > 0; --n) moves_.before[next[*to++]++] = from;
            part = {};
        }
    }

    const LoopWork& work_;
    const Tier& tier_;
    ResultTable<Place> index_;
    std::vector<Part> parts_; // by block
    Moves moves_;
};

class Retrograde {
public:
    Retrograde(const Moves& moves, const Outcomes& outcomes, std::span<Result> results)
        : moves_(moves), outcomes_(outcomes), results_(results), forced_by_(results.size(), 0),
          valued_(results.size(), 0) {}

    bool run() {
        force(0);
        force(1);
        value_draws();
        return !too_long_;
    }

private:
    struct Event {
        Place place;
        bool joins; // else one successor of it has joined
    };

    // A result or end that is worth this much to all who meet it.
    struct Goal {
        double utility;
        bool drawn; // only by an end that the player can force
    };

    void force(std::uint32_t player) {
        player_ = player;
        const double sign = player == 0 ? 1 : -1;
        joined_.assign(results_.size(), 0);
        open_.resize(results_.size());
        for (Place i = 0; i < results_.size(); ++i)
            open_[i] = moves_.inner[i] + static_cast<std::uint32_t>(moves_.leaving(i).size());
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

    void at(std::uint32_t ply, Event event) {
        if (events_.size() <= ply) events_.resize(ply + 1);
        events_[ply].push_back(event);
    }

    void spread(const Goal& goal) {
        events_.clear();
        for (Place i = 0; i < results_.size(); ++i) {
            if (joined_[i] != 0) continue;
            if (moves_.is_end[i] != 0 && reaches(moves_.ended[i], goal)) at(0, {i, true});
            for (const Result result : moves_.leaving(i)) {
                if (!reaches(result, goal)) continue;
                const std::uint32_t plies = outcomes_.remoteness(result);
                moves_.mover[i] == player_ ? at(plies + 1, {i, true}) : at(plies, {i, false});
            }
        }
        for (std::uint32_t ply = 0; ply < events_.size(); ++ply)
            for (std::size_t e = 0; e < events_[ply].size(); ++e) {
                const Event event = events_[ply][e];
                if (joined_[event.place] != 0) continue;
                if (event.joins)
                    join(event.place, ply, goal);
                else
                    count_down(event.place, ply);
            }
    }

    void join(Place i, std::uint32_t ply, const Goal& goal) {
        joined_[i] = 1;
        if (goal.drawn) {
            forced_by_[i] = static_cast<std::uint8_t>(forced_by_[i] | 1U << player_);
        } else {
            set(i, goal.utility, ply);
        }
        for (const Place from : moves_.leading_to(i)) {
            if (joined_[from] != 0) continue;
            if (moves_.mover[from] == player_)
                at(ply + 1, {from, true});
            else
                count_down(from, ply);
        }
    }

    void count_down(Place i, std::uint32_t ply) {
        if (--open_[i] == 0) at(ply + 1, {i, true});
    }

    void set(Place i, double utility, std::uint32_t ply) {
        too_long_ = too_long_ || ply > outcomes_.most_remoteness();
        std::uint32_t outcome = 0;
        while (outcomes_.utility(outcome, 0) != utility) ++outcome;
        results_[i] = outcomes_.pack(outcome, std::min(ply, outcomes_.most_remoteness()));
        valued_[i] = 1;
    }

    // What nobody wins: the plies to a drawn end, if one can be forced, both being content.
    void value_draws() {
        events_.clear();
        joined_.assign(results_.size(), 0);
        for (Place i = 0; i < results_.size(); ++i) {
            if (valued_[i] != 0) continue;
            results_[i] = outcomes_.repetition();
            if (forced_by_[i] == 0) continue;
            if (moves_.is_end[i] != 0) at(0, {i, true});
            for (const Result result : moves_.leaving(i))
                if (outcomes_.is_drawn(outcomes_.outcome(result)) &&
                    !outcomes_.is_repetition(outcomes_.outcome(result)))
                    at(outcomes_.remoteness(result) + 1, {i, true});
        }
        for (std::uint32_t ply = 0; ply < events_.size(); ++ply)
            for (std::size_t e = 0; e < events_[ply].size(); ++e) {
                const Place i = events_[ply][e].place;
                if (joined_[i] != 0) continue;
                joined_[i] = 1;
                too_long_ = too_long_ || ply > outcomes_.most_remoteness();
                results_[i] =
                    outcomes_.pack(outcomes_.drawn(forced_by_[i]), std::min(ply, outcomes_.most_remoteness()));
                for (const Place from : moves_.leading_to(i))
                    if (valued_[from] == 0 && forced_by_[from] != 0 && joined_[from] == 0) at(ply + 1, {from, true});
            }
    }

    const Moves& moves_;
    const Outcomes& outcomes_;
    std::span<Result> results_;
    std::vector<std::uint8_t> forced_by_, valued_, joined_;
    std::vector<std::uint32_t> open_;        // successors that have not joined
    std::vector<std::vector<Event>> events_; // by ply
    std::uint32_t player_ = 0;
    bool too_long_ = false;
};

class InOrder {
public:
    InOrder(const Moves& moves, const Outcomes& outcomes, std::span<Result> results)
        : moves_(moves), outcomes_(outcomes), results_(results), open_(moves.inner), known_(results.size(), 0) {}

    enum class Found : std::uint8_t { All, Circle, TooLong };
    Found run() {
        std::vector<Place> ready;
        for (Place i = 0; i < results_.size(); ++i) {
            for (const Result result : moves_.leaving(i)) offer(i, result);
            if (open_[i] == 0) ready.push_back(i);
        }
        std::size_t done = 0;
        for (; !ready.empty(); ++done) {
            const Place i = ready.back();
            ready.pop_back();
            if (!settle(i)) return Found::TooLong;
            for (const Place from : moves_.leading_to(i)) {
                offer(from, results_[i]);
                if (--open_[from] == 0) ready.push_back(from);
            }
        }
        return done == results_.size() ? Found::All : Found::Circle;
    }

private:
    // The best of the successors' results that are known.
    void offer(Place i, Result result) {
        if (known_[i] == 0 ||
            outcomes_.preference(moves_.mover[i], result) > outcomes_.preference(moves_.mover[i], results_[i]))
            results_[i] = result;
        known_[i] = 1;
    }
    bool settle(Place i) {
        if (moves_.is_end[i] != 0) {
            results_[i] = moves_.ended[i];
            return true;
        }
        if (outcomes_.remoteness(results_[i]) == outcomes_.most_remoteness()) return false;
        ++results_[i];
        return true;
    }

    const Moves& moves_;
    const Outcomes& outcomes_;
    std::span<Result> results_;
    std::vector<std::uint32_t> open_;
    std::vector<std::uint8_t> known_;
};

// Of a tier that has circles.
std::string on_circle(const LoopWork& work, const Tier& tier) {
    const auto graph = TierGraph::of(work.crew, work.code, tier);
    if (!graph) return graph.error().text;
    std::vector<Key> successors;
    work.crew.walker(0).expand(graph->key(graph->on_circle()), successors);
    return fmt::format("play can come back to the position {}: games with such circles are solved only for one player, "
                       "or for two whose utilities are known to add up to zero",
                       work.crew.walker(0).text());
}

void count(const Moves& moves, std::span<const Result> results, Histogram& histogram) {
    for (std::size_t i = 0; i < results.size(); ++i) histogram.add(moves.mover[i], results[i], moves.orbit[i]);
}

} // namespace

std::string too_long(const Outcomes& outcomes) {
    return fmt::format("best play lasts longer than {} plies, the most that a result has room for beside {} outcomes",
                       outcomes.most_remoteness(), outcomes.size());
}

tl::expected<void, game::Error> solve_in_order(const LoopWork& work, const Tier& tier, std::span<Result> results) {
    const auto moves = MoveFinder(work, tier).run();
    if (!moves) return tl::unexpected(moves.error());
    switch (InOrder(*moves, work.outcomes, results).run()) {
    case InOrder::Found::Circle: return tl::unexpected(game::Error{on_circle(work, tier)});
    case InOrder::Found::TooLong: return tl::unexpected(game::Error{too_long(work.outcomes)});
    case InOrder::Found::All: break;
    }
    count(*moves, results, work.histogram);
    return {};
}

tl::expected<void, game::Error> solve_loops(const LoopWork& work, const Tier& tier, std::span<Result> results) {
    const auto moves = MoveFinder(work, tier).run();
    if (!moves) return tl::unexpected(moves.error());
    if (!Retrograde(*moves, work.outcomes, results).run()) return tl::unexpected(game::Error{too_long(work.outcomes)});
    count(*moves, results, work.histogram);
    return {};
}

} // namespace zug::solve

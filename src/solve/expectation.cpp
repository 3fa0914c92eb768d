#include "solve/expectation.hpp"

#include "solve/later.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace zug::solve {

namespace {

constexpr std::uint64_t between_looks = 64; // blocks that a thread does before it asks whether to stop
constexpr std::uint32_t most_sweeps = 1'000'000;

using Place = std::uint32_t; // of a position in the tier

enum class Choice : std::uint8_t { Most, Least, Mean };

// A position: what the moves that leave its tier are worth together, and those that stay.
struct Node {
    Choice choice = Choice::Mean;
    bool leaves = false;   // some move leaves the tier, or there is none: `outside` counts
    double outside = 0;    // the best of them; at a chance node the sum of what they are worth by their probabilities
    std::uint64_t end = 0; // of its inner moves
};
struct Inner {
    Place to;
    double probability;
};

double join(Choice choice, double a, double b) {
    switch (choice) {
    case Choice::Most: return std::max(a, b);
    case Choice::Least: return std::min(a, b);
    case Choice::Mean: break;
    }
    return a + b;
}

class Expecting {
public:
    Expecting(Crew& crew, const PositionCode& code, Space& space, Key start, const Stop& stop, const Means& means)
        : crew_(crew), code_(code), space_(space), start_(start), stop_(stop), means_(means),
          later_(code, means.budget.tables()) {
        for (const Payoffs& payoffs : space.ends) {
            least_ = std::min(least_, payoffs.front()); // nor above 0, which play without end is worth
            greatest_ = std::max(greatest_, payoffs.front());
        }
    }

    tl::expected<Expectation, game::Error> run() {
        while (!space_.tiers.empty()) {
            const Tier& tier = space_.tiers.back();
            run_tier(tier);
            if (!error_.empty()) return tl::unexpected(game::Error{error_});
            if (tier.number == code_.tier(start_)) result_.value = value_of_start(tier);
            if (space_.tiers.size() > 1)
                later_.forget_above(space_.tiers[space_.tiers.size() - 2].number + space_.longest_jump);
            hand_down(std::move(space_.tiers.back()));
            space_.tiers.pop_back();
            if (means_.work.trouble().any()) return tl::unexpected(game::Error{means_.work.trouble().text()});
        }
        return result_;
    }

private:
    void hand_down(Tier tier) {
        Row<double> row(later_.has_room(tier.keys.size()) ? nullptr : means_.work.create());
        row.append(values_);
        later_.add(tier.number, std::move(tier.keys), std::move(row));
    }

    // A block of positions and the moves that stay in the tier.
    struct Part {
        std::vector<Node> nodes;
        std::vector<Inner> inner;
    };

    void run_tier(const Tier& tier) {
        values_.assign(tier.keys.size(), 0);
        parts_.assign(tier.keys.blocks(), {});
        index_ = ResultTable<Place>(tier.inner != 0 ? tier.keys.size() : 0);
        if (tier.inner != 0) number(tier);
        crew_.share(tier.keys.blocks(), [&](std::size_t thread, std::size_t b) {
            if (failed_) return;
            run_block(crew_.walker(thread), tier, b);
            if (thread == 0 && ++looks_ % between_looks == 0) look();
        });
        if (!failed_ && tier.inner != 0) iterate();
    }

    void look() {
        if (stop_ && stop_({Stage::Work::Solving, done_, space_.positions})) fail(std::string(stopped));
    }
    void fail(std::string why) {
        if (!failed_.exchange(true)) error_ = std::move(why);
    }

    void number(const Tier& tier) {
        std::array<Key, block_keys> room;
        Place place = 0;
        for (std::size_t b = 0; b < tier.keys.blocks(); ++b)
            for (const Key key : tier.keys.block(b, room)) index_.insert(index_.place(key), key, place++);
    }

    void run_block(Walker& walker, const Tier& tier, std::size_t b) {
        std::array<Key, block_keys> room;
        std::vector<Key> successors, leaving;
        std::vector<double> outside;
        Later<double>::Room later_room;
        Payoffs payoffs(walker.game().players());
        Part& part = parts_[b];
        std::size_t place = b * block_keys;
        for (const Key key : tier.keys.block(b, room)) {
            successors.clear();
            leaving.clear();
            walker.expand(key, successors);
            if (walker.kind() == game::NodeKind::Fault) return fail(walker.error());
            const bool chance = walker.kind() == game::NodeKind::Chance;
            Node node;
            node.choice = chance ? Choice::Mean : walker.mover() == 0 ? Choice::Most : Choice::Least;
            if (walker.kind() == game::NodeKind::Terminal) {
                walker.payoffs(payoffs);
                node.leaves = true;
                node.outside = payoffs.front();
            }
            for (const Key to : successors)
                if (code_.tier(to) != tier.number) leaving.push_back(to);
            later_.find(leaving, outside, later_room);
            std::size_t left = 0;
            for (std::size_t i = 0; i < successors.size(); ++i) {
                const double probability = chance ? walker.probability(i) : 1;
                if (code_.tier(successors[i]) == tier.number) {
                    part.inner.push_back({index_.at(index_.place(successors[i]), successors[i]), probability});
                    continue;
                }
                const double worth = chance ? probability * outside[left] : outside[left];
                ++left;
                node.outside = node.leaves ? join(node.choice, node.outside, worth) : worth;
                node.leaves = true;
            }
            node.end = part.inner.size();
            if (tier.inner != 0) part.nodes.push_back(node);
            values_[place++] = node.outside;
        }
        done_ += block_keys;
    }

    // Both sequences, in place, so that what is new is used at once; the last positions first, which are often nearer
    // to the end.
    void iterate() {
        std::vector<double> low(values_.size(), least_), high(values_.size(), greatest_);
        const double enough = precision * (greatest_ - least_);
        double gap = 0;
        for (std::uint32_t sweep = 0; sweep < most_sweeps; ++sweep) {
            gap = 0;
            double change = 0;
            for (std::size_t b = parts_.size(); b-- > 0;) sweep_part(b, low, high, gap, change);
            if (gap <= enough) break;
            if (change <= enough * 1e-3) return fail("values don't converge: players can keep the game from ending");
            if (sweep % between_looks == 0) look();
            if (failed_) return;
        }
        if (gap > enough) return fail("values converge too slowly");
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = (low[i] + high[i]) / 2;
        result_.error += gap;
    }

    void sweep_part(std::size_t b, std::vector<double>& low, std::vector<double>& high, double& gap, double& change) {
        const Part& part = parts_[b];
        for (std::size_t i = part.nodes.size(); i-- > 0;) {
            const Node& node = part.nodes[i];
            const std::size_t place = b * block_keys + i;
            const std::uint64_t begin = i == 0 ? 0 : part.nodes[i - 1].end;
            const auto moves = std::span(part.inner).subspan(begin, node.end - begin);
            for (std::vector<double>* values : {&low, &high}) {
                const double value = value_of(node, moves, *values);
                change = std::max(change, std::abs(value - (*values)[place]));
                (*values)[place] = value;
            }
            gap = std::max(gap, high[place] - low[place]);
        }
    }

    static double value_of(const Node& node, std::span<const Inner> moves, const std::vector<double>& values) {
        const auto worth = [&](const Inner& move) {
            return node.choice == Choice::Mean ? move.probability * values[move.to] : values[move.to];
        };
        double value = node.leaves ? node.outside : worth(moves.front());
        for (const Inner& move : node.leaves ? moves : moves.subspan(1)) value = join(node.choice, value, worth(move));
        return value;
    }

    double value_of_start(const Tier& tier) const {
        std::array<Key, block_keys> room;
        for (std::size_t b = 0; b < tier.keys.blocks(); ++b) {
            const std::span<const Key> keys = tier.keys.block(b, room);
            const auto at = std::ranges::lower_bound(keys, start_);
            if (at != keys.end() && *at == start_)
                return values_[b * block_keys + static_cast<std::size_t>(at - keys.begin())];
        }
        return 0;
    }

    Crew& crew_;
    const PositionCode& code_;
    Space& space_;
    const Key start_;
    const Stop& stop_;
    const Means& means_;
    Later<double> later_;
    double least_ = 0, greatest_ = 0;
    std::vector<double> values_; // of the tier
    std::vector<Part> parts_;    // by block
    ResultTable<Place> index_;
    Expectation result_;
    std::atomic<std::uint64_t> done_ = 0;
    std::uint64_t looks_ = 0;
    std::atomic<bool> failed_ = false;
    std::string error_;
};

} // namespace

tl::expected<Expectation, game::Error> expect(Crew& crew, const PositionCode& code, Space& space, Key start,
                                              const Stop& stop, const Means& means) {
    return Expecting(crew, code, space, start, stop, means).run();
}

} // namespace zug::solve

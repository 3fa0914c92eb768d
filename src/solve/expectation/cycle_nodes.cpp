#include "solve/expectation/cycle_nodes.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::uint64_t places_together = 1 << 12;

Place take_first(std::span<const Place>& places) {
    const Place first = places.front();
    places = places.subspan(1);
    return first;
}

class NodeFinder {
public:
    NodeFinder(WalkerPool& pool, const PositionCode& code, const ExpectedValues& expected, const Tier& tier,
               const TierGraph& graph, TierValues& values)
        : pool_(pool), code_(code), expected_(expected), tier_(tier), graph_(graph), values_(values) {}

    // Some places, ascending.
    void add(std::span<const Place> places, Cycles& cycles) {
        std::vector<Cycles::Part> parts((places.size() + block_keys - 1) / block_keys);
        pool_.share(parts.size(), [&](std::size_t thread, std::size_t p) {
            const auto own = places.subspan(p * block_keys);
            values_.each(tier_, own.first(std::min(own.size(), block_keys)),
                         [&](Key key, Place place) { add(thread, key, place, parts[p]); });
        });
        for (const Cycles::Part& part : parts) cycles.append(part);
    }

private:
    void add(std::size_t thread, Key key, Place place, Cycles::Part& part) {
        if (!values_.expand(thread, key, graph_.after(place))) return;
        const TierValues::Room& room = values_.room(thread);
        const Walker& walker = values_.walker(thread);
        const bool chance = values_.is_chance(thread);
        using Choice = Cycles::Choice;
        Cycles::Node node;
        node.place = place;
        node.orbit = walker.orbit();
        node.choice = chance ? Choice::Mean : walker.mover() == 0 ? Choice::Most : Choice::Least;
        if (chance) node.rounding = expected_.rounding(room.successors.size());
        auto inner = graph_.after(place);
        for (std::size_t i = 0; i < room.successors.size(); ++i) {
            const double probability = chance ? room.probabilities[i] : 1;
            if (code_.tier(room.successors[i]) == code_.tier(key))
                if (const Place to = take_first(inner); graph_.cycles(to)) {
                    part.moves.push_back({to, probability});
                    ++node.moves;
                    continue;
                }
            const double worth = probability * room.values[0][i];
            node.outside = node.leaves ? Cycles::join(node.choice, node.outside, worth) : worth;
            node.leaves = true;
        }
        part.nodes.push_back(node);
    }

    WalkerPool& pool_;
    const PositionCode& code_;
    const ExpectedValues& expected_;
    const Tier& tier_;
    const TierGraph& graph_;
    TierValues& values_;
};

} // namespace

std::uint64_t add_nodes(WalkerPool& pool, const PositionCode& code, const ExpectedValues& expected, const Tier& tier,
                        const TierGraph& graph, TierValues& values, Cycles& cycles) {
    NodeFinder finder(pool, code, expected, tier, graph, values);
    std::vector<Place> places;
    std::uint64_t all = 0;
    for (Place i = 0; i <= graph.size() && !values.failed(); ++i) {
        if (i < graph.size() && graph.cycles(i)) places.push_back(i);
        if (places.empty() || (i < graph.size() && places.size() < places_together)) continue;
        finder.add(places, cycles);
        all += places.size();
        places.clear();
    }
    return all;
}

} // namespace zug::solve

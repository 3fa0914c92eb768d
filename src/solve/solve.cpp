#include "solve/solve.hpp"

#include "game/history.hpp"

#include <algorithm>
#include <set>

namespace zug::solve {

namespace {

std::size_t place(PositionId id) { return static_cast<std::size_t>(id); }

// Who leads to each position: the edges of a graph the other way about.
class Predecessors {
public:
    explicit Predecessors(const Graph& graph) : first_(graph.size() + 1, 0), edges_(graph.moves()) {
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            for (const PositionId to : graph.successors(PositionId{i})) ++first_[place(to) + 1];
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            for (const PositionId to : graph.successors(PositionId{i})) edges_[next[place(to)]++] = PositionId{i};
    }

    std::span<const PositionId> of(PositionId id) const {
        return {edges_.data() + first_[place(id)], first_[place(id) + 1] - first_[place(id)]};
    }

private:
    std::vector<std::uint64_t> first_;
    std::vector<PositionId> edges_;
};

class Retrograde {
public:
    explicit Retrograde(const Graph& graph) : graph_(graph), before_(graph) {
        solution_.values.assign(graph.size(), 0);
        solution_.remoteness.assign(graph.size(), no_remoteness);
        solution_.positions = graph.size();
        solution_.moves = graph.moves();
    }

    Solution run() {
        std::set<double> utilities;
        for (std::uint32_t i = 0; i < graph_.size(); ++i)
            if (graph_.is_end(PositionId{i})) utilities.insert(graph_.utility(PositionId{i}));
        const std::vector<double> rising(utilities.begin(), utilities.end());
        const auto losses = std::ranges::count_if(rising, [](double u) { return u < 0; });
        const auto wins = std::ranges::count_if(rising, [](double u) { return u > 0; });
        force(0, {rising.rbegin(), rising.rbegin() + wins});
        force(1, {rising.begin(), rising.begin() + losses});
        if (wins > 1 || losses > 1) solution_.remoteness.clear();
        count();
        return std::move(solution_);
    }

private:
    // Gives their value to all positions from which the player can force one of these utilities, the best first.
    void force(std::uint8_t player, const std::vector<double>& utilities) {
        open_.assign(graph_.size(), 0);
        joined_.assign(graph_.size(), false);
        for (std::uint32_t i = 0; i < graph_.size(); ++i)
            open_[i] = static_cast<std::uint32_t>(graph_.successors(PositionId{i}).size());
        for (const double utility : utilities) {
            std::vector<PositionId> layer;
            for (std::uint32_t i = 0; i < graph_.size(); ++i)
                if (graph_.is_end(PositionId{i}) && graph_.utility(PositionId{i}) == utility)
                    join(PositionId{i}, utility, 0, layer);
            for (std::uint32_t plies = 1; !layer.empty(); ++plies) layer = step(player, utility, plies, layer);
        }
    }

    std::vector<PositionId> step(std::uint8_t player, double utility, std::uint32_t plies,
                                 const std::vector<PositionId>& layer) {
        std::vector<PositionId> next;
        for (const PositionId id : layer)
            for (const PositionId from : before_.of(id)) {
                if (joined_[place(from)]) continue;
                if (graph_.to_move(from) == player || --open_[place(from)] == 0) join(from, utility, plies, next);
            }
        return next;
    }

    void join(PositionId id, double utility, std::uint32_t plies, std::vector<PositionId>& layer) {
        joined_[place(id)] = true;
        solution_.values[place(id)] = utility;
        solution_.remoteness[place(id)] = plies;
        layer.push_back(id);
    }

    void count() {
        for (std::uint32_t i = 0; i < graph_.size(); ++i) {
            const double value = graph_.to_move(PositionId{i}) == 0 ? solution_.values[i] : -solution_.values[i];
            ++(value > 0 ? solution_.tally.won : value < 0 ? solution_.tally.lost : solution_.tally.drawn);
        }
    }

    const Graph& graph_;
    Predecessors before_;
    Solution solution_;
    std::vector<std::uint32_t> open_; // successors that have not joined
    std::vector<bool> joined_;
};

} // namespace

std::optional<std::uint32_t> Solution::start_remoteness() const {
    if (remoteness.empty() || remoteness.front() == no_remoteness) return std::nullopt;
    return remoteness.front();
}

namespace {

// Why no game with these traits can be solved here: a sentence, or empty.
std::string refusal(const game::Traits& traits) {
    if (traits.chance) return "the game has chance: only games without it can be solved so far";
    if (traits.players > 2) return "the game has more than two players: only games of one or two can be solved so far";
    if (traits.players == 2 && !traits.zero_sum)
        return "the players' utilities are not known to add up to zero: such games can't be solved so far";
    return {};
}

} // namespace

tl::expected<Solution, game::Error> solve(game::Game& game, const game::State& start, const Options& options) {
    if (auto why = refusal(game.traits()); !why.empty()) return tl::unexpected(game::Error{std::move(why)});
    const auto history = game::solvable_by_position(game.program());
    if (!history) return tl::unexpected(history.error());
    const auto graph = Graph::of(game, start, options.most_positions, options.stop);
    if (!graph) return tl::unexpected(graph.error());
    Solution solution = Retrograde(*graph).run();
    solution.assumes = history->assumes;
    return solution;
}

} // namespace zug::solve

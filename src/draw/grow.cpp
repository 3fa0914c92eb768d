#include "draw/grow.hpp"

#include "draw/grower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace zug::draw {

using search::Method;

namespace {

constexpr std::array drawn_methods{Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN};

Method automatic(const game::Traits& traits) {
    const Method method = search::automatic(traits);
    return std::ranges::find(drawn_methods, method) == drawn_methods.end() ? Method::Expectimax : method;
}

std::string too_large(game::Game& game, const game::State& root, GrowOptions options) {
    const std::string most = fmt::format("the tree has more than {} nodes", options.most_nodes);
    std::size_t nodes = 0;
    int fits = 0;
    options.boards = Boards::Off;
    for (options.depth = 1;; ++options.depth) {
        Grower grower(game, root, options);
        const auto tree = grower.run(root);
        if (!tree) break;
        nodes = tree->nodes.size();
        fits = options.depth;
    }
    if (fits == 0) return fmt::format("{}, even with --depth 1; --nodes sets another limit", most);
    return fmt::format("{}; with --depth {} it has {}, and --nodes sets another limit", most, fits, nodes);
}

// The eval that game::Game::evaluate makes this value of.
double eval_of(double value, const game::Traits& traits) {
    const double low = traits.min_utility, high = traits.max_utility;
    const double middle = low < 0 && 0 < high ? 0 : (low + high) / 2, from_middle = value - middle;
    const double room = from_middle < 0 ? middle - low : high - middle;
    const double left = room - std::abs(from_middle);
    return left > 0 ? from_middle * room / left : std::copysign(infinity, from_middle);
}

void use_eval_scale(Tree& tree, const game::Traits& traits) {
    tree.eval_scale = true;
    for (Node& node : tree.nodes) {
        node.value = {eval_of(node.value.lower, traits), eval_of(node.value.upper, traits)};
        node.bound = eval_of(node.bound, traits);
        if (node.window) node.window = {eval_of(node.window->alpha, traits), eval_of(node.window->beta, traits)};
    }
}

} // namespace

std::size_t Tree::pruned() const {
    std::size_t count = 0;
    for (const Node& node : nodes)
        count += static_cast<std::size_t>(
            std::ranges::count_if(node.branches, [](const Branch& branch) { return !branch.node; }));
    return count;
}

tl::expected<Method, Error> method_for(std::string_view name, const game::Traits& traits) {
    if (name == "auto") return automatic(traits);
    const auto method = search::method_named(name);
    if (!method || std::ranges::find(drawn_methods, *method) == drawn_methods.end())
        return failure(
            fmt::format("the trees of {} can't be drawn; use {}", name, search::method_name(automatic(traits))));
    std::string why = search::refusal(*method, traits);
    if (why.empty()) return *method;
    why.resize(std::min(why.size(), why.rfind("; use "))); // it may be a method that can't be drawn
    return failure(fmt::format("{}; use {}", why, search::method_name(automatic(traits))));
}

tl::expected<Tree, Error> grow(game::Game& game, const game::State& root, const GrowOptions& options) {
    const game::Traits& traits = game.traits();
    if (options.eval_scale && (!traits.zero_sum || traits.chance || !traits.has_eval || options.method == Method::MaxN))
        return failure("the scale of the eval is for games of two sides, zero-sum and without chance, that have one");
    Grower grower(game, root, options);
    auto tree = grower.run(root);
    if (!tree && grower.too_large()) return failure(too_large(game, root, options));
    if (tree && options.eval_scale) use_eval_scale(*tree, traits);
    return tree;
}

} // namespace zug::draw

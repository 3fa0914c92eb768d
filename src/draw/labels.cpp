#include "draw/labels.hpp"

#include "base/printable.hpp"
#include "game/faces.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zug::draw {

namespace {

constexpr std::size_t longest_name = 24; // characters
constexpr std::size_t longest_line = 16; // moves

std::string number_text(double number) {
    if (number == infinity) return "∞";
    if (number == -infinity) return "-∞";
    return fmt::format("{:.6g}", number == 0 ? 0.0 : number); // without the sign of -0
}

std::string name_text(const std::string& name) {
    const std::vector<std::string> characters = game::characters(printable(name));
    if (characters.size() <= longest_name) return fmt::format("{}", fmt::join(characters, ""));
    return fmt::format("{}…", fmt::join(characters.begin(), characters.begin() + longest_name - 1, ""));
}

} // namespace

std::size_t width_of(const std::string& text) { return game::characters(text).size(); }

std::string kind_text(const Tree& tree, const Node& node) {
    switch (node.kind) {
    case Kind::Max: return "MAX";
    case Kind::Min: return "MIN";
    case Kind::Player: return name_text(tree.players[node.player]);
    case Kind::Chance: return "chance";
    case Kind::End: return "end";
    case Kind::Horizon: break;
    }
    return "leaf";
}

std::string value_text(const Tree& tree, const Node& node) {
    if (tree.by_player()) {
        std::vector<std::string> numbers;
        for (const double value : node.values) numbers.push_back(number_text(value));
        return fmt::format("({})", fmt::join(numbers, ", "));
    }
    const Interval& value = node.value;
    if (value.exact()) return number_text(value.lower);
    const bool at_most = node.window ? value.upper <= node.window->alpha : value.lower == -infinity;
    return at_most ? fmt::format("≤ {}", number_text(value.upper)) : fmt::format("≥ {}", number_text(value.lower));
}

std::string window_text(const Node& node) {
    if (!node.window) return "";
    return fmt::format("α = {}, β = {}", number_text(node.window->alpha), number_text(node.window->beta));
}

std::string cut_text(const Tree& tree, const Node& node) {
    const std::string bound = number_text(node.bound);
    switch (node.cut) {
    case Cut::None: break;
    case Cut::Alpha: return fmt::format("α cut-off: {} ≤ α = {}", number_text(node.value.upper), bound);
    case Cut::Beta: return fmt::format("β cut-off: {} ≥ β = {}", number_text(node.value.lower), bound);
    case Cut::Low: return fmt::format("Star1: at most {} ≤ α = {}", number_text(node.value.upper), bound);
    case Cut::High: return fmt::format("Star1: at least {} ≥ β = {}", number_text(node.value.lower), bound);
    case Cut::Best: return fmt::format("{} is the most for {}", bound, name_text(tree.players[node.player]));
    }
    return "";
}

std::string branch_text(const Branch& branch, std::size_t most) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(most, branch.moves.size()); ++i) names.push_back(name_text(branch.moves[i]));
    const std::size_t more = branch.moves.size() - names.size();
    return fmt::format("{}{}", fmt::join(names, ", "), more == 0 ? "" : fmt::format(", +{}", more));
}

std::string probability_text(const Branch& branch) {
    return branch.probability > 0 ? fmt::format("{:.4g}", branch.probability) : "";
}

std::string label_text(const Branch& branch) {
    const std::string probability = probability_text(branch), moves = branch_text(branch);
    return probability.empty() ? moves : fmt::format("{} ({})", moves, probability);
}

std::vector<std::string> board_lines(const Node& node) {
    std::vector<std::string> lines;
    const std::string text = printable(node.board);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string heading(const Tree& tree) {
    const std::size_t pruned = tree.pruned();
    return fmt::format("{}: {}{}, {} node{}{}", printable(tree.title), search::method_name(tree.method),
                       tree.eval_scale ? " with values of eval" : "", tree.nodes.size(),
                       tree.nodes.size() == 1 ? "" : "s",
                       pruned == 0 ? "" : fmt::format(", {} branch{} pruned", pruned, pruned == 1 ? "" : "es"));
}

std::string best_line(const Tree& tree) {
    std::vector<std::string> moves;
    for (std::optional<NodeIndex> at = 0; at;) {
        const std::vector<Branch>& branches = tree.nodes[*at].branches;
        const auto best = std::ranges::find_if(branches, &Branch::best);
        if (best == branches.end()) break;
        if (moves.size() == longest_line) {
            moves.emplace_back("…");
            break;
        }
        moves.push_back(name_text(best->moves.front()));
        at = best->node;
    }
    return fmt::format("{}", fmt::join(moves, " "));
}

} // namespace zug::draw

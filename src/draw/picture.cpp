#include "draw/picture.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace zug::draw {

namespace {

constexpr double gap = 14, padding = 6, least_symbol = 30, least_drop = 44, labelled_drop = 90, most_drop = 150;
constexpr std::size_t most_pruned = 3; // branches of a node that are drawn one by one

class Composer {
public:
    explicit Composer(const Tree& tree) : tree_(tree), item_of_(tree.nodes.size()) {}

    Picture run() {
        for (const Node& node : tree_.nodes)
            if (node.kind == Kind::Max || node.kind == Kind::Min)
                picture_.triangles = picture_.triangles && width_of(value_text(tree_, node)) <= 4;
        add_node(0, "");
        lay_out(picture_.boxes, gap);
        for (const Box& box : picture_.boxes) picture_.width = std::max(picture_.width, box.x + box.width / 2);
        rows();
        place_labels();
        return std::move(picture_);
    }

private:
    std::size_t add(Item item, double width);
    std::size_t add_node(NodeIndex index, const std::string& label);
    void add_branches(std::size_t from, NodeIndex index);
    void add_pruned(std::size_t from, const std::vector<Branch>& pruned);
    double symbol_width(const Node& node) const;
    void rows();
    double drop_below(int row) const;
    void place_labels();

    const Tree& tree_;
    std::vector<std::optional<std::size_t>> item_of_;
    Picture picture_;
};

double Composer::symbol_width(const Node& node) const {
    const double text = text_width(width_of(value_text(tree_, node)));
    switch (node.kind) {
    case Kind::Max:
    case Kind::Min: return picture_.triangles ? 60 : std::max(60.0, text + 2 * padding);
    case Kind::Chance: return std::max(44.0, 1.55 * text + 2 * padding);
    case Kind::Player: return std::max(text, text_width(width_of(kind_text(tree_, node)))) + 2 * padding;
    default: return std::max(least_symbol, text + 2 * padding);
    }
}

std::size_t Composer::add(Item item, double width) {
    picture_.items.push_back(std::move(item));
    picture_.boxes.push_back({.width = width, .children = {}});
    return picture_.items.size() - 1;
}

std::size_t Composer::add_node(NodeIndex index, const std::string& label) {
    const Node& node = tree_.nodes[index];
    const double symbol = symbol_width(node);
    std::size_t widest = std::max({width_of(label), width_of(window_text(node)), width_of(cut_text(tree_, node))});
    for (const std::string& line : board_lines(node)) widest = std::max(widest, width_of(line) + 1);
    const std::size_t item = add({.node = index, .label = label, .row = node.ply - tree_.nodes[0].ply, .width = symbol},
                                 std::max(symbol, text_width(widest)));
    item_of_[index] = item;
    add_branches(item, index);
    return item;
}

void Composer::add_branches(std::size_t from, NodeIndex index) {
    const Node& node = tree_.nodes[index];
    std::vector<Branch> pruned;
    for (const Branch& branch : node.branches) {
        if (!branch.node) {
            pruned.push_back(branch);
            continue;
        }
        const bool shared = tree_.nodes[*branch.node].parents > 1, best = node.principal && branch.best;
        const std::string label = label_text(branch);
        const std::optional<std::size_t> drawn = item_of_[*branch.node];
        const std::size_t to = drawn ? *drawn : add_node(*branch.node, shared ? "" : label);
        if (!drawn) picture_.boxes[from].children.push_back(to);
        picture_.lines.push_back({.from = from, .to = to, .label = shared ? label : "", .best = best});
    }
    add_pruned(from, pruned);
}

void Composer::add_pruned(std::size_t from, const std::vector<Branch>& pruned) {
    std::vector<std::string> labels;
    for (const Branch& branch : pruned) labels.push_back(label_text(branch));
    if (labels.size() > most_pruned) labels = {fmt::format("{} moves", pruned.size())};
    for (const std::string& label : labels) {
        const std::size_t to =
            add({.node = {}, .label = label, .row = picture_.items[from].row + 1}, text_width(width_of(label)));
        picture_.boxes[from].children.push_back(to);
        picture_.lines.push_back({.from = from, .to = to, .label = ""});
    }
}

// The distance to the next row, so that no line is too flat.
double Composer::drop_below(int row) const {
    double widest = 0, least = least_drop;
    for (const Line& line : picture_.lines) {
        if (picture_.items[line.from].row != row) continue;
        widest = std::max(widest, std::abs(picture_.boxes[line.from].x - picture_.boxes[line.to].x));
        if (!line.label.empty()) least = labelled_drop;
    }
    return std::clamp(widest / 8, least, most_drop);
}

void Composer::rows() {
    int last = 0;
    for (const Item& item : picture_.items) last = std::max(last, item.row);
    double y = 0;
    for (int r = 0; r <= last; ++r) {
        double label = 0, board = 0, window = 0, cut = 0, symbol = 0;
        for (const Item& item : picture_.items) {
            if (item.row != r) continue;
            if (!item.label.empty()) label = line_height + 3;
            if (!item.node) continue;
            const Node& node = tree_.nodes[*item.node];
            if (const auto lines = board_lines(node).size(); lines > 0)
                board = std::max(board, line_height * static_cast<double>(lines) + 2 * padding);
            if (node.window) window = line_height;
            if (node.cut != Cut::None) cut = line_height;
            symbol = std::max(symbol, height_of(node));
        }
        Row row{.label = y, .board = y + label, .window = y + label + board};
        row.cut = row.window + window;
        row.symbol = row.cut + cut + 3;
        row.bottom = row.symbol + symbol;
        picture_.rows.push_back(row);
        y = row.bottom + drop_below(r);
    }
    picture_.height = picture_.rows.back().bottom;
}

// On its line, and where it covers no other label if there is such a point. Only labels between the same rows can meet;
// they are kept by x, so that large graphs take no quadratic time.
void Composer::place_labels() {
    std::vector<std::multimap<double, const Line*>> placed(picture_.rows.size());
    double widest = 0;
    for (const Line& line : picture_.lines) widest = std::max(widest, text_width(width_of(line.label)) + padding);
    for (Line& line : picture_.lines) {
        if (line.label.empty()) continue;
        const Point from = bottom_of(picture_, tree_, line.from), to = top_of(picture_, tree_, line.to);
        auto& near = placed[static_cast<std::size_t>(picture_.items[line.from].row)];
        const auto covers = [&](const auto& entry) {
            const Line& other = *entry.second;
            const double width = text_width(width_of(line.label) + width_of(other.label)) / 2 + padding;
            return std::abs(other.label_y - line.label_y) < line_height &&
                   std::abs(other.label_x - line.label_x) < width;
        };
        for (const double along : {0.5, 0.68, 0.32, 0.84, 0.2, 0.59, 0.41, 0.5}) {
            line.label_x = from.x + along * (to.x - from.x);
            line.label_y = from.y + along * (to.y - from.y);
            const auto last = near.upper_bound(line.label_x + widest);
            if (std::none_of(near.lower_bound(line.label_x - widest), last, covers)) break;
        }
        near.emplace(line.label_x, &line);
    }
}

} // namespace

double height_of(const Node& node) {
    return node.kind == Kind::End || node.kind == Kind::Horizon ? leaf_height : symbol_height;
}

Point bottom_of(const Picture& picture, const Tree& tree, std::size_t item) {
    const Item& from = picture.items[item];
    const Row& row = picture.rows[static_cast<std::size_t>(from.row)];
    return {picture.boxes[item].x, from.node ? row.symbol + height_of(tree.nodes[*from.node]) : row.board};
}

Point top_of(const Picture& picture, const Tree& tree, std::size_t item) {
    const Item& to = picture.items[item];
    const Row& row = picture.rows[static_cast<std::size_t>(to.row)];
    const double x = picture.boxes[item].x;
    if (!to.label.empty() || !to.node) return {x, row.label};
    const Node& node = tree.nodes[*to.node];
    if (!node.board.empty()) return {x, row.board};
    if (node.window) return {x, row.window};
    return {x, node.cut == Cut::None ? row.symbol : row.cut};
}

Picture picture_of(const Tree& tree) { return Composer(tree).run(); }

} // namespace zug::draw

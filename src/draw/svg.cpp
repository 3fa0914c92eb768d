#include "draw/svg.hpp"

#include "base/markup/markup.hpp"
#include "draw/picture.hpp"
#include "draw/svg_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace zug::draw {

namespace {

constexpr double margin = 24, heading_height = 58, legend_height = 44, legend_step = 16;

std::string text_at(double x, double y, std::string_view style, std::string_view text) {
    const std::string attribute = style.empty() ? "" : fmt::format(" class=\"{}\"", style);
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, attribute, escaped(text));
}

std::string_view style_of(Kind kind) {
    switch (kind) {
    case Kind::Max: return "max";
    case Kind::Min: return "min";
    case Kind::Player: return "player";
    case Kind::Chance: return "chance";
    case Kind::End: return "end";
    case Kind::Horizon: break;
    }
    return "leaf";
}

// The frame of a symbol: the middle of its top, and its size.
struct Frame {
    double x, y, width, height;
};

// MAX points up and MIN down: triangles, or where values are too long for them, boxes with a gable.
std::string pointed(Frame at, bool up, bool triangle, std::string_view style) {
    const double tip = up ? at.y : at.y + at.height, base = up ? at.y + at.height : at.y;
    const double left = at.x - at.width / 2, right = at.x + at.width / 2;
    const double eaves = triangle ? base : tip + (base - tip) / 3;
    return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}Z\"/>\n", style, at.x,
                       tip, right, eaves, base, left, eaves);
}

std::string box(Frame at, double radius, std::string_view style) {
    return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\"/>\n",
                       style, at.x - at.width / 2, at.y, at.width, at.height, radius);
}

std::string diamond(Frame at, std::string_view style) {
    const double middle = at.y + at.height / 2;
    return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n", style,
                       at.x, at.y, at.x + at.width / 2, middle, at.x, at.y + at.height, at.x - at.width / 2, middle);
}

std::string symbol(Kind kind, Frame at, bool triangle, std::string_view style) {
    switch (kind) {
    case Kind::Max: return pointed(at, true, triangle, style);
    case Kind::Min: return pointed(at, false, triangle, style);
    case Kind::Chance: return diamond(at, style);
    case Kind::Player: return box(at, 4, style);
    case Kind::End: return box(at, 0, style);
    case Kind::Horizon: break;
    }
    return box(at, at.height / 2, style);
}

class SvgWriter {
public:
    explicit SvgWriter(const Tree& tree) : tree_(tree), picture_(picture_of(tree)) {}

    std::string all();

private:
    double x_of(std::size_t item) const { return offset_ + picture_.boxes[item].x; }
    const Row& row_of(std::size_t item) const {
        return picture_.rows[static_cast<std::size_t>(picture_.items[item].row)];
    }
    void line(const Line& line);
    void item(std::size_t index);
    void board(std::size_t index, const Node& node);
    void node(std::size_t index, const Node& node);
    std::string legend();

    const Tree& tree_;
    Picture picture_;
    double offset_ = 0;
    std::string out_;
};

void SvgWriter::line(const Line& line) {
    const Point from = bottom_of(picture_, tree_, line.from), to = top_of(picture_, tree_, line.to);
    const double x1 = offset_ + from.x, y1 = from.y, x2 = offset_ + to.x, y2 = to.y;
    const bool pruned = !picture_.items[line.to].node;
    out_ += fmt::format("<path class=\"line{}{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", line.best ? " best" : "",
                        pruned ? " pruned" : "", x1, y1, x2, y2);
    if (!pruned) return;
    // Two strokes across the line: it is cut.
    const double length = std::hypot(x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    for (const double along : {-2.5, 2.5}) {
        const double x = x1 + (x2 - x1) * 0.6 + dx * along, y = y1 + (y2 - y1) * 0.6 + dy * along;
        out_ += fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", x - dy * 6, y + dx * 6,
                            x + dy * 6, y - dx * 6);
    }
}

void SvgWriter::board(std::size_t index, const Node& node) {
    const std::vector<std::string> lines = board_lines(node);
    if (lines.empty()) return;
    std::size_t widest = 0;
    for (const std::string& line : lines) widest = std::max(widest, width_of(line));
    const double width = text_width(widest), x = x_of(index), top = row_of(index).board;
    out_ += box({x, top + 2, width + 8, line_height * static_cast<double>(lines.size()) + 6}, 3, "frame");
    for (std::size_t i = 0; i < lines.size(); ++i)
        out_ += fmt::format("<text class=\"board\" xml:space=\"preserve\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                            x - width / 2, top + line_height * static_cast<double>(i + 1), escaped(lines[i]));
}

void SvgWriter::node(std::size_t index, const Node& node) {
    const Row& row = row_of(index);
    const double x = x_of(index), height = height_of(node);
    board(index, node);
    if (const std::string text = window_text(node); !text.empty()) out_ += text_at(x, row.window + 12, "bounds", text);
    if (const std::string text = cut_text(tree_, node); !text.empty()) out_ += text_at(x, row.cut + 12, "reason", text);
    const std::string style = fmt::format("{}{}", style_of(node.kind), node.principal ? " on-best" : "");
    out_ += symbol(node.kind, {x, row.symbol, picture_.items[index].width, height}, picture_.triangles, style);
    // In a triangle the text stands where it is wide.
    double baseline = row.symbol + height / 2 + 4.5;
    if (node.kind == Kind::Max) baseline = row.symbol + height - 7;
    if (node.kind == Kind::Min) baseline = row.symbol + 16;
    if (node.kind == Kind::Player) {
        out_ += text_at(x, row.symbol + 14, "", kind_text(tree_, node));
        baseline = row.symbol + 30;
    }
    out_ += text_at(x, baseline, "", value_text(tree_, node));
}

void SvgWriter::item(std::size_t index) {
    const Item& item = picture_.items[index];
    if (!item.label.empty())
        out_ += text_at(x_of(index), row_of(index).label + 13, item.node ? "" : "gone", item.label);
    if (item.node) node(index, tree_.nodes[*item.node]);
}

// What the symbols mean: those that occur.
std::string SvgWriter::legend() {
    constexpr std::array kinds{Kind::Max, Kind::Min, Kind::Player, Kind::Chance, Kind::End, Kind::Horizon};
    double x = margin;
    const double y = heading_height + picture_.height + legend_height;
    std::string out;
    const auto add = [&](const std::string& mark, double width, const std::string& text) {
        out += mark + text_at(x + width + 6, y + 4, "legend", text);
        x += width + 6 + text_width(width_of(text)) + legend_step;
    };
    for (const Kind kind : kinds) {
        const auto found = std::ranges::find(tree_.nodes, kind, &Node::kind);
        if (found == tree_.nodes.end()) continue;
        std::string text = kind == Kind::Player    ? "a player, with the value for each"
                           : kind == Kind::Horizon ? "evaluated at the depth limit"
                           : kind == Kind::End     ? "end of the game"
                                                   : kind_text(tree_, *found);
        if (kind == Kind::Max || kind == Kind::Min)
            text = fmt::format("{}: {}", text, tree_.teams[kind == Kind::Max ? 0 : 1]);
        add(symbol(kind, {x + 9, y - 8, 18, 16}, true, style_of(kind)), 18, text);
    }
    const auto stroke = [&](std::string_view style) {
        return fmt::format("<path class=\"line {}\" d=\"M{:.1f} {:.1f}h24\"/>\n", style, x, y);
    };
    if (!best_line(tree_).empty()) add(stroke("best"), 24, "best play");
    if (tree_.pruned() > 0) add(stroke("pruned"), 24, "pruned");
    picture_.width = std::max(picture_.width, x - 2 * margin);
    return out;
}

std::string SvgWriter::all() {
    const std::string explained = legend(), title = heading(tree_);
    const std::string best = best_line(tree_);
    const std::string line_text = best.empty() ? "" : fmt::format("best play: {}", best);
    const double least = std::max(1.4 * text_width(width_of(title)), text_width(width_of(line_text)));
    double right = 0;
    for (const Box& box : picture_.boxes) right = std::max(right, box.x + box.width / 2);
    const double inner = std::max(picture_.width, least);
    offset_ = margin + (inner - right) / 2;
    const double width = inner + 2 * margin, height = heading_height + picture_.height + legend_height + margin;
    out_ = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
                       "height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n"
                       "<rect class=\"paper\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n",
                       width, height, escaped(title), svg_style);
    out_ += text_at(margin, margin, "heading", title);
    if (!line_text.empty()) out_ += text_at(margin, margin + 20, "legend", line_text);
    out_ += fmt::format("<g transform=\"translate(0 {})\">\n", heading_height);
    for (const Line& line : picture_.lines) this->line(line);
    for (std::size_t i = 0; i < picture_.items.size(); ++i) item(i);
    for (const Line& line : picture_.lines)
        if (!line.label.empty()) out_ += text_at(offset_ + line.label_x, line.label_y + 4, "beside", line.label);
    return out_ + "</g>\n" + explained + "</svg>\n";
}

} // namespace

std::string svg_of(const Tree& tree) { return SvgWriter(tree).all(); }

} // namespace zug::draw

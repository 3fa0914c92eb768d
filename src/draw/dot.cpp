#include "draw/dot.hpp"

#include "base/markup/markup.hpp"
#include "draw/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace zug::draw {

namespace {

// As it stands in quotes. Graphviz reads `\` as the beginning of an escape, and entities of HTML.
std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char letter : escaped(text)) {
        if (letter == '\\') out += '\\';
        out += letter;
    }
    return out + '"';
}

// Houses instead of triangles, from which a board would stick out.
std::string_view shape_of(Kind kind) {
    switch (kind) {
    case Kind::Max: return "house";
    case Kind::Min: return "invhouse";
    case Kind::Player: return "ellipse";
    case Kind::Chance: return "diamond";
    case Kind::End: return "box";
    case Kind::Horizon: break;
    }
    return "box\", style=\"rounded";
}

// A line of a label.
void append(std::string& label, const std::string& line, std::string_view ending) {
    if (line.empty()) return;
    const std::string text = in_quotes(line);
    label += text.substr(1, text.size() - 2);
    label += ending;
}

std::string node_text(const Tree& tree, NodeIndex index) {
    const Node& node = tree.nodes[index];
    std::string label;
    // Lines are centred, so those of a board get the same length.
    const std::vector<std::string> board = board_lines(node);
    std::size_t widest = 0;
    for (const std::string& line : board) widest = std::max(widest, width_of(line));
    for (const std::string& line : board)
        append(label, fmt::format("{}{}", line, std::string(widest - width_of(line), ' ')), "\\n");
    append(label, window_text(node), "\\n");
    append(label, cut_text(tree, node), "\\n");
    if (node.kind == Kind::Player) append(label, kind_text(tree, node), "\\n");
    append(label, value_text(tree, node), "\\n");
    return fmt::format("  n{} [shape=\"{}\", label=\"{}\"{}];\n", index, shape_of(node.kind), label,
                       node.principal ? ", penwidth=2" : "");
}

std::string branch_line(const Tree& tree, NodeIndex from, std::size_t i) {
    const Branch& branch = tree.nodes[from].branches[i];
    const std::string probability = probability_text(branch);
    std::string label;
    append(label, branch_text(branch), probability.empty() ? "" : "\\n");
    append(label, probability, "");
    if (branch.node) {
        const bool bold = tree.nodes[from].principal && branch.best;
        return fmt::format("  n{} -> n{} [label=\"{}\"{}];\n", from, *branch.node, label, bold ? ", penwidth=3" : "");
    }
    const std::string target = fmt::format("p{}_{}", from, i);
    return fmt::format("  {} [shape=\"plain\", label=\"✕\"];\n  n{} -> {} [label=\"{}\", style=\"dashed\"];\n", target,
                       from, target, label);
}

} // namespace

std::string dot_of(const Tree& tree) {
    std::string out = fmt::format("digraph tree {{\n  label={}; labelloc=\"t\"; ordering=\"out\";\n"
                                  "  node [fontname=\"monospace\", fontsize=11, margin=\"0.04\"];\n"
                                  "  edge [fontname=\"sans-serif\", fontsize=10, arrowhead=\"none\"];\n",
                                  in_quotes(heading(tree)));
    for (NodeIndex n = 0; n < tree.nodes.size(); ++n) out += node_text(tree, n);
    for (NodeIndex n = 0; n < tree.nodes.size(); ++n)
        for (std::size_t i = 0; i < tree.nodes[n].branches.size(); ++i) out += branch_line(tree, n, i);
    return out + "}\n";
}

} // namespace zug::draw

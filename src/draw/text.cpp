#include "draw/text.hpp"

#include "draw/labels.hpp"

#include <fmt/format.h>

namespace zug::draw {

namespace {

class TextWriter {
public:
    explicit TextWriter(const Tree& tree) : tree_(tree), numbers_(tree.nodes.size(), 0) {}

    std::string all() {
        out_ = heading(tree_) + "\n";
        if (const std::string line = best_line(tree_); !line.empty()) out_ += fmt::format("best play: {}\n", line);
        out_ += '\n';
        node(0, "", "", true);
        return std::move(out_);
    }

private:
    // `best`: reached by the line of best play.
    void node(NodeIndex index, const std::string& label, const std::string& indent, bool best);
    void branch(const Node& from, std::size_t i, const std::string& indent, bool best);

    const Tree& tree_;
    std::vector<std::size_t> numbers_; // of nodes that several branches lead to; 0: not written yet
    std::size_t numbered_ = 0;
    std::string out_;
};

void TextWriter::node(NodeIndex index, const std::string& label, const std::string& indent, bool best) {
    const Node& node = tree_.nodes[index];
    out_ += fmt::format("{}{} {}", label, kind_text(tree_, node), value_text(tree_, node));
    if (const std::string window = window_text(node); !window.empty()) out_ += fmt::format("  [{}]", window);
    if (node.parents > 1) {
        numbers_[index] = ++numbered_;
        out_ += fmt::format("  #{}", numbered_);
    }
    if (best) out_ += "  *";
    out_ += '\n';
    const bool more = !node.branches.empty();
    for (const std::string& line : board_lines(node))
        out_ += fmt::format("{}{} {}\n", indent, more ? "│  " : "   ", line);
    for (std::size_t i = 0; i < node.branches.size(); ++i) branch(node, i, indent, best && node.branches[i].best);
}

void TextWriter::branch(const Node& from, std::size_t i, const std::string& indent, bool best) {
    const Branch& branch = from.branches[i];
    const bool last = i + 1 == from.branches.size();
    out_ += fmt::format("{}{}", indent, last ? "└── " : "├── ");
    const std::string label = label_text(branch);
    if (!branch.node)
        out_ += fmt::format("{}: pruned, {}\n", label, cut_text(tree_, from));
    else if (numbers_[*branch.node] != 0)
        out_ += fmt::format("{}: see #{}{}\n", label, numbers_[*branch.node], best ? "  *" : "");
    else
        node(*branch.node, fmt::format("{}: ", label), fmt::format("{}{}", indent, last ? "    " : "│   "), best);
}

} // namespace

std::string text_of(const Tree& tree) { return TextWriter(tree).all(); }

} // namespace zug::draw

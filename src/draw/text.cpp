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
        if (const std::string line = best_line(tree_); !line.empty()) out_ += fmt::format("best line: {}\n", line);
        out_ += '\n';
        node(0, "", "");
        return std::move(out_);
    }

private:
    void node(NodeIndex index, const std::string& label, const std::string& indent);
    void branch(const Branch& branch, const std::string& indent, bool last, const std::string& reason);

    const Tree& tree_;
    std::vector<std::size_t> numbers_; // of nodes that several branches lead to; 0: not written yet
    std::size_t numbered_ = 0;
    std::string out_;
};

void TextWriter::node(NodeIndex index, const std::string& label, const std::string& indent) {
    const Node& node = tree_.nodes[index];
    out_ += fmt::format("{}{} {}", label, kind_text(tree_, node), value_text(tree_, node));
    if (const std::string window = window_text(node); !window.empty()) out_ += fmt::format("  [{}]", window);
    if (node.parents > 1) {
        numbers_[index] = ++numbered_;
        out_ += fmt::format("  #{}", numbered_);
    }
    if (node.principal) out_ += "  *";
    out_ += '\n';
    const bool more = !node.branches.empty();
    for (const std::string& line : board_lines(node))
        out_ += fmt::format("{}{} {}\n", indent, more ? "│  " : "   ", line);
    const std::string reason = cut_text(tree_, node);
    for (std::size_t i = 0; i < node.branches.size(); ++i)
        branch(node.branches[i], indent, i + 1 == node.branches.size(), reason);
}

void TextWriter::branch(const Branch& branch, const std::string& indent, bool last, const std::string& reason) {
    out_ += fmt::format("{}{}", indent, last ? "└── " : "├── ");
    const std::string label = label_text(branch);
    if (!branch.node)
        out_ += fmt::format("{}: pruned, {}\n", label, reason);
    else if (numbers_[*branch.node] != 0)
        out_ += fmt::format("{}: see #{}\n", label, numbers_[*branch.node]);
    else
        node(*branch.node, fmt::format("{}: ", label), fmt::format("{}{}", indent, last ? "    " : "│   "));
}

} // namespace

std::string text_of(const Tree& tree) { return TextWriter(tree).all(); }

} // namespace zug::draw

#include "grammar/ast/dump.hpp"

#include <algorithm>

namespace zug::syntax {

namespace {

bool plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c > ' ' && c < 0x7F && c != '(' && c != ')' && c != '"'; });
}

void write(std::string& out, const Tree& tree, NodeId id) {
    if (!valid(id)) {
        out += '-';
        return;
    }
    const Node& node = tree[id];
    out += '(';
    out += kind_name(node.kind);
    if (!node.text.empty()) {
        const auto* quote = plain(node.text) ? "" : "\"";
        out.append(" ").append(quote).append(node.text).append(quote);
    }
    for (const auto child : tree.children(id)) {
        out += ' ';
        write(out, tree, child);
    }
    out += ')';
}

} // namespace

std::string dump(const Tree& tree, NodeId node) {
    std::string out;
    write(out, tree, node);
    return out;
}

std::string dump(const Tree& tree) {
    std::string out;
    if (!valid(tree.root)) return out;
    for (const auto declaration : tree.children(tree.root)) out += dump(tree, declaration) + "\n";
    return out;
}

} // namespace zug::syntax

#pragma once
// Shared by the tests of the grammar: a text, what was read of it and what was said about it.

#include "grammar/ast/dump.hpp"
#include "grammar/parse.hpp"

#include <string>

namespace zug::syntax {

struct Parsed {
    explicit Parsed(std::string text) {
        file = sources.add("test.zug", std::move(text));
        tree = parse(sources, file, report);
    }
    std::string dumped() const { return dump(tree); }
    std::string said() const { return diag::render(sources, report); }

    diag::Sources sources;
    FileId file{};
    diag::Report report;
    Tree tree;
};

// The tree of `def f = <text>`'s body, or the diagnostics.
inline std::string expression_tree(const std::string& text) {
    const Parsed parsed("def f = " + text);
    if (parsed.report.has_errors()) return parsed.said();
    const auto def = parsed.tree.child(parsed.tree.root, 0);
    return dump(parsed.tree, parsed.tree.child(def, 1));
}

// The tree of a file of one or more declarations, or the diagnostics.
inline std::string tree_of(const std::string& text) {
    const Parsed parsed(text);
    return parsed.report.has_errors() ? parsed.said() : parsed.dumped();
}

} // namespace zug::syntax

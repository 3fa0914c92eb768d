#pragma once
// A rule file whose rules can be written in other words: its text, its syntax tree, and what its names stand for.

#include "diag/diagnostic.hpp"
#include "grammar/ast/ast.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zug::rephrase {

struct Definition {
    std::vector<std::string> parameters;
    std::string body; // as it stands in the file
};

struct Way;

class Text {
public:
    // `prelude`: the text of the standard vocabulary, whose definitions are known too.
    Text(const std::string& file, const std::string& prelude);

    // The nodes of the rules to which the way applies.
    std::vector<syntax::NodeId> sites(const Way& way);
    // The file with these nodes in other words.
    std::string rewritten(const Way& way, const std::set<syntax::NodeId>& nodes);
    // As it stands in the file, on one line.
    std::string quoted(syntax::NodeId node) const;

    // For ways.
    const syntax::Node& operator[](syntax::NodeId node) const { return tree_[node]; }
    syntax::NodeId child(syntax::NodeId node, std::size_t i) const { return tree_.child(node, i); }
    std::size_t children(syntax::NodeId node) const { return tree_.children(node).size(); }
    bool is(syntax::NodeId node, syntax::Kind kind, std::string_view text = {}) const;
    // A node in brackets, and what is inside them, with its own parts in other words.
    std::string in(syntax::NodeId node) { return "(" + plain(node) + ")"; }
    std::string plain(syntax::NodeId node);
    std::string fresh() { return "q" + std::to_string(++fresh_); }
    // The type of the only index of a state variable; empty: it has none, or several.
    std::string index_type(const std::string& variable) const;
    bool is_state(const std::string& name) const { return index_types_.contains(name); }
    const Definition* definition(const std::string& name) const;
    // The names that the rule has given by `let`, in order, and their values.
    const std::vector<std::pair<std::string, std::string>>& lets() const { return lets_; }

private:
    void note_declarations(const syntax::Tree& tree, std::string_view text);
    std::string negated(syntax::NodeId node);
    void enter(syntax::NodeId declaration);
    std::vector<syntax::NodeId> parts(syntax::NodeId node) const;
    void walk(syntax::NodeId node, const Way& way, std::vector<syntax::NodeId>& out);

    diag::Sources sources_;
    diag::Report report_;
    FileId file_;
    syntax::Tree tree_;
    std::map<std::string, std::string> index_types_; // of state variables
    std::map<std::string, Definition> definitions_;
    std::vector<std::pair<std::string, std::string>> lets_;
    const Way* way_ = nullptr;
    const std::set<syntax::NodeId>* chosen_ = nullptr;
    int fresh_ = 0;
};

} // namespace zug::rephrase

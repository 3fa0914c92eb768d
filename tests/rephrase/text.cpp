#include "tests/rephrase/text.hpp"

#include "grammar/parse.hpp"
#include "tests/rephrase/ways.hpp"

#include <algorithm>

namespace zug::rephrase {

using syntax::Kind;
using syntax::Node;
using syntax::NodeId;

namespace {

std::string_view slice(std::string_view text, Span span) { return text.substr(span.begin, span.end - span.begin); }

bool has_rules(Kind kind) {
    return kind == Kind::Def || kind == Kind::PathDef || kind == Kind::EffectDef || kind == Kind::Move ||
           kind == Kind::Chance || kind == Kind::End;
}

// Blanks in place of comments, so that a part of the text means the same on one line.
std::string without_comments(std::string text) {
    bool quoted = false, comment = false;
    for (char& c : text) {
        if (c == '\n') quoted = comment = false;
        if (c == '"' && !comment) quoted = !quoted;
        if (c == '#' && !quoted) comment = true;
        if (comment) c = ' ';
    }
    return text;
}

} // namespace

Text::Text(const std::string& file, const std::string& prelude) {
    const FileId standard = sources_.add("prelude", without_comments(prelude));
    note_declarations(syntax::parse(sources_, standard, report_), sources_.text(standard));
    file_ = sources_.add("file", without_comments(file));
    tree_ = syntax::parse(sources_, file_, report_);
    note_declarations(tree_, sources_.text(file_));
}

void Text::note_declarations(const syntax::Tree& tree, std::string_view text) {
    for (const NodeId declaration : tree.children(tree.root)) {
        const Node& node = tree[declaration];
        if (node.kind == Kind::State) {
            const NodeId indices = tree.child(declaration, 0);
            const bool one = valid(indices) && tree.children(indices).size() == 1;
            index_types_[node.text] = one ? slice(text, tree[tree.child(indices, 0)].span) : std::string_view();
        } else if (node.kind == Kind::Def || node.kind == Kind::PathDef) {
            Definition definition;
            if (const NodeId parameters = tree.child(declaration, 0); valid(parameters))
                for (const NodeId p : tree.children(parameters)) definition.parameters.push_back(tree[p].text);
            definition.body = slice(text, tree[tree.child(declaration, 1)].span);
            definitions_[node.text] = std::move(definition);
        }
    }
}

bool Text::is(NodeId node, Kind kind, std::string_view text) const {
    return valid(node) && tree_[node].kind == kind && (text.empty() || tree_[node].text == text);
}

std::string Text::index_type(const std::string& variable) const {
    const auto found = index_types_.find(variable);
    return found == index_types_.end() ? std::string() : found->second;
}

const Definition* Text::definition(const std::string& name) const {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? nullptr : &found->second;
}

void Text::enter(NodeId declaration) {
    lets_.clear();
    for (const NodeId part : tree_.children(declaration))
        if (is(part, Kind::Lets))
            for (const NodeId binding : tree_.children(part))
                lets_.emplace_back(tree_[binding].text, slice(sources_.text(file_), tree_[child(binding, 0)].span));
}

// The children that are rules too: no patterns, and no names of what is declared.
std::vector<NodeId> Text::parts(NodeId node) const {
    std::vector<NodeId> out;
    const auto all = tree_.children(node);
    const Kind kind = tree_[node].kind;
    const bool lookup = is(node, Kind::Binary, ".") && is(all[0], Kind::Name) && is_state(tree_[all[0]].text);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool pattern = (kind == Kind::Is && i == 1) || (kind == Kind::Arm && i == 0) || (lookup && i == 1) ||
                             (kind == Kind::Assign && i == 0) || kind == Kind::Can;
        if (!pattern && valid(all[i])) out.push_back(all[i]);
    }
    return out;
}

void Text::walk(NodeId node, const Way& way, std::vector<NodeId>& out) {
    if (!way.write(*this, node).empty()) out.push_back(node);
    for (const NodeId part : parts(node)) walk(part, way, out);
}

std::vector<NodeId> Text::sites(const Way& way) {
    std::vector<NodeId> out;
    chosen_ = nullptr;
    for (const NodeId declaration : tree_.children(tree_.root)) {
        if (!has_rules(tree_[declaration].kind)) continue;
        enter(declaration);
        walk(declaration, way, out);
    }
    return out;
}

// Of `a not in b` and `a is not p` the tree has `not` around the whole.
std::string Text::negated(NodeId node) {
    if (chosen_ != nullptr && chosen_->contains(node)) return "(not " + plain(node) + ")";
    const std::string_view sign = is(node, Kind::Is) ? "is not" : "not in";
    return plain(child(node, 0)) + " " + std::string(sign) + " " + plain(child(node, 1));
}

std::string Text::plain(NodeId node) {
    if (!valid(node)) return {};
    if (has_rules(tree_[node].kind)) enter(node);
    if (chosen_ != nullptr && chosen_->contains(node)) {
        if (std::string other = way_->write(*this, node); !other.empty()) return other;
    }
    if (is(node, Kind::Unary, "not") && tree_[child(node, 0)].span == tree_[node].span) return negated(child(node, 0));
    const Span span = tree_[node].span;
    const std::string_view text = sources_.text(file_);
    auto inside = parts(node);
    std::ranges::sort(inside, {}, [&](NodeId n) { return tree_[n].span.begin; });
    std::string out;
    std::uint32_t at = span.begin;
    for (const NodeId part : inside) {
        const Span of = tree_[part].span;
        if (of.begin < at || of.end > span.end) continue; // shared with the node before
        out += text.substr(at, of.begin - at);
        out += plain(part);
        at = of.end;
    }
    return out.append(text.substr(at, span.end - at));
}

std::string Text::rewritten(const Way& way, const std::set<NodeId>& nodes) {
    way_ = &way;
    chosen_ = &nodes;
    fresh_ = 0;
    std::string_view text = sources_.text(file_);
    std::string out;
    std::uint32_t at = 0;
    for (const NodeId declaration : tree_.children(tree_.root)) {
        const Span span = tree_[declaration].span;
        if (!has_rules(tree_[declaration].kind) || span.begin < at) continue;
        out += text.substr(at, span.begin - at);
        out += plain(declaration);
        at = span.end;
    }
    chosen_ = nullptr;
    return out.append(text.substr(at));
}

std::string Text::quoted(NodeId node) const {
    std::string out(slice(sources_.text(file_), tree_[node].span));
    std::ranges::replace(out, '\n', ' ');
    return out;
}

} // namespace zug::rephrase

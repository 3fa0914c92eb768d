#include "records/sgf_tree.hpp"

#include "records/game_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::records {

namespace {

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
// Earlier versions of the format have names such as `White`, of which the capitals count.
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

} // namespace

const SgfValue* SgfLine::about(std::string_view name) const {
    const auto found = std::ranges::find(nodes.front(), name, &SgfProperty::name);
    return found == nodes.front().end() ? nullptr : &found->values.front();
}

void SgfTrees::skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n\f\v", at_), text_.size()); }

std::optional<tl::expected<SgfLine, Error>> SgfTrees::next() {
    // What comes before the first tree is no part of the format, and is to be skipped.
    at_ = std::min(text_.find("(;", at_), text_.size());
    if (at_end()) return std::nullopt;
    auto read = line();
    if (!read) at_ = text_.size();
    return read;
}

// A tree: nodes, then the trees that follow. Of these only the first one counts, at each depth.
tl::expected<SgfLine, Error> SgfTrees::line() {
    SgfLine line{.offset = at_, .nodes = {}};
    std::size_t open = 0;
    bool main_line = true;
    do {
        skip_blanks();
        if (at_end()) return failure_at(text_, line.offset, "this game has no `)` at its end");
        const char c = text_[at_];
        if (c == '(' || c == ')') {
            ++at_;
            main_line = main_line && c == '(';
            open = c == '(' ? open + 1 : open - 1;
        } else if (c == ';') {
            ++at_;
            if (main_line) line.nodes.emplace_back();
        } else if (is_capital(c) || is_small(c)) {
            auto read = property();
            if (!read) return tl::unexpected(read.error());
            if (main_line && line.nodes.empty()) return failure_at(text_, line.offset, "a game begins with `(;`");
            if (main_line) line.nodes.back().push_back(std::move(*read));
        } else {
            return failure_at(text_, at_, fmt::format("`{}` can't stand between the properties of a node", c));
        }
    } while (open > 0);
    return line;
}

tl::expected<SgfProperty, Error> SgfTrees::property() {
    const std::size_t begin = at_;
    SgfProperty property;
    for (; !at_end() && (is_capital(text_[at_]) || is_small(text_[at_])); ++at_)
        if (is_capital(text_[at_])) property.name += text_[at_];
    skip_blanks();
    while (!at_end() && text_[at_] == '[') {
        auto read = value();
        if (!read) return tl::unexpected(read.error());
        property.values.push_back(std::move(*read));
        skip_blanks();
    }
    if (!property.values.empty()) return property;
    return failure_at(text_, begin, fmt::format("the property {} has no value in brackets", property.name));
}

tl::expected<SgfValue, Error> SgfTrees::value() {
    SgfValue value{.text = "", .offset = at_};
    for (++at_; !at_end() && text_[at_] != ']'; ++at_) {
        if (text_[at_] == '\\') ++at_;
        if (at_end()) break;
        value.text += text_[at_];
    }
    if (at_end()) return failure_at(text_, value.offset, "this value has no `]`");
    ++at_;
    return value;
}

} // namespace zug::records

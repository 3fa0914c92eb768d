#include "grammar/format/layout.hpp"

#include "grammar/format/spacing.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace zug::syntax {

namespace {

constexpr std::size_t step = 2;
constexpr std::size_t widest_column = 40; // what stands before an aligned column may be this wide

bool is_clause(Tok kind) {
    return kind == Tok::When || kind == Tok::Weight || kind == Tok::Then || kind == Tok::Ensure;
}

class Planner {
public:
    Planner(const Tree& tree, const Lexed& lexed, std::string_view text)
        : tree_(tree), tokens_(lexed.tokens), text_(text), gaps_(tokens_.size()), depth_(tokens_.size()),
          seen_(tree.size(), false) {}

    std::vector<Gap> run() {
        plan_tokens();
        const auto end = tokens_.size() - 1;
        const auto starts = declaration_starts(tree_.children(tree_.root));
        for (std::size_t i = 0; i < starts.size(); ++i)
            plan_declaration(starts[i].node, starts[i].token, i + 1 < starts.size() ? starts[i + 1].token : end, 0);
        gaps_[end] = {.line = Break::Always, .declaration = true};
        visit(tree_.root);
        align_definitions(starts);
        return std::move(gaps_);
    }

private:
    struct Start {
        NodeId node;
        std::size_t token;
    };

    // The index of the token that begins, or of the one that ends, at a byte offset.
    std::size_t token_at(std::uint32_t begin) const {
        const auto before = [](const Token& token, std::uint32_t at) { return token.begin < at; };
        return static_cast<std::size_t>(std::lower_bound(tokens_.begin(), tokens_.end(), begin, before) -
                                        tokens_.begin());
    }
    std::size_t first_token(NodeId node) const { return token_at(tree_[node].span.begin); }
    std::size_t last_token(NodeId node) const { return token_at(tree_[node].span.end) - 1; }

    void plan_tokens() {
        std::size_t depth = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (closes_bracket(tokens_[i].kind) && depth > 0) --depth;
            depth_[i] = depth;
            if (opens_bracket(tokens_[i].kind)) ++depth;
            if (i == 0) continue;
            gaps_[i].space = blank_before(&tokens_[i]);
            gaps_[i].cost = break_cost(&tokens_[i], static_cast<unsigned>(std::min<std::size_t>(depth_[i], 100)));
        }
    }

    // `param` and `glyph` make one node an item, of which the first stands behind the keyword.
    std::vector<Start> declaration_starts(std::span<const NodeId> nodes) const {
        std::vector<Start> starts;
        for (const auto node : nodes) {
            const auto token = first_token(node);
            const auto kind = tree_[node].kind;
            if (kind != Kind::Param && kind != Kind::Glyph)
                starts.push_back({node, token});
            else if (starts_declaration(tokens_[token - 1].kind))
                starts.push_back({node, token - 1});
        }
        return starts;
    }

    // Tokens first..last-1 stand `indent` to the right when they begin a line, deeper in brackets; `item` says where
    // those stand that follow a comma outside all brackets.
    void indent(std::size_t first, std::size_t last, std::size_t column, std::size_t item) {
        const auto outside = depth_[first];
        for (auto i = first; i < last; ++i) {
            const bool is_item = depth_[i] == outside && i > first && tokens_[i - 1].kind == Tok::Comma;
            const auto inside = depth_[i] > outside ? depth_[i] - outside : 0;
            gaps_[i].indent = is_item ? item : column + step * inside;
        }
    }

    void begin_line(std::size_t token, std::size_t column) {
        gaps_[token].line = Break::Always;
        gaps_[token].indent = column;
    }

    // A part of a rule that begins with a keyword: its items stand in one column behind the keyword.
    void plan_clause(std::size_t first, std::size_t last, std::size_t column) {
        const auto item = column + spelling(tokens_[first].kind).size() + 1;
        indent(first, last, item + step, item);
        begin_line(first, column);
        if (first + 1 < last) gaps_[first + 1].line = Break::Never;
    }

    void plan_declaration(NodeId node, std::size_t first, std::size_t last, std::size_t base) {
        indent(first, last, base + step, base + step);
        begin_line(first, base);
        gaps_[first].declaration = true;
        if (first + 1 < last) gaps_[first + 1].line = Break::Never;
        switch (tree_[node].kind) {
        case Kind::Move:
        case Kind::Chance:
        case Kind::MoveAlso:
        case Kind::ChanceAlso:
        case Kind::Turn: plan_rule(node, first, last, base + step); break;
        case Kind::Phase: plan_phase(node, first, last, base); break;
        case Kind::End: plan_end(node, first, last, base); break;
        case Kind::EffectDef: plan_effect(node, last, base + step); break;
        case Kind::Board: plan_board(node, last, base + step); break;
        case Kind::Test: plan_test(first, last); break;
        case Kind::Position: plan_lists(tree_.children(node).subspan(1), last, base + step); break;
        default: break;
        }
    }

    void plan_clauses(std::vector<std::size_t> starts, std::size_t last, std::size_t column) {
        for (std::size_t i = 0; i < starts.size(); ++i)
            plan_clause(starts[i], i + 1 < starts.size() ? starts[i + 1] : last, column);
    }

    void plan_rule(NodeId node, std::size_t first, std::size_t last, std::size_t column) {
        std::vector<std::size_t> starts;
        for (const auto child : tree_.children(node))
            if (valid(child) && tree_[child].kind == Kind::Lets) starts.push_back(first_token(child));
        for (auto i = first; i < last; ++i)
            if (is_clause(tokens_[i].kind)) starts.push_back(i);
        const auto head = starts.empty() ? last : starts.front();
        indent(first + 1, head, column + step, column + step);
        plan_clauses(std::move(starts), last, column);
    }

    void plan_phase(NodeId node, std::size_t first, std::size_t last, std::size_t base) {
        const auto close = last_token(node);
        const auto rules = declaration_starts(tree_.children(node).subspan(1));
        indent(first + 1, last, base + 2 * step, base + 2 * step);
        for (std::size_t i = 0; i < rules.size(); ++i)
            plan_declaration(rules[i].node, rules[i].token, i + 1 < rules.size() ? rules[i + 1].token : close,
                             base + step);
        begin_line(close, base);
        gaps_[close].comment_shift = step;
    }

    void plan_effect(NodeId node, std::size_t last, std::size_t column) {
        const auto parts = tree_.children(node).subspan(1);
        if (parts.size() <= 2 && !valid(parts[0])) return; // one block
        std::vector<std::size_t> starts;
        if (valid(parts[0])) starts.push_back(first_token(parts[0]));
        for (auto i = first_token(parts[1]); i < last; ++i)
            if (tokens_[i].kind == Tok::Then) starts.push_back(i);
        plan_clauses(starts, last, column);
        const auto block = first_token(parts[1]);
        indent(block, last_token(parts[1]) + 1, column + step, column);
        begin_line(block, column);
    }

    void plan_board(NodeId node, std::size_t last, std::size_t column) {
        std::vector<NodeId> lists;
        const auto parts = tree_.children(node);
        const auto shape = tree_[parts[0]].kind;
        if (shape == Kind::ShapeLines || shape == Kind::ShapeGraph)
            lists.assign(tree_.children(parts[0]).begin(), tree_.children(parts[0]).end());
        lists.insert(lists.end(), parts.begin() + 2, parts.end());
        plan_lists(lists, last, column);
    }

    // Each in a line of its own.
    void plan_lists(std::span<const NodeId> lists, std::size_t last, std::size_t column) {
        for (const auto list : lists) {
            indent(first_token(list), std::min(last_token(list) + 1, last), column + step, column + step);
            begin_line(first_token(list), column);
        }
    }

    // A long line is broken between items; else behind the colon, or before `with`, `from` or `after`; else in `with`.
    void plan_test(std::size_t first, std::size_t last) {
        constexpr unsigned before_part = 1, within_part = 3;
        for (auto i = first + 1; i < last && tokens_[i].kind != Tok::Colon; ++i) {
            const bool begins_part = is_part_of_test(i), is_text = is_part_of_test(i - 1);
            if (gaps_[i].cost == never_break) continue;
            gaps_[i].cost = begins_part ? before_part : is_text ? never_break : std::max(gaps_[i].cost, within_part);
        }
    }

    bool is_part_of_test(std::size_t token) const {
        const auto word = text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
        return word == "with" || word == "from" || word == "after";
    }

    // ---- end

    void plan_end(NodeId node, std::size_t first, std::size_t last, std::size_t base) {
        const auto parts = tree_.children(node);
        std::vector<std::size_t> starts;
        for (const auto part : parts.subspan(1)) {
            if (tree_[part].kind != Kind::EndPayoff)
                starts.push_back(first_token(part));
            else
                for (const auto item : tree_.children(part).subspan(1)) starts.push_back(first_token(item));
        }
        const bool one_line = starts.size() == 1 && !valid(parts[0]) && !tokens_[starts[0]].first_on_line;
        if (one_line) return;
        if (valid(parts[0])) {
            const auto item = base + std::string_view("end when ").size();
            indent(first + 1, starts.empty() ? last : starts[0], item + step, item);
            gaps_[first + 1].line = gaps_[first + 2].line = Break::Never;
        }
        for (std::size_t i = 0; i < starts.size(); ++i) {
            indent(starts[i], i + 1 < starts.size() ? starts[i + 1] : last, base + 2 * step, base + 2 * step);
            begin_line(starts[i], base + step);
        }
        align_conditions(parts.subspan(1));
    }

    // me wins  when ...
    // draw     when ...
    void align_conditions(std::span<const NodeId> clauses) {
        std::vector<std::size_t> whens;
        std::vector<std::size_t> widths;
        for (const auto clause : clauses) {
            if (tree_[clause].kind == Kind::EndPayoff || !valid(tree_.children(clause).back())) continue;
            const auto first = first_token(clause);
            auto when = first;
            while (tokens_[when].kind != Tok::When || depth_[when] > depth_[first]) ++when;
            whens.push_back(when);
            widths.push_back(width(first, when));
        }
        align(whens, widths);
    }

    // Puts blanks before tokens so that they stand in one column, `widths` being what stands before each in its line.
    void align(const std::vector<std::size_t>& tokens, const std::vector<std::size_t>& widths) {
        if (tokens.size() < 2) return;
        const auto widest = *std::max_element(widths.begin(), widths.end());
        if (widest > widest_column) return;
        for (std::size_t i = 0; i < tokens.size(); ++i)
            if (gaps_[tokens[i]].line != Break::Always && !tokens_[tokens[i]].first_on_line)
                gaps_[tokens[i]].padding = widest - widths[i];
    }

    // Columns that tokens first..last-1 take in one line; too many when they do not stand in one.
    std::size_t width(std::size_t first, std::size_t last) const {
        std::size_t result = 0;
        for (auto i = first; i < last; ++i) {
            if (i > first && tokens_[i].first_on_line) return widest_column + 1;
            if (i > first && gaps_[i].space) ++result;
            result += columns(text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin));
        }
        return result;
    }

    // ---- columns of `=`

    // def foe        = ...
    // path slide(d)  = ...
    // Definitions one after the other whose `=` the author has put in one column by blanks keep that column.
    void align_definitions(const std::vector<Start>& starts) {
        std::vector<std::size_t> group;
        for (const auto& start : starts) {
            const auto sign = definition_sign(start);
            if (!group.empty() && (sign == 0 || !in_one_column(group.back(), sign)))
                align_signs(std::exchange(group, {}));
            if (sign != 0) group.push_back(sign);
        }
        align_signs(group);
    }

    // The `=` of a def or path that stands in the line where it begins, or 0.
    std::size_t definition_sign(const Start& start) const {
        const auto kind = tree_[start.node].kind;
        if (kind != Kind::Def && kind != Kind::PathDef) return 0;
        auto sign = start.token + 1;
        while (tokens_[sign].kind != Tok::Equal && !tokens_[sign].first_on_line) ++sign;
        return tokens_[sign].kind == Tok::Equal ? sign : 0;
    }

    std::string_view line_before(std::size_t token) const {
        const auto before = text_.substr(0, tokens_[token].begin);
        const auto end = before.rfind('\n');
        return end == std::string_view::npos ? before : before.substr(end + 1);
    }

    bool in_one_column(std::size_t above, std::size_t below) const {
        const auto between = text_.substr(tokens_[above].begin, tokens_[below].begin - tokens_[above].begin);
        if (between.find('\n') == between.npos) return false; // of one line, which may be long
        return columns(line_before(above)) == columns(line_before(below));
    }

    void align_signs(const std::vector<std::size_t>& signs) {
        const auto wide_gap = [&](std::size_t sign) { return tokens_[sign].begin > tokens_[sign - 1].end + 1; };
        if (signs.size() < 2 || std::none_of(signs.begin(), signs.end(), wide_gap)) return;
        std::vector<std::size_t> widths;
        for (const auto sign : signs) {
            auto first = sign;
            while (!gaps_[first].declaration) --first;
            widths.push_back(width(first, sign));
        }
        const auto widest = *std::max_element(widths.begin(), widths.end());
        if (widest > widest_column) return;
        const auto column = std::max(widest + 1, columns(line_before(signs.front())));
        for (std::size_t i = 0; i < signs.size(); ++i) gaps_[signs[i]].padding = column - widths[i] - 1;
    }

    // ---- what is decided by nodes inside declarations

    void visit(NodeId id) {
        if (!valid(id) || seen_[index(id)]) return;
        seen_[index(id)] = true;
        const auto& node = tree_[id];
        if (node.kind == Kind::Unary && node.text == "-") join_next(first_token(id));
        const bool step = node.kind == Kind::Step || node.kind == Kind::MayStep;
        if (node.kind == Kind::Parameters || (step && !node.text.empty()))
            join(step ? last_token(id) : first_token(id));
        if (node.kind == Kind::Match) plan_match(id);
        for (const auto child : tree_.children(id)) visit(child);
    }

    void join(std::size_t token) {
        gaps_[token].space = false;
        gaps_[token].line = Break::Never;
        gaps_[token].cost = never_break;
    }
    void join_next(std::size_t token) { join(token + 1); }

    // Arms stand in one line, or each in its own with the values in a column.
    void plan_match(NodeId match) {
        const auto arms = tree_.children(match).subspan(1);
        const auto begins_line = [&](NodeId arm) { return tokens_[first_token(arm)].first_on_line; };
        if (std::none_of(arms.begin(), arms.end(), begins_line)) return;
        std::vector<std::size_t> values;
        std::vector<std::size_t> widths;
        for (const auto arm : arms) {
            const auto first = first_token(arm);
            gaps_[first].line = Break::Always;
            auto colon = first;
            while (tokens_[colon].kind != Tok::Colon || depth_[colon] > depth_[first]) ++colon;
            values.push_back(colon + 1);
            widths.push_back(width(first, colon));
        }
        align(values, widths);
    }

    const Tree& tree_;
    const std::vector<Token>& tokens_;
    std::string_view text_;
    std::vector<Gap> gaps_;
    std::vector<std::size_t> depth_; // brackets open around each token
    std::vector<bool> seen_;
};

} // namespace

std::vector<Gap> lay_out(const Tree& tree, const Lexed& lexed, std::string_view text) {
    return Planner(tree, lexed, text).run();
}

std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace zug::syntax

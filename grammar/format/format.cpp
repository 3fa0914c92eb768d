#include "grammar/format/format.hpp"

#include "grammar/ast/dump.hpp"
#include "grammar/format/layout.hpp"
#include "grammar/parse.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

namespace zug::syntax {

namespace {

struct Line {
    std::size_t indent = 0;
    std::size_t first = 0, last = 0; // tokens; none for a comment of its own
    std::optional<std::size_t> comment;
    bool blank_before = false;
};

class Formatter {
public:
    Formatter(std::string_view text, const Lexed& lexed, std::vector<Gap> gaps)
        : text_(text), tokens_(lexed.tokens), comments_(lexed.comments), gaps_(std::move(gaps)) {}

    std::string run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) add_token(i);
        std::string result;
        for (const auto& line : lines_) print(result, line);
        return result;
    }

private:
    // ---- lines as the author and the layout break them

    void add_token(std::size_t i) {
        const auto comments_before = comment_;
        add_comments(i);
        const auto& gap = gaps_[i];
        const bool author = gap.line == Break::Author && tokens_[i].first_on_line;
        const bool begins = lines_.empty() || comment_ > comments_before || author || gap.line == Break::Always;
        if (tokens_[i].kind == Tok::End) return;
        if (begins) {
            lines_.push_back({gap.indent, i, i + 1, {}, gap.declaration && blank_line(tokens_[i].begin)});
        } else {
            lines_.back().last = i + 1;
        }
        done_ = tokens_[i].end;
    }

    // The comments before token i: behind the line that ends here, or lines of their own.
    void add_comments(std::size_t i) {
        for (; comment_ < comments_.size() && comments_[comment_].begin < tokens_[i].begin; ++comment_) {
            const auto& comment = comments_[comment_];
            if (comment.own_line)
                lines_.push_back({gaps_[i].indent + gaps_[i].comment_shift, 0, 0, comment_,
                                  gaps_[i].declaration && blank_line(comment.begin)});
            else
                lines_.back().comment = comment_;
            done_ = comment.end;
        }
    }

    // Whether the author left a line blank between what was added last and `begin`.
    bool blank_line(std::uint32_t begin) const {
        if (lines_.empty()) return false;
        const auto between = text_.substr(done_, begin - done_);
        return std::count(between.begin(), between.end(), '\n') > 1;
    }

    // ---- printing

    std::string_view token_text(std::size_t i) const {
        return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
    }
    std::size_t blanks(std::size_t i) const { return (gaps_[i].space ? 1 : 0) + gaps_[i].padding; }

    void print(std::string& out, const Line& line) {
        if (line.blank_before) out += '\n';
        if (line.first == line.last) return print_line(out, line.indent, "", line.comment);
        auto first = line.first;
        auto indent = line.indent;
        for (;;) {
            const auto next = line_end(first, line.last, indent);
            std::string code;
            for (auto i = first; i < next; ++i) {
                if (i > first) code.append(blanks(i), ' ');
                code += token_text(i);
            }
            print_line(out, indent, code, next == line.last ? line.comment : std::nullopt);
            if (next == line.last) return;
            first = next;
            indent = gaps_[next].indent;
        }
    }

    // Where a line that begins with token `first` must end to be short enough: at its cheapest break, of equals the
    // last.
    std::size_t line_end(std::size_t first, std::size_t last, std::size_t indent) const {
        auto best = last;
        unsigned best_cost = never_break;
        auto width = indent + columns(token_text(first));
        for (auto i = first + 1; i < last; ++i) {
            if (gaps_[i].cost <= best_cost && gaps_[i].cost < never_break) {
                best = i;
                best_cost = gaps_[i].cost;
            }
            width += blanks(i) + columns(token_text(i));
            if (width > max_line && best != last) return best;
        }
        return last;
    }

    void print_line(std::string& out, std::size_t indent, const std::string& code, std::optional<std::size_t> comment) {
        const auto note = comment ? text_.substr(comments_[*comment].begin, length(comments_[*comment])) : "";
        const auto width = indent + columns(code);
        const auto own_line = [&] { out.append(indent, ' ').append(note) += '\n'; };
        if (code.empty()) return own_line();
        if (!comment) {
            out.append(indent, ' ').append(code) += '\n';
            return;
        }
        // Two blanks, unless the author has left one or more and the line has room for as many.
        const auto author = comment_column(*comment);
        auto column = author > width ? author : width + 2;
        if (column + columns(note) > max_line) column = width + 2;
        const bool fits = column + columns(note) <= max_line;
        if (!fits) own_line();
        out.append(indent, ' ').append(code);
        if (fits) out.append(column - width, ' ').append(note);
        out += '\n';
    }

    static std::size_t length(const Comment& comment) { return comment.end - comment.begin; }

    std::size_t comment_column(std::size_t comment) const {
        const auto begin = comments_[comment].begin;
        const auto before = begin == 0 ? std::string_view::npos : text_.rfind('\n', begin - 1);
        const auto line = before == std::string_view::npos ? 0 : before + 1;
        return columns(text_.substr(line, begin - line));
    }

    std::string_view text_;
    const std::vector<Token>& tokens_;
    const std::vector<Comment>& comments_;
    std::vector<Gap> gaps_;
    std::vector<Line> lines_;
    std::size_t comment_ = 0; // the next one to emit
    std::uint32_t done_ = 0;  // the end of what was emitted last
};

bool has_errors(const Tree& tree) {
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (tree[static_cast<NodeId>(i)].kind == Kind::Error) return true;
    return false;
}

// A text and what was read of it.
struct Reader {
    explicit Reader(const std::string& text) {
        const auto file = sources.add("", text);
        tree = parse(sources, file, report);
        lexed = lex(sources.text(file), file, 0, static_cast<std::uint32_t>(text.size()), report);
    }
    bool good() const { return !report.has_errors() && !has_errors(tree); }

    diag::Sources sources;
    diag::Report report;
    Tree tree;
    Lexed lexed;
};

bool same_comments(const std::string& a, const Lexed& in_a, const std::string& b, const Lexed& in_b) {
    const auto same = [&](const Comment& x, const Comment& y) {
        return a.substr(x.begin, x.end - x.begin) == b.substr(y.begin, y.end - y.begin);
    };
    return std::equal(in_a.comments.begin(), in_a.comments.end(), in_b.comments.begin(), in_b.comments.end(), same);
}

} // namespace

std::string format(const diag::Sources& sources, FileId file, const Tree& tree) {
    const std::string& original = sources.text(file);
    if (original.size() > max_file_size || has_errors(tree)) return original;
    const Reader first(original);
    if (!first.good()) return original;
    // A line broken for its length may leave a match, or the clauses of an end, in a shape that is laid out
    // differently; so the result is laid out again until nothing changes.
    auto text = Formatter(original, first.lexed, lay_out(first.tree, first.lexed, original)).run();
    constexpr int most_rounds = 8;
    for (int round = 0; round < most_rounds; ++round) {
        const Reader next(text);
        const bool kept = next.good() && same_comments(original, first.lexed, text, next.lexed) &&
                          (round > 0 || dump(first.tree) == dump(next.tree));
        // Never change the meaning of a user's file: if the result differs, keep the original.
        assert(kept);
        if (!kept) return original;
        auto again = Formatter(text, next.lexed, lay_out(next.tree, next.lexed, text)).run();
        if (again == text) return text;
        text = std::move(again);
    }
    assert(false); // the layout does not reach a fixpoint
    return original;
}

} // namespace zug::syntax

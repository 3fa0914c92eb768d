#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace zug::test {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Tokeniser {
public:
    explicit Tokeniser(std::string_view source) : source_(source) {}

    std::vector<Token> run() {
        while (at_ < source_.size()) step();
        return std::move(tokens_);
    }

private:
    bool sees(std::string_view text) const { return source_.substr(at_).starts_with(text); }

    void step() {
        const char c = source_[at_];
        if (c == '\n') {
            is_line_start_ = true;
            skip(1);
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0)
            skip(1);
        else if (sees("//"))
            skip(std::min(source_.find('\n', at_), source_.size()) - at_);
        else if (sees("/*"))
            skip(end_of("*/", at_ + 2) - at_);
        else if (c == '#' && is_line_start_)
            skip(preprocessor_line());
        else
            push(length());
    }

    std::size_t end_of(std::string_view mark, std::size_t from) const {
        const std::size_t found = source_.find(mark, from);
        return found == std::string_view::npos ? source_.size() : found + mark.size();
    }

    std::size_t preprocessor_line() const {
        std::size_t end = at_;
        do end = std::min(source_.find('\n', end + 1), source_.size());
        while (end < source_.size() && source_[end - 1] == '\\');
        return end - at_;
    }

    std::size_t length() const {
        if (sees("R\"")) {
            const std::size_t open = source_.find('(', at_);
            const std::string close = ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
            return end_of(close, open) - at_;
        }
        if (source_[at_] == '"' || source_[at_] == '\'') return literal();
        if (is_word(source_[at_])) return word();
        static constexpr std::array<std::string_view, 7> marks = {"::", "->", "<=", ">=", "==", "!=", "<<"};
        for (const auto mark : marks)
            if (sees(mark)) return mark.size();
        return 1;
    }

    std::size_t literal() const {
        std::size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != source_[at_]) end += source_[end] == '\\' ? 2 : 1;
        return std::min(end + 1, source_.size()) - at_;
    }

    // A number may hold quotes between its digits, and a point.
    std::size_t word() const {
        const bool is_number = std::isdigit(static_cast<unsigned char>(source_[at_])) != 0;
        std::size_t end = at_;
        while (end < source_.size() &&
               (is_word(source_[end]) || (is_number && (source_[end] == '\'' || source_[end] == '.'))))
            ++end;
        return end - at_;
    }

    void push(std::size_t count) {
        tokens_.push_back({source_.substr(at_, count), line_});
        is_line_start_ = false;
        skip(count);
    }

    void skip(std::size_t count) {
        line_ += static_cast<int>(std::ranges::count(source_.substr(at_, count), '\n'));
        at_ += count;
    }

    std::string_view source_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool is_line_start_ = true;
};

} // namespace

std::vector<Token> tokens_of(std::string_view source) { return Tokeniser(source).run(); }

bool is_identifier(std::string_view token) {
    return !token.empty() && is_word(token[0]) && std::isdigit(static_cast<unsigned char>(token[0])) == 0;
}

} // namespace zug::test

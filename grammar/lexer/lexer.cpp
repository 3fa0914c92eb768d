#include "grammar/lexer/lexer.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace zug::syntax {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // some editors write one

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Operators of other languages, longest first: the tokens they are read as, and the suggested spelling.
struct Foreign {
    std::string_view text;
    Tok meant;
    std::string_view fix;
};
constexpr std::array foreign_operators = {
    Foreign{"==", Tok::Equal, "equality is written `=`"},
    Foreign{"<>", Tok::NotEqual, "inequality is written `!=`"},
    Foreign{"=<", Tok::LessEqual, "less or equal is written `<=`"},
    Foreign{"=>", Tok::Implies, "implication is written `implies`, greater or equal `>=`"},
    Foreign{"&&", Tok::And, "conjunction is written `and`"},
    Foreign{"||", Tok::Or, "disjunction is written `or`"},
    Foreign{"!", Tok::Not, "negation is written `not`"},
    Foreign{"%", Tok::Mod, "the remainder is written `mod`"},
    Foreign{";", Tok::Comma, "effects and conditions are separated by `,`; declarations need no end mark"},
};

struct Operator {
    std::string_view text;
    Tok kind;
};
constexpr std::array operators = {
    Operator{":=", Tok::Assign},       Operator{"+=", Tok::AddAssign},   Operator{"-=", Tok::SubAssign},
    Operator{"->", Tok::Arrow},        Operator{"!=", Tok::NotEqual},    Operator{"<=", Tok::LessEqual},
    Operator{">=", Tok::GreaterEqual}, Operator{"..", Tok::DotDot},      Operator{",", Tok::Comma},
    Operator{":", Tok::Colon},         Operator{"(", Tok::OpenParen},    Operator{")", Tok::CloseParen},
    Operator{"[", Tok::OpenBracket},   Operator{"]", Tok::CloseBracket}, Operator{"{", Tok::OpenBrace},
    Operator{"}", Tok::CloseBrace},    Operator{"=", Tok::Equal},        Operator{"<", Tok::Less},
    Operator{">", Tok::Greater},       Operator{"+", Tok::Plus},         Operator{"-", Tok::Minus},
    Operator{"*", Tok::Star},          Operator{"/", Tok::Slash},        Operator{"|", Tok::Bar},
    Operator{"&", Tok::Ampersand},     Operator{"\\", Tok::Backslash},   Operator{".", Tok::Dot},
    Operator{"~", Tok::Tilde},         Operator{"^", Tok::Caret},        Operator{"?", Tok::Question},
};

// The number of bytes of the UTF-8 sequence at text[at], or 0 when there is none. Overlong forms, surrogates and values
// above U+10FFFF are not UTF-8 (RFC 3629, section 4).
std::size_t sequence_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned first = byte(0);
    const unsigned second = byte(1);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool in_range = (first != 0xE0 || second >= 0xA0) && (first != 0xED || second < 0xA0);
        return in_range && tail(1) && tail(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool in_range = (first != 0xF0 || second >= 0x90) && (first != 0xF4 || second < 0x90);
        return in_range && tail(1) && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

class Lexer {
public:
    Lexer(std::string_view text, FileId file, std::uint32_t begin, diag::Report& report)
        : text_(text), file_(file), at_(begin), report_(report) {}

    Lexed run() {
        if (at_ == 0 && looking_at(byte_order_mark)) at_ = byte_order_mark.size();
        skip_blanks();
        while (at_ < text_.size()) {
            read_token();
            skip_blanks();
        }
        push(Tok::End, at_, at_);
        return std::move(result_);
    }

private:
    char peek(std::uint32_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool looking_at(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
    Span span(std::uint32_t begin, std::uint32_t end) const { return {file_, begin, end}; }

    void push(Tok kind, std::uint32_t begin, std::uint32_t end) {
        result_.tokens.push_back({kind, !blanks_ && begin > 0, line_start_, begin, end});
        blanks_ = false;
        line_start_ = false;
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') {
                skip_comment();
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
                if (c == '\n') line_start_ = true;
                ++at_;
            } else if (looking_at("//")) {
                report_.add(diag::Message::ForeignOperator, span(at_, at_ + 2), {"//"}, "a comment starts with `#`");
                skip_comment();
            } else {
                return;
            }
            blanks_ = true;
        }
    }

    void skip_comment() {
        const auto line_end = std::min(text_.find('\n', at_), text_.size());
        auto end = line_end;
        while (end > at_ && (text_[end - 1] == ' ' || text_[end - 1] == '\t' || text_[end - 1] == '\r')) --end;
        result_.comments.push_back({at_, static_cast<std::uint32_t>(end), line_start_});
        at_ = static_cast<std::uint32_t>(line_end);
    }

    void read_token() {
        const char c = peek();
        if (is_digit(c)) return read_number();
        if (is_word_character(c)) return read_word();
        if (c == '"') return read_string();
        read_operator();
    }

    void read_word() {
        const auto begin = at_;
        while (is_word_character(peek())) ++at_;
        push(keyword(text_.substr(begin, at_ - begin)), begin, at_);
    }

    // Digits, maybe a fraction. `1..6` is a range, so a dot belongs to the number only before a digit.
    void read_number() {
        const auto begin = at_;
        const auto digits = [&] {
            while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)))) ++at_;
        };
        digits();
        const bool fraction = peek() == '.' && is_digit(peek(1));
        if (fraction) {
            ++at_;
            digits();
        }
        const auto end = at_;
        while (is_word_character(peek())) ++at_;
        push(Tok::Number, begin, end);
        if (at_ != end)
            report_.add(diag::Message::MalformedNumber, span(begin, at_),
                        {std::string(text_.substr(begin, at_ - begin))});
        else
            check_size(begin, end, fraction);
    }

    void check_size(std::uint32_t begin, std::uint32_t end, bool fraction) {
        auto digits = decode_number(text_.substr(begin, end - begin));
        digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
        const bool fits = fraction ? digits.size() <= max_integer.size()
                                   : digits.size() < max_integer.size() ||
                                         (digits.size() == max_integer.size() && digits <= max_integer);
        if (fits) return;
        report_.add(diag::Message::NumberTooLarge, span(begin, end), {std::string(max_integer)});
    }

    // A string ends on its line, so that a missing quote affects one line, not the rest of the file. Between braces
    // stands an expression, where `\` is the difference of two sets.
    void read_string() {
        const auto begin = at_++;
        std::size_t braces = 0;
        while (at_ < text_.size() && peek() != '\n' && peek() != '"') {
            if (peek() == '{') ++braces;
            if (peek() == '}' && braces > 0) --braces;
            if (peek() == '\\') {
                if (braces == 0) check_escape();
                ++at_;
                if (peek() == '\n' || at_ >= text_.size()) break;
            }
            ++at_;
        }
        if (peek() == '"' && at_ < text_.size())
            ++at_;
        else
            report_.add(diag::Message::UnterminatedString, span(begin, at_), {}, "close it with `\"` on the same line");
        push(Tok::String, begin, at_);
    }

    void check_escape() {
        const char c = peek(1);
        if (c == '"' || c == '\\' || c == 'n' || c == '{' || c == '\n' || c == '\0') return;
        const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(1, sequence_length(text_, at_ + 1)));
        report_.add(diag::Message::UnknownEscape, span(at_, at_ + 1 + length),
                    {std::string(text_.substr(at_, 1 + length))}, "write `\\\\` for a backslash");
    }

    void read_operator() {
        for (const auto& row : foreign_operators) {
            if (!looking_at(row.text) || looking_at("!=")) continue;
            const auto begin = at_;
            at_ += static_cast<std::uint32_t>(row.text.size());
            report_.add(diag::Message::ForeignOperator, span(begin, at_), {std::string(row.text)},
                        std::string(row.fix));
            if (row.text == ";") return; // harmless at the end of a line
            return push(row.meant, begin, at_);
        }
        const bool power = !result_.tokens.empty() && result_.tokens.back().kind == Tok::Caret;
        for (const auto& row : operators) {
            if (!looking_at(row.text) || (power && row.kind == Tok::AddAssign)) continue; // `d^+=s` is `d^+ = s`
            const auto begin = at_;
            at_ += static_cast<std::uint32_t>(row.text.size());
            return push(row.kind, begin, at_);
        }
        read_stray();
    }

    // 'T', as other languages write texts. It is read as one.
    void read_foreign_string(std::uint32_t end) {
        const std::string_view text = text_.substr(at_, end - at_);
        report_.add(diag::Message::ForeignOperator, span(at_, end), {std::string(text)},
                    fmt::format("a text stands in double quotes: \"{}\"", text.substr(1, text.size() - 2)));
        push(Tok::String, std::exchange(at_, end), end);
    }

    // A run of characters that begin no token gets one diagnostic and is skipped.
    void read_stray() {
        const auto begin = at_;
        if (peek() == '\'') {
            const auto end = text_.find_first_of("'\n", at_ + 1);
            if (end < text_.size() && text_[end] == '\'')
                return read_foreign_string(static_cast<std::uint32_t>(end) + 1);
        }
        do {
            at_ += static_cast<std::uint32_t>(std::max<std::size_t>(1, sequence_length(text_, at_)));
        } while (at_ < text_.size() && static_cast<unsigned char>(peek()) >= 0x80);
        at_ = std::min(at_, static_cast<std::uint32_t>(text_.size()));
        const auto first = std::max<std::size_t>(1, sequence_length(text_, begin));
        const auto byte = static_cast<unsigned char>(text_[begin]);
        const auto shown = byte < 0x20 || byte == 0x7F ? fmt::format("byte 0x{:02X}", byte)
                                                       : fmt::format("`{}`", text_.substr(begin, first));
        report_.add(diag::Message::UnexpectedCharacter, span(begin, at_), {shown},
                    byte >= 0x80 ? "names are made of the letters a to z, digits and `_`" : "");
        blanks_ = true;
    }

    std::string_view text_;
    FileId file_;
    std::uint32_t at_;
    diag::Report& report_;
    Lexed result_;
    bool blanks_ = true;
    bool line_start_ = true;
};

} // namespace

Lexed lex(std::string_view text, FileId file, std::uint32_t begin, std::uint32_t end, diag::Report& report) {
    return Lexer(text.substr(0, end), file, begin, report).run();
}

// `U+001B`, of the first character of a text in UTF-8.
std::string code_point_name(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    std::uint32_t code = byte(0);
    if (text.size() > 1) code &= 0xFFU >> (text.size() + 1);
    for (std::size_t i = 1; i < text.size(); ++i) code = code << 6U | (byte(i) & 0x3FU);
    return fmt::format("U+{:04X}", code);
}

bool check_encoding(std::string_view text, FileId file, diag::Report& report) {
    for (std::size_t i = 0; i < text.size();) {
        const auto length = sequence_length(text, i);
        const auto control = static_cast<std::uint32_t>(control_length(text, i));
        if (length > 0 && control == 0) {
            i += length;
            continue;
        }
        const auto begin = static_cast<std::uint32_t>(i);
        if (control > 0)
            report.add(diag::Message::ControlCharacter, {file, begin, begin + control},
                       {code_point_name(text.substr(i, control))});
        else
            report.add(diag::Message::InvalidUtf8, {file, begin, begin + 1},
                       {fmt::format("0x{:02X}", static_cast<unsigned char>(text[i]))}, "save the file as UTF-8 text");
        return false;
    }
    return true;
}

std::optional<std::string_view> first_word(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (!text.starts_with('#') && !text.starts_with("//")) break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    if (text.empty()) return std::nullopt;
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word_character) - text.begin()));
}

std::string decode_string(std::string_view quoted) {
    std::string result;
    if (!quoted.empty()) quoted.remove_prefix(1);
    for (std::size_t i = 0; i < quoted.size() && quoted[i] != '"'; ++i) {
        if (quoted[i] == '\\' && i + 1 < quoted.size()) {
            ++i;
            result += quoted[i] == 'n' ? '\n' : quoted[i];
        } else {
            result += quoted[i];
        }
    }
    return result;
}

std::string decode_number(std::string_view digits) {
    std::string result(digits);
    std::erase(result, '_');
    return result;
}

} // namespace zug::syntax

#include "grammar/rules/recovery.hpp"

#include "base/nearest.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace zug::syntax {

namespace {

// The token as it reads in a sentence; long strings are cut.
std::string shown(const Builder& b, TokenIt at) {
    if (at->kind == Tok::End) return std::string(spelling(Tok::End));
    auto text = std::string(b.source(at));
    constexpr std::size_t longest = 40;
    if (text.size() > longest) {
        auto cut = longest - 3;
        while ((static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut; // not inside a UTF-8 sequence
        text = text.substr(0, cut) + "...";
    }
    return fmt::format("`{}`", text);
}

bool is_clause(Tok kind) {
    return kind == Tok::Let || kind == Tok::When || kind == Tok::Weight || kind == Tok::Then || kind == Tok::Ensure;
}

bool starts_value(Tok kind) {
    return kind == Tok::Name || kind == Tok::Number || kind == Tok::OpenParen || kind == Tok::OpenBrace ||
           (kind >= Tok::Some && kind <= Tok::Odd) || kind == Tok::Not || kind == Tok::If || kind == Tok::Me ||
           kind == Tok::Can || kind == Tok::Again || kind == Tok::Next;
}

bool ends_value(Tok kind) {
    return kind == Tok::Name || kind == Tok::Number || kind == Tok::CloseParen || kind == Tok::CloseBracket ||
           kind == Tok::CloseBrace || kind == Tok::Me || kind == Tok::None || kind == Tok::Again;
}

bool is_comparison(Tok kind) { return kind >= Tok::Equal && kind <= Tok::GreaterEqual; }

// The start of the line of `at` may be a misspelt declaration keyword.
std::string misspelt_keyword(const Builder& b, TokenIt begin, TokenIt at) {
    auto word = at;
    while (word > begin && !word->first_on_line) --word;
    if (word->kind != Tok::Name || !word->first_on_line || word + 2 < at) return {};
    const auto guess = nearest_declaration(b.source(word));
    return guess.empty() ? guess : fmt::format("did you mean `{}`?", guess);
}

// The words between backquotes, or after a colon, in what was expected.
std::vector<std::string> words_in(std::string_view expected) {
    const auto colon = expected.find(": ");
    std::vector<std::string> result;
    std::string word;
    bool quoted = false;
    for (std::size_t i = 0; i <= expected.size(); ++i) {
        const char c = i < expected.size() ? expected[i] : ' ';
        if (c >= 'a' && c <= 'z') {
            word += c;
            continue;
        }
        if (word.size() > 2 && (quoted || i > colon)) result.push_back(word);
        word.clear();
        if (c == '`') quoted = !quoted;
    }
    return result;
}

// Whether the token stands at the very left, where declarations do.
bool at_left(const Builder& b, TokenIt at) { return at->first_on_line && b.indentation(at) == 0; }

// The first token of the declaration that `at` belongs to, from `begin` on.
TokenIt declaration_of(TokenIt begin, TokenIt at) {
    while (at > begin && !(at->first_on_line && starts_declaration(at->kind))) --at;
    return at;
}

// A part of a rule that comes too late, or a second time.
std::string fix_clause(TokenIt begin, TokenIt at) {
    const auto first = declaration_of(begin, at);
    const bool again = std::any_of(first, at, [&](const Token& token) { return token.kind == at->kind; });
    if (at->kind == Tok::Let)
        return "a rule has one `let`, before `when`; further names follow a comma: `let a = 1, b = 2`";
    if (again && (at->kind == Tok::When || at->kind == Tok::Ensure))
        return fmt::format("a rule has one `{}`; further conditions follow a comma", spelling(at->kind));
    return "the parts of a rule come in this order: let, when, weight, then, ensure";
}

// Fixes for frequent mistakes where an operator, a comma or the next declaration is expected.
std::string fix_continuation(const Builder& b, TokenIt begin, TokenIt at) {
    const bool after_name = at > begin && at[-1].kind == Tok::Name;
    if (at->kind == Tok::Assign) return "equality is written `=`; `:=` assigns, after `then`";
    if (at->kind == Tok::OpenParen && !at->touches && after_name)
        return fmt::format("the `(` of a call touches its name: `{}(`", b.source(at - 1));
    if (at->kind == Tok::OpenBracket && !at->touches && after_name)
        return fmt::format("the `[` of an index touches its map: `{}[`", b.source(at - 1));
    if (is_clause(at->kind)) return fix_clause(begin, at);
    if (is_comparison(at->kind)) return "comparisons do not chain; join two of them with `and`";
    if (at->kind == Tok::Implies) return "`implies` does not chain; put brackets round one of the two";
    if (after_name && b.source(at - 1) == "of" && at - begin > 2 && at[-2].kind == Tok::Set)
        return fmt::format("the type of a set is written `set {}`", b.source(at));
    if (after_name && at->kind == Tok::Number && !at->first_on_line)
        return fmt::format("a call has brackets, `{}({})`; or a `,` is missing before it", b.source(at - 1),
                           b.source(at));
    if (at > begin && ends_value(at[-1].kind) && starts_value(at->kind) && !at_left(b, at))
        return "a `,` may be missing before it";
    return {};
}

std::string fix_test(const Builder& b, TokenIt begin, TokenIt at) {
    const std::array<std::string_view, 3> words = {"with", "from", "after"};
    if (declaration_of(begin, at)->kind != Tok::Test) return {};
    const bool title = at->kind == Tok::String;
    if (!title && std::ranges::find(words, b.source(at)) == words.end()) return {};
    return fmt::format("{} stands too late: the order is a title, `with`, `from`, `after`, `:`, checks",
                       title ? "the title" : fmt::format("`{}`", b.source(at)));
}

bool is_quantifying(TokenIt at) { return at->kind >= Tok::Some && at->kind <= Tok::Odd; }

bool wants_value(std::string_view expected) {
    return expected.starts_with("a value") || expected.starts_with("a condition");
}

// The word in front of the bracket that is open at `at`, as in `count(x in S: ...)`; `at`: there is none such.
TokenIt bracketed_quantifier(TokenIt begin, TokenIt at) {
    std::size_t depth = 1;
    for (auto open = at; open > begin + 1;) {
        --open;
        if (open->kind == Tok::CloseParen) ++depth;
        if (open->kind == Tok::OpenParen) --depth;
        if (depth == 0) return is_quantifying(open - 1) ? open - 1 : at;
    }
    return at;
}

// A word of the language between a bracket or comma and what follows a name.
bool stands_for_name(TokenIt begin, TokenIt at) {
    if (at == begin || at->kind == Tok::End || !is_keyword(at->kind)) return false;
    const bool opens = at[-1].kind == Tok::OpenParen || at[-1].kind == Tok::Comma;
    return opens && (at[1].kind == Tok::Colon || at[1].kind == Tok::Comma || at[1].kind == Tok::CloseParen);
}

// What other languages write so.
std::string fix_foreign(const Builder& b, TokenIt begin, TokenIt at, const std::string& expected) {
    struct Word {
        std::string_view text, fix;
    };
    static constexpr std::array words = {
        Word{"elif", "a further condition is written `else if ...`"},
        Word{"elsif", "a further condition is written `else if ...`"},
        Word{"elseif", "a further condition is written `else if ...`"},
        Word{"where", "a condition on members stands behind their names: `count x in S: ...`, `{x in S | ...}`"},
        Word{"those", "the members for which something holds are written `{x in S | ...}`"},
        Word{"while", "there are no loops without an end: `for x in S: ...` does something for each member of S"},
    };
    if (stands_for_name(begin, at)) return {};
    // `while` may have been read as a variable.
    for (const auto& [text, fix] : words)
        if (b.source(at) == text || (at > begin && b.source(at - 1) == text)) return std::string(fix);
    if (at->kind == Tok::For && at[1].kind == Tok::All) return "`for all` is written `all x in S: ...`";
    if (at->kind == Tok::Bar && wants_value(expected)) return "the number of members is written `count S`";
    if (expected == continuation && at->first_on_line && b.source(at) == "draw")
        return "the clauses of `end` stand together below it; another declaration has come between";
    if (at->kind == Tok::Colon && expected == "`)`")
        if (const auto word = bracketed_quantifier(begin, at); word != at)
            return fmt::format("no bracket stands behind `{0}`: `({0} x in S: ...)` or `{0} x in S: ...`",
                               spelling(word->kind));
    if (at->kind == Tok::Then && expected == "`:`") return "a `:` stands behind the condition: `if c: a else b`";
    if (at->kind == Tok::Comma && expected == "`|`")
        return "one name only may stand before `|`: the condition can have others, `some b: cell: ...`; `count a: S, "
               "b: S: ...` counts pairs";
    const bool twice = at->kind != Tok::End && at[1].kind == at->kind && at[1].touches;
    const bool assigns = expected.starts_with("`:=`");
    if (twice && assigns && at->kind == Tok::Plus) return "`+= 1` adds one";
    if (twice && assigns && at->kind == Tok::Minus) return "`-= 1` takes one away";
    if (assigns && at->kind == Tok::Dot && at > begin)
        return fmt::format("the slot of a map that is assigned to is written `{}[{}]`", b.source(at - 1),
                           at[1].kind == Tok::Name || is_keyword(at[1].kind) ? b.source(at + 1) : "...");
    return {};
}

// A list of names that is not written as an enumeration is.
std::string fix_enumeration(const Builder& b, TokenIt begin, TokenIt at) {
    const bool list = at->kind == Tok::Comma || at->kind == Tok::Or || at->kind == Tok::OpenBrace ||
                      at->kind == Tok::OpenBracket || at->kind == Tok::Slash || at->kind == Tok::String;
    if (begin->kind != Tok::Type || !list || at - begin < 3 || at - begin > 4) return {};
    const bool range = at->kind == Tok::OpenBracket && at[1].kind == Tok::Number;
    if (range) return fmt::format("a range of numbers is written `type {} = 1..4`", b.source(begin + 1));
    return fmt::format("an enumeration is written `type {} = Red | Green | Blue`", b.source(begin + 1));
}

// A word of logic that is not one of the language, and has been read as a name.
std::string fix_quantifier(const Builder& b, TokenIt begin, TokenIt at) {
    for (auto word = begin; word < at; ++word) {
        if (word->kind != Tok::Name || word[1].touches || word[1].first_on_line) continue;
        if (word[1].kind != Tok::Name && word[1].kind != Tok::OpenBrace) continue;
        const auto text = b.source(word);
        if (text == "any" || text == "exists")
            return fmt::format("`{}` is written `some`: `some x in S: ...`, `some x: TYPE: ...` or `some S`", text);
        if (text == "every" || text == "forall" || text == "each")
            return fmt::format("`{}` is written `all`: `all x in S: ...` or `all x: TYPE: ...`", text);
    }
    return {};
}

// A condition, or a pattern, where `let` gives names.
std::string fix_let(TokenIt begin, TokenIt at) {
    auto clause = at;
    while (clause > begin && !is_clause(clause->kind)) --clause;
    if (clause->kind != Tok::Let) return {};
    if (at->kind == Tok::In) return "`let` gives names to values; conditions such as `x in s` stand after `when`";
    if (at->kind == Tok::OpenParen && clause + 1 == at) return "patterns give names in conditions: `when v is (a, b)`";
    return {};
}

// A comma before the next part, where the last item of a list should have been.
bool ends_with_comma(TokenIt begin, TokenIt at) {
    const bool next =
        is_clause(at->kind) || at->kind == Tok::End || (at->first_on_line && starts_declaration(at->kind));
    return next && at > begin && at[-1].kind == Tok::Comma;
}

// The name of a call whose bracket stands apart, in what has been read of the declaration; or empty.
std::string_view torn_call(const Builder& b, TokenIt begin, TokenIt at) {
    for (auto open = at; open > begin && open - 1 != begin; --open)
        if (open->kind == Tok::OpenParen && !open->touches && !open->first_on_line && open[-1].kind == Tok::Name)
            return b.source(open - 1);
    return {};
}

// `{f(x) | x in S: ...}`, as sets are written in mathematics, has been read as a union of single values.
std::string fix_set_of_values(TokenIt begin, TokenIt at) {
    auto open = at;
    std::size_t depth = 1;
    bool bar = false;
    while (open > begin && depth > 0) {
        --open;
        bar = bar || (depth == 1 && open->kind == Tok::Bar);
        if (open->kind == Tok::CloseBrace) ++depth;
        if (open->kind == Tok::OpenBrace) --depth;
    }
    if (depth > 0 || !bar) return {};
    return "a set of values is a union: `union x in S: f(x)`; `{x in S | ...}` are the members for which something "
           "holds";
}

// A variable whose values are not named: `some x: ...`.
std::string fix_binder(const Builder& b, TokenIt begin, TokenIt at) {
    if (at->kind != Tok::Colon || at - begin < 2 || at[-1].kind != Tok::Name || !is_quantifying(at - 2)) return {};
    const auto word = spelling(at[-2].kind), name = b.source(at - 1);
    return fmt::format("the values of `{1}` are missing: `{0} {1}: TYPE: ...` or `{0} {1} in SET: ...`", word, name);
}

// The bracket behind the parts of a tuple whose names are given before `in`, as in `(p, k) in S`; `open`: it is no
// such.
TokenIt tuple_before_in(TokenIt open) {
    if (open->kind != Tok::OpenParen) return open;
    auto at = open + 1;
    while (at->kind == Tok::Name && at[1].kind == Tok::Comma) at += 2;
    const bool closes = at->kind == Tok::Name && at > open + 1 && at[1].kind == Tok::CloseParen;
    return closes && at[2].kind == Tok::In ? at + 1 : open;
}

// Names for the parts of a tuple where one name for the whole is meant.
std::string fix_tuple_binder(const Builder& b, TokenIt begin, TokenIt at) {
    for (auto word = declaration_of(begin, at); word < at; ++word) {
        const bool binds = is_quantifying(word) || word->kind == Tok::For || word->kind == Tok::OpenBrace;
        const auto open = word + 1, close = binds ? tuple_before_in(open) : open;
        if (close == open) continue;
        std::string parts;
        for (auto part = open; part <= close; ++part)
            parts += std::string(b.source(part)) + (part->kind == Tok::Comma ? " " : "");
        const std::string one = "one name stands before `in`, and a pattern names its parts: ";
        if (word->kind == Tok::OpenBrace) return one + fmt::format("`{{t in S | t is {}, ...}}`", parts);
        if (word->kind == Tok::For) return one + fmt::format("`for t in S: if t is {}: ...`", parts);
        const bool asks = word->kind == Tok::Some || word->kind == Tok::All || word->kind == Tok::No ||
                          word->kind == Tok::Count || word->kind == Tok::Odd;
        const auto quantifier = spelling(word->kind);
        if (asks) return one + fmt::format("`{} t in S: t is {} and ...`", quantifier, parts);
        return one + fmt::format("`{} t in S: (match t {}: ...)`", quantifier, parts);
    }
    return {};
}

std::string likely_fix(const Builder& b, TokenIt begin, TokenIt at, const std::string& expected) {
    auto fix = fix_test(b, begin, at);
    if (fix.empty()) fix = fix_let(begin, at);
    if (fix.empty() && at->kind == Tok::Colon && expected == "`}`") fix = fix_set_of_values(begin, at);
    if (fix.empty()) fix = fix_binder(b, begin, at);
    if (fix.empty()) fix = fix_tuple_binder(b, begin, at);
    if (fix.empty() && at->kind == Tok::OpenParen && expected.starts_with("an effect"))
        fix = "effects stand without brackets: what follows the next comma is no part of an `if` or `for`";
    if (fix.empty()) fix = fix_enumeration(b, declaration_of(begin, at), at);
    if (fix.empty()) fix = fix_quantifier(b, declaration_of(begin, at), at);
    if (fix.empty()) fix = fix_foreign(b, begin, at, expected);
    if (fix.empty() && at > begin && at[-1].kind == Tok::Next)
        fix = "after a move the turn passes by itself; `next p` passes it to a player of your choice";
    if (fix.empty() && begin->kind == Tok::Def && at->kind == Tok::Colon && expected.ends_with("`=`"))
        fix = "the type of a definition is not written: it is that of the value";
    if (fix.empty() && ends_with_comma(begin, at)) fix = "nothing follows the `,` before it";
    if (fix.empty() && expected == continuation) fix = fix_continuation(b, begin, at);
    if (fix.empty() && at->kind == Tok::Name) {
        const auto guess = nearest(b.source(at), words_in(expected));
        if (!guess.empty()) fix = fmt::format("did you mean `{}`?", guess);
    }
    if (fix.empty()) fix = misspelt_keyword(b, begin, at);
    const bool next = at->first_on_line && starts_declaration(at->kind);
    const bool name_expected = is_keyword(at->kind) && !next && expected.find(" name") != std::string::npos;
    if (fix.empty() && (name_expected || stands_for_name(begin, at)))
        fix = fmt::format("`{}` is a word of the language, not a name", spelling(at->kind));
    if (fix.empty() && is_quantifying(at) && expected.starts_with("a value after `"))
        fix = fmt::format("`{} ...` binds less than what stands before it: put brackets round it", spelling(at->kind));
    if (const auto name = fix.empty() ? torn_call(b, begin, at) : std::string_view(); !name.empty())
        fix = fmt::format("the `(` of a call touches its name: `{}(`", name);
    return fix;
}

bool unterminated(const Builder& b, TokenIt at) {
    const auto text = b.source(at);
    return at->kind == Tok::String && text.front() == '"' && (text.size() < 2 || text.back() != '"');
}

} // namespace

void report_unexpected(Builder& b, TokenIt begin, TokenIt at, const std::string& expected) {
    if (std::exchange(b.silent, false) || at == b.resumed || unterminated(b, at)) return;
    auto fix = likely_fix(b, begin, at, expected);
    const bool lacks_name = expected == "`)`" && stands_for_name(begin, at);
    auto where = b.span(at);
    if (at->kind == Tok::End && at > begin)
        where.begin = where.end = (at - 1)->end; // point to where something is missing
    b.report().add(diag::Message::UnexpectedToken, where, {shown(b, at), lacks_name ? "a name" : expected},
                   std::move(fix));
}

TokenIt next_declaration(TokenIt at) {
    for (; at->kind != Tok::End; ++at)
        if (at->first_on_line && (starts_declaration(at->kind) || at->kind == Tok::CloseBrace)) break;
    return at;
}

} // namespace zug::syntax

#include "../processor_time.hpp"
#include "support.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <optional>
#include <sstream>

using namespace zug::syntax;

namespace {

// The first lines of the diagnostics.
std::string heads(const std::string& text) {
    const Parsed parsed(text);
    std::string result;
    for (const auto& item : parsed.report.sorted()) {
        const auto rendered = zug::diag::render(parsed.sources, item);
        result += rendered.substr(0, rendered.find('\n') + 1);
    }
    return result;
}

std::string rendered(const std::string& text) {
    const Parsed parsed(text);
    return zug::diag::render(parsed.sources, parsed.report);
}

std::string repeated(const std::string& part, std::size_t times) {
    std::string result;
    for (std::size_t i = 0; i < times; ++i) result += part;
    return result;
}

// The time that a byte of an ordinary text takes.
double ordinary_seconds_per_byte() {
    std::ifstream file(std::string(ZUG_SOURCE_DIR) + "/rules/chess.zug");
    std::ostringstream text;
    text << file.rdbuf();
    const std::string chess = text.str();
    REQUIRE(chess.size() > 1000);
    const double seconds = zug::test::least_seconds(10, [&] { CHECK_FALSE(Parsed(chess).report.has_errors()); });
    return seconds / static_cast<double>(chess.size());
}

} // namespace

TEST_CASE("several syntax errors are found in one run") {
    CHECK(heads("game \"E\"\n"
                "playres X, O\n"
                "board cell = gird(3, 3)\n"
                "state q = 3\n"
                "move ok when a\n"
                "move r when\n"
                "def w = 3\n"
                "end\n  me win when x\n") ==
          "test.zug:2:1: error: found `playres`, expected an operator, `,` or the next declaration [unexpected]\n"
          "test.zug:3:14: error: found `gird`, expected a board: grid, hex, ring, star, lines or graph [unexpected]\n"
          "test.zug:4:9: error: found `=`, expected `:` [unexpected]\n"
          "test.zug:7:1: error: found `def`, expected a condition after `when` [unexpected]\n"
          "test.zug:9:6: error: found `win`, expected `wins` or `loses` [unexpected]\n");
}

TEST_CASE("what could be read is kept beside the errors") {
    const Parsed parsed("param a = 1, b = 2, = 3\nmove x when )\nmove y");
    CHECK(parsed.report.error_count() == 2);
    CHECK(parsed.dumped() == "(Param a - (Number 1))\n(Param b - (Number 2))\n(Error)\n(Error)\n(Move y - - - - -)\n");
}

TEST_CASE("recovery inside a phase") {
    const Parsed parsed("phase p when a {\n  move x when )\n  move y\n}\nmove z when ]");
    CHECK(parsed.report.error_count() == 2);
    CHECK(parsed.dumped() == "(Phase p (Name a) (Error) (Move y - - - - -))\n(Error)\n");
    CHECK(Parsed("phase p when a {\n  move x when )\nstate x: bool\nmove y when )").report.error_count() == 2);
}

TEST_CASE("likely fixes") {
    const auto fix = [](const std::string& text) {
        const auto items = Parsed(text).report.sorted();
        return items.empty() ? "nothing" : items[0].fix;
    };
    CHECK(fix("stat x: bool") == "did you mean `state`?");
    CHECK(fix("def f = a == b") == "equality is written `=`");
    CHECK(fix("def f = a && b") == "conjunction is written `and`");
    CHECK(fix("def f = a || b") == "disjunction is written `or`");
    CHECK(fix("def f = !a") == "negation is written `not`");
    CHECK(fix("def f = a % b") == "the remainder is written `mod`");
    CHECK(fix("def f = {a} | union x in s: x.adj") ==
          "`union ...` binds less than what stands before it: put brackets round it");
    CHECK(fix("move m when (some d: f(d)) or a") ==
          "the values of `d` are missing: `some d: TYPE: ...` or `some d in SET: ...`");
    CHECK(fix("def f = foo (x)") == "the `(` of a call touches its name: `foo(`");
    CHECK(fix("def f := 1") == "a definition or value is given with `=`");
    for (const char* text : {"def f(c: cell): set cell = c.adj", "def n: 0..3 = 1"})
        CHECK(fix(text) == "the type of a definition is not written: it is that of the value");
    CHECK(fix("move m then x = 1") == "assignment is written `:=`");
    CHECK(fix("move m when x := 1") == "equality is written `=`; `:=` assigns, after `then`");
    CHECK(fix("move m then x := 1 when a") ==
          "the parts of a rule come in this order: let, when, weight, then, ensure");
    for (const char* text : {"let a = 1\n  let b = 2", "when a\n  let b = 1", "when a, b\n  then n := 1\n  let b = 1"})
        CHECK(fix(std::string("state n: 0..1\nmove m\n  ") + text) ==
              "a rule has one `let`, before `when`; further names follow a comma: `let a = 1, b = 2`");
    CHECK(fix("move m when a\n  when b") == "a rule has one `when`; further conditions follow a comma");
    CHECK(fix("move m then n := 1\n  ensure a\n  ensure b") ==
          "a rule has one `ensure`; further conditions follow a comma");
    const std::string one = "one name stands before `in`, and a pattern names its parts: ";
    CHECK(fix("def f = max (p, s, r) in t: r") == one + "`max t in S: (match t (p, s, r): ...)`");
    CHECK(fix("def f = some (p, q) in s: p = q") == one + "`some t in S: t is (p, q) and ...`");
    CHECK(fix("def f = {(p, q) in s | p > q}") == one + "`{t in S | t is (p, q), ...}`");
    CHECK(fix("move m then for (p, q) in s: n[p] := q") == one + "`for t in S: if t is (p, q): ...`");
    for (const char* text : {"(for c in s: at[c] := me), n += 1", "n += 1, (if a: n := 2)"})
        CHECK(fix(std::string("move m then ") + text) ==
              "effects stand without brackets: what follows the next comma is no part of an `if` or `for`");
    CHECK(fix("def f = a < b < c") == "comparisons do not chain; join two of them with `and`");
    CHECK(fix("move m then n += 1, next\nend A wins when n = 9") ==
          "after a move the turn passes by itself; `next p` passes it to a player of your choice");
    CHECK(fix("board b = gird(1, 1)") == "did you mean `grid`?");
    CHECK(fix("state move: bool") == "`move` is a word of the language, not a name");
    CHECK(fix("def f = 1; # x") == "effects and conditions are separated by `,`; declarations need no end mark");
    CHECK(fix("move m when a b") == "a `,` may be missing before it");
    CHECK(fix("move m then a := 1\n  b := 2") == "a `,` may be missing before it");
    CHECK(fix("// x") == "a comment starts with `#`");
    CHECK(fix("move m(next: cell)") == "`next` is a word of the language, not a name");
    const std::string order = ": the order is a title, `with`, `from`, `after`, `:`, checks";
    CHECK(fix("test after \"a\" from \"b\": perft 1 = 1") == "`from` stands too late" + order);
    CHECK(fix("test from \"a\" with n = 1: perft 1 = 1") == "`with` stands too late" + order);
    CHECK(fix("test with n = 1 \"title\": perft 1 = 1") == "the title stands too late" + order);
    CHECK(fix("test: perft 1 = 1 after \"a\"") == "`after` stands too late" + order);
    CHECK(fix("test: from \"a\" perft 1 = 1") == "`from` stands too late" + order);
    const std::string let = "`let` gives names to values; conditions such as `x in s` stand after `when`";
    CHECK(fix("move m\n  let t = s and f in x,\n  when t") == let);
    CHECK(fix("move m\n  let t = s, f in x\n  when t") == let);
    CHECK(fix("move m let (p, q) = a when p") == "patterns give names in conditions: `when v is (a, b)`");
    CHECK(fix("move m\n  let t = s,\n  when t") == "nothing follows the `,` before it");
    CHECK(fix("move m\n  when t,\nend draw when t") == "nothing follows the `,` before it");
}

TEST_CASE("what is expected is said in words") {
    const auto expected = [](const std::string& text) {
        const auto items = Parsed(text).report.sorted();
        return items.empty() ? "nothing" : items[0].text;
    };
    CHECK(expected("game Foo") == "found `Foo`, expected a text in double quotes");
    CHECK(expected("turn a by") == "found the end of the file, expected `steps` or a value after `by`");
    CHECK(expected("board b = grid(3 3)") == "found `3`, expected `,`");
    CHECK(expected("move m(c)") == "found `)`, expected `:` and a type");
    CHECK(expected("move m then x") == "found the end of the file, expected `:=`, `+=` or `-=`");
    CHECK(expected("move m then if a: x := 1 else") == "found the end of the file, expected an effect");
    CHECK(expected("notation m \"a\" if b") == "found `if`, expected `when` before the condition");
    CHECK(expected("end me wins if a") == "found `if`, expected `when` before the condition");
    CHECK(expected("def h = match x") == "found the end of the file, expected an arm `pattern: value` of `match`");
    CHECK(expected("def m = x and and y") == "found `and`, expected a value after `and`");
    CHECK(expected("def n = not") == "found the end of the file, expected a condition");
    CHECK(expected("def n = a[1") == "found the end of the file, expected `]`");
    CHECK(expected("def n = a^") ==
          "found the end of the file, expected an exponent: `*`, `+`, a number, a name, a call or a value in brackets");
    CHECK(expected("turn") == "found the end of the file, expected the name of a move rule");
    CHECK(expected("notation m 1") == "found `1`, expected a text in double quotes");
    CHECK(expected("test: nodes 3") ==
          "found `nodes`, expected a check: perft, moves, legal, illegal, loud, position, outcome, value or holds");
    CHECK(expected("state: bool") == "found `:`, expected a name");
    CHECK(expected("move m(next: cell)") == "found `next`, expected a name");
    CHECK(Parsed("move m\n  let t = s and f in x,\n  when t").report.error_count() == 1);
    CHECK(expected("phase p {\n move q\n}") == "found `{`, expected `when`");
    CHECK(Parsed("phase p {\n move q\n}").report.error_count() == 1);
    CHECK(expected("move m when a b") == "found `b`, expected an operator, `,` or the next declaration");
    CHECK(Parsed("move m then x == 2").report.error_count() == 1);
}

TEST_CASE("a sign of another language does not hide what comes after it") {
    const Parsed parsed("def f = a == b && !c");
    CHECK(parsed.report.error_count() == 3);
    CHECK(parsed.dumped() == "(Def f - (Binary and (Binary = (Name a) (Name b)) (Unary not (Name c))))\n");
}

TEST_CASE("texts") {
    CHECK(tree_of("game \"a\\\"b\\\\c\\{d\"") == "(Game \"a\"b\\c{d\")\n");
    CHECK(heads("game \"abc\nmove m") ==
          "test.zug:1:6: error: found the end of the line inside a text in double quotes [unterminated-string]\n");
    CHECK(heads("game \"") ==
          "test.zug:1:6: error: found the end of the line inside a text in double quotes [unterminated-string]\n");
    CHECK(heads("game \"\\q\"") == "test.zug:1:7: error: found `\\q`, expected one of `\\\"`, `\\\\`, `\\n`, `\\{` "
                                   "[unknown-escape]\n");
}

TEST_CASE("bytes that are not text are said before anything else") {
    CHECK(heads(std::string("game \"a\"\nmo\0ve", 14)) ==
          "test.zug:2:3: error: found the control character U+0000, expected text [control-character]\n");
    CHECK(heads("# \x1b[2J") ==
          "test.zug:1:3: error: found the control character U+001B, expected text [control-character]\n");
    CHECK(heads("game \"a\xC2\x9B\"") ==
          "test.zug:1:8: error: found the control character U+009B, expected text [control-character]\n");
    CHECK(heads("# \xE2\x80\xAE") ==
          "test.zug:1:3: error: found the control character U+202E, expected text [control-character]\n");
    CHECK(heads("# \xC0\xAF") == "test.zug:1:3: error: found byte 0xC0, which is not UTF-8 here [invalid-utf8]\n");
    CHECK(heads("# \xED\xA0\x80") == "test.zug:1:3: error: found byte 0xED, which is not UTF-8 here [invalid-utf8]\n");
    CHECK(heads("# \xE2\x99\x99 \xF0\x9F\x8E\xB2 \xC3\xA9\n").empty());
    CHECK(heads("\xEF\xBB\xBFgame \"x\"\n").empty());
    CHECK(heads("def f = a \xC3\xA9 b").find("[unexpected-character]") != std::string::npos);
}

TEST_CASE("hostile texts take a time in proportion to their length") {
    const double ordinary = ordinary_seconds_per_byte();
    const std::string texts[] = {
        "def a = " + repeated("(", 10000) + "1" + repeated(")", 10000),
        "def a = " + repeated("not ", 500000),
        "def a = " + repeated("1+", 500000) + "1",
        "def a = " + repeated("x.", 500000) + "x",
        "def a = " + repeated("some x in (", 100000),
        "def a = " + repeated("no a, b in (", 100000),
        "def a = " + repeated("match a b: c (", 100000),
        "def a = " + repeated("if a: b else ", 100000),
        "state a: " + repeated("(", 1000000),
        "state a: " + repeated("set ", 500000),
        "turn " + repeated("(", 1000000),
        "move m then " + repeated("if a: (", 100000),
        repeated("def a = (\n", 200000),
        repeated("phase a when b {\n", 100000),
        repeated("@", 1000000),
        repeated("(", 50000000),
    };
    for (const auto& text : texts) {
        CAPTURE(text.substr(0, 40));
        std::optional<Parsed> read;
        const double seconds = zug::test::least_seconds(1, [&] { read.emplace(text); });
        CHECK(seconds < 40 * ordinary * static_cast<double>(text.size()));
        const Parsed& parsed = *read;
        CHECK(parsed.report.error_count() >= 1);
        CHECK(parsed.report.error_count() <= zug::diag::Report::limit);
        CHECK(parsed.dumped().size() < 10000);
    }
    CHECK(heads("def a = " + repeated("(", 300)) ==
          "test.zug:1:209: error: nested too deep; at most 200 levels can be read [too-deep]\n");
    CHECK(heads(std::string(max_file_size + 1, ' ')) ==
          "test.zug:1:1: error: the file has 4194305 bytes; a rule file may have at most 4194304 [file-too-large]\n");
    CHECK(heads("def a = " + repeated("(", 150) + "1" + repeated(")", 150)).empty());
}

TEST_CASE("names that share a domain, nested, do not make an endless tree") {
    const auto nested = [](std::size_t levels) {
        return "def a = " + repeated("some a, b, c, d in (", levels) + "x" + repeated("): y", levels);
    };
    CHECK(heads(nested(4)).empty());
    CHECK(heads(nested(60)).find("[too-many-parts]") != std::string::npos);
    CHECK(heads("test: perft 3 = 4" + repeated(", perft 3 = 4", 200000)).empty());
}

TEST_CASE("mistakes of those who come from other languages") {
    CHECK(rendered("game 'T'\n") == "test.zug:1:6: error: found `'T'`, which is not a sign of this language "
                                    "[foreign-operator]\n    1 | game 'T'\n      |      ^^^ a text stands in double "
                                    "quotes: \"T\"\n");
    CHECK(rendered("end me wins when line (3, at.me)\n").find("the `(` of a call touches its name: `line(`") !=
          std::string::npos);
    const auto fix = [](const std::string& text) {
        const auto items = Parsed(text).report.sorted();
        return items.size() == 1 ? items[0].fix : "not one diagnostic";
    };
    CHECK(fix("def n = if a: 1 elif b: 2 else 3") == "a further condition is written `else if ...`");
    CHECK(fix("move m then if a: x := 1 elif b: x := 2") == "a further condition is written `else if ...`");
    const std::string loop = "there are no loops without an end: `for x in S: ...` does something for each member of S";
    CHECK(fix("move m then while a: x := 1") == loop);
    CHECK(fix("def n = if a then 1 else 2") == "a `:` stands behind the condition: `if c: a else b`");
    CHECK(fix("move m then if a then x := 1") == "a `:` stands behind the condition: `if c: a else b`");
    for (const char* list : {"Red, Green", "enum {Red, Green}", "Red or Green", "[Red, Green]", "\"Red\" | \"Green\""})
        CHECK(fix(std::string("type hue = ") + list) == "an enumeration is written `type hue = Red | Green | Blue`");
    CHECK(
        fix("def s = {c.d^j | d in compass, j in 1..6: a}") ==
        "a set of values is a union: `union x in S: f(x)`; `{x in S | ...}` are the members for which something holds");
    const std::string some = " is written `some`: `some x in S: ...`, `some x: TYPE: ...` or `some S`";
    const std::string all = " is written `all`: `all x in S: ...` or `all x: TYPE: ...`";
    CHECK(fix("end draw when not any {c: cell | a}") == "`any`" + some);
    CHECK(fix("move m when exists c: cell: a = c") == "`exists`" + some);
    CHECK(fix("end A wins when every c in cell: a = c") == "`every`" + all);
    CHECK(fix("def f = (forall c: cell | a)") == "`forall`" + all);
    CHECK(fix("move m then n++") == "`+= 1` adds one");
    CHECK(fix("move m then n++, x := 1") == "`+= 1` adds one");
    CHECK(fix("move m then n--") == "`-= 1` takes one away");
    CHECK(fix("move m then n.me += 1") == "the slot of a map that is assigned to is written `n[me]`");
    CHECK(fix("state s: set of cell") == "the type of a set is written `set cell`");
    CHECK(fix("end A wins when some (those c in cell: a = c)") ==
          "the members for which something holds are written `{x in S | ...}`");
    CHECK(fix("move m(where: cell) when where in a") == "`where` is a word of the language, not a name");
    CHECK(fix("def s = {a: cell, b: cell | a != b}") ==
          "one name only may stand before `|`: the condition can have others, `some b: cell: ...`; `count a: S, b: S: "
          "...` counts pairs");
    CHECK(fix("end draws when no empty") == "did you mean `draw`?");
    CHECK(heads("end draws when no empty") ==
          "test.zug:1:5: error: found `draws`, expected `draw`, or a player who wins or loses [unexpected]\n");
    CHECK(heads("end draw 0.5 when no empty") ==
          "test.zug:1:10: error: found `0.5`, expected `when`, since `draw` takes no amount [unexpected]\n");
    CHECK(heads("end X when no empty") ==
          "test.zug:1:7: error: found `when`, expected `wins` or `loses` [unexpected]\n");
    CHECK(heads("end draws wins when no empty\n  draw when a\n  draw").empty());
    CHECK(rendered("move go(end: 1..3)\n  then n := 1\n").find("`end` is a word of the language, not a name") !=
          std::string::npos);
}

TEST_CASE("mistakes of those who count, quantify and give ranges as elsewhere") {
    const auto fix = [](const std::string& text) {
        const auto items = Parsed(text).report.sorted();
        return items.size() == 1 ? items[0].fix : "not one diagnostic";
    };
    CHECK(fix("type n = [1..4]") == "a range of numbers is written `type n = 1..4`");
    CHECK(fix("move m when |empty| > 3") == "the number of members is written `count S`");
    CHECK(fix("move m when a, for all d in s: d = e") == "`for all` is written `all x in S: ...`");
    CHECK(fix("def n = count(d in s: d = e)") ==
          "no bracket stands behind `count`: `(count x in S: ...)` or `count x in S: ...`");
    CHECK(fix("def n = a and (some(d in f(s): d = e))") ==
          "no bracket stands behind `some`: `(some x in S: ...)` or `some x in S: ...`");
    CHECK(fix("def n = count d in s where d = e") ==
          "a condition on members stands behind their names: `count x in S: ...`, `{x in S | ...}`");
    CHECK(fix("move m when a in row 1") == "a call has brackets, `row(1)`; or a `,` is missing before it");
    CHECK(fix("end A wins when a\ndef b = c\ndraw when d") ==
          "the clauses of `end` stand together below it; another declaration has come between");
}

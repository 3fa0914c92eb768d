#include "grammar/format/format.hpp"
#include "../processor_time.hpp"
#include "support.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace zug::syntax;

namespace {

std::string formatted(const std::string& text) {
    const Parsed parsed(text);
    return format(parsed.sources, parsed.file, parsed.tree);
}

// Checks that the text is laid out as `wanted`, that this is stable, and that it means the same.
void check(const std::string& text, const std::string& wanted) {
    CAPTURE(text);
    CHECK(formatted(text) == wanted);
    CHECK(formatted(wanted) == wanted);
    CHECK(Parsed(text).dumped() == Parsed(wanted).dumped());
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    return longest;
}

} // namespace

TEST_CASE("blanks between tokens") {
    check("def f=a.b|~c^2&d ^( 1 .. n )", "def f = a.b | ~c^2 & d^(1..n)\n");
    check("def f=-a+ - b*c", "def f = -a + -b * c\n");
    check("def f = (d&s)^* . d", "def f = (d & s)^* . d\n");
    check("def f(a,b:set ,c : int)=g( a,_ )[b]", "def f(a, b: set, c: int) = g(a, _)[b]\n");
    check("def f = some(x) and not(y) or min(a,b)>max{1,2}",
          "def f = some (x) and not (y) or min(a, b) > max {1, 2}\n");
    check("state a:c->(p,k) ?=x on ( _,1 )", "state a: c -> (p, k)? = x on (_, 1)\n");
    check("def f = value -1/3 ", "def f = value - 1/3\n");
    check("turn a ? (b else c) * most count x", "turn a? (b else c)* most count x\n");
    check("turn a may b may c * may ( d e ) +", "turn a may b may c* may (d e)+\n");
}

TEST_CASE("the parts of a rule stand under each other") {
    check("move m also when a then x:=1 ensure not d", "move m also\n  when a\n  then x := 1\n  ensure not d\n");
    check("move m (c:cell) let k=1 when a,\nb then x:=1,\n\n y:=2 then z-=1 ensure not d",
          "move m(c: cell)\n  let k = 1\n  when a,\n       b\n  then x := 1,\n       y := 2\n  then z -= 1\n  ensure "
          "not d\n");
    check("chance c when a weight 2 then x:=1", "chance c\n  when a\n  weight 2\n  then x := 1\n");
    check("phase p when a{move m when b chance c}", "phase p when a {\n  move m\n    when b\n  chance c\n}\n");
    check("turn a else b then x:=1", "turn a else b\n  then x := 1\n");
    check("effect e(a: int)=let k=1 x:=1,\ny:=2 then z:=3",
          "effect e(a: int) =\n  let k = 1\n  x := 1,\n  y := 2\n  then z := 3\n");
    check("effect e(a: int) = x := 1", "effect e(a: int) = x := 1\n");
}

TEST_CASE("the clauses of an end") {
    check("end me wins when a", "end me wins when a\n");
    check("end\nme wins when a", "end\n  me wins when a\n");
    check("end me wins when a me loses 2 when b draw when c",
          "end\n  me wins    when a\n  me loses 2 when b\n  draw       when c\n");
    check("end when a,\nb payoff A=1 payoff B=2 when c",
          "end when a,\n         b\n  payoff A = 1\n  payoff B = 2 when c\n");
}

TEST_CASE("boards, matches, definitions") {
    check("board p=lines E:a b,c d N:a c group g:a", "board p = lines\n  E: a b, c d\n  N: a c\n  group g: a\n");
    check("def f = match x (A,_):1 none:{}", "def f = match x (A, _): 1 none: {}\n");
    check("def f = match x\n(A,_):1 none:{}", "def f = match x\n  (A, _): 1\n  none:   {}\n");
    check("look  cell plain,marked{a},A on b|c when d look men\n\"0 1\",\n\". 2\",mirrored",
          "look cell plain, marked {a}, A on b | c when d\nlook men\n  \"0 1\",\n  \". 2\", mirrored\n");
    check("notation  jump \"a\"then \"b\"  when c,d notation turn\"\" notation cell(c)\"{c}\"",
          "notation jump \"a\" then \"b\" when c, d\nnotation turn \"\"\nnotation cell(c) \"{c}\"\n");
    check("position  \"{at} {turn}\" turn W\"w\",B \"b\" rooks h1 \"K\",\na1 \"Q\"",
          "position \"{at} {turn}\"\n  turn W \"w\", B \"b\"\n  rooks h1 \"K\",\n    a1 \"Q\"\n");
    check("def a     = 1\npath bc(d: dir)=2", "def a = 1\npath bc(d: dir) = 2\n");
    check("def a            = 1\npath bc(d: dir)  = 2", "def a            = 1\npath bc(d: dir)  = 2\n");
}

TEST_CASE("comments and blank lines stay") {
    check("# a\n\n\n\n#b\ngame \"x\"    # c\n\n\nmove m # d\n\n # e\nwhen a, # f\n b\n\n# g",
          "# a\n\n#b\ngame \"x\"    # c\n\nmove m # d\n  # e\n  when a,  # f\n       b\n\n# g\n");
    check("phase p when a {\n# a\nmove m\n\n# b\nmove n\n# c\n}",
          "phase p when a {\n  # a\n  move m\n\n  # b\n  move n\n  # c\n}\n");
    check("", "");
    check("# only", "# only\n");
    check("move m\r\n  when a\r\n", "move m\n  when a\n");
}

TEST_CASE("long lines are broken where it costs least") {
    const std::string a(30, 'a'), b(30, 'b'), c(30, 'c'), d(30, 'd');
    check("move m when f(" + a + ", " + b + "), f(" + c + ", " + d + ")",
          "move m\n  when f(" + a + ", " + b + "),\n       f(" + c + ", " + d + ")\n");
    check("def f = " + a + " | " + b + " and " + c + " | " + d,
          "def f = " + a + " | " + b + " and\n  " + c + " | " + d + "\n");
    check("state s: bool # " + a + b + c + d, "# " + a + b + c + d + "\nstate s: bool\n");
    CHECK(longest_line(formatted("def f = " + a + " + match x A: " + b + " B: " + c + " C: " + d)) <= max_line);
}

TEST_CASE("long tests are broken between items, else where their parts begin") {
    const std::string a(20, 'a'), b(20, 'b'), c(60, 'c');
    const std::string with = "with " + a + " = 1, " + b + " = 2";
    check("test \"t\" " + with + ": holds " + b + ", holds " + c,
          "test \"t\" " + with + ": holds " + b + ",\n  holds " + c + "\n");
    check("test " + with + " after \"" + c + "\": holds " + a,
          "test " + with + "\n  after \"" + c + "\": holds " + a + "\n");
    check("test " + with + " after \"" + a + "\": holds " + c,
          "test " + with + " after \"" + a + "\":\n  holds " + c + "\n");
    check("test with " + c + " = 1, " + b + " = 2, " + a + " = 3: holds x",
          "test with " + c + " = 1, " + b + " = 2,\n  " + a + " = 3: holds x\n");
}

TEST_CASE("a file with syntax errors is left alone") {
    for (const std::string text : {"move  m  when\n", "def  f = a == b\n", "def f = (\n", "\xFF  "})
        CHECK(formatted(text) == text);
}

TEST_CASE("many definitions in one line are laid out in time that grows as their number") {
    const auto seconds_for = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += "def a" + std::to_string(i) + " = 1 ";
        return zug::test::least_seconds(3, [&] { CHECK(formatted(text) != text); });
    };
    constexpr int few = 1000, times = 8;
    CHECK(seconds_for(times * few) < 3 * times * seconds_for(few));
}

TEST_CASE("the rule files of the repository keep their meaning, and stay as they are") {
    for (const auto& entry : std::filesystem::directory_iterator(ZUG_SOURCE_DIR "/rules")) {
        if (entry.path().extension() != ".zug") continue;
        std::ifstream in(entry.path());
        std::stringstream text;
        text << in.rdbuf();
        CAPTURE(entry.path().string());
        const auto once = formatted(text.str());
        CHECK(Parsed(once).dumped() == Parsed(text.str()).dumped());
        CHECK(formatted(once) == once);
        WARN(once == text.str());
    }
}

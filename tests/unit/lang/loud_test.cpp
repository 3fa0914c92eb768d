// Loud moves: what a file declares, what is found where it declares nothing, and what becomes of it in files that
// extend it.

#include "support.hpp"

#include "ir/print.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <regex>
#include <unistd.h>

using namespace zug;
using namespace zug::lang;

namespace {

// `rule: condition` for each rule with loud moves, without the numbers of variables.
std::vector<std::string> loud_of(const Loaded& loaded) {
    INFO(said(loaded));
    REQUIRE(loaded.program);
    const ir::Program& program = *loaded.program;
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < program.loud.size(); ++r)
        if (valid(program.loud[r]))
            texts.push_back(program.rules[static_cast<ir::RuleId>(r)].name + ": " +
                            std::regex_replace(ir::print_expr(program, program.loud[r]), std::regex("#[0-9]+"), ""));
    return texts;
}

using Texts = std::vector<std::string>;

constexpr const char* stones = "game \"Test\"\nplayers A, B\nboard cell = grid(4, 4)\n"
                               "state at: cell -> player? = A on row(1), B on row(4)\nstate score: player -> 0..9\n"
                               "end me wins when no at.foe\n";
constexpr const char* pieces = "game \"Test\"\nplayers A, B\nboard cell = grid(4, 4)\ntype kind = Man | King\n"
                               "state at: cell -> (player, kind)? = (A, Man) on row(1), (B, Man) on row(4)\n"
                               "end me wins when no men(foe)\n";

Texts loud_in(const std::string& start, const std::string& rest) {
    return loud_of(load_text("test.zug", start + rest));
}

constexpr const char* go = "move go(f: cell, t: cell)\n  when f in at.me, t in f.adj \\ at.me\n"
                           "  then at[f] := none, at[t] := me\n";
constexpr const char* place = "move place(c: cell)\n  when c in empty\n  then at[c] := me\n";
constexpr const char* foe_there = "go: (in at[t] (if (= (me) A) {B} {A}))";

} // namespace

TEST_CASE("of several declarations for a rule one has to hold") {
    CHECK(loud_in(stones, std::string(go) + "loud go when t in row(1)\nloud go when f = a1, t in row(2)\n") ==
          Texts{"go: (or (in t {a1, b1, c1, d1}) (and (= f a1) (in t {a2, b2, c2, d2})))"});
    CHECK(loud_in(stones, std::string(go) + place + "loud place\n") == Texts{"place: true"});
    CHECK(loud_in(stones, std::string(go) + place + "eval p = count at.p\nloud go when false\n").empty());
}

TEST_CASE("names of the rule are known, and those that patterns give") {
    const std::string rule = "move go(f: cell, t: cell)\n  let near = f.adj\n  when at[f] is (me, k), t in near\n"
                             "  then at[t] := (me, k)\n";
    CHECK(loud_in(pieces, rule + "loud go when k = King, t in near\n") == Texts{"go: (and (= k King) (in t near))"});
    CHECK(loud_in(pieces, rule + "loud go when at[t] is (foe, taken), taken != k\n") ==
          Texts{"go: (and (not (is none at[t])) (= (part 0 at[t]) (next (me))) (let taken (part 1 at[t]) (not (= taken "
                "k))))"});
}

TEST_CASE("what takes an opponent's piece is loud, what moves or places one is not") {
    for (const char* eval : {"eval p = count at.p\n", "eval p = 2.5 * count at.p - count at.(next(p)) / 3 + score[p]\n",
                             "eval p = sum c in at.p: 3\n", "eval p = let s = at.p in count s + count s.adj\n",
                             "def worth(p: player) = count at.p\neval p = worth(p) - worth(next(p))\n"}) {
        CAPTURE(eval);
        CHECK(loud_in(stones, std::string(go) + place + eval) == Texts{foe_there});
    }
    CHECK(loud_in(stones, std::string(place) + "eval p = count at.p\n").empty());
    CHECK(loud_in(stones, "move go(f: cell, t: cell)\n  when f in at.me, t in f.adj & empty\n"
                          "  then at[f] := none, at[t] := at[f]\neval p = count at.p\n")
              .empty());
}

TEST_CASE("terms that are not about material make nothing loud") {
    for (const char* eval : {"", "eval p = score[p]\n", "eval p = count at.p.adj\n", "eval p = count at.p & row(1)\n",
                             "eval p = count at.p * count at.p\n", "eval p = sum c in at.p: y(c)\n"}) {
        CAPTURE(eval);
        CHECK(loud_in(stones, std::string(go) + eval).empty());
    }
}

TEST_CASE("a piece that becomes another one is loud, if that is worth more or less") {
    const std::string rule = "move go(f: cell, t: cell, as: kind)\n  when at[f] is (me, k), t in f.adj & empty\n"
                             "  then at[f] := none, at[t] := (me, as)\n";
    CHECK(loud_in(pieces, rule + "eval p = count at.(p, Man) + 3 * count at.(p, King)\n") ==
          Texts{"go: (and (in at[f] (if (= (me) A) {(A, Man), (A, King)} {(B, Man), (B, King)})) (not (= as k)))"});
    CHECK(loud_in(pieces, rule + "eval p = count men(p)\n").empty());
    CHECK(loud_in(pieces, "move crown(c: cell)\n  when at[c] = (me, Man)\n  then at[c] := (me, King)\n"
                          "eval p = count at.(p, King)\n")
              .empty()); // what was worth nothing is not taken up
    CHECK(loud_in(pieces, "move crown(c: cell)\n  when at[c] = (me, Man)\n  then at[c] := (me, King)\n"
                          "eval p = count at.(p, Man) + 2 * count at.(p, King)\n")
              .size() == 1);
}

TEST_CASE("sets and conditions") {
    CHECK(loud_in(stones, "move go(c: cell)\n  when c in empty\n  then at[c] := me, at[c.adj & at.foe] := me\n"
                          "eval p = count at.p\n")
              .size() == 1);
    CHECK(loud_in(stones, "move go(c: cell)\n  when c in at.me\n  then if c in row(4): at[c.S] := none\n"
                          "eval p = count at.p\n")
              .size() == 1);
    CHECK(loud_in(stones, "move leave(c: cell)\n  when c in at.me\n  then at[c] := none\neval p = count at.p\n") ==
          Texts{"leave: (in at[c] (if (= (me) A) {A} {B}))"});
    // Each piece goes to where another one was.
    CHECK(
        loud_in(stones, "move turn_over\n  then for c in row(1..3): at[c] := at[c.N]\neval p = count at.p\n").empty());
}

TEST_CASE("files that extend another replace what is loud rule by rule, and drop what does not fit") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / fmt::format("zug-loud-{}", ::getpid());
    fs::create_directories(folder);
    std::ofstream(folder / "base.zug") << stones << go << place << "loud go when t in at.foe\nloud place when c = a1\n";
    const auto extended = [&](const std::string& rest) {
        std::ofstream(folder / "more.zug") << "extends \"base.zug\"\ngame \"More\"\n" << rest;
        return loud_of(load_file((folder / "more.zug").string(), {}, {}));
    };
    const Texts base = extended("");
    REQUIRE(base.size() == 2);
    CHECK(extended("loud place when c in row(2)\n") == Texts{base[0], "place: (in c {a2, b2, c2, d2})"});
    CHECK(extended("move go(d: dir)\n  when some at.me.d\n  then score[me] := 1\n") == Texts{base[1]});
    fs::remove_all(folder);
}

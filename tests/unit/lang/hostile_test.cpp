// Hostile files: each gets its diagnostics quickly, within the bounds on time and memory.

#include "../processor_time.hpp"
#include "support.hpp"
#include "tests/library.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace zug;
using namespace zug::lang;

namespace {

std::string repeated(const std::string& text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
}

// The time that the largest rule file takes.
double ordinary_seconds() {
    static const double least = test::least_seconds(
        5, [] { CHECK(load_file(std::string(ZUG_SOURCE_DIR) + "/rules/chess.zug").program != nullptr); });
    return least;
}
// A hostile file may take many times that: some are a hundred times as long, others use up the checker's budgets.
constexpr double most_ordinary = 200, most_of_budgets = 4000;

long peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr long most_megabytes = 8192;
#else
constexpr long most_megabytes = 1024;
#endif

void survives(const std::string& name, const std::string& text, bool refused = true, double most = most_ordinary) {
    const double seconds = test::least_seconds(1, [&] {
        const Loaded loaded = load_text(name, text);
        INFO(said(loaded));
        CHECK_MESSAGE(loaded.report.has_errors() == refused, name);
        CHECK(loaded.report.error_count() <= diag::Report::limit);
    });
    CHECK_MESSAGE(seconds < most * ordinary_seconds(), name);
    CHECK_MESSAGE(peak_megabytes() < most_megabytes, name);
}

// Each definition mentions the one before it twice.
std::string doubling(const std::string& first, const std::string& word, const std::string& join, int count) {
    std::string result = word + " e0 = " + first + "\n";
    for (int i = 1; i < count; ++i) {
        const std::string before = "e" + std::to_string(i - 1);
        result += word + " e" + std::to_string(i) + " = " + before + join + before + "\n";
    }
    return result;
}

} // namespace

TEST_CASE("huge boards, states and numbers") {
    survives("board", "game \"T\"\nplayers A\nboard cell = grid(1000000, 1000000)\n");
    survives("hexagon", "game \"T\"\nplayers A\nboard cell = hex hexagon(1000000000)\n");
    survives("product", "game \"T\"\nplayers A\nboard cell = grid(99999999 * 99999999, 1)\n");
    survives("state", game_with("state s: cell, cell, cell, cell, cell, cell, cell, cell -> 0..99 = 3", "1"));
    survives("gigabyte", game_with("state s: 0..1000000000 -> bool = true", "1"));
    survives("wide", game_with("state s: 0..1000000000000 = 0", "1"));
    survives("sets", game_with("state s: set 0..65535 = {}\nstate t: 0..999 -> set 0..65535 = {}", "1"));
    survives("range", game_with("", "count (1..1000000000)"));
    survives("tuple", game_with("state s: (0..99999999, 0..99999999, 0..99999999, 0..99999999)? = none", "1"));
    survives("union", game_with("", "count ({1} | {1000000000})"));
    survives("branches", game_with("", "count (if no empty: {1} else 1000000000)"));
    survives("exponent", game_with("", "count a1.(N | S)^1000000000"), false);
}

TEST_CASE("constants that take long") {
    survives("loops", game_with("", "count x in (0..60000), y in (0..60000): x = y"), false);
    survives("nested loops", game_with("", "sum a in (0..60000): sum b in (0..60000): sum c in (0..60000): 1.0 * a"),
             false);
    survives("closures", game_with("", "sum a, b, c in cell: count a.(adj & b.compass^*)^* & c.compass^*"), false);
}

TEST_CASE("definitions that double") {
    survives("sets", game_with(doubling("at.me", "def", " | ", 60), "count e59"), false);
    survives("truths", game_with(doubling("some at.me", "def", " and ", 60), "if e59: 1 else 0"), false);
    survives("paths", game_with(doubling("N | E", "path", " . ", 60), "count a1.e59"));
    std::string effects = "effect e0(c: cell) = at[c] := none\n";
    for (int i = 1; i < 60; ++i) {
        const std::string before = "e" + std::to_string(i - 1) + "(c)";
        effects += "effect e" + std::to_string(i) + "(c: cell) = " + before + ", " + before + "\n";
    }
    survives("effects", game_with(effects + "move clear(c: cell) then e59(c)", "1"), true, most_of_budgets);
    std::string maps = "def e0(m: map site -> player?) = some m.A\n";
    for (int i = 1; i < 60; ++i) {
        const std::string before = "e" + std::to_string(i - 1) + "(m)";
        maps += "def e" + std::to_string(i) + "(m: map site -> player?) = " + before + " and " + before + "\n";
    }
    survives("maps", game_with(maps, "if e59(at): 1 else 0"), true, most_of_budgets);
}

TEST_CASE("long chains and deep nesting") {
    std::string chain = "def c0 = count at.me\n";
    for (int i = 1; i < 5000; ++i) chain += "def c" + std::to_string(i) + " = c" + std::to_string(i - 1) + " + 1\n";
    survives("chain", game_with(chain, "c4999"));
    survives("brackets", game_with("", repeated("(", 100000) + "1" + repeated(")", 100000)));
    survives("sum", game_with("", "1" + repeated(" + count at.me", 100000)));
    survives("nots", game_with("", "if " + repeated("not ", 100000) + "true: 1 else 0"));
    survives("ifs", game_with("", repeated("if no empty: 1 else ", 5000) + "2"));
    std::string names = "a0";
    for (int i = 1; i < 20'000; ++i) names += ", a" + std::to_string(i);
    survives("names", game_with("", "count " + names + ": cell: a0 = a1"));
    survives("some names", game_with("", "if some " + names + " in empty: a0 = a1: 1 else 0"));
    survives("lets", game_with("", repeated("let a = (count empty) in ", 150) + "a"), false);
}

TEST_CASE("definitions and imports that go round") {
    survives("params", "game \"T\"\nparam a = b, b = c, c = a\nplayers A\n");
    survives("types", "game \"T\"\nplayers A\ntype a = b?\ntype b = (a, a)\nstate s: a\n");
    survives(
        "board",
        "game \"T\"\nplayers A\nboard cell = grid(size, size)\ndef size = count at.A\nstate at: cell -> player?\n");
    survives("many errors", "game \"T\"\nplayers A\n" + repeated("state s: nothing\n", 20000));
    survives("many names",
             game_with(repeated("def aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa = bbbbbbbbbb\n", 3000), "1"));
}

TEST_CASE("bytes that are no rule file") {
    survives("nul", std::string(1000, '\0'));
    survives("bad UTF-8", repeated("\xff\xc0\x80 \xed\xa0\x80", 1000));
    survives("one long line", "game \"" + std::string(3000000, 'x'));
    survives("empty", "");
    const auto file = std::filesystem::temp_directory_path() / fmt::format("zug-large-{}.zug", ::getpid());
    {
        std::ofstream out(file, std::ios::binary);
        const std::string block = repeated("# nothing at all\n", 60000);
        for (int i = 0; i < 50; ++i) out << block;
    }
    const double seconds = test::least_seconds(1, [&] {
        const Loaded loaded = load_file(file.string());
        CHECK(slugs(loaded) == std::vector<std::string>{"file-too-large"});
        CHECK(loaded.sources.text(FileId{}).size() <= (4U << 20U) + 1);
    });
    CHECK(seconds < most_ordinary * ordinary_seconds());
    std::filesystem::remove(file);
    CHECK(load_file("/").report.has_errors());
}

// Whatever boards, counts and limits come of it: a program, or errors.
TEST_CASE("parameters of every game may be as small and as large as anybody likes") {
    std::size_t refused = 0;
    for (const auto& file : zug::test::library()) {
        const Loaded usual = load_file(file.string());
        REQUIRE(usual.program);
        for (const auto& param : usual.program->params)
            for (const char* value : {"0", "-1", "99", "9223372036854775807"}) {
                CAPTURE(file.filename());
                CAPTURE(param.name);
                CAPTURE(value);
                const Loaded changed = load_file(file.string(), {{param.name, value}});
                CHECK((changed.program == nullptr) == changed.report.has_errors());
                refused += changed.program ? 0 : 1;
            }
    }
    CHECK(refused > 200);
}

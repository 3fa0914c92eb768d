// Families of rule files that grow: each member is small enough to write, and the largest ones ask for more than any
// machine has. Whatever the size, the program accepts the file or says in a few lines why not, within the budget of
// the hostile files (hostile_test.cpp).

#include "budget.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <functional>
#include <vector>

using zug::test::Budget;
using zug::test::Result;
using zug::test::run_zug;

namespace {

using Part = std::function<std::string(int)>;

std::string repeat(int n, const Part& part, const char* between = "") {
    std::string text;
    for (int i = 0; i < n; ++i) text += (i == 0 ? "" : between) + part(i);
    return text;
}

const std::string players = "players X, O\n";
const std::string counter = players + "state n: 0..9\n";
const std::string end = "end me wins when n = 9\n";

struct Family {
    const char* name;
    std::function<std::string(int)> file;
    std::vector<int> sizes;
};

const std::vector<Family> families = {
    {"a parameter of many values",
     [](int n) { return counter + fmt::format("move m(d: 1..{})\n  when d > 5\n  then n := 9\n", n) + end; },
     {100, 65'536, 65'537, 2'000'000'000}},
    {"many parameters",
     [](int n) {
         return counter + "move m(" +
                repeat(
                    n, [](int i) { return fmt::format("p{}: 0..3", i); }, ", ") +
                ")\n  when n = 0\n  then n := 9\n" + end;
     },
     {4, 12, 31, 64, 300}},
    {"pairs of pairs",
     [](int n) {
         return players + "type t0 = (0..1, 0..1)\n" +
                repeat(n, [](int i) { return fmt::format("type t{} = (t{}, t{})\n", i + 1, i, i); }) +
                fmt::format("state n: 0..9\nstate x: t{}?\nmove m then n := 9\n", n) + end;
     },
     {2, 5, 40, 400}},
    {"definitions that ask twice",
     [](int n) {
         return counter + "def d0 = n > 3\n" +
                repeat(n, [](int i) { return fmt::format("def d{} = d{} or not d{}\n", i + 1, i, i); }) +
                fmt::format("move m when d{} or n < 9 then n += 1\n", n) + end;
     },
     {5, 20, 60, 1000}},
    {"unions in unions",
     [](int n) {
         return players + "board b = grid(8, 8)\nstate at: b -> player?\n" + "def d0(f: b) = f.adj\n" +
                repeat(n,
                       [](int i) { return fmt::format("def d{}(f: b) = union g in d{}(f): d{}(g)\n", i + 1, i, i); }) +
                fmt::format(
                    "move m(f: b)\n  when f in empty, some d{}(f)\n  then at[f] := me\nend draw when no empty\n", n);
     },
     {1, 3, 6, 20}},
    {"many boards",
     [](int n) {
         return repeat(n,
                       [](int i) { return fmt::format("board b{} = grid(3, 3)\nstate s{}: b{} -> bool\n", i, i, i); }) +
                counter + "move m then n += 1\n" + end;
     },
     {10, 300, 3000}},
    {"many rules",
     [](int n) {
         return counter + repeat(n, [](int i) { return fmt::format("move m{}\n  when n < 9\n  then n += 1\n", i); }) +
                end;
     },
     {10, 300, 5000}},
    {"many state variables",
     [](int n) {
         return counter + repeat(n, [](int i) { return fmt::format("state s{}: 0..{}\n", i, i + 1); }) +
                "move m then n += 1\n" + end;
     },
     {10, 1000, 20'000}},
    {"a wide state",
     [](int n) {
         return players +
                fmt::format("state n: 0..9\ntype pair = (1..{}, 1..{})\nstate s: pair -> 0..9\nmove m then n += 1\n", n,
                            n) +
                end;
     },
     {10, 200, 2000, 60'000}},
    {"outcomes of chance",
     [](int n) {
         return counter +
                fmt::format(
                    "move m when n = 0 then n := 1\nchance c(a: 1..{}, b: 1..{})\n  when n = 1\n  then n := 9\n", n,
                    n) +
                end;
     },
     {10, 1000, 30'000}},
    {"chains of steps",
     [](int n) {
         return players + fmt::format("state n: 0..{}\nmove s(v: 0..3)\n  when n < {}\n  then n += 1\nturn s+ by "
                                      "steps\nend draw when n = {}\n",
                                      n, n, n);
     },
     {2, 6, 12, 60}},
    {"nesting",
     [](int n) {
         return counter + "move m when " + std::string(static_cast<std::size_t>(n), '(') + "n < 9" +
                std::string(static_cast<std::size_t>(n), ')') + " then n += 1\n" + end;
     },
     {10, 150, 300, 100'000}},
    {"a long sum",
     [](int n) {
         return counter + "move m when n" + repeat(n, [](int i) { return fmt::format(" + {}", i % 7); }) +
                " > 0 then n += 1\n" + end;
     },
     {10, 1000, 50'000}},
    {"a long product",
     [](int n) {
         return counter + "move m when n" + repeat(n, [](int) { return std::string(" * n"); }) + " > 0 then n += 1\n" +
                end;
     },
     {3, 12, 13, 5000}},
    {"many ends",
     [](int n) {
         return counter + "move m then n += 1\n" +
                repeat(n, [](int i) { return fmt::format("end me wins when n = {}\n", i % 10); });
     },
     {10, 1000, 10'000}},
    {"long names",
     [](int n) {
         const std::string name(static_cast<std::size_t>(n), 'x');
         return players + "state " + name + ": 0..9\nmove m then " + name + " += 1, y := 3\nend me wins when " + name +
                " = 9\n";
     },
     {10, 1000, 1'000'000}},
    {"large boards",
     [](int n) {
         return players + fmt::format("board b = grid({}, {})\nstate at: b -> player?\nmove m(f: b)\n  when f in "
                                      "empty\n  then at[f] := me\nend me wins when line(5, at.me)\n",
                                      n, n);
     },
     {5, 64, 65, 100'000}},
};

} // namespace

TEST_CASE("families of rule files stay within their budget as they grow") {
    const zug::test::TemporaryFolder folder;
    const Budget budget;
    std::size_t number = 0;
    for (const Family& family : families)
        for (const int size : family.sizes) {
            CAPTURE(family.name);
            CAPTURE(size);
            const std::string file = folder.write("family.zug", family.file(size));
            std::vector<std::vector<std::string>> commands{{"check", file}, {"search", file, "--depth", "2"}};
            // Both begin alike, with what takes the time: with sanitizers files get one of them in turn.
            if (zug::test::sanitized) commands = {commands[number++ % 2]};
            for (const std::vector<std::string>& command : commands) {
                CAPTURE(command.front());
                const Result result = run_zug(command, budget.setting);
                CAPTURE(result.err.substr(0, 2000));
                CHECK((result.code == 0 || result.code == 1));
                budget.check(result);
            }
        }
}

// How large folders, files, functions and parameter lists may become. exceptions.tsv beside this file names what is
// over a limit, and why.

#include "functions.hpp"
#include "sources.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int most_files_in_folder = 25, most_lines_in_file = 400, most_lines_in_function = 60, most_parameters = 5;

struct Excess {
    std::string limit; // "folder", "file", "function", "parameters"
    std::string where; // a path from the top of the clone; of a function "path: name"

    auto operator<=>(const Excess&) const = default;
};

using Excesses = std::map<Excess, int>; // with the figure that is over the limit

void note(Excesses& found, const Excess& what, int figure, int most) {
    if (figure <= most) return;
    int& largest = found[what];
    largest = std::max(largest, figure);
}

void look_at(const fs::path& path, Excesses& found) {
    const std::string name = fs::relative(path, root).string(), text = read(path);
    note(found, {"file", name}, static_cast<int>(std::ranges::count(text, '\n')), most_lines_in_file);
    for (const auto& function : zug::test::functions_of(text)) {
        const std::string where = name + ": " + function.name;
        note(found, {"function", where}, function.lines, most_lines_in_function);
        if (!function.is_outside_class) note(found, {"parameters", where}, function.parameters, most_parameters);
    }
}

Excesses excesses() {
    Excesses found;
    std::map<std::string, int> files;
    for (const auto* top : {"src", "grammar", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            ++files[fs::relative(entry.path().parent_path(), root).string()];
            look_at(entry.path(), found);
        }
    REQUIRE(files.size() > 10);
    for (const auto& [folder, count] : files) note(found, {"folder", folder}, count, most_files_in_folder);
    return found;
}

// The rows of exceptions.tsv: limit, where, reason.
std::map<Excess, std::string> exceptions() {
    std::map<Excess, std::string> found;
    std::istringstream lines(read(root / "tests/layers/exceptions.tsv"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream cells(line);
        Excess excess;
        std::string reason;
        std::getline(cells, excess.limit, '\t');
        std::getline(cells, excess.where, '\t');
        std::getline(cells, reason, '\t');
        CHECK_MESSAGE(!reason.empty(), "no reason is given: ", line);
        CHECK_MESSAGE(found.emplace(excess, reason).second, "named twice: ", line);
    }
    return found;
}

} // namespace

TEST_CASE("folders, files, functions and parameter lists keep their limits") {
    const Excesses found = excesses();
    const auto allowed = exceptions();
    for (const auto& [excess, figure] : found)
        CHECK_MESSAGE(allowed.contains(excess), excess.limit, "\t", excess.where, "\t", figure);
    for (const auto& [excess, reason] : allowed)
        CHECK_MESSAGE(found.contains(excess), "an exception that is not needed: ", excess.limit, "\t", excess.where);
}

TEST_CASE("functions are found as they are written") {
    const auto found = zug::test::functions_of(R"(
#define MACRO(a, b, c, d, e, f) {
namespace zug {
template <typename T, int n = (3 > 2)> // a comment, with a bracket (
struct Store final : Base<T> {
    Store(int a, std::map<int, std::string> b = {{1, "(,"}}, int c = f(1, 2)) : a_{a}, Base<T>(b), c_(c) {
        sort([&](int x, int y) { return x < y; });
    }
    bool operator()(int a, int b) const { return a[b](a, b); }
    bool operator==(const Store&) const = default;
    int a_ = 1, c_{2};
};
DEFINE(one, two, three)
int Store::size(void) const noexcept(true) {
    struct Local {
        void run(int a) {}
    };
}
auto pair() -> std::pair<int, int> { return {1'000, ','}; }
const auto table = [] {
    return 1;
}();
TEST_CASE("a title") {
}
} // namespace zug
)");
    std::ostringstream text;
    for (const auto& one : found)
        text << one.name << ' ' << one.first_line << ' ' << one.lines << ' ' << one.parameters << '\n';
    CHECK(text.str() == "lambda in Store::Store 7 1 2\n"
                        "Store::Store 6 3 3\n"
                        "Store::operator() 9 1 2\n"
                        "Store::operator== 10 0 1\n"
                        "Local::run 16 1 1\n"
                        "Store::size 14 5 0\n"
                        "pair 19 1 0\n"
                        "lambda in  20 3 0\n"
                        "\"a title\" 23 2 0\n");
}

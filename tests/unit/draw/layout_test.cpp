// Properties of tidy layouts, on random trees, and the texts of strangers in what is written.

#include "base/markup/markup.hpp"
#include "base/random.hpp"
#include "draw/dot.hpp"
#include "draw/layout.hpp"
#include "draw/svg.hpp"
#include "draw/text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace zug;
using namespace zug::draw;

namespace {

constexpr double gap = 10;

std::vector<Box> random_tree(std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes(2 + random.below(60));
    for (Box& box : boxes) box.width = 10 + random.below(50);
    for (std::size_t v = 1; v < boxes.size(); ++v)
        boxes[random.below(static_cast<std::uint32_t>(v))].children.push_back(v);
    return boxes;
}

// The boxes of each level from left to right, as the order of the children says.
void levels(const std::vector<Box>& boxes, std::size_t v, int level, std::map<int, std::vector<std::size_t>>& out) {
    out[level].push_back(v);
    for (const std::size_t child : boxes[v].children) levels(boxes, child, level + 1, out);
}

Tree tree_of(const std::string& name) {
    Tree tree;
    tree.title = name;
    tree.players = tree.teams = {name, name};
    Node root, end;
    root.kind = Kind::Max;
    root.branches = {{.moves = {name}, .node = 1, .best = true}, {.moves = {name}, .node = {}}};
    root.cut = Cut::Beta;
    root.value = end.value = {1, 1};
    end.ply = 1;
    end.board = name + "\n" + name;
    end.parents = 1;
    tree.nodes = {root, end};
    return tree;
}

} // namespace

TEST_CASE("boxes of a level don't overlap, and parents stand above the middle of their children") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        std::vector<Box> boxes = random_tree(seed);
        lay_out(boxes, gap);
        std::map<int, std::vector<std::size_t>> rows;
        levels(boxes, 0, 0, rows);
        for (const auto& [level, row] : rows)
            for (std::size_t i = 1; i < row.size(); ++i) {
                const Box &left = boxes[row[i - 1]], &right = boxes[row[i]];
                CHECK(right.x - left.x >= (left.width + right.width) / 2 + gap - 1e-9);
            }
        double least = 1e9;
        for (const Box& box : boxes) {
            least = std::min(least, box.x - box.width / 2);
            if (box.children.empty()) continue;
            const double middle = (boxes[box.children.front()].x + boxes[box.children.back()].x) / 2;
            CHECK(box.x == doctest::Approx(middle));
        }
        CHECK(std::abs(least) < 1e-9);
    }
}

TEST_CASE("a mirrored tree is drawn mirrored") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        std::vector<Box> boxes = random_tree(seed), mirrored = boxes;
        for (Box& box : mirrored) std::ranges::reverse(box.children);
        lay_out(boxes, gap);
        lay_out(mirrored, gap);
        const double across = boxes[0].x + mirrored[0].x;
        for (std::size_t v = 0; v < boxes.size(); ++v) CHECK(boxes[v].x + mirrored[v].x == doctest::Approx(across));
    }
}

TEST_CASE("the texts of strangers stay texts") {
    const Tree tree = tree_of("<b a=\"x\">&\\n\x1b[2J\xff");
    const std::string svg = svg_of(tree), dot = dot_of(tree), text = text_of(tree);
    CHECK(svg.find("<b") == std::string::npos);
    CHECK(svg.find("&lt;b a=&quot;x&quot;&gt;&amp;\\n?[2J?") != std::string::npos);
    CHECK(dot.find("a=\"x\"") == std::string::npos);
    CHECK(dot.find("&amp;\\\\n") != std::string::npos);
    for (const std::string& out : {svg, dot, text}) CHECK(out.find('\x1b') == std::string::npos);
}

TEST_CASE("what is escaped is UTF-8 that XML allows") {
    CHECK(escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;'");
    CHECK(escaped("\xce\xb1\xe2\x99\x94\xf0\x9f\x99\x82") == "\xce\xb1\xe2\x99\x94\xf0\x9f\x99\x82");
    CHECK(escaped("\x01\x7f") == "  ");
    for (const char* bad : {"\xff", "\xce", "\x80", "\xc0", "\xc1"}) CHECK(escaped(bad) == "?");
    CHECK(escaped("\xc0\xaf") == "??");           // overlong
    CHECK(escaped("\xe0\x80\xaf") == "???");      // the same
    CHECK(escaped("\xed\xa0\x80") == "???");      // a surrogate
    CHECK(escaped("\xef\xbf\xbe") == "???");      // U+FFFE
    CHECK(escaped("\xf4\x90\x80\x80") == "????"); // beyond U+10FFFF
}

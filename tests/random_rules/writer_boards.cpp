// Boards of all shapes: mostly tiny ones, some that take two or three words of bits.

#include "lang/load.hpp"
#include "tests/random_rules/writer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::random_rules {

namespace {

// On which sites of a grid the board is.
constexpr const char* masks[] = {"(x + y) mod 2 = 0",     "x != 2 or y != 2", "x + y <= 6",
                                 "not (x = 1 and y = 1)", "x * y mod 3 != 1", "x >= y"};

} // namespace

std::string Writer::grid() {
    std::string text = fmt::format("grid({}, {})", between(1, 5), between(1, 5));
    if (percent(30)) text = fmt::format("grid({}, {}) where {}", between(3, 6), between(3, 6), masks[below(6)]);
    if (!numbers_.empty() && percent(20)) text = fmt::format("grid({}, {})", numbers_[0], between(2, 4));
    return text;
}

std::string Writer::small_shape() {
    switch (below(12)) {
    case 0: return fmt::format("hex rhombus({})", between(1, 4));
    case 1: return fmt::format("hex rhombus({}, {})", between(1, 4), between(2, 4));
    case 2: return fmt::format("hex hexagon({})", between(1, 3));
    case 3: return "star(1)";
    case 4: return fmt::format("ring({})", between(1, 8));
    case 5: return lines(between(3, 9));
    case 6: return graph(between(2, 8));
    default: return grid();
    }
}

// Whether a site and its bit are the same, and how many words there are, depends on the shape.
std::string Writer::large_shape() {
    switch (below(10)) {
    case 0: return fmt::format("ring({})", between(63, 70));
    case 1: return "hex rhombus(8)";
    case 2: return fmt::format("hex hexagon({})", between(5, 6));
    case 3: return fmt::format("star({})", between(2, 3));
    case 4: return lines(between(64, 70));
    case 5: return graph(between(64, 70));
    case 6: return fmt::format("grid({}, {}) where {}", between(9, 12), between(8, 11), masks[below(6)]);
    case 7: return fmt::format("grid({}, {})", between(1, 2), between(33, 70));
    default: return fmt::format("grid({}, {})", between(7, 12), between(7, 13));
    }
}

std::string Writer::lines(int sites) {
    std::vector<std::string> names;
    for (int i = 1; i <= sites; ++i) names.push_back("u" + std::to_string(i));
    std::vector<std::string> directions{"E", "N", "up", "round"};
    directions.resize(1 + below(4));
    std::string text = "lines";
    for (std::size_t d = 0; d < directions.size(); ++d) {
        for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[below(i)]);
        text += "\n  " + directions[d] + ":";
        // The first direction passes through all sites; the others through some.
        const std::size_t end = d == 0 ? names.size() : 2 + below(names.size() - 1);
        for (std::size_t i = 0; i < end; ++i) {
            const bool cut = i > 1 && i + 2 < end && percent(20);
            text += " " + names[i];
            if (cut) {
                text += ", " + names[i + 1];
                ++i;
            }
        }
    }
    return text;
}

std::string Writer::graph(int sites) {
    std::string text = "graph";
    for (int i = 1; i <= sites; ++i) {
        std::vector<int> to;
        for (int k = between(1, 3); k > 0; --k) {
            const int next = between(1, sites);
            if (std::ranges::find(to, next) == to.end()) to.push_back(next);
        }
        text += fmt::format("\n  v{}:", i);
        for (int next : to) text += fmt::format(" v{}", next);
    }
    return text;
}

std::string Writer::board_shape(std::size_t number) {
    if (number == 0) return percent(85) ? small_shape() : large_shape();
    // Names of directions belong to the first board that has them, and so do names of sites.
    const bool ring = boards_[0].numbered && !boards_[0].out;
    if (percent(50) && !boards_[0].out) return graph(between(2, 6));
    return ring ? graph(between(2, 6)) : fmt::format("ring({})", between(2, 9));
}

// What the sites and directions of a shape are called is asked of the loader.
bool Writer::probe(Board& board, const std::string& text) {
    std::string file = "players A, B\n";
    file += constants_;
    file += "board " + board.name + " = " + text + "\nmove pass\nend draw when true\n";
    const auto loaded = lang::load_text("probe.zug", file);
    if (!loaded.program) return false;
    const ir::Board& found = loaded.program->boards[ir::BoardId{}];
    for (const ir::Site& site : found.sites) board.sites.push_back(site.name);
    for (std::uint32_t d = 0; d < found.dir_count; ++d)
        board.dirs.push_back(found.steps[static_cast<ir::StepId>(d)].name);
    if (boards_.empty()) { // the words mean those of the first board
        if (found.compass.any()) board.dir_sets.push_back("compass");
        if (found.ortho.any()) board.dir_sets.push_back("ortho");
        if (found.diagonals.any()) board.dir_sets.push_back("diagonals");
        if (found.axes.any()) board.dir_sets.push_back("axes");
    }
    board.out = !found.edges.empty();
    board.numbered = found.shape == ir::BoardShape::Ring || found.shape == ir::BoardShape::Graph || found.height == 0;
    board.coordinates = !board.numbered;
    return true;
}

void Writer::declare_board() {
    Board board;
    std::string text;
    do {
        board = {};
        board.name = boards_.empty() ? "cell" : "spot";
        text = board_shape(boards_.size());
    } while (!probe(board, text));
    if (board.sites.size() > 1 && percent(20)) {
        const std::string group = boards_.empty() ? "middle" : "aside";
        text += "\n  group " + group + ":";
        for (std::size_t i = 0; i < board.sites.size(); i += 1 + below(4)) text += " " + board.sites[i];
        board.groups.push_back(group);
    }
    line("board " + board.name + " = " + text);
    boards_.push_back(std::move(board));
}

} // namespace zug::random_rules

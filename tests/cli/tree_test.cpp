// `zug tree`: the pictures of tests/trees, and what it refuses.

#include "process.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;
using zug::test::has;
using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::TemporaryFolder;

namespace {

const fs::path trees = ZUG_SOURCE_DIR "/tests/trees";

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream stream(line);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

Result tree(const std::string& options) {
    std::vector<std::string> line = words_of(options);
    line.insert(line.begin(), "tree");
    return run_zug(line);
}

} // namespace

TEST_CASE("each tree is drawn as in tests/trees") {
    const bool record = std::getenv("ZUG_RECORD") != nullptr;
    const TemporaryFolder folder;
    std::istringstream rows(read_file(trees / "trees.tsv"));
    int drawn = 0;
    for (std::string row; std::getline(rows, row);) {
        if (row.empty() || row[0] == '#') continue;
        CAPTURE(row);
        const std::string name = row.substr(0, row.find('\t'));
        const fs::path file = (record ? trees : folder.path()) / name;
        const Result result = tree(row.substr(row.find('\t') + 1) + " -o " + file.string());
        CHECK(result.code == 0);
        CHECK(result.out.empty());
        CHECK(result.err.empty());
        CHECK(read_file(file) == read_file(trees / name));
        ++drawn;
    }
    CHECK(drawn > 10);
    for (const auto& entry : fs::directory_iterator(trees)) // none is left over
        CHECK_MESSAGE(has(read_file(trees / "trees.tsv"), entry.path().filename().string() + "\t") !=
                          (entry.path().filename() == "trees.tsv"),
                      entry.path().string());
}

TEST_CASE("tree writes text to a pipe, and other formats when told so") {
    CHECK(has(tree("tree-two-ply").out, "best play: B b1\n"));
    CHECK(tree("tree-two-ply --format svg").out.starts_with("<svg "));
    CHECK(tree("tree-two-ply --format dot").out.starts_with("digraph "));
}

TEST_CASE("tree starts from a position, also from one where the game is over") {
    const Result over = tree("tic-tac-toe --moves a1,a2,b1,b2,c1");
    CHECK(over.code == 0);
    CHECK(has(over.out, "end 1"));
    CHECK(tree("tic-tac-toe --moves a1,a2,b1,b2,c1 --format svg").code == 0);
    CHECK(has(tree("tic-tac-toe --position at=3/1X1/3 --depth 0").out, "leaf"));
}

TEST_CASE("tree refuses what it can't draw, and says what to do") {
    const auto refused = [](const std::string& options, int code, const std::string& why) {
        const Result result = tree(options);
        CAPTURE(options);
        CAPTURE(result.err);
        CHECK(result.code == code);
        CHECK(result.out.empty());
        CHECK(has(result.err, why));
    };
    refused("chess --depth 4", 1, "more than 2000 nodes; with --depth 2 it has");
    refused("tic-tac-toe --depth 1 --nodes 5", 1, "even with --depth 1");
    refused("pig --method alphabeta --depth 2", 1, "use expectimax");
    refused("truel --method minimax --depth 2", 1, "use maxn");
    refused("sliding-puzzle --method minimax --depth 2", 1, "use expectimax");
    refused("pig --depth 2 --eval", 1, "without chance");
    refused("tic-tac-toe --depth 1 --moves e5", 1, "e5");
    refused("tic-tac-toe --depth 1 -o tree.pdf", 2, ".svg");
    refused("tic-tac-toe --depth 1 -o no-such-folder/tree.svg", 1, "can't write to no-such-folder/tree.svg");
    refused("tic-tac-toe --depth 1 -o .", 2, "--format");
    refused("tic-tac-toe --depth -1", 2, "");
    refused("tic-tac-toe --depth 1 --method guess", 2, "");
    refused("tic-tac-toe --depth 1 --merge=twice", 2, "");
}

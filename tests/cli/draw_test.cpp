// `zug draw`: where pictures go, and what it refuses.

#include "process.hpp"

#include <doctest/doctest.h>

namespace fs = std::filesystem;
using zug::test::has;
using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::TemporaryFolder;

TEST_CASE("draw writes a picture to a file, or to standard output") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "board.svg").string();
    const Result result = run_zug({"draw", "chess", "--moves", "e2e4 e7e5", "-o", file});
    CHECK(result.code == 0);
    CHECK(result.out.empty());
    CHECK(result.err.empty());
    const Result piped = run_zug({"draw", "chess", "--moves", "e2e4 e7e5"});
    CHECK(piped.code == 0);
    CHECK(piped.out.starts_with("<svg "));
    CHECK(piped.out == read_file(file));
    const Result nothing = run_zug({"draw", "tic-tac-toe", "-o", "/dev/null"});
    CHECK(nothing.code == 0);
    CHECK(!fs::is_regular_file("/dev/null"));
}

TEST_CASE("draw starts from a position, and draws what the options ask for") {
    CHECK(has(run_zug({"draw", "chess", "--position", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"}).out,
              "<title>e8: Black King</title>"));
    CHECK(has(run_zug({"draw", "tic-tac-toe", "--moves", "a1 a2 b1 b2 c1"}).out, "X wins"));
    const std::string sized = run_zug({"draw", "chess", "--size", "250"}).out;
    CHECK(has(sized, "height=\"250\""));
    const std::string plain = run_zug({"draw", "chess"}).out;
    for (const auto* option : {"--dark", "--flip", "--targets", "--all"}) {
        CAPTURE(option);
        const Result result = run_zug({"draw", "chess", option});
        CHECK(result.code == 0);
        CHECK(result.out != plain);
    }
}

TEST_CASE("draw refuses what it can't draw or write, and leaves files as they are") {
    const TemporaryFolder folder;
    const std::string file = folder.write("board.svg", "old");
    const auto refused = [&](std::vector<std::string> line, int code, const std::string& why) {
        line.insert(line.begin(), "draw");
        const Result result = run_zug(line);
        CAPTURE(result.err);
        CHECK(result.code == code);
        CHECK(result.out.empty());
        CHECK(has(result.err, why));
        CHECK(read_file(file) == "old");
    };
    refused({"chess", "--moves", "e2e5", "-o", file}, 1, "e2e5");
    refused({"chess", "--position", "9/8", "-o", file}, 1, "--position");
    refused({"chess", "--size", "0", "-o", file}, 2, "--size");
    refused({"no-such-game", "-o", file}, 2, "no-such-game");
    const std::string nowhere = (folder.path() / "none" / "board.svg").string();
    refused({"chess", "-o", nowhere}, 1, "can't write to " + nowhere + ":");
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("draw and tree refuse what is no PNG, and a program without the module says what it needs") {
    const TemporaryFolder folder;
    const std::string png = (folder.path() / "board.png").string();
    for (const char* command : {"draw", "tree"}) {
        CAPTURE(command);
        const Result wide =
            run_zug({command, "tree-pruning", "--width", "300", "-o", folder.write("board.svg", "old")});
        CHECK(wide.code == 2);
        CHECK(has(wide.err, "--width is that of a PNG"));
        CHECK(read_file(folder.path() / "board.svg") == "old");
        CHECK(run_zug({command, "tree-pruning", "--width", "0", "-o", png}).code == 2);
        // The same program where nothing is beside it.
        fs::copy_file(ZUG_BINARY, folder.path() / "zug", fs::copy_options::overwrite_existing);
        const std::string rules = std::string(ZUG_SOURCE_DIR) + "/rules/tree-pruning.zug";
        const Result alone = zug::test::run({(folder.path() / "zug").string(), command, rules, "-o", png});
        CHECK(alone.code == 1);
        CHECK(has(alone.err, "apt install librsvg2-dev"));
        CHECK(alone.out.empty());
        CHECK(!fs::exists(png));
    }
}

// The README's own commands, word for word: every `sh` block runs in a folder that looks like a clone, with the files
// that the other blocks give (a block that starts with ```zug NAME is the file NAME).

#include "process.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace fs = std::filesystem;
using zug::test::Result;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

struct Block {
    std::string language, file, text;
};

std::vector<Block> blocks_of(const std::string& markdown) {
    std::vector<Block> blocks;
    std::istringstream lines(markdown);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("```")) {
            if (inside) blocks.back().text += line + "\n";
            continue;
        }
        inside = !inside;
        if (!inside) continue;
        std::istringstream words(line.substr(3));
        Block& block = blocks.emplace_back();
        words >> block.language >> block.file;
    }
    return blocks;
}

// Cloning needs a network, and `./zug test` would run this very test again.
bool skipped(const std::string& line) {
    return line.empty() || line.starts_with("#") || line.starts_with("git clone") || line.starts_with("cd ") ||
           line.starts_with("cmake ") || line == "./zug test";
}

// With sanitizers a command that learns or plays for long does less of it.
std::string shortened(std::string line) {
    if (!zug::test::sanitized) return line;
    for (const auto& [words, fewer] : {std::pair<std::string, std::string>{"--games 100", "--games 10"},
                                       {"--games 10", "--games 2"},
                                       {"--time 5s", "--time 1s"}})
        if (const std::size_t at = line.find(words); at != std::string::npos)
            return line.replace(at, words.size(), fewer);
    return line;
}

} // namespace

TEST_CASE("every command of the README works") {
    const TemporaryFolder folder;
    const fs::path root = ZUG_SOURCE_DIR;
    fs::create_directory_symlink(root / "rules", folder.path() / "rules");
    fs::create_symlink(ZUG_BINARY, folder.path() / "zug");

    int commands = 0;
    for (const Block& block : blocks_of(zug::test::read_file(root / "README.md"))) {
        if (!block.file.empty()) folder.write(block.file, block.text);
        if (block.language != "sh") continue;
        std::istringstream lines(block.text);
        for (std::string line; std::getline(lines, line);) {
            if (skipped(line)) continue;
            CAPTURE(line);
            Setting setting;
            setting.folder = folder.path();
            setting.input = "quit\n";
            const Result result = zug::test::run({"sh", "-c", shortened(line)}, setting);
            CAPTURE(result.out);
            CAPTURE(result.err);
            CHECK(result.code == 0);
            ++commands;
        }
    }
    CHECK(commands >= 5);
}

TEST_CASE("the README names every command and every package") {
    const fs::path root = ZUG_SOURCE_DIR;
    const std::string readme = zug::test::read_file(root / "README.md");
    for (const auto* command : {"play", "check", "search", "tree", "draw", "match", "tournament", "uci", "gtp",
                                "engine", "lsp", "replay", "book", "learn", "perft", "bench", "info", "list", "fmt"}) {
        CAPTURE(command);
        CHECK(readme.find("`zug " + std::string(command)) != std::string::npos);
    }
    // Those marked `ci` are not for users.
    std::istringstream packages(zug::test::read_file(root / ".packages"));
    for (std::string line; std::getline(packages, line);) {
        if (line.empty() || line.starts_with("#")) continue;
        CAPTURE(line);
        std::istringstream cells(line);
        std::string name, use;
        cells >> name >> use;
        CHECK((use.empty() || use == "ci"));
        CHECK((readme.find("`" + name + "`") != std::string::npos) == use.empty());
    }
}

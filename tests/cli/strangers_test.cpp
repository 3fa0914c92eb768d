// What strangers may put where a file or a text is expected: pipes, devices, control characters, endless lines.

#include "process.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <sys/stat.h>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

bool has_control_characters(const std::string& text) {
    return std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7F; });
}

std::string pipe_in(const TemporaryFolder& folder, const std::string& name) {
    const std::string path = (folder.path() / name).string();
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    return path;
}

} // namespace

TEST_CASE("nobody waits for a pipe without another end, nor for a device") {
    const TemporaryFolder folder;
    const std::string pipe = pipe_in(folder, "pipe.zug");
    const std::vector<std::string> match = {"match", "tic-tac-toe", "--players", "random,random", "--games", "1"};
    for (const auto& line : std::vector<std::vector<std::string>>{
             {"check", pipe},
             {"fmt", pipe},
             {"replay", pipe},
             {"query", "tic-tac-toe", "--db", pipe},
             {"check", "/dev/zero"},
             {"info", "/dev/tty"},
             {"replay", "/dev/zero"},
             {"fmt", "/dev/zero"},
             {match[0], match[1], match[2], match[3], match[4], match[5], "--record", pipe},
         }) {
        CAPTURE(line[0]);
        CAPTURE(line[1]);
        Setting setting;
        setting.limit = 20;
        const Result result = run_zug(line, setting);
        CAPTURE(result.err);
        CHECK(!result.timed_out);
        CHECK(result.code > 0);
        CHECK(!result.err.empty());
    }
}

TEST_CASE("what stands where a rule file was expected is told") {
    const TemporaryFolder folder;
    for (const auto& [name, why] : std::vector<std::pair<std::string, std::string>>{
             {folder.path().string(), "is a folder, not a rule file"},
             {folder.path().string() + "/", "is a folder, not a rule file"},
             {pipe_in(folder, "pipe.zug"), "nothing was written to this pipe for 1 second"},
             {"/dev/null", "it is a device"},
             {(folder.path() / "none").string(), "there is no rule file"},
         })
        for (const std::string command : {"check", "search"}) {
            CAPTURE(name);
            const Result result = run_zug({command, name});
            CHECK(result.code > 0);
            CHECK(has(result.err, why));
        }
    // A folder hides no game that comes with Zug.
    std::filesystem::create_directory(folder.path() / "hex");
    Setting beside;
    beside.folder = folder.path();
    CHECK(run_zug({"info", "hex"}, beside).code == 0);
}

TEST_CASE("a rule file may come through a pipe") {
    Setting setting;
    setting.input = zug::test::read_file("rules/nim.zug");
    CHECK(run_zug({"check", "/dev/stdin"}, setting).code == 0);
}

TEST_CASE("--import-from allows another folder, and nothing else does") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "games");
    folder.write("words.zug", "def most = 5\n");
    const std::string file = folder.write("games/game.zug", "import \"../words\"\n"
                                                            "players A, B\n"
                                                            "state n: 0..9\n"
                                                            "move more\n  when n < most\n  then n += 1\n"
                                                            "end A wins when n = most\n");
    const Result refused = run_zug({"check", file});
    CHECK(refused.code == 1);
    CHECK(has(refused.err, "--import-from"));
    CHECK(run_zug({"check", file, "--import-from", folder.path().string()}).code == 0);
    CHECK(run_zug({"perft", file, "--depth", "2", "--import-from", folder.path().string()}).code == 0);
    CHECK(run_zug({"check", file, "--import-from", (folder.path() / "games").string()}).code == 1);
}

TEST_CASE("nothing of a file that is no rule file is shown") {
    const TemporaryFolder folder;
    const std::string file = folder.write("secret", "root:$6$secret:19000:0:99999:7:::\n");
    for (const std::string command : {"check", "info", "fmt"}) {
        CAPTURE(command);
        const Result result = run_zug({command, file});
        CHECK(result.code == 1);
        CHECK(has(result.err, "does not begin like a rule file"));
        CHECK(!has(result.out + result.err, "root"));
    }
}

TEST_CASE("control characters reach no terminal") {
    const TemporaryFolder folder;
    const std::string escape = "\x1b]0;owned\x07\x1b[2J";
    const std::string file = folder.write("title.zug", "game \"" + escape + "\"\nplayers A, B\n");
    const std::string record = folder.write(
        "games.jsonl", R"({"game":"\u001b[2J","file":"\u001b[2J","params":{},"players":["\u001b[2J","x"],"index":0,)"
                       R"("seed":1,"moves":["\u001b[2J"],"end":"finished","utilities":[1,-1]})"
                       "\n");
    Setting piped;
    piped.input = escape + "\n" + std::string("\x01\x02\x7f\n");
    for (const auto& [line, setting] : std::vector<std::pair<std::vector<std::string>, Setting>>{
             {{"check", file}, {}},
             {{"info", file}, {}},
             {{"replay", record}, {}},
             {{"check", "no" + escape}, {}},
             {{"perft", "nim", "--depth", "1", "-D", "a" + escape + "=1"}, {}},
             {{"perft", "nim", "--depth", "1", "-D", "a=" + escape}, {}},
             {{"perft", "nim", "--depth", "1", "--moves", escape}, {}},
             {{"perft", "nim", "--depth", "1", "--position", escape}, {}},
             {{"match", "nim", "--players", escape + ",random"}, {}},
             {{"perft", "nim", "--depth", escape}, {}},
             {{escape}, {}},
             {{"play", "nim"}, piped},
         }) {
        CAPTURE(line[0]);
        const Result result = run_zug(line, setting);
        CAPTURE(result.err);
        CHECK(result.code > 0);
        CHECK(!result.err.empty());
        CHECK(!has_control_characters(result.out));
        CHECK(!has_control_characters(result.err));
    }
}

TEST_CASE("a line without end is read fast, and echoed in part") {
    Setting setting;
    setting.input = std::string(8'000'000, 'x') + "\nquit\n";
    setting.limit = 60;
    const Result result = run_zug({"play", "tic-tac-toe"}, setting);
    CHECK(!result.timed_out);
    CHECK(result.code > 0);
    CHECK(has(result.err, "is not a legal move"));
    CHECK(result.err.size() < 10'000);
    CHECK(result.out.size() < 10'000);
}

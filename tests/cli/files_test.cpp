// Files that results go to: what is read, and what was there before, is never lost.

#include "process.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <fstream>

using zug::test::has;
using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

// A folder with rules and records.
class Folder {
public:
    Folder() {
        std::filesystem::copy_file("rules/tic-tac-toe.zug", path("t.zug"));
        const Result match =
            run_zug({"match", "t.zug", "--players", "random,random", "--games", "3", "--record", "r.jsonl"}, setting());
        REQUIRE(match.code == 0);
        std::filesystem::create_symlink("r.jsonl", path("link.jsonl"));
    }
    std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
    bool has_file(const std::string& name) const { return std::filesystem::exists(path(name)); }
    std::string text(const std::string& name) const { return read_file(path(name)); }
    Setting setting() const {
        Setting setting;
        setting.folder = folder_.path();
        return setting;
    }
    Result run(const std::vector<std::string>& words) const { return run_zug(words, setting()); }

private:
    TemporaryFolder folder_;
};

} // namespace

TEST_CASE("a file that is read is not written over") {
    const Folder folder;
    const std::string rules = folder.text("t.zug"), record = folder.text("r.jsonl");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"replay", "r.jsonl", "-o", "r.jsonl"},
             {"replay", "r.jsonl", "-o", "./link.jsonl"},
             {"book", "t.zug", "--records", "r.jsonl", "-o", "r.jsonl"},
             {"book", "t.zug", "--search", "alphabeta:depth=1", "-o", "t.zug"},
             {"learn", "t.zug", "--from", "link.jsonl", "-o", "r.jsonl"},
             {"learn", "t.zug", "--games", "2", "-o", "t.zug"},
             {"learn", "t.zug", "--games", "2", "-o", "new.zugnet", "--log", "t.zug"},
             {"match", "t.zug", "--players", "random,random", "--record", "t.zug"},
             {"play", "t.zug", "--hotseat", "--save", "t.zug"},
             {"tournament", "t.zug", "--players", "random,uct:nodes=1", "--games", "2", "-o", "a.jsonl", "--csv",
              "t.zug"},
         }) {
        CAPTURE(words.front());
        const Result result = folder.run(words);
        CHECK(result.code > 0);
        CHECK(has(result.err, "is read: what is written needs another file"));
        CHECK(folder.text("t.zug") == rules);
        CHECK(folder.text("r.jsonl") == record);
    }
}

TEST_CASE("two results don't share a file") {
    const Folder folder;
    const Result learned = folder.run({"learn", "t.zug", "--games", "2", "-o", "a", "--log", "./a"});
    CHECK(learned.code == 1);
    CHECK(has(learned.err, "a is to hold two results"));
    CHECK(!folder.has_file("a"));
}

TEST_CASE("what fails before there is a result leaves no file") {
    const Folder folder;
    CHECK(folder.run({"learn", "t.zug", "--games", "2", "--log", "/proc/none.csv"}).code == 1);
    CHECK(!folder.has_file("t.zugnet"));
    CHECK(folder.run({"book", "t.zug", "--records", "none.jsonl", "-o", "book.txt"}).code == 1);
    CHECK(!folder.has_file("book.txt"));
}

TEST_CASE("a game that can't be saved is not begun, and one that is cut short is saved") {
    const Folder folder;
    const Result refused = folder.run({"play", "t.zug", "--hotseat", "--save", "r.jsonl"});
    CHECK(refused.code == 1);
    CHECK(has(refused.err, "is not one saved game"));
    CHECK(refused.out.empty());

    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(signal);
        Setting setting = folder.setting();
        setting.terminal = true;
        setting.dialogue = {{"X to move", "b2\n"}};
        setting.interrupt_on = "O to move";
        setting.interrupt_by = signal;
        const Result stopped = run_zug({"play", "t.zug", "--hotseat", "--save", "saved.jsonl"}, setting);
        CHECK(stopped.signal == (signal == SIGINT ? 0 : signal));
        CHECK(has(folder.text("saved.jsonl"), R"("moves":["b2"])"));
        std::filesystem::remove(folder.path("saved.jsonl"));
    }
}

TEST_CASE("a record of several games is read to its end, whatever became of the rules of one") {
    const Folder folder;
    const std::string record = folder.text("r.jsonl");
    const std::string first = record.substr(0, record.find('\n') + 1);
    std::string lost = first;
    lost.replace(lost.find("t.zug"), 5, "gone.zug");
    std::ofstream(folder.path("three.jsonl")) << first << lost << first;
    const Result result = folder.run({"replay", "three.jsonl"});
    CHECK(result.code == 1);
    CHECK(has(result.err, "three.jsonl:2: the rules of this game, gone.zug, can't be used"));
    CHECK(has(result.out, "1: Tic-Tac-Toe"));
    CHECK(has(result.out, "3: Tic-Tac-Toe"));
}

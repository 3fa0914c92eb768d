// `zug solve` with little memory, and runs that are killed or interrupted and then resumed: the same bytes in the end.

#include "process.hpp"

#include <array>
#include <csignal>
#include <doctest/doctest.h>
#include <thread>

using zug::test::has;
using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

// A memory limit that two threads can work with, but which forces most data into files. Sanitizers need more than the
// program.
#ifdef ZUG_SANITIZED
constexpr bool sanitized = true;
constexpr const char* little_memory = "4G";
const std::string side = "4", far = "6"; // everything fits into memory anyway
#else
constexpr bool sanitized = false;
constexpr const char* little_memory = "32M";
const std::string side = "5", far = "7";
#endif

} // namespace

namespace {

// Connect Four on 4x4 into a folder of its own.
class Solving {
public:
    Result run(const std::string& folder, std::vector<std::string> options = {}, const Setting& setting = {}) const {
        std::vector<std::string> command = {"solve",    "connect-four", "-D", "width=4", "-D",
                                            "height=4", "--threads",    "2",  "-o"};
        command.push_back((folder_.path() / folder).string());
        command.insert(command.end(), options.begin(), options.end());
        return run_zug(command, setting);
    }
    std::filesystem::path database(const std::string& folder) const {
        return folder_.path() / folder / "connect-four,width=4,height=4,length=4.zugdb";
    }
    std::string bytes(const std::string& folder) const { return read_file(database(folder)); }
    bool is_alone(const std::string& folder) const { // nothing else is there
        const std::filesystem::directory_iterator entries(folder_.path() / folder);
        return std::distance(entries, {}) == 1;
    }

private:
    TemporaryFolder folder_;
};

} // namespace

TEST_CASE("a run that is killed again and again ends with the same bytes") {
    const Solving solving;
    REQUIRE(solving.run("whole").code == 0);
    Setting setting;
    setting.kill_on = solving.database("killed").string() + ".work/manifest";
    int resumed = 0;
    for (int runs = 0; runs < 10; ++runs) {
        // A run may finish before its first checkpoint is noticed; then another one begins from the start.
        std::filesystem::remove(solving.database("killed"));
        const Result killed = solving.run("killed", {"--checkpoint", "0", "--memory", little_memory}, setting);
        if (has(killed.err, "resuming from a checkpoint")) ++resumed;
    }
    const Result last = solving.run("killed");
    CHECK(last.code == 0);
    if (has(last.err, "resuming from a checkpoint")) ++resumed;
    CHECK(resumed > 0);
    CHECK(solving.bytes("killed") == solving.bytes("whole"));
    CHECK(solving.is_alone("killed"));
}

TEST_CASE("little memory gives the same bytes, and leaves nothing else") {
    const Solving solving;
    REQUIRE(solving.run("whole").code == 0);
    REQUIRE(solving.run("little", {"--memory", little_memory}).code == 0);
    CHECK(solving.bytes("little") == solving.bytes("whole"));
    CHECK(solving.is_alone("little"));
    const Result least = solving.run("least", {"--memory", "1M"});
    CHECK(least.code == 1);
    CHECK(has(least.err, "2 threads need at least "));
    // Without a folder for databases.
    const TemporaryFolder temporary;
    const std::vector<std::string> command = {"solve",    "connect-four", "-D",          "width=5",   "-D",
                                              "height=4", "--memory",     little_memory, "--threads", "2"};
    Setting setting;
    setting.environment["TMPDIR"] = temporary.path().string();
    CHECK(run_zug(command, setting).code == 0);
    CHECK(std::filesystem::is_empty(temporary.path()));
    setting.environment["TMPDIR"] = (temporary.path() / "nowhere").string();
    const Result nowhere = run_zug(command, setting);
    if (!sanitized) {
        CHECK(nowhere.code == 1);
        CHECK(has(nowhere.err, "nowhere/zug-XXXXXX: No such file or directory"));
    }
    CHECK(run_zug({"solve", "tic-tac-toe", "--memory", "much"}).code == 2);
    CHECK(run_zug({"solve", "tic-tac-toe", "--checkpoint", "-1"}).code == 2);
}

namespace {

// A fox has to get past geese, which can move ahead and to the sides.
const std::string fox_and_geese =
    "players Fox, Geese\nboard cell = grid(" + side + ", " + side +
    ")\nstate at: cell -> player? = Geese on row(1), Fox on cell(2, " + side +
    ")\n"
    "def ways = if me = Fox: ortho else {N, E, W}\n"
    "move go(f: cell, t: cell)\n  when f in at.me, t in f.ways & empty\n  then at[f] := none, at[t] := me\n"
    "end\n  Fox wins when some at.Fox & row(1)\n  me wins when stuck\n";

// A fox hunts one goose and an owl another; both geese move at random.
const std::string drunken_geese =
    "players Fox, Owl\nboard cell = grid(" + far + ", " + far +
    ")\nstate fox: cell = cell(1, 1)\nstate owl: cell = cell(1, " + far + ")\nstate goose: cell = cell(" + far + ", " +
    far + ")\nstate other: cell = cell(" + far +
    ", 1)\nstate drunk: bool\n"
    "move run(t: cell)\n  when not drunk, me = Fox, t in fox.ortho\n  then fox := t, drunk := true\n"
    "move fly(t: cell)\n  when not drunk, me = Owl, t in owl.ortho\n  then owl := t, drunk := true\n"
    "chance stagger(t: cell, u: cell)\n  when drunk, t in goose.(ortho | diagonals), u in other.ortho\n"
    "  then goose := t, other := u, drunk := false, next foe\n"
    "end\n  Fox wins when fox = goose\n  Owl wins when owl = other\n  draw when fox = owl\n";

} // namespace

TEST_CASE("positions on cycles that memory has no room for are in files, with the same bytes") {
    for (const std::string& rules : {fox_and_geese, drunken_geese}) {
        const TemporaryFolder folder;
        const std::string file = folder.write("cycles.zug", rules);
        const auto solved = [&](const std::string& name, const std::string& memory) {
            return run_zug({"solve", file, "-o", (folder.path() / name).string(), "--memory", memory, "--threads", "1",
                            "--verify", "--json"})
                .json()[0];
        };
        const auto whole = solved("whole", "8G"), little = solved("little", little_memory);
        if (!sanitized) {
            CHECK(whole.at("peak_memory") > 40 << 20); // otherwise nothing would be put into files
            CHECK(little.at("peak_memory") <= 32 << 20);
        }
        CHECK(little.at("positions") == whole.at("positions"));
        CHECK(read_file(folder.path() / "little" / "cycles.zugdb") ==
              read_file(folder.path() / "whole" / "cycles.zugdb"));
        const std::filesystem::directory_iterator entries(folder.path() / "little");
        CHECK(std::distance(entries, {}) == 1);
    }
}

TEST_CASE("a run that is killed among positions on cycles goes on there and ends with the same bytes") {
    for (const std::string& rules : {fox_and_geese, drunken_geese}) {
        const TemporaryFolder folder;
        const std::string file = folder.write("cycles.zug", rules);
        const auto run = [&](const std::string& name, const std::string& memory, const Setting& setting = {}) {
            return run_zug({"solve", file, "-o", (folder.path() / name).string(), "--memory", memory, "--threads", "1",
                            "--checkpoint", "0"},
                           setting);
        };
        const auto database = [&](const std::string& name) { return folder.path() / name / "cycles.zugdb"; };
        REQUIRE(run("whole", "8G").code == 0);
        int resumed = 0;
        Setting setting;
        setting.kill_on = database("killed").string() + ".work/manifest";
        for (bool little = false; !std::filesystem::exists(database("killed")); little = !little) {
            REQUIRE(setting.kill_on_count < 1 << 20); // else no run gets to the end
            const Result killed = run("killed", little ? little_memory : "8G", setting);
            CHECK(!has(killed.err, "starting again"));
            if (has(killed.err, "resuming from a checkpoint")) ++resumed;
            setting.kill_on_count *= 4; // there are at least 70 checkpoints, most of them in cyclic tiers
        }
        CHECK(run("killed", "8G").code == 0); // the last one may have been killed before it had tidied up
        CHECK(resumed > 0);
        CHECK(read_file(database("killed")) == read_file(database("whole")));
        const std::filesystem::directory_iterator entries(folder.path() / "killed");
        CHECK(std::distance(entries, {}) == 1);
    }
}

TEST_CASE("Ctrl-C leaves a checkpoint and says how to go on") {
    const TemporaryFolder folder;
    const auto stopped = [&](const std::vector<std::string>& options) {
        std::vector<std::string> command = {"solve", "connect-four",         "-D",        "width=5", "-D", "height=5",
                                            "-o",    folder.path().string(), "--threads", "1"};
        command.insert(command.end(), options.begin(), options.end());
        Setting setting;
        setting.terminal = true;
        setting.interrupt_on = "positions found";
        const Result result = run_zug(command, setting);
        CHECK(result.code == 130);
        CHECK(has(result.out, "stopped; the same command resumes from here"));
        return has(result.out, "resuming from a checkpoint");
    };
    CHECK(!stopped({}));
    CHECK(stopped({}));
    CHECK(!stopped({"--again"}));
}

TEST_CASE("a checkpoint that somebody else made is used only if it is trusted") {
    const Solving solving;
    REQUIRE(solving.run("whole").code == 0);
    const TemporaryFolder own, others;
    const auto key = [](const TemporaryFolder& cache) { return read_file(cache.path() / "checkpoint-key"); };
    Setting setting;
    setting.kill_on = solving.database("killed").string() + ".work/manifest";
    setting.environment["ZUG_CACHE"] = others.path().string();
    CHECK(solving.run("killed", {"--checkpoint", "0", "--memory", little_memory}, setting).signal == SIGKILL);
    setting.kill_on.clear();
    setting.environment["ZUG_CACHE"] = own.path().string();
    const Result refused = solving.run("killed", {}, setting);
    CHECK(refused.code == 1);
    CHECK(has(refused.err, "made by another user or elsewhere"));
    CHECK(!has(refused.err, "the same command resumes"));
    CHECK(key(own).size() == 32);
    CHECK(key(own) != key(others));
    const Result trusted = solving.run("killed", {"--trust-checkpoint"}, setting);
    CHECK(trusted.code == 0);
    CHECK(has(trusted.err, "resuming from a checkpoint"));
    CHECK(solving.bytes("killed") == solving.bytes("whole"));
}

TEST_CASE("Ctrl-C without a folder says that nothing is kept") {
    Setting setting;
    setting.terminal = true;
    setting.interrupt_on = "positions found";
    const Result result = run_zug({"solve", "connect-four", "-D", "width=6", "-D", "height=5"}, setting);
    CHECK(result.code == 130);
    CHECK(has(result.out, "stopped; with -o DIR checkpoints are written"));
}

TEST_CASE("a folder that can't be written is an error that leaves what was there") {
    const TemporaryFolder folder;
    folder.write("tic-tac-toe.zugdb", "something else");
    folder.write("tic-tac-toe.zugdb.work", "not a folder");
    const Result result = run_zug({"solve", "tic-tac-toe", "-o", folder.path().string()});
    CHECK(result.code == 1);
    CHECK(has(result.err, "tic-tac-toe.zugdb.work"));
    CHECK(read_file(folder.path() / "tic-tac-toe.zugdb") == "something else");
}

TEST_CASE("of several processes that solve a game into one folder one does, and the others say who it is or read it") {
    const Solving solving;
    REQUIRE(solving.run("whole").code == 0);
    for (int round = 0; round < 3; ++round) {
        std::array<Result, 3> results;
        {
            std::vector<std::jthread> threads;
            for (Result& result : results)
                threads.emplace_back([&] { result = solving.run("shared", {"--checkpoint", "0"}); });
        }
        int done = 0;
        for (const Result& result : results) {
            CAPTURE(result.err);
            CHECK((result.code == 0 || result.code == 1));
            CHECK(has(result.err, " is solving this game, in ") == (result.code == 1));
            done += result.code == 0 ? 1 : 0;
        }
        CHECK(done > 0);
        CHECK(solving.bytes("shared") == solving.bytes("whole"));
        CHECK(solving.is_alone("shared"));
        std::filesystem::remove(solving.database("shared"));
    }
}

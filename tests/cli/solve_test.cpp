// `zug solve` and `zug query`: families, tables, what scripts read, and runs that are killed.

#include "process.hpp"

#include <doctest/doctest.h>

#include <fstream>

using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a family of instances as text, CSV and JSON") {
    const TemporaryFolder folder;
    const std::string solved = (folder.path() / "solved").string();
    const Result text =
        run_zug({"solve", "hexapawn", "-D", "width=3..4", "-D", "height=3..4", "-o", solved, "--verify"});
    CHECK(text.code == 0);
    CHECK(has(text.out, "hexapawn width=4 height=3  White wins"));
    // The databases are there now.
    const Result csv = run_zug({"solve", "hexapawn", "-D", "width=3..4", "-o", solved, "--csv"});
    CHECK(csv.code == 0);
    CHECK(has(csv.out, "instance,value,remoteness,positions,seconds,peak_memory,bytes\nhexapawn width=3,-1,6,135,"));
    const auto json = run_zug({"solve", "hexapawn", "tic-tac-toe", "-o", solved, "--json"}).json();
    REQUIRE(json.size() == 2);
    CHECK(json[0].at("value") == -1);
    CHECK(json[0].at("remoteness") == 6);
    CHECK(json[0].at("positions") == 135);
    for (const char* field : {"seconds", "bytes", "peak_memory"}) CHECK(json[1].at(field) > 0);
}

TEST_CASE("chance: the probability of a win") {
    const auto json = run_zug({"solve", "2048", "-D", "size=2", "-D", "goal=5", "--json"}).json();
    CHECK(json[0].at("win_probability").get<double>() == doctest::Approx(0.082887289072).epsilon(1e-10));
    CHECK(json[0].at("remoteness").is_null());
}

TEST_CASE("questions to a database") {
    const TemporaryFolder folder;
    const std::string solved = folder.path().string();
    REQUIRE(run_zug({"solve", "tic-tac-toe", "-o", solved}).code == 0);
    const auto json = run_zug({"query", solved, "tic-tac-toe", "--moves", "b2 a2", "--json"}).json();
    CHECK(json.at("value") == 1);
    CHECK(json.at("remoteness") == 5);
    CHECK(json.at("moves").size() == 7);
    CHECK(json.at("moves")[6].at("move") == "c2");
    CHECK(json.at("moves")[6].at("value") == 0);
    CHECK(json.at("line").size() == 5);
    CHECK(has(run_zug({"query", solved, "tic-tac-toe"}).out, "value     draw in 9"));
    CHECK(has(run_zug({"query", solved, "tic-tac-toe", "--statistics"}).out, "2,358"));
    CHECK(run_zug({"query", solved, "tic-tac-toe", "--random", "lost", "--json"}).json().at("remoteness") >= 0);
    const Result missing = run_zug({"query", solved, "hexapawn"});
    CHECK(missing.code == 1);
    CHECK(has(missing.err, "hexapawn,width=3,height=3.zugdb"));
}

TEST_CASE("wrong command lines and games that can't be solved") {
    CHECK(run_zug({"solve", "tic-tac-toe", "--verify"}).code == 2);
    CHECK(run_zug({"solve", "tic-tac-toe", "-o", "x", "--moves", "a1"}).code == 2);
    CHECK(run_zug({"solve", "hexapawn", "-D", "width=4..3"}).code == 2);
    CHECK(run_zug({"solve", "hexapawn", "-D", "wide=3"}).code == 2);
    const Result some = run_zug({"solve", "hexapawn", "chess"});
    CHECK(some.code == 1);
    CHECK(has(some.out, "Black wins"));
    CHECK(has(some.err, "63 bits"));
    CHECK(run_zug({"solve", "hexapawn", "-o", "/proc/nowhere"}).code == 1);
}

namespace {

// Connect Four on 4x4 into a folder of its own.
class Solving {
public:
    Result run(const std::string& folder, std::vector<std::string> options = {}, const Setting& setting = {}) const {
        std::vector<std::string> command = {"solve", "connect-four", "-D", "width=4", "-D", "height=4", "-o"};
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
    const std::filesystem::path manifest = solving.database("killed").string() + ".work/manifest";
    int resumed = 0;
    Setting setting;
    setting.limit = 0.05; // seconds; then it is killed
    for (int kills = 0; kills < 10 && !std::filesystem::exists(solving.database("killed")); ++kills) {
        if (!std::filesystem::exists(manifest)) { // not long enough to count
            setting.limit *= 1.3;
            kills = 0;
        }
        const Result killed = solving.run("killed", {"--checkpoint", "0", "--memory", "1M"}, setting);
        if (has(killed.err, "goes on from a checkpoint")) ++resumed;
    }
    const Result last = solving.run("killed");
    CHECK(last.code == 0);
    if (has(last.err, "goes on from a checkpoint")) ++resumed;
    CHECK(resumed > 0);
    CHECK(solving.bytes("killed") == solving.bytes("whole"));
    CHECK(solving.is_alone("killed"));
}

TEST_CASE("little memory gives the same bytes, and leaves nothing else") {
    const Solving solving;
    REQUIRE(solving.run("whole").code == 0);
    REQUIRE(solving.run("little", {"--memory", "1M"}).code == 0);
    CHECK(solving.bytes("little") == solving.bytes("whole"));
    CHECK(solving.is_alone("little"));
    // Without a folder for databases.
    const TemporaryFolder temporary;
    const std::vector<std::string> command = {"solve", "connect-four", "-D",       "width=4",
                                              "-D",    "height=4",     "--memory", "1M"};
    Setting setting;
    setting.environment["TMPDIR"] = temporary.path().string();
    CHECK(run_zug(command, setting).code == 0);
    CHECK(std::filesystem::is_empty(temporary.path()));
    setting.environment["TMPDIR"] = (temporary.path() / "nowhere").string();
    const Result nowhere = run_zug(command, setting);
    CHECK(nowhere.code == 1);
    CHECK(has(nowhere.err, "nowhere/zug-XXXXXX: No such file or directory"));
    CHECK(run_zug({"solve", "tic-tac-toe", "--memory", "much"}).code == 2);
    CHECK(run_zug({"solve", "tic-tac-toe", "--checkpoint", "-1"}).code == 2);
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
        CHECK(has(result.out, "stopped; the same command goes on from here"));
        return has(result.out, "goes on from a checkpoint");
    };
    CHECK(!stopped({}));
    CHECK(stopped({}));
    CHECK(!stopped({"--again"}));
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

// One call after the other fails in commands that write files. How often: see scene.hpp; ZUG_FAULTS=all in the
// environment makes every call fail in turn, of allocations up to 1600 of a command, which takes 15 minutes.

#include "scene.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>

using zug::test::Fault;
using zug::test::FaultKind;
using zug::test::run_zug;
using zug::test::Scene;
using zug::test::Setting;
using zug::test::try_faults;
using zug::test::usual_faults;

namespace fs = std::filesystem;

namespace {

void write_file(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// The lines that are whole records, each once.
std::string records_in(const std::string& text) {
    std::set<std::string> records;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (nlohmann::json::accept(line)) records.insert(line);
    std::string all;
    for (const auto& record : records) all += record + "\n";
    return all;
}

std::vector<std::string> solving(const std::string& game, const std::string& threads = "1") {
    return {"solve", game, "-o", "@/solved", "--checkpoint", "0", "--threads", threads};
}

// Undisturbed, or with a fault.
void run_before(std::vector<std::string> command, const fs::path& folder, const std::string& fault, int code) {
    Setting setting;
    setting.environment = {{"ZUG_CACHE", (folder.parent_path() / "cache").string()}};
    if (!fault.empty()) setting.environment["LD_PRELOAD"] = ZUG_FAULT_LIBRARY;
    if (!fault.empty()) setting.environment["ZUG_FAULT"] = fault;
    for (std::string& word : command)
        if (word.starts_with('@')) word.replace(0, 1, folder.string());
    const auto result = run_zug(command, setting);
    REQUIRE_MESSAGE(result.code == code, result.err);
}

} // namespace

TEST_CASE("solving with checkpoints") { try_faults({solving("nim")}, usual_faults()); }

TEST_CASE("solving with threads") {
    try_faults({solving("tic-tac-toe", "2")}, {{FaultKind::Thread, "EAGAIN"}, {FaultKind::Thread, "EAGAIN", true, 2}});
}

TEST_CASE("solving a game with chance") { try_faults({solving("truel")}, usual_faults(4)); }

TEST_CASE("solving with files for what exceeds memory") {
    Scene scene{solving("connect-four")};
    // Some megabytes more than the program takes for itself, and less than the tables do.
    for (const char* word : {"-D", "width=4", "-D", "height=5", "--memory", "28M"}) scene.command.emplace_back(word);
    try_faults(scene, {{FaultKind::Map, "ENOMEM", false, 2},
                       {FaultKind::Resize, "ENOSPC", false, 2},
                       {FaultKind::Open, "EMFILE", false, 3},
                       {FaultKind::Write, "ENOSPC", true, 3},
                       {FaultKind::Read, "EIO", false, 3}});
}

TEST_CASE("resuming from a checkpoint") {
    static const std::vector<std::string> command = solving("nim");
    Scene scene{command};
    // It ends before the database gets its name.
    scene.prepare = [](const fs::path& folder) { run_before(command, folder, "rename:20+:EIO", 1); };
    try_faults(scene, usual_faults());
}

TEST_CASE("adding games to a file of records") {
    Scene scene{{"match", "tic-tac-toe", "--players", "random,random", "--games", "3", "--record", "@/games"}};
    scene.prepare = [](const fs::path& folder) { write_file(folder / "games", R"({"game":"Tic-Tac-)"); };
    scene.essence = records_in;
    try_faults(scene, usual_faults());
}

TEST_CASE("formatting a rule file") {
    Scene scene{{"fmt", "@/nim.zug"}};
    scene.prepare = [](const fs::path& folder) {
        write_file(folder / "nim.zug", "\n\n" + zug::test::read_file("rules/nim.zug")); // which fmt changes
    };
    try_faults(scene, usual_faults());
}

TEST_CASE("replacing a picture") {
    using enum FaultKind;
    const bool has_png = fs::exists(fs::path(ZUG_BINARY).parent_path() / "zug-modules/zug-png.so");
    Scene scene{{"draw", "tic-tac-toe", "-o", has_png ? "@/board.png" : "@/board.svg"}};
    scene.prepare = [](const fs::path& folder) {
        for (const char* name : {"board.png", "board.svg"}) write_file(folder / name, "old");
    };
    try_faults(scene, {{Write, "ENOSPC"}, {Write, "short"}, {Write, "EINTR"}, {Rename, "EIO"}, {Sync, "EIO"}});
}

TEST_CASE("storing byte code in the cache") {
    Scene scene{{"search", "chess", "--depth", "1"}};
    scene.own_cache = true;
    try_faults(scene, usual_faults(4));
}

TEST_CASE("storing machine code in the cache") {
    using enum FaultKind;
    // Each run takes a quarter of a second.
    const std::vector<std::pair<FaultKind, std::string>> once = {
        {Pipe, "EMFILE"},  {Process, "EAGAIN"}, {Thread, "EAGAIN"}, {Map, "ENOMEM"},     {Write, "short"},
        {Write, "ENOSPC"}, {Read, "EIO"},       {Rename, "EIO"},    {Allocate, "ENOMEM"}};
    std::vector<Fault> faults;
    for (const auto& [kind, error] : once) faults.push_back({kind, error, false, 1});
    for (const char* program : {"zug", "zug-codegen"}) {
        Scene scene{{"bench", "nim", "--executor", "native", "--seconds", "0.001"}};
        scene.program = program;
        scene.measures = true;
        scene.own_cache = true;
        try_faults(scene, faults);
    }
}

TEST_CASE("proving by two threads") {
    Scene scene{{"solve", "tic-tac-toe", "--prove", "--threads", "2"}};
    scene.measures = true;
    try_faults(scene, {{FaultKind::Thread, "EAGAIN"}});
}

TEST_CASE("reading a database") {
    Scene scene{{"query", "@/solved", "nim"}};
    scene.prepare = [](const fs::path& folder) { run_before(solving("nim"), folder, "", 0); };
    try_faults(scene, usual_faults(2));
}

TEST_CASE("reading records") {
    Scene scene{{"replay", "@/games"}};
    scene.prepare = [](const fs::path& folder) {
        run_before({"match", "tic-tac-toe", "--players", "random,random", "--games", "2", "--record", "@/games"},
                   folder, "", 0);
    };
    try_faults(scene, usual_faults(2));
}

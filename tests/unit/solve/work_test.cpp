// Solving with little memory, and with interruptions: the database has the same bytes in the end, or there is an error
// and what was there before is left unchanged.

#include "folder.hpp"
#include "games.hpp"
#include "short_files.hpp"

#include <chrono>
#include <thread>

namespace zug::solve {

namespace {

namespace fs = std::filesystem;

// The database that a run without limits makes.
std::string database_of(game::Game& game, const Folder& folder) {
    REQUIRE(write(game, folder.database));
    std::string bytes = bytes_of(folder.database);
    fs::remove(folder.database);
    return bytes;
}

Options with_checkpoints(double seconds) {
    Options options;
    options.work.checkpoint_seconds = seconds;
    return options;
}

// Says 'stop' when it, or a copy of it, is asked for the n-th time.
Stop stop_at(int n) {
    return [left = std::make_shared<int>(n)](const Stage&) { return --*left == 0; };
}

// Games without moves inside a tier, whose moves lead to the next tier or to several tiers; with moves inside tiers;
// and with chance.
const std::vector<std::pair<const char*, lang::Overrides>> kinds_of_games = {
    {"connect-four", {{"width", "4"}, {"height", "3"}}},
    {"hexapawn", {{"width", "4"}}},
    {"kayles", {}},
    {"chomp", {{"width", "6"}, {"height", "6"}}},
    {"dodgem", {}},
    {"mu-torere", {}},
    {"three-mens-morris", {{"quiet_limit", "3"}}},
    {"tree-pruning", {}},
    {"dice", {{"goal", "4"}}},
    {"truel", {}},
    {"pig", {{"goal", "6"}}}};

} // namespace

TEST_CASE("little memory gives the same bytes") {
    const Folder folder;
    for (const auto& [name, params] : kinds_of_games) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const std::string bytes = database_of(game, folder);
        for (const std::uint64_t memory : {little, 30 * little, 100 * little, 1'000 * little})
            for (const std::uint32_t threads : {1U, 3U}) {
                CAPTURE(memory);
                CAPTURE(threads);
                Options options = with_checkpoints(1e9);
                options.budget = {memory};
                options.threads = threads;
                const auto solution = write_in(folder, game, options);
                REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
                CHECK(bytes_of(folder.database) == bytes);
                CHECK(folder.files() == 1);
                fs::remove(folder.database);
            }
    }
}

TEST_CASE("little memory gives the same values where there is chance") {
    for (const auto& [name, params] : std::vector<std::pair<const char*, lang::Overrides>>{
             {"2048", {{"size", "2"}, {"goal", "5"}}}, {"dice", {}}, {"pig", {{"goal", "5"}}}}) {
        CAPTURE(name);
        game::Game game = load(name, params);
        Options options;
        const auto free = solve(game, game.initial(), options);
        REQUIRE(free);
        options.budget = {1'000};
        const auto bound = solve(game, game.initial(), options);
        REQUIRE_MESSAGE(bound, (bound ? "" : bound.error().text));
        CHECK(free->value == bound->value);
        CHECK(free->positions == bound->positions);
    }
}

TEST_CASE("a run that is stopped again and again ends with the same bytes") {
    const Folder folder;
    for (const auto& [name, params] : kinds_of_games) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const std::string bytes = database_of(game, folder);
        for (const std::uint64_t memory : {little, UINT64_MAX}) {
            int runs = 0, resumed = 0;
            for (bool done = false; !done; ++runs) {
                Options options = with_checkpoints(1e9);
                options.budget = {memory};
                options.threads = static_cast<std::uint32_t>(1 + runs % 2);
                options.stop = stop_at(1 + runs % 7);
                options.note = [&](const std::string& text) {
                    CHECK(text == "resuming from a checkpoint");
                    ++resumed;
                };
                const auto solution = write_in(folder, game, options);
                done = solution.has_value();
                if (!done) REQUIRE(solution.error().text == stopped);
                REQUIRE(runs < 10'000);
            }
            CHECK(resumed == runs - 1);
            CHECK(runs > 1);
            CHECK(bytes_of(folder.database) == bytes);
            CHECK(folder.files() == 1);
            fs::remove(folder.database);
        }
    }
}

TEST_CASE("checkpoints change nothing") {
    const Folder folder;
    for (const auto& [name, params] : kinds_of_games) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const std::string bytes = database_of(game, folder);
        Options options = with_checkpoints(0);
        REQUIRE(write_in(folder, game, options));
        CHECK(bytes_of(folder.database) == bytes);
        CHECK(folder.files() == 1);
    }
}

TEST_CASE("a checkpoint with an error in it is not used") {
    const Folder folder;
    const fs::path kept = folder.path / "kept";
    // Stopped in the enumeration, between tiers, and inside a tier: with decisions only, and with chance in cycles.
    std::vector<std::pair<game::Game, int>> stops;
    stops.emplace_back(load("hexapawn", {{"width", "4"}}), 3);
    stops.emplace_back(load("hexapawn", {{"width", "4"}}), 20);
    stops.emplace_back(load_text(fox_and_geese(3, 3)), 35);
    stops.emplace_back(load("pig", {{"goal", "4"}}), 40);
    for (auto& [game, stop] : stops) {
        CAPTURE(stop);
        const std::string bytes = database_of(game, folder);
        Options options = with_checkpoints(0);
        options.stop = stop_at(stop);
        REQUIRE(!write_in(folder, game, options));
        fs::remove_all(kept);
        fs::copy(folder.work, kept);
        for (const auto& entry : fs::directory_iterator(kept)) {
            CAPTURE(entry.path());
            fs::remove_all(folder.work);
            fs::copy(kept, folder.work);
            const fs::path damaged = folder.work / entry.path().filename();
            std::string content = bytes_of(damaged);
            if (content.empty()) continue;
            content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
            std::ofstream(damaged, std::ios::binary) << content;
            std::string said;
            Options anew = with_checkpoints(1e9);
            anew.note = [&](const std::string& text) { said = text; };
            REQUIRE(write_in(folder, game, anew));
            CHECK(said.find("damaged) : starting again") == std::string::npos);
            CHECK(said.find("damaged") != std::string::npos);
            CHECK(bytes_of(folder.database) == bytes);
            CHECK(!fs::exists(folder.work));
        }
        fs::remove(folder.database);
    }
}

TEST_CASE("a checkpoint of something else is not used") {
    const Folder folder;
    game::Game game = load("hexapawn", {{"width", "4"}}), other = load("hexapawn", {{"width", "3"}});
    const auto said_by = [&](game::Game& next, const Options& how) {
        Options stops = with_checkpoints(0);
        stops.stop = stop_at(5);
        REQUIRE(!write_in(folder, game, stops));
        std::string said;
        Options options = how;
        options.note = [&](const std::string& text) { said = text; };
        REQUIRE(write_in(folder, next, options));
        return said;
    };
    const Options same = with_checkpoints(1e9);
    CHECK(said_by(game, same) == "resuming from a checkpoint");
    CHECK(said_by(other, same).find("another game") != std::string::npos);
    Options kind = same;
    kind.ties = Ties::Kind;
    CHECK(said_by(game, kind).find("--ties") != std::string::npos);
    Options whole = same;
    whole.symmetries = false;
    CHECK(said_by(game, whole).find("--no-symmetry") != std::string::npos);
    Options again = same;
    again.again = true;
    CHECK(said_by(game, again).empty());
}

TEST_CASE("a checkpoint that another key authenticates is kept, and used only if trusted") {
    const Folder folder;
    game::Game game = load("hexapawn", {{"width", "4"}});
    const std::string bytes = database_of(game, folder);
    Options stops = with_checkpoints(0);
    stops.stop = stop_at(5);
    REQUIRE(!write_in(folder, game, stops));
    const std::string manifest = bytes_of(folder.work / "manifest");
    const std::vector<std::optional<SecretKey>> others = {std::nullopt, SecretKey{}, SecretKey{2}};
    for (const auto& key : others) {
        const auto refused = write_in(folder, game, with_checkpoints(1e9), key);
        REQUIRE(!refused);
        CHECK(refused.error().text == not_authentic);
        CHECK(bytes_of(folder.work / "manifest") == manifest);
    }
    Options options = with_checkpoints(1e9);
    options.work.trusted = true;
    bool resumed = false;
    options.note = [&](const std::string& text) { resumed = text == "resuming from a checkpoint"; };
    REQUIRE(write_in(folder, game, options, SecretKey{2}));
    CHECK(resumed);
    CHECK(bytes_of(folder.database) == bytes);
}

TEST_CASE("checkpoints that take long are made less often") {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds pause{1}, spent{100};
    const Folder folder;
    for (const double seconds : {0.0001, 0.0}) {
        Work work({folder.locked(), seconds});
        std::this_thread::sleep_for(pause);
        const auto begin = Clock::now();
        CHECK(work.is_due());
        std::this_thread::sleep_for(spent);
        work.save({});
        std::this_thread::sleep_for(pause);
        const bool is_due = work.is_due(), early = Clock::now() - begin < 5 * spent;
        CHECK((is_due == (seconds == 0) || !early));
        work.clear();
    }
}

TEST_CASE("one process at a time works in a folder") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    {
        const auto first = WorkFolder::lock(folder.work);
        REQUIRE(first);
        const auto second = WorkFolder::lock(folder.work), third = WorkFolder::lock_existing(folder.work);
        REQUIRE(!second);
        CHECK(second.error().text.find("another process (" + std::to_string(::getpid()) + ") is solving this game") ==
              0);
        CHECK(!third);
        CHECK(fs::exists(folder.work));
    }
    CHECK(!fs::exists(folder.work));
    const auto none = WorkFolder::lock_existing(folder.work);
    CHECK((none && *none == nullptr));
}

TEST_CASE("a full disk is an error, and work goes on when there is room again") {
    const Folder folder;
    game::Game game = load("hexapawn", {{"width", "4"}, {"height", "4"}});
    const std::string bytes = database_of(game, folder);
    std::ofstream(folder.database, std::ios::binary) << "what was there";
    Options options = with_checkpoints(1e9);
    options.budget = {little};
    {
        const ShortFiles full(1000);
        const auto solution = write_in(folder, game, options);
        REQUIRE(!solution);
        CHECK(solution.error().text.find("can't write") != std::string::npos);
        CHECK(solution.error().text.find("too large") != std::string::npos);
    }
    CHECK(folder.files() == 1);
    Options stops = options;
    stops.stop = stop_at(3);
    REQUIRE(!write_in(folder, game, stops));
    {
        const ShortFiles full(1000);
        REQUIRE(!write_in(folder, game, options));
    }
    CHECK(bytes_of(folder.database) == "what was there");
    bool resumed = false;
    options.note = [&](const std::string& text) { resumed = text == "resuming from a checkpoint"; };
    const auto solution = write_in(folder, game, options);
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    CHECK(resumed);
    CHECK(bytes_of(folder.database) == bytes);
}

TEST_CASE("a full disk is an error before arrays are put there") {
    const Folder folder;
    for (const auto& [name, params] :
         std::vector<std::pair<const char*, lang::Overrides>>{{"dodgem", {}}, {"pig", {{"goal", "12"}}}}) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const std::string bytes = database_of(game, folder);
        std::ofstream(folder.database, std::ios::binary) << "what was there";
        Options options = with_checkpoints(1e9);
        options.budget = {little};
        {
            const ShortFiles full(4'000);
            const auto solution = write_in(folder, game, options);
            REQUIRE(!solution);
            CHECK(solution.error().text.find("can't write") != std::string::npos);
        }
        CHECK(folder.files() == 1);
        CHECK(bytes_of(folder.database) == "what was there");
        REQUIRE(write_in(folder, game, options));
        CHECK(bytes_of(folder.database) == bytes);
        fs::remove(folder.database);
    }
}

} // namespace zug::solve

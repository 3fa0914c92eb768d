// Databases: every position against a slow solver, and what happens to damaged and foreign files.

#include "games.hpp"

#include "solve/database_writer.hpp"
#include "solve/query.hpp"
#include "solve/verify.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace zug::solve {

namespace {

namespace fs = std::filesystem;

// A folder that goes when the test does.
struct Folder {
    fs::path path = fs::temp_directory_path() / ("zug-solve-" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    fs::path file(const game::Game& game) const { return path / file_name(identity_of(game.program())); }
};

tl::expected<Solution, game::Error> write(game::Game& game, const fs::path& path) {
    DatabaseWriter writer(path, game.program());
    return solve(game, game.initial(), {}, &writer);
}

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
void put_bytes(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// What is wrong with a file: when it is opened or when all of it is read. Empty: nothing.
std::string fault_of(const fs::path& path, game::Game& game) {
    auto database = Database::open(path, game);
    if (!database) return database.error().text;
    for (std::size_t b = 0; b < database->blocks(); ++b)
        if (const auto block = database->read(b); !block) return block.error().text;
    return "";
}

} // namespace

TEST_CASE("every position's result is that of a slow solver") {
    const Folder folder;
    const std::vector<std::pair<const char*, lang::Overrides>> games = {
        {"tic-tac-toe", {}},
        {"mu-torere", {}},
        {"hexapawn", {{"height", "4"}}},
        {"dodgem", {}},
        {"robots", {}},
        {"three-mens-morris", {{"quiet_limit", "3"}}},
        {"chomp", {}},
        {"fox-and-hounds", {{"size", "4"}, {"start", "1"}}}};
    for (const auto& [name, params] : games) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const fs::path path = folder.file(game);
        REQUIRE(write(game, path));
        auto database = Database::open(path, game);
        REQUIRE_MESSAGE(database, (database ? "" : database.error().text));
        const Oracle oracle(game, game.initial());
        CHECK(database->positions() == oracle.nodes().size());
        std::uint64_t wrong = 0;
        for (const Oracle::Node& node : oracle.nodes()) {
            const auto found = database->find(node.state);
            REQUIRE(found);
            REQUIRE(*found);
            const Standing standing = solve::standing(database->outcomes(), **found);
            if (standing.value[0] != node.value || standing.remoteness != node.plies) ++wrong;
        }
        CHECK(wrong == 0);
        const auto check = verify(*database, game, 2, {});
        REQUIRE(check);
        CHECK(check->positions == oracle.nodes().size());
        CHECK(check->wrong.empty());
    }
}

TEST_CASE("scores, and tables that no rule changes, agree with their neighbours") {
    const Folder folder;
    for (const auto& [name, params] : std::vector<std::pair<const char*, lang::Overrides>>{
             {"tree-pruning", {}}, {"kayles", {}}, {"dots-and-boxes", {{"width", "2"}, {"height", "2"}}}}) {
        CAPTURE(name);
        game::Game game = load(name, params);
        REQUIRE(write(game, folder.file(game)));
        auto database = Database::open(folder.file(game), game);
        REQUIRE(database);
        const auto check = verify(*database, game, 1, {});
        REQUIRE(check);
        CHECK(check->positions == database->positions());
        CHECK(check->wrong.empty());
    }
}

TEST_CASE("the same game gives the same bytes, on any number of threads") {
    const Folder folder;
    game::Game game = load("hexapawn", {{"width", "4"}});
    const fs::path path = folder.file(game);
    REQUIRE(write(game, path));
    const std::string first = bytes_of(path);
    DatabaseWriter writer(path, game.program());
    Options options;
    options.threads = 3;
    REQUIRE(solve(game, game.initial(), options, &writer));
    CHECK(bytes_of(path) == first);
}

TEST_CASE("a flipped byte is found wherever it is, and so is a missing end") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    const fs::path path = folder.file(game);
    REQUIRE(write(game, path));
    const std::string whole = bytes_of(path);
    CHECK(fault_of(path, game) == "");
    for (std::size_t at = 0; at < whole.size(); at += 7) {
        CAPTURE(at);
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        put_bytes(path, bytes);
        CHECK(fault_of(path, game) != "");
    }
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{5}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
        CAPTURE(size);
        put_bytes(path, whole.substr(0, size));
        CHECK(fault_of(path, game) != "");
    }
}

TEST_CASE("a database of other rules or parameters is refused") {
    const Folder folder;
    game::Game game = load("hexapawn");
    const fs::path path = folder.file(game);
    REQUIRE(write(game, path));
    game::Game wider = load("hexapawn", {{"width", "4"}});
    CHECK(fault_of(path, wider).find("width = 3, not 4") != std::string::npos);
    game::Game other = load("tic-tac-toe");
    CHECK(fault_of(path, other).find("another text of the rules") != std::string::npos);
    put_bytes(path, "players A, B");
    CHECK(fault_of(path, game).find("not a database") != std::string::npos);
}

TEST_CASE("what can't be written leaves what was there") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    const fs::path path = folder.file(game);
    REQUIRE(write(game, path));
    const std::string whole = bytes_of(path);
    // A limit on the size of files fails like a full disk.
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    const auto solution = write(game, path);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    REQUIRE(!solution);
    CHECK(solution.error().text.find("can't write") != std::string::npos);
    CHECK(bytes_of(path) == whole);
    CHECK(!fs::exists(path.string() + ".part"));
    CHECK(!write(game, folder.path / "nowhere" / "x.zugdb"));
}

TEST_CASE("queries: moves, lines and random positions") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    const fs::path path = folder.file(game);
    REQUIRE(write(game, path));
    auto database = Database::open(path, game);
    REQUIRE(database);
    const auto state = game.play_line(game.initial(), "b2 a2");
    REQUIRE(state);
    const auto said = answer(*database, game, *state);
    REQUIRE(said);
    CHECK(said->standing.value[0] == 1);
    CHECK(said->standing.remoteness == 5);
    CHECK(said->moves.size() == 7);
    CHECK(said->moves.front().standing.remoteness == 4);
    CHECK(said->moves.back().text == "c2");
    const auto line = best_line(*database, game, *state);
    REQUIRE(line);
    CHECK(line->size() == 5);
    Random random(1);
    for (const auto& [sought, sign] : {std::pair(Sought::Won, 1), {Sought::Lost, -1}, {Sought::Drawn, 0}})
        for (int i = 0; i < 20; ++i) {
            const auto drawn = random_position(*database, game, sought, random);
            REQUIRE(drawn);
            REQUIRE(*drawn);
            const auto about = answer(*database, game, **drawn);
            REQUIRE(about);
            CHECK(about->standing.value[about->mover] == sign);
        }
    const auto foreign = game.parse_position("at=XXX/3/3 turn=O");
    REQUIRE(foreign);
    CHECK(!answer(*database, game, *foreign));
}

} // namespace zug::solve

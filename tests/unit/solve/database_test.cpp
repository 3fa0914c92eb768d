// Databases: every position against a slow solver, and what happens to damaged and foreign files.

#include "folder.hpp"
#include "games.hpp"
#include "short_files.hpp"
#include "standings.hpp"

#include "solve/database/query.hpp"
#include "solve/database/verify.hpp"

namespace zug::solve {

namespace {

namespace fs = std::filesystem;

void put_bytes(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

void put_byte(const fs::path& path, std::size_t at, char byte) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
}

// What is wrong with a file, when it is opened or when all of it is read; empty where nothing is.
std::string fault_of(const fs::path& path, game::Game& game) {
    auto database = Database::open(path, game);
    if (!database) return database.error().text;
    const auto damaged = database->damaged_block();
    for (std::size_t b = 0; b < database->blocks(); ++b)
        if (const auto block = database->read(b); !block) {
            CHECK(damaged == b);
            return block.error().text;
        }
    CHECK(!damaged);
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
        {"chomp", {{"width", "32"}, {"height", "2"}}}, // a bit a square would be too many: combinations.hpp
        {"fox-and-hounds", {{"size", "4"}, {"start", "1"}}}};
    for (const auto& [name, params] : games) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const fs::path path = folder.file(game);
        REQUIRE(write(game, path));
        auto database = Database::open(path, game);
        REQUIRE_MESSAGE(database, (database ? "" : database.error().text));
        const Oracle oracle(game, game.initial());
        CHECK(wrong_standings(*database, oracle) == 0);
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
        CHECK(check->positions == database->solution().positions);
        CHECK(check->wrong.empty());
    }
}

TEST_CASE("the same game gives the same bytes, on any number of threads") {
    const Folder folder;
    game::Game game = load("hexapawn", {{"width", "4"}});
    const fs::path path = folder.file(game);
    REQUIRE(write(game, path));
    const std::string first = bytes_of(path);
    Options options;
    options.threads = 3;
    REQUIRE(write(game, path, options));
    CHECK(bytes_of(path) == first);
}

TEST_CASE("a flipped byte is found wherever it is, and so is a missing end") {
    const Folder folder;
    for (const auto& [name, params] : std::vector<std::pair<const char*, lang::Overrides>>{
             {"hexapawn", {}}, {"efron", {}}, {"tic-tac-toe", {}}, {"dice", {{"goal", "4"}}}}) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const fs::path path = folder.file(game);
        REQUIRE(write(game, path));
        const std::string whole = bytes_of(path);
        CHECK(fault_of(path, game) == "");
        // All bytes of small files, which are of every kind.
        const std::size_t step = whole.size() / (test::sanitized ? 600 : 3000) + 1;
        for (std::size_t at = 0; at < whole.size(); at += step) {
            CAPTURE(at);
            put_byte(path, at, static_cast<char>(whole[at] ^ 1 << at % 8));
            CHECK(fault_of(path, game) != "");
            put_byte(path, at, whole[at]);
        }
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{5}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
            CAPTURE(size);
            put_bytes(path, whole.substr(0, size));
            CHECK(fault_of(path, game) != "");
        }
    }
}

namespace {

// Passes everything on, with one result falsified.
class Falsifier final : public SolutionSink {
public:
    explicit Falsifier(SolutionSink& sink) : sink_(sink) {}
    tl::expected<void, Error> begin(const Frame& frame, const archive::Bytes* saved) override {
        return sink_.begin(frame, saved);
    }
    tl::expected<void, Error> keep(const Tier& tier, std::size_t first_block,
                                   std::span<const Result> results) override {
        std::vector<Result> others(results.begin(), results.end());
        if (others.size() > 5 && !std::exchange(done_, true)) ++others[5];
        return sink_.keep(tier, first_block, others);
    }
    tl::expected<void, Error> keep_expected(const Tier& tier, std::size_t first_block,
                                            ExpectedValues::Columns values) override {
        std::vector<std::vector<double>> others(values.begin(), values.end());
        if (others.back().size() > 5 && !std::exchange(done_, true)) others.back()[5] += 1e-8;
        return sink_.keep_expected(tier, first_block, others);
    }
    tl::expected<archive::Bytes, Error> save() override { return sink_.save(); }
    tl::expected<void, Error> end(const Solution& solution, const Histogram& histogram) override {
        return sink_.end(solution, histogram);
    }

private:
    SolutionSink& sink_;
    bool done_ = false;
};

} // namespace

TEST_CASE("a result that is wrong is told, with its position") {
    const Folder folder;
    for (const auto& [name, params] : std::vector<std::pair<const char*, lang::Overrides>>{
             {"hexapawn", {}}, {"dodgem", {}}, {"dice", {{"goal", "4"}}}, {"truel", {}}, {"pig", {{"goal", "6"}}}}) {
        CAPTURE(name);
        game::Game game = load(name, params);
        DatabaseWriter writer(folder.file(game), game);
        Falsifier falsifier(writer);
        REQUIRE(solve(game, game.initial(), {}, &falsifier));
        auto database = Database::open(folder.file(game), game);
        REQUIRE(database);
        for (const std::uint64_t memory : {std::uint64_t{0}, UINT64_MAX}) { // without tables, and with
            const auto check = verify(*database, game, 2, {}, {memory});
            REQUIRE(check);
            REQUIRE(!check->wrong.empty());
            CHECK(check->wrong.front().find("turn=") != std::string::npos);
        }
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
    CHECK(fault_of(path, other).find("other rules") != std::string::npos);
    put_bytes(path, "players A, B");
    CHECK(fault_of(path, game).find("not a database") != std::string::npos);
}

TEST_CASE("what can't be written leaves what was there") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    const fs::path path = folder.file(game);
    REQUIRE(write(game, path));
    const std::string whole = bytes_of(path);
    {
        const ShortFiles full(1000);
        const auto solution = write(game, path);
        REQUIRE(!solution);
        CHECK(solution.error().text.find("can't write") != std::string::npos);
    }
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
    CHECK(line->moves.size() == 5);
    Random random(1);
    for (const double sign : {1.0, -1.0, 0.0})
        for (int i = 0; i < 20; ++i) {
            const auto drawn = random_position(
                *database, game, [&](double value) { return value == sign; }, random);
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

TEST_CASE("nim: whoever moves wins where the exclusive or of the heaps isn't 0") {
    const Folder folder;
    game::Game game = load("nim", {{"a", "7"}, {"b", "7"}, {"c", "7"}});
    REQUIRE(write(game, folder.file(game)));
    auto database = Database::open(folder.file(game), game);
    REQUIRE(database);
    std::uint64_t found = 0, wrong = 0;
    for (int heaps = 0; heaps < 512; ++heaps)
        for (const std::string player : {"First", "Second"}) {
            const int a = heaps / 64, b = heaps / 8 % 8, c = heaps % 8;
            const auto state = game.parse_position("left=A:" + std::to_string(a) + ",B:" + std::to_string(b) +
                                                   ",C:" + std::to_string(c) + " turn=" + player);
            REQUIRE(state);
            const auto result = database->find(*state);
            REQUIRE(result);
            if (!*result) continue; // another player moves there
            ++found;
            const auto value = standing(database->outcomes(), **result).value[player == "First" ? 0 : 1];
            if (value != ((a ^ b ^ c) != 0 ? 1 : -1)) ++wrong;
        }
    CHECK(found == database->solution().positions);
    CHECK(found > 512);
    CHECK(wrong == 0);
}

} // namespace zug::solve

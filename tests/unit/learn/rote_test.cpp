// What a player remembers of its games: ages, limits, the file, and files from somebody who means harm.

#include "base/archive.hpp"
#include "learn/packed.hpp"
#include "learn/rote_memory.hpp"

#include "tests/unit/learn/learned.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>

using namespace zug;
using namespace zug::learn;

namespace {

struct File {
    explicit File(const std::string& name) : path(std::filesystem::temp_directory_path() / ("zug_rote_" + name)) {
        std::filesystem::remove(path);
    }
    ~File() { std::filesystem::remove(path); }
    std::filesystem::path path;
};

struct Fixture {
    game::Game game = rules_of("tic-tac-toe");
    game::SearchForm form{game};

    game::State after(const std::string& line) { return game.play_line(game.initial(), line).value(); }
    std::uint64_t key(const std::string& line) { return form.position_hash(form.convert(after(line))); }
    std::shared_ptr<RoteMemory> open(const File& file, std::size_t most = 100) {
        auto memory = RoteMemory::open(file.path, game, most);
        REQUIRE(memory);
        return *memory;
    }
    // What is known of the position: its value, or `none`.
    std::string known(const RoteMemory& memory, const std::string& line, int depth = 1) {
        const auto table = memory.table();
        const search::RoteEntry* const entry = table->find(key(line), depth);
        return entry == nullptr ? "none" : std::to_string(entry->value).substr(0, 4);
    }
};

std::string read_all(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_all(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace

TEST_CASE_FIXTURE(Fixture, "a position is known from the end of the game on, and from the file") {
    const File file("file");
    {
        const auto memory = open(file);
        memory->meet(after("a1"), 0.5, 3);
        CHECK(known(*memory, "a1") == "none");
        REQUIRE(memory->end_game());
        CHECK(known(*memory, "a1") == "0.50");
        CHECK(known(*memory, "a1", 3) == "0.50");
        CHECK(known(*memory, "a1", 4) == "none");
        CHECK(open(file) == memory);      // players of one process share it
        memory->meet(after("b2"), -1, 5); // of a game that does not end
    }
    const auto memory = open(file);
    CHECK(memory->size() == 2);
    CHECK(known(*memory, "a1") == "0.50");
    CHECK(known(*memory, "b2", 5) == "-1.0");
}

TEST_CASE_FIXTURE(Fixture, "a search that is as deep replaces a value, a shallower one does not") {
    const File file("depth");
    const auto memory = open(file);
    const auto meet = [&](double value, int depth) {
        memory->meet(after("a1"), value, depth);
        REQUIRE(memory->end_game());
        return known(*memory, "a1");
    };
    CHECK(meet(0.5, 3) == "0.50");
    CHECK(meet(0.25, 2) == "0.50");
    CHECK(meet(0.75, 3) == "0.75");
    memory->meet(after("b1"), 0.5, 0); // nothing was searched
    REQUIRE(memory->end_game());
    CHECK(memory->size() == 1);
}

TEST_CASE_FIXTURE(Fixture, "the oldest are forgotten, and those that are looked up stay young") {
    const File file("age");
    const auto memory = open(file, 3);
    for (const char* move : {"a1", "a2", "a3"}) {
        memory->meet(after(move), 0.5, 1);
        REQUIRE(memory->end_game());
    }
    for (const char* move : {"b1", "b2", "b3"}) {
        CHECK(known(*memory, "a1") == "0.50"); // and is marked by this
        memory->meet(after(move), 0.5, 1);
        REQUIRE(memory->end_game());
        CHECK(memory->size() == 3);
    }
    CHECK(known(*memory, "a1") == "0.50");
    CHECK(known(*memory, "a2") == "none");
    CHECK(known(*memory, "a3") == "none");
    CHECK(known(*memory, "b1") == "none");
    CHECK(known(*memory, "b2") == "0.50");
    CHECK(known(*memory, "b3") == "0.50");
}

TEST_CASE_FIXTURE(Fixture, "an empty file is an empty memory, another one is refused") {
    const File file("refused");
    write_all(file.path, "");
    CHECK(open(file)->size() == 0);
    const auto refusal = [&](game::Game& of) {
        const auto memory = RoteMemory::open(file.path, of, 100);
        REQUIRE_FALSE(memory);
        return memory.error().text.substr(file.path.string().size());
    };
    write_all(file.path, "a1 b2 c3\n");
    CHECK(refusal(game) == ": it is not a memory of positions, or it is not whole");
    std::filesystem::remove(file.path);
    {
        const auto memory = open(file);
        memory->meet(after("a1"), 0.5, 3);
        REQUIRE(memory->end_game());
    }
    game::Game other = rules_of("connect-four");
    CHECK(refusal(other) == ": it is of another game: Tic-Tac-Toe");
    const std::string text = read_all(file.path);
    for (std::size_t length = 1; length < text.size(); length += 5) {
        write_all(file.path, text.substr(0, length));
        CHECK_FALSE(RoteMemory::open(file.path, game, 100));
    }
}

// Bodies that fit their digest.
TEST_CASE_FIXTURE(Fixture, "positions that cannot be are refused") {
    const File file("forged");
    const auto forge = [&](std::vector<double> values, std::vector<std::uint16_t> depths,
                           std::vector<std::uint32_t> slots) {
        archive::Writer writer;
        writer.value(values);
        writer.value(depths);
        writer.value(std::vector<std::uint32_t>(values.size()));
        writer.value(slots);
        nlohmann::ordered_json header{{"game", "Tic-Tac-Toe"}, {"rules", digest_text(game.rules_digest())}};
        write_all(file.path, pack("ZUGROTE 1", header, writer.bytes, 1));
        return RoteMemory::open(file.path, game, 100).has_value();
    };
    const std::vector<std::uint32_t> slots = slots_of(game, after("a1"));
    CHECK(forge({0.5}, {1}, slots));
    CHECK_FALSE(forge({2}, {1}, slots));
    CHECK_FALSE(forge({NAN}, {1}, slots));
    CHECK_FALSE(forge({0.5}, {0}, slots));
    CHECK_FALSE(forge({0.5}, {}, slots));
    CHECK_FALSE(forge({0.5, 0.5}, {1, 1}, slots));
    for (std::size_t s = 0; s < slots.size(); ++s) {
        std::vector<std::uint32_t> wrong = slots;
        wrong[s] = 1000;
        CHECK_FALSE(forge({0.5}, {1}, wrong));
    }
}

TEST_CASE_FIXTURE(Fixture, "a disk that is full is told, and the old file stays") {
    const File file("full");
    {
        const auto memory = open(file);
        memory->meet(after("a1"), 0.5, 3);
        REQUIRE(memory->end_game());
    }
    const std::string before = read_all(file.path);
    const std::filesystem::path draft = file.path.string() + ".new";
    std::filesystem::create_directory(draft); // so that the new file can't be made
    {
        const auto memory = open(file);
        memory->meet(after("a2"), 0.5, 3);
        const auto written = memory->end_game();
        REQUIRE_FALSE(written);
        CHECK(written.error().text.starts_with("can't write to " + file.path.string() + ": "));
        CHECK(known(*memory, "a2") == "0.50");
        CHECK(read_all(file.path) == before);
        std::filesystem::remove(draft);
    }
    CHECK(open(file)->size() == 2); // written when there was room again
}

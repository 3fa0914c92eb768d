// Records: written, read back, played again; and what is said about bad ones.

#include "../search/games.hpp"
#include "match/match.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace zug;
using namespace zug::match;

namespace {

GameRecord sample() {
    GameRecord record;
    record.game = "Test";
    record.file = "some \"file\".zug";
    record.params = {{"size", "3"}};
    record.players = {"random", "alphabeta:depth=2,time=1s"};
    record.index = 7;
    record.seed = UINT64_MAX;
    record.from = "a position";
    record.moves = {"0", "4 with blanks", "é\n"};
    record.end = End::Finished;
    record.utilities = {1.0 / 3, -1.0 / 3};
    return record;
}

std::string problem(const std::string& line) {
    const auto record = parse_record(line);
    REQUIRE_FALSE(record.has_value());
    return record.error().text;
}

struct TemporaryFile {
    std::string path = (std::filesystem::temp_directory_path() / "zug_record_test.jsonl").string();
    TemporaryFile() { std::filesystem::remove(path); }
    ~TemporaryFile() { std::filesystem::remove(path); }
};

} // namespace

TEST_CASE("a record comes back as it was written") {
    const GameRecord record = sample();
    const std::string line = record_line(record);
    CHECK(line.find('\n') == std::string::npos);
    const auto back = parse_record(line);
    REQUIRE_MESSAGE(back.has_value(), back.error().text);
    CHECK(back->game == record.game);
    CHECK(back->file == record.file);
    CHECK(back->params == record.params);
    CHECK(back->players == record.players);
    CHECK(back->index == record.index);
    CHECK(back->seed == record.seed);
    CHECK(back->from == record.from);
    CHECK(back->moves == record.moves);
    CHECK(back->end == record.end);
    CHECK(back->utilities == record.utilities);
    CHECK(record_line(*back) == line);
    for (const End end : {End::Finished, End::Forfeit, End::PlyLimit, End::Fault, End::Quit, End::Stopped}) {
        GameRecord other = record;
        other.end = end;
        CHECK(parse_record(record_line(other))->end == end);
    }
}

TEST_CASE("values are part of a record that has them") {
    GameRecord record = sample();
    CHECK(record_line(record).find("values") == std::string::npos);
    record.values = {{}, {0.123456, -0.123456}, {1, 2}};
    const std::string line = record_line(record);
    CHECK(line.find(R"("values":[null,0.12346,[1.0,2.0]])") != std::string::npos);
    const auto back = parse_record(line);
    REQUIRE_MESSAGE(back.has_value(), back.error().text);
    CHECK(back->values == std::vector<Values>{{}, {0.12346, -0.12346}, {1, 2}});
    const auto with = [&](const std::string& values) {
        std::string changed = line;
        const std::size_t at = changed.find("[null,");
        return changed.replace(at, changed.find("]]") + 2 - at, values);
    };
    CHECK(problem(with("[]")) == "`values` must have one entry for each move");
    CHECK(problem(with("5")) == "`values` must have one entry for each move");
    for (const char* wrong : {"[null,1,[1]]", "[null,1,\"1\"]", "[null,1,[1,2,3]]", "[null,1,[1,null]]"})
        CHECK(problem(with(wrong)) == "each of `values` must be null, a number, or a list with one for each player");
}

TEST_CASE("times are part of a record that has them") {
    GameRecord record = sample();
    CHECK(record_line(record).find("seconds") == std::string::npos);
    record.times = {{.seconds = 1.25, .longest = 0.5, .moves = 3}, {.seconds = 1e-7, .longest = 0, .moves = 1}};
    const std::string line = record_line(record);
    CHECK(line.ends_with(R"("seconds":[1.25,0.0],"longest":[0.5,0.0],"decisions":[3,1]})")); // microseconds
    const auto back = parse_record(line);
    REQUIRE_MESSAGE(back.has_value(), back.error().text);
    REQUIRE(back->times.size() == 2);
    CHECK(back->times[0].longest == 0.5);
    CHECK(back->times[1].moves == 1);
    CHECK(record_line(*back) == line);
    const auto with = [](const std::string& times) {
        return problem(R"({"game":"G","players":["a"],"moves":[],"end":"quit",)" + times + "}");
    };
    const std::string each = "`seconds`, `longest` and `decisions` must have one number for each player";
    CHECK(with(R"("seconds":[1])") == each);
    CHECK(with(R"("seconds":[1,2],"longest":[1,2],"decisions":[1,2])") == each);
    CHECK(with(R"("seconds":[-1],"longest":[1],"decisions":[1])") == "`seconds` and `longest` must not be negative");
    CHECK(with(R"("decisions":[0.5])") == "`decisions` must be a list of whole numbers");
}

TEST_CASE("the line that describes a tournament is no record") {
    std::istringstream in("{\"tournament\":1}\n" + record_line(sample()) + "\n");
    std::vector<std::size_t> lines;
    read_records(in, [&](std::size_t line, const auto& record) {
        CHECK(record.has_value());
        lines.push_back(line);
        return true;
    });
    CHECK(lines == std::vector<std::size_t>{2});
}

TEST_CASE("text that isn't UTF-8 is written all the same") {
    GameRecord record = sample();
    record.moves = {"\xff\xfe"};
    CHECK(parse_record(record_line(record)).has_value());
}

TEST_CASE("what is wrong with a line is said") {
    const std::string line = record_line(sample());
    CHECK(problem(line.substr(0, line.size() / 2)) == "this is not a line of JSON; it may have been cut off");
    CHECK(problem("[1, 2]") == "a record is a JSON object");
    CHECK(problem("{}") == "the record has no `game`");
    CHECK(problem(R"({"game":"G","players":["a"],"moves":[1],"end":"quit"})") == "`moves` must be a list of texts");
    CHECK(problem(R"({"game":"G","players":["a"],"moves":[],"end":"won"})") ==
          "`end` must be one of finished, forfeit, ply limit, fault, quit, stopped");
    CHECK(problem(R"({"game":"G","players":["a"],"moves":[],"end":"finished"})") ==
          "`utilities` must have one number for each player");
    CHECK(problem(R"({"game":"G","players":["a"],"moves":[],"end":"quit","seed":-1})") ==
          "`seed` must be a whole number");
    CHECK(problem(std::string(1 << 20, '[')).find("JSON") != std::string::npos);
    CHECK(problem(R"({"game":"G","players":["a"],"moves":)" + std::string(100000, '[') + std::string(100000, ']') +
                  R"(,"end":"quit"})") == "`moves` must be a list of texts");
}

TEST_CASE("a file of records is read line by line, past the bad ones") {
    std::istringstream in(record_line(sample()) + "\n\n{\"torn\n" + record_line(sample()));
    std::vector<std::size_t> good, bad;
    read_records(in, [&](std::size_t line, const auto& record) {
        (record ? good : bad).push_back(line);
        return true;
    });
    CHECK(good == std::vector<std::size_t>{1, 4});
    CHECK(bad == std::vector<std::size_t>{3});
}

TEST_CASE("records are appended, after a torn line too") {
    const TemporaryFile file;
    for (int run = 0; run < 2; ++run) {
        auto writer = RecordWriter::open(file.path);
        REQUIRE(writer.has_value());
        REQUIRE(writer->append(sample()).has_value());
        std::ifstream now(file.path); // each record is in the file at once
        std::size_t records = 0;
        read_records(now, [&](std::size_t, const auto& record) { return records += record.has_value() ? 1 : 0, true; });
        CHECK(records == static_cast<std::size_t>(run + 1));
        std::ofstream(file.path, std::ios::app) << "{\"game\":\"torn";
    }
    { CHECK(RecordWriter::open(file.path)->append(sample()).has_value()); }
    std::ifstream in(file.path);
    std::string kinds;
    read_records(in, [&](std::size_t, const auto& record) { return kinds += record ? 'g' : 'b', true; });
    CHECK(kinds == "gbgbg");
    const auto nowhere = RecordWriter::open("/no/such/folder/file");
    REQUIRE_FALSE(nowhere.has_value());
    CHECK(nowhere.error().text == "can't write to /no/such/folder/file: No such file or directory");
}

TEST_CASE("replay plays a record again and finds what is wrong with it") {
    game::Game game(std::make_unique<test::TicTacToe>());
    MatchOptions options{.games = 20, .seed = 9};
    std::vector<GameRecord> records;
    options.record = [&](const GameRecord& record) { records.push_back(parse_record(record_line(record)).value()); };
    REQUIRE(run_match(game, game.initial(), parse_players("random,random").value(), options).has_value());
    REQUIRE(records.size() == 20);
    for (const GameRecord& record : records) {
        const auto end = replay(game, record);
        REQUIRE_MESSAGE(end.has_value(), end.error().text);
        CHECK(game.kind(*end) == test::NodeKind::Terminal);
        GameRecord changed = record;
        changed.utilities[0] += 1;
        CHECK(replay(game, changed).error().text.find("the result is ") == 0);
        changed = record;
        changed.moves.pop_back();
        CHECK(replay(game, changed).error().text == "the record says that the game is over, and it is not");
        changed.end = End::Stopped;
        CHECK(replay(game, changed).has_value());
        changed = record;
        changed.end = End::PlyLimit;
        CHECK(replay(game, changed).error().text == "the game is over, and the record says `ply limit`");
        changed = record;
        changed.moves[1] = changed.moves[0];
        CHECK(replay(game, changed).error().text.find("move 2, `" + changed.moves[0] + "`: ") == 0);
        changed = record;
        changed.moves.push_back("1");
        CHECK(replay(game, changed).error().text.find("the game is already over") != std::string::npos);
        changed = record;
        changed.game = "Chess";
        CHECK(replay(game, changed).error().text == "the record is of Chess, and this game is Test");
        changed = record;
        changed.players.push_back("x");
        CHECK(replay(game, changed).error().text == "the record has 3 players, and the game has 2");
    }
}

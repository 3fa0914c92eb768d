// The results file: what is kept, what is read again, what is refused.

#include "games.hpp"
#include "tournament/results_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace zug;
using namespace zug::test;

namespace {

struct TemporaryFile {
    std::string path = (std::filesystem::temp_directory_path() / "zug_results_test.jsonl").string();
    TemporaryFile() { std::filesystem::remove(path); }
    ~TemporaryFile() { std::filesystem::remove(path); }
    void write(const std::string& text) const { std::ofstream(path) << text; }
    std::string read() const {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
};

Contest contest() {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<TicTacToe>(), "tic-tac-toe"));
    Contest out(std::move(games), "random,alphabeta:depth=2");
    out.schedule.games = 6;
    return out;
}

tl::expected<ResultsFile, Error> open(Contest& contest, const std::string& path) {
    const auto schedule = Schedule::make(contest.schedule);
    return ResultsFile::open(path, describe(contest.games, contest.players, contest.options, contest.schedule.gauntlet),
                             *schedule);
}

// Plays all of it into the file.
std::string play(Contest& contest, const TemporaryFile& file) {
    auto results = open(contest, file.path);
    REQUIRE_MESSAGE(results.has_value(), results.error().text);
    contest.options.record = [&](const match::GameRecord& record) { REQUIRE(results->append(record).has_value()); };
    contest.run(std::move(results->earlier()));
    return file.read();
}

} // namespace

TEST_CASE("games are read again, as far as the file goes") {
    const TemporaryFile file;
    Contest first = contest();
    const std::string text = play(first, file);
    CHECK(text.starts_with("{\"tournament\":1,\"players\":[\"random\",\"alphabeta:depth=2\"],\"games\":["));
    std::size_t line_end = text.find('\n') + 1;
    std::size_t games = 0;
    for (; line_end != 0; line_end = text.find('\n', line_end) + 1) {
        file.write(text.substr(0, line_end));
        Contest again = contest();
        const auto results = open(again, file.path);
        REQUIRE_MESSAGE(results.has_value(), results.error().text);
        CHECK(const_cast<ResultsFile&>(*results).earlier().size() == games++);
        CHECK(results->unreadable() == 0);
    }
    CHECK(games == 7);
    // The tournament's own line is no record, and what follows are records.
    file.write(text);
    std::ifstream in(file.path);
    std::size_t records = 0;
    match::read_records(in,
                        [&](std::size_t, const auto& record) { return records += record.has_value() ? 1 : 0, true; });
    CHECK(records == 6);
}

TEST_CASE("a file cut off anywhere is continued") {
    const TemporaryFile file;
    Contest first = contest();
    const std::string text = play(first, file);
    const std::size_t head = text.find('\n');
    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, head - 1, head, head + 40, text.size() - 3}) {
        file.write(text.substr(0, length));
        Contest again = contest();
        const std::string after = play(again, file);
        CAPTURE(length);
        std::size_t records = 0, torn = 0;
        std::istringstream in(after);
        match::read_records(in, [&](std::size_t, const auto& record) {
            ++(record ? records : torn);
            return true;
        });
        CHECK(records == 6);
        CHECK(torn == (length == 5 || length == head + 40 || length == text.size() - 3 ? 1 : 0));
        Contest finished = contest();
        CHECK(open(finished, file.path)->earlier().size() == 6);
    }
}

TEST_CASE("fewer games than the file has use only theirs, more add to them") {
    const TemporaryFile file;
    Contest first = contest();
    play(first, file);
    Contest fewer = contest();
    fewer.schedule.games = 2;
    CHECK(open(fewer, file.path)->earlier().size() == 2);
    Contest more = contest();
    more.schedule.games = 10;
    play(more, file);
    CHECK(open(more, file.path)->earlier().size() == 10);
}

TEST_CASE("the file of another tournament is refused, and says what differs") {
    const TemporaryFile file;
    Contest first = contest();
    const std::string text = play(first, file);
    const auto why = [&](Contest& other) {
        const auto opened = open(other, file.path);
        REQUIRE_FALSE(opened.has_value());
        std::string reason = opened.error().text;
        const std::string before = file.path + " holds another tournament: ", after = "; choose another file";
        REQUIRE(reason.starts_with(before));
        REQUIRE(reason.ends_with(after));
        return reason.substr(before.size(), reason.size() - before.size() - after.size());
    };
    Contest other = contest();
    other.options.seed = 2;
    CHECK(why(other) == "its seed is 1, and not 2");
    other = contest();
    other.options.opening_plies = 2;
    CHECK(why(other) == "its games begin with 0 random plies, and not 2");
    other = contest();
    other.players = match::parse_players("random,alphabeta:depth=3").value();
    CHECK(why(other) == "its players are random; alphabeta:depth=2, and not random; alphabeta:depth=3");
    other = contest();
    other.schedule.gauntlet = true;
    CHECK(why(other) == "it is a round robin, and not a gauntlet");
    other = contest();
    other.games[0].openings = parse_openings("0 1", other.games[0].game).value();
    CHECK(why(other) == "its openings of Test are not the same");
    other = contest();
    other.games.push_back(setup(std::make_unique<TicTacToe>(), "twice"));
    CHECK(why(other) == "its games are Test, and not Test, Test");
    other = contest();
    file.write("{\"tournament\":7}\n");
    CHECK(why(other) == "another version of Zug wrote it");
    file.write("{\"tournament\":1}\n");
    CHECK(why(other) == "the description in its first line is not complete");
    // A game of another seed among the records.
    std::string mixed = text;
    const auto seed = mixed.find("\"seed\":", mixed.find('\n'));
    mixed.replace(seed, 8, "\"seed\":9");
    file.write(mixed);
    CHECK(why(other).ends_with(" is of another one"));
    CHECK(file.read() == mixed); // what is refused is left as it is
    for (const char* strange : {"hello\n", "{\"game\":\"Test\"}\n", "[]", "\x01\x02"}) {
        file.write(strange);
        CHECK(open(other, file.path).error().text == file.path + " is no file of a tournament; choose another file");
        CHECK(file.read() == strange);
    }
}

TEST_CASE("only one process at a time writes to the file") {
    const TemporaryFile file;
    Contest one = contest(), two = contest();
    auto first = open(one, file.path);
    REQUIRE(first.has_value());
    CHECK(open(two, file.path).error().text == "another process is writing to " + file.path);
    { const ResultsFile moved = std::move(*first); }
    CHECK(open(two, file.path).has_value());
}

TEST_CASE("a file that can't be written") {
    Contest one = contest();
    CHECK(open(one, "/no/such/folder/file").error().text ==
          "can't open /no/such/folder/file: No such file or directory");
    CHECK(open(one, "/dev/full").error().text == "can't write to /dev/full: No space left on device");
    CHECK(open(one, "/tmp").error().text.starts_with("can't write to /tmp: "));
    CHECK(open(one, "/dev/null").has_value());
}

// Records in the forms of other programs: what these have written, what we write and read again, what is wrong.

#include "records/formats.hpp"

#include "game/selfplay/sampler.hpp"
#include "lang/load.hpp"
#include "records/san.hpp"
#include "records/typed_move.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace zug;

namespace {

const std::string folder = std::string(ZUG_SOURCE_DIR) + "/tests/records/";

// `go size=9`: a game of rules/ with parameters.
game::Game game_of(const std::string& text) {
    std::istringstream words(text);
    std::string name, word;
    words >> name;
    lang::Overrides parameters;
    while (words >> word) parameters[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    const auto loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", parameters);
    REQUIRE(loaded.program);
    return game::Game(loaded.program);
}

std::string text_in(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

using Records = std::vector<tl::expected<match::GameRecord, Error>>;

Records read_all(game::Game& game, const std::string& text, records::Format format) {
    Records all;
    records::read(game, "rules", text, format, [&](std::size_t, const auto& record) {
        all.push_back(record);
        return true;
    });
    return all;
}

// A random game, which passes only where it must, and how it has ended.
match::GameRecord random_game(game::Game& game, std::uint64_t seed, std::size_t most_plies) {
    match::GameRecord record;
    record.game = game.program().title;
    record.file = "rules";
    record.players = {"first \"one\"", "second [one]"};
    for (const auto& param : game.program().params) record.params[param.name] = param.value;
    Random random(seed);
    game::State state = game.initial(), next;
    game::MoveList moves;
    while (record.moves.size() < most_plies && game.expand(state, moves) == game::NodeKind::Decision) {
        std::size_t move = game::Sampler().draw(moves, random);
        for (std::size_t i = 0; i < moves.size() && game.move_text(state, moves, move) == "pass"; ++i) move = i;
        record.moves.push_back(game.move_text(state, moves, move));
        REQUIRE(game.successor(state, moves, move, next));
        std::swap(state, next);
    }
    record.end = match::End::Stopped;
    if (game.kind(state) != game::NodeKind::Terminal) return record;
    record.end = match::End::Finished;
    record.utilities.resize(game.players());
    REQUIRE(game.payoffs(state, record.utilities));
    return record;
}

void check_return(const std::string& name, records::Format format, std::uint64_t games = test::some_of(4),
                  std::size_t most_plies = test::sanitized ? 150 : 400) {
    CAPTURE(name);
    game::Game game = game_of(name);
    REQUIRE(records::refusal(game, format).empty());
    std::string text;
    std::vector<match::GameRecord> written;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        written.push_back(random_game(game, seed, most_plies));
        const auto one = records::text_of(game, written.back(), format);
        REQUIRE_MESSAGE(one, (one ? "" : one.error().text));
        text += *one;
    }
    const Records again = read_all(game, text, format);
    REQUIRE(again.size() == written.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
        REQUIRE_MESSAGE(again[i], (again[i] ? "" : again[i].error().text));
        CHECK(match::record_line(*again[i]) == match::record_line(written[i]));
    }
}

std::string san_of(const std::string& position) {
    game::Game game = game_of("chess");
    const auto state = game.parse_position(position);
    REQUIRE(state);
    const auto san = records::San::of(game);
    REQUIRE(san);
    game::MoveList moves;
    game.expand(*state, moves);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        texts.push_back(san->text(game, *state, moves, i));
        CHECK(san->find(game, *state, moves, texts.back()).value_or(moves.size()) == i);
    }
    std::ranges::sort(texts);
    return fmt::format("{}", fmt::join(texts, " "));
}

} // namespace

TEST_CASE("games that other programs have written") {
    std::ifstream table(folder + "games.tsv");
    std::size_t rows = 0;
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with('#')) continue;
        CAPTURE(line);
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
        REQUIRE(fields.size() == 6);
        game::Game game = game_of(fields[2]);
        const Records records = read_all(game, text_in(folder + fields[0]), records::format_of(fields[0]));
        for (const auto& record : records) REQUIRE_MESSAGE(record, (record ? "" : record.error().text));
        REQUIRE(std::to_string(records.size()) == fields[1]);
        const match::GameRecord& last = *records.back();
        CHECK(fmt::format("{} {}", match::end_name(last.end), fmt::join(last.utilities, " ")) == fields[3]);
        CHECK(fmt::format("{}: {}", last.moves.size(),
                          fmt::join(std::span(last.moves).last(std::min<std::size_t>(3, last.moves.size())), " ")) ==
              fields[4]);
        CHECK(fmt::format("{}", fmt::join(last.players, ", ")) == fields[5]);
        CHECK(match::replay(game, last).has_value());
        ++rows;
    }
    CHECK(rows >= 5);
}

TEST_CASE("games written as PGN are read again") {
    for (const char* name : {"chess", "chess repetition=false quiet_limit=400", "capablanca", "shatranj", "los-alamos",
                             "gardner", "king-of-the-hill", "three-check", "racing-kings", "breakthrough",
                             "english-draughts", "lines-of-action", "othello", "go size=5", "amazons"})
        check_return(name, records::Format::Pgn);
}

TEST_CASE("games written as SGF are read again") {
    for (const char* name : {"go size=5", "go size=9 komi=0.5", "go-tromp-taylor size=5", "hex size=5",
                             "hex size=5 swap=true", "gomoku", "othello", "tic-tac-toe"})
        check_return(name, records::Format::Sgf);
}

TEST_CASE("games of ten thousand moves") {
    constexpr std::size_t plies = test::sanitized ? 2'000 : 10'000;
    check_return("chess repetition=false quiet_limit=20000 insufficient=false", records::Format::Pgn, 1, plies);
    check_return("go size=4 superko=false limit=20000", records::Format::Sgf, 1, plies);
}

TEST_CASE("games begun elsewhere, and left before their end") {
    game::Game chess = game_of("chess");
    const Records ended =
        read_all(chess, "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - -\"]\n1. a8=Q+ Kf7 1-0", records::Format::Pgn);
    REQUIRE(ended.size() == 1);
    REQUIRE(ended[0]);
    CHECK(match::end_name(ended[0]->end) == "forfeit");
    CHECK(ended[0]->utilities == std::vector<double>{1, -1});
    const auto written = records::text_of(chess, *ended[0], records::Format::Pgn);
    REQUIRE(written);
    CHECK(written->find("[Result \"1-0\"]") != std::string::npos);
    CHECK(written->find("[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n") != std::string::npos);
    CHECK(written->ends_with("\n\n1. a8=Q+ Kf7 1-0\n\n"));

    game::Game go = game_of("go size=9");
    const std::string handicap = "AB[gg][cc]PL[W]\n;W[ee];B[cg])\n";
    const Records placed = read_all(go, "(;SZ[9]HA[2]" + handicap, records::Format::Sgf);
    REQUIRE(placed.size() == 1);
    REQUIRE(placed[0]);
    CHECK(placed[0]->moves == std::vector<std::string>{"e5", "c3"});
    CHECK(records::text_of(go, *placed[0], records::Format::Sgf)->ends_with(handicap));
}

TEST_CASE("moves in standard notation: from where, castling, promotion, check and mate") {
    CHECK(san_of("3k4/8/8/1N3N2/8/8/8/R3K2R w KQ") ==
          "Kd1 Kd2 Ke2 Kf1 Kf2 Na3 Na7 Nbd4 Nbd6 Nc3 Nc7 Ne3 Ne7 Nfd4 Nfd6 Ng3 Ng7 Nh4 Nh6 O-O O-O-O+ Ra2 Ra3 Ra4 Ra5 "
          "Ra6 Ra7 Ra8+ Rb1 Rc1 Rd1+ Rf1 Rg1 Rh2 Rh3 Rh4 Rh5 Rh6 Rh7 Rh8+");
    CHECK(san_of("2n1k3/1P6/8/8/8/8/8/K7 w") == "Ka2 Kb1 Kb2 b8=B b8=N b8=Q b8=R bxc8=B bxc8=N bxc8=Q+ bxc8=R+");
    CHECK(san_of("7k/8/6K1/8/8/8/1R6/8 w").find("Rb8#") != std::string::npos);
    CHECK(san_of("7k/8/8/3pP3/8/8/8/K7 w - d6") == "Ka2 Kb1 Kb2 e6 exd6");
}

TEST_CASE("lines of moves as players of chess write them, with and without numbers") {
    game::Game chess = game_of("chess");
    const records::TypedMoves typed(chess);
    const auto after = [&](std::string_view line) {
        std::vector<std::uint64_t> ids;
        const auto state = typed.play_line(chess, chess.initial(), line, &ids);
        return state ? fmt::format("{}: {}", ids.size(), chess.position_text(*state)) : state.error().text;
    };
    const std::string castled = after("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1");
    CHECK(castled.starts_with("7: "));
    CHECK(after("1. e4 e5 2. Nf3 Nc6 3.Bc4 Nf6 4. O-O") == castled);
    CHECK(after("1.e4 1...e5 2.g1f3, Nc6; Bc4 Ngf6 0-0") == castled);
    CHECK(after("e4 e5 Nd4").starts_with("move 3: `Nd4` is not a legal move"));
    CHECK(after("1. 2. e4 12.").starts_with("1: "));
    CHECK(after("e4.").starts_with("move 1: `e4.` is not"));

    game::Game lines = game_of("tic-tac-toe");
    const auto refused = records::TypedMoves(lines).play_line(lines, lines.initial(), "1. b2");
    CHECK(refused.error().text.starts_with("move 1: `1.` is not a legal move"));
}

TEST_CASE("what is wrong with a record is said with its line and column") {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder + "wrong")) {
        const std::string text = text_in(entry.path()), first = text.substr(0, text.find('\n'));
        CAPTURE(entry.path());
        const std::size_t bar = first.find(" | ");
        REQUIRE(first.starts_with("; "));
        REQUIRE(bar != std::string::npos);
        game::Game game = game_of(first.substr(2, bar - 2));
        const Records records = read_all(game, text, records::format_of(entry.path().string()));
        REQUIRE(records.size() == 1);
        REQUIRE_FALSE(records[0].has_value());
        CHECK(records[0].error().text == first.substr(bar + 3));
        ++files;
    }
    CHECK(files >= 20);
}

TEST_CASE("what can't be kept in a form is refused") {
    CHECK(records::refusal(game_of("backgammon"), records::Format::Pgn) ==
          "PGN is for games of two players without chance, and Backgammon is not one");
    CHECK(records::refusal(game_of("chess"), records::Format::Sgf).starts_with("SGF is for two players who place"));
    CHECK(records::refusal(game_of("backgammon"), records::Format::Json).empty());
    CHECK(records::format_of("a/b.PGN") == records::Format::Pgn);
    CHECK(records::format_of("a.sgf/b") == records::Format::Json);
}

// `zug play`: at a pipe and at a terminal.

#include "process.hpp"

#include <doctest/doctest.h>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;

namespace {

Result play(std::vector<std::string> arguments, const std::string& input, bool terminal = false) {
    arguments.insert(arguments.begin(), "play");
    Setting setting;
    setting.input = input;
    setting.terminal = terminal;
    setting.environment = {{"TERM", "xterm"}, {"NO_COLOR", ""}};
    return run_zug(arguments, setting);
}

} // namespace

TEST_CASE("a game from a pipe, to its end") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "a1\na2\nb1\nb2\nc1\n");
    CHECK(result.code == 0);
    CHECK(has(result.out, "X wins"));
    CHECK(result.err.empty());
}

TEST_CASE("the input may end before the game does") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "a1\na2");
    CHECK(result.code == 0);
    CHECK(has(result.out, "a2"));
    CHECK(!has(result.out, "wins"));
}

TEST_CASE("an illegal line is reported, the game goes on, and the exit code tells") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "a1\na1\nzebra\na2\nb1\nb2\nc1\n");
    CHECK(result.code == 1);
    CHECK(has(result.err, "a1"));
    CHECK(has(result.err, "zebra"));
    CHECK(has(result.out, "X wins"));
}

TEST_CASE("chess is played in standard notation, too") {
    const Result result = play({"chess", "--hotseat"}, "e4\ne5\nNf3\nd7d6\nBb5+\nNd7\n0-0\nposition\n");
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    CHECK(has(result.out, "moves    e2e4, e7e5, g1f3, d7d6, f1b5, b8d7, e1g1\n"));
    CHECK(has(play({"chess", "--hotseat"}, "Nf3\na6\nd3\nb6\nNd2\n").err, "zug: `Nd2` may be `b1d2` or `f3d2`"));
    CHECK(
        has(play({"chess", "--hotseat"}, "Ke2\n").err, "zug: `Ke2` is not a legal move; among those that are legal: "));
}

TEST_CASE("a person against a program") {
    const Result result = play({"tic-tac-toe", "--as", "X", "--against", "alphabeta:depth=9"}, "b2\nquit\n");
    CHECK(result.code == 0);
    CHECK(has(result.out, "O plays "));
    const Result second = play({"tic-tac-toe", "--as", "O", "--against", "random", "--seed", "3"}, "quit\n");
    CHECK(second.code == 0);
    CHECK(has(second.out, "X plays "));
}

TEST_CASE("moves are listed and picked by number, taken back, hinted at") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "moves\n1\nundo\nb2\nhint\nposition\nhelp\nquit\n");
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    CHECK(has(result.out, "a1"));
    CHECK(has(result.out, "hint"));
    CHECK(has(result.out, "undo"));
}

TEST_CASE("chance events are shown, and a seed repeats them") {
    const Result first = play({"pig", "--hotseat", "--seed", "5"}, "roll\n");
    CHECK(first.code == 0);
    CHECK(has(first.out, "die"));
    CHECK(play({"pig", "--hotseat", "--seed", "5"}, "roll\n").out == first.out);
}

TEST_CASE("a terminal gets a prompt, colours and a board with coordinates") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "b2\nquit\n", true);
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK(has(result.out, "X to move"));
    CHECK(has(result.out, "\x1b["));
    CHECK(has(result.out, "a"));
    Setting plain;
    plain.terminal = true;
    plain.input = "b2\nquit\n";
    plain.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
    CHECK(!has(run_zug({"play", "tic-tac-toe", "--hotseat"}, plain).out, "\x1b[3"));
}

TEST_CASE("a terminal of UTF-8 gets boards in its characters, others and pipes in ASCII") {
    const std::string line = "┌───┬───┐", plain = ".---.---.", row = "3 . . .\n";
    const auto shown = [](const std::map<std::string, std::string>& environment, std::vector<std::string> more = {}) {
        Setting setting;
        setting.terminal = true;
        setting.input = "quit\n";
        setting.environment = environment;
        setting.environment.insert({{"TERM", "xterm"}, {"NO_COLOR", "1"}, {"LC_CTYPE", ""}});
        more.insert(more.begin(), {"play", "three-mens-morris", "--hotseat"});
        return run_zug(more, setting).out;
    };
    CHECK(has(shown({{"LC_ALL", "C.UTF-8"}, {"LANG", "C"}}), line));
    CHECK(has(shown({{"LC_ALL", ""}, {"LANG", "de_DE.utf8"}}), line));
    for (const std::string& out :
         {shown({{"LC_ALL", "C"}, {"LANG", "C.UTF-8"}}), shown({{"LC_ALL", ""}, {"LANG", ""}}),
          shown({{"LC_ALL", "C.UTF-8"}, {"TERM", "linux"}}), shown({{"LC_ALL", "C.UTF-8"}}, {"--ascii"})}) {
        CHECK(!has(out, line));
        CHECK(has(out, plain));
    }
    const Result piped = play({"three-mens-morris", "--hotseat"}, "quit\n");
    CHECK(has(piped.out, row));
}

TEST_CASE("Ctrl-C at the prompt ends the game cleanly") {
    Setting setting;
    setting.terminal = true;
    setting.environment = {{"TERM", "xterm"}};
    setting.interrupt_on = "X to move";
    const Result result = run_zug({"play", "tic-tac-toe", "--hotseat"}, setting);
    CHECK(result.code == 130);
}

TEST_CASE("the end is explained by the rule that brought it") {
    const Result won = play({"tic-tac-toe", "--hotseat"}, "a1\na2\nb1\nb2\nc1\n");
    CHECK(has(won.out, "X wins by the rule `me wins when line(3, at.me)` (tic-tac-toe.zug:15)"));
    const Result drawn = play({"tic-tac-toe", "--hotseat"}, "b2\na1\nc1\na3\na2\nc2\nb1\nb3\nc3\n");
    CHECK(has(drawn.out, "draw by the rule `draw when no empty` (tic-tac-toe.zug:16)"));
}

TEST_CASE("the rules are told in the file's own words") {
    const Result result = play({"three-check", "--hotseat"}, "rules\nquit\n");
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK(has(result.out, "It extends chess.zug:\nChess. Each side has a king,"));
    CHECK(has(result.out, "quiet_limit = 100"));
    CHECK(has(play({"chess", "--hotseat"}, "rules\nquit\n").out, "plies without capture or pawn move"));
}

TEST_CASE("what no board shows and nobody looks at is told when asked for") {
    const Result chess = play({"chess", "--hotseat"}, "state\nquit\n");
    CHECK(chess.out.find("quiet: 0") == chess.out.rfind("quiet: 0"));
    CHECK(has(chess.out, "rooks: {a1,h1,a8,h8}"));
    CHECK(!has(play({"chess", "--hotseat"}, "board\nquit\n").out, "quiet"));
    CHECK(!has(play({"go", "-D", "size=5", "--hotseat"}, "quit\n").out, "passes"));
    // Counts of each player and what rules read are part of the game.
    CHECK(has(play({"three-check", "--hotseat"}, "quit\n").out, "checks: White 0, Black 0"));
    CHECK(has(play({"pig", "--hotseat"}, "quit\n").out, "pot: 0"));
}

TEST_CASE("a hint tells what is proven from what is estimated") {
    const Result won = play({"tic-tac-toe", "--hotseat", "--moves", "a1 a2 b1 b2"}, "hint\nquit\n");
    CHECK(has(won.out, "hint: c1 (X wins in 1)"));
    CHECK(has(play({"tic-tac-toe", "--hotseat"}, "hint\nquit\n").out, "(draw)"));
    CHECK(has(play({"go", "--hotseat"}, "hint\nquit\n").out, " for Black"));
}

TEST_CASE("a game is saved, read by replay, and gone on with") {
    const zug::test::TemporaryFolder folder;
    const std::string file = (folder.path() / "game").string();
    const Result saved = play({"tic-tac-toe", "--hotseat"}, "b2\na1\nsave " + file + "\nc3\nundo\nsave " + file + "\n");
    CAPTURE(saved.err);
    CHECK(saved.code == 0);
    CHECK(has(run_zug({"replay", file}).out, "b2, a1"));
    const Result loaded =
        play({"tic-tac-toe", "--hotseat"}, "c1\nload " + file + "\na2\nc2\nposition\nundo\nposition\n");
    CHECK(loaded.code == 0);
    CHECK(has(loaded.out, "moves    b2, a1, a2, c2\n"));
    CHECK(has(loaded.out, "moves    b2, a1, a2\n"));
    const Result given = play({"tic-tac-toe", "--as", "O", "--load", file}, "undo\nposition\n");
    CHECK(given.code == 0);
    CHECK(has(given.out, "moves    b2\n"));
    CHECK(play({"tic-tac-toe", "--load", file, "--moves", "a1"}, "").code == 2);
}

TEST_CASE("a game that is over is saved, looked at, and taken back") {
    const zug::test::TemporaryFolder folder;
    const std::string file = (folder.path() / "game").string();
    const std::string mate = "f2f3\ne7e5\ng2g4\nd8h4\n";
    const Result saved = play({"chess", "--hotseat"}, mate + "save " + file + "\nboard\nundo\nposition\nd8h4\nsave");
    CAPTURE(saved.out);
    CHECK(saved.code == 1); // of the last line
    CHECK(has(saved.err, "`save` needs a name"));
    CHECK(has(saved.out, "moves    f2f3, e7e5, g2g4\n"));
    CHECK(has(run_zug({"replay", file}).out, "Black wins"));
    // What is no command ends it, so that input without an end does.
    const Result rest = play({"chess", "--hotseat"}, mate + "a2a3\nposition\n");
    CHECK(rest.code == 0);
    CHECK(!has(rest.out, "\nposition "));
    const Result terminal = play({"chess", "--hotseat"}, mate + "a2a3\nundo\nquit\n", true);
    CHECK(has(terminal.out, "game over> "));
    CHECK(has(terminal.out, "`undo` takes your last move back"));
    CHECK(has(terminal.out, "Black to move"));
}

TEST_CASE("games are saved and loaded as other programs write them") {
    const zug::test::TemporaryFolder folder;
    const std::string pgn = (folder.path() / "game.pgn").string(), sgf = (folder.path() / "game.sgf").string();
    CHECK(play({"chess", "--hotseat", "--save", pgn}, "e2e4\ne7e5\ng1f3\n").code == 0);
    CHECK(has(zug::test::read_file(pgn), "\n1. e4 e5 2. Nf3 *\n"));
    const Result loaded = play({"chess", "--hotseat", "--load", pgn}, "b8c6\nsave " + pgn + "\n");
    CHECK(loaded.code == 0);
    CHECK(has(zug::test::read_file(pgn), "\n1. e4 e5 2. Nf3 Nc6 *\n"));
    CHECK(play({"go", "-D", "size=9", "--players", "random,random", "--save", sgf}, "").code == 0);
    CHECK(has(zug::test::read_file(sgf), "SZ[9]KM[7.5]PB[random]PW[random]RE["));
    CHECK(run_zug({"replay", sgf, "--rules", "go", "-D", "size=9"}).code == 0);
    const Result other = play({"chess", "--hotseat"}, "load " + sgf + "\nsave " + sgf + "\n");
    CHECK(other.code == 1);
    CHECK(has(other.err, "SGF is for two players who place stones"));
    const Result wrong = play({"chess", "--load", folder.write("wrong.pgn", "1. e4 e5\n2. Ke3\n")}, "");
    CHECK(wrong.code == 1);
    CHECK(has(wrong.err, "wrong.pgn:2:4: `Ke3` is not a legal move"));
}

TEST_CASE("replay writes games in other forms, and reads them") {
    const zug::test::TemporaryFolder folder;
    const auto file = [&](const char* name) { return (folder.path() / name).string(); };
    REQUIRE(run_zug({"match", "chess", "--players", "random,random", "--games", "3", "--record", file("a")}).code == 0);
    CHECK(run_zug({"match", "chess", "--players", "random,random", "--games", "3", "--record", file("a.pgn")}).code ==
          0);
    CHECK(run_zug({"replay", file("a"), "-o", file("b.pgn")}).code == 0);
    CHECK(zug::test::read_file(file("a.pgn")) == zug::test::read_file(file("b.pgn")));
    CHECK(run_zug({"replay", file("b.pgn"), "--rules", "chess", "-o", file("c")}).code == 0);
    const Result again = run_zug({"replay", file("c")});
    CHECK(again.code == 0);
    CHECK(has(again.out, "Chess; White random, Black random; "));
    const Result titled = run_zug({"replay", file("b.pgn")}); // its tag Variant says `Chess`
    CHECK(titled.code == 0);
    CHECK(has(titled.out, "Chess; White random, Black random; "));
    for (const char* tag : {"", "[Variant \"No Such Game\"]\n", "[Variant \"Chess"}) {
        const Result unknown = run_zug({"replay", folder.write("e.pgn", tag + std::string("\n1. e4 *\n"))});
        CHECK(unknown.code == 2);
        CHECK(has(unknown.err, "--rules"));
    }
    const Result backgammon = run_zug({"match", "backgammon", "--players", "random,random", "--record", file("d.pgn")});
    CHECK(backgammon.code == 1);
    CHECK(has(backgammon.err, "PGN is for games of two players without chance"));
}

TEST_CASE("games with chance, begun anywhere, are gone on with too") {
    const zug::test::TemporaryFolder folder;
    const std::string file = (folder.path() / "game").string();
    const std::string save = "save " + file + "\n";
    const Result rolled = play({"pig", "--hotseat", "--seed", "5"}, "roll\n" + save + "position\n");
    REQUIRE(rolled.code == 0);
    const std::string position = rolled.out.substr(rolled.out.rfind("position "));
    CHECK(has(play({"pig", "--hotseat", "--load", file}, "position\n").out, position.substr(0, position.find('\n'))));
    CHECK(play({"tic-tac-toe", "--hotseat", "--moves", "b2"}, "a1\n" + save).code == 0);
    CHECK(has(play({"tic-tac-toe", "--hotseat", "--load", file}, "c3\nposition\n").out, "moves    a1, c3"));
}

TEST_CASE("what can't be saved or loaded is told, and the game goes on") {
    const zug::test::TemporaryFolder folder;
    const std::string other = folder.write("other", "not a record\n"), file = (folder.path() / "game").string();
    const std::string finished = (folder.path() / "finished").string();
    CHECK(play({"pig", "--hotseat"}, "save " + file + "\n").code == 0);
    CHECK(run_zug({"match", "tic-tac-toe", "--players", "random,random", "--games", "2", "--record", finished}).code ==
          0);
    const auto told = [&](const std::string& line, const std::string& error) {
        const Result result = play({"tic-tac-toe", "--hotseat"}, "b2\n" + line + "\na1\nposition\n");
        CAPTURE(result.err);
        CHECK(result.code == 1);
        CHECK(has(result.err, error));
        CHECK(has(result.out, "moves    b2, a1\n"));
    };
    told("save /dev/full", "No space left");
    told("save " + (folder.path() / "none" / "game").string(), "No such file");
    told("save " + other, "is not one saved game");
    told("save " + finished, "is not one saved game");
    told("save", "`save` needs a name");
    told("load " + other, "not a line of JSON");
    told("load " + folder.write("empty", ""), "there is no game in");
    told("load " + (folder.path() / "none").string(), "No such file");
    told("load " + file, "the record is of Pig");
    told("load " + finished, "is over");
    CHECK(zug::test::read_file(other) == "not a record\n");
    CHECK(play({"tic-tac-toe", "--load", file}, "").code == 1);
}

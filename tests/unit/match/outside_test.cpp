// Other programs as players: their texts, and what happens to those that break the rules. The programs are scripts.

#include "../search/games.hpp"
#include "lang/load.hpp"
#include "match/match.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace zug;
using namespace zug::match;

namespace {

game::Game from_rules(const std::string& name, const lang::Overrides& parameters = {}) {
    const lang::Loaded loaded = lang::load_file(ZUG_SOURCE_DIR "/rules/" + name + ".zug", parameters);
    REQUIRE(loaded.program);
    return game::Game(loaded.program);
}

std::string refused(std::string_view text) {
    const auto spec = parse_player(text);
    REQUIRE_FALSE(spec.has_value());
    return spec.error().text;
}

// A program of the shell that answers lines of a protocol; `go` is what it does when it has to move.
std::string uci_script(const std::string& go) {
    return "uci:while read word rest; do case $word in uci) echo id name script; echo uciok;; isready) echo readyok;; "
           "go) " +
           go + ";; quit) exit;; esac; done";
}

std::string gtp_script(const std::string& genmove) {
    return "gtp:while read word rest; do case $word in genmove) " + genmove + "; echo;; *) echo =; echo;; esac; done";
}

// The same for xboard's protocol; `moved` is what it does with a move, in $rest, or with `go`. It notes what it is
// told.
std::string xboard_script(const std::string& moved, const std::string& features = "ping=1 usermove=1 done=1") {
    return "xboard:while read word rest; do echo $word $rest >>\"$ZUG_NOTES\"; case $word in protover) echo feature " +
           features + ";; ping) echo pong $rest;; usermove|go) " + moved + ";; esac; done";
}

// A program that never answers gets little time to do so, others all that they may need.
Report play_two(game::Game& game, const std::string& first, double patience = 60) {
    std::vector<PlayerSpec> players;
    for (const std::string& text : {first, std::string("random")}) {
        auto spec = parse_player(text);
        REQUIRE_MESSAGE(spec.has_value(), spec.error().text);
        spec->launch.patience = patience;
        if (spec->search.seconds > 0) spec->search.seconds = 0.01;
        players.push_back(std::move(*spec));
    }
    MatchOptions options;
    options.games = 2;
    auto report = run_match(game, game.initial(), players, options);
    REQUIRE_MESSAGE(report.has_value(), report.error().text);
    return std::move(*report);
}

// All games are lost for that reason, and all are played.
void check_forfeits(const Report& report, const std::string& why) {
    CHECK(report.finished == report.asked);
    CHECK(report.forfeited == report.asked);
    CHECK(report.players[0].losses == report.asked);
    CHECK(report.players[1].wins == report.asked);
    CHECK_FALSE(report.first_fault.has_value());
    REQUIRE(report.first_forfeit.has_value());
    CHECK_MESSAGE(report.first_forfeit->find(why) != std::string::npos, *report.first_forfeit);
}

// A match that begins after these moves fails for that reason.
void check_faults_after(game::Game& game, std::string_view line, const std::string& player, const std::string& why) {
    const auto start = game.play_line(game.initial(), line);
    std::vector<PlayerSpec> players{*parse_player(player), *parse_player("random")};
    MatchOptions options;
    options.games = 1;
    const auto report = run_match(game, *start, players, options);
    REQUIRE(report.has_value());
    CHECK(report->faulted == 1);
    CHECK(report->first_fault->find(why) != std::string::npos);
}

} // namespace

TEST_CASE("other programs are named with their command, limits and options") {
    const auto spec =
        parse_player("uci:stockfish -x a=b,c,nodes=100,depth=5,option.Skill Level=3,patience=2m,option.Hash=16");
    REQUIRE(spec.has_value());
    CHECK(spec->kind == PlayerKind::Uci);
    CHECK(spec->launch.command == "stockfish -x a=b,c");
    CHECK(spec->launch.patience == 120);
    CHECK(spec->search.nodes == 100);
    CHECK(spec->search.depth == 5);
    CHECK(spec->search.seconds == 0);
    REQUIRE(spec->launch.options.size() == 2);
    CHECK(spec->launch.options[0] == std::pair<std::string, std::string>("Skill Level", "3"));
    CHECK(spec->launch.options[1] == std::pair<std::string, std::string>("Hash", "16"));
    CHECK_FALSE(deterministic(*spec));
    CHECK(parse_player("uci:engine")->search.seconds == 1);
    CHECK(parse_player("gtp:gnugo --mode gtp")->search.seconds == 0);
    CHECK(parse_player("gtp:gnugo --mode gtp,time=5m+0")->search.game_time->seconds == 300);
    const auto several = parse_players("auto:time=1,uci:stockfish,time=1,gtp:gnugo --mode gtp,patience=1");
    REQUIRE(several.has_value());
    REQUIRE(several->size() == 3);
    CHECK((*several)[1].launch.command == "stockfish");
    CHECK((*several)[2].launch.command == "gnugo --mode gtp");
    const auto xboard = parse_player("xboard:fairymax,time=5m+3s,variant=capablanca,option.Resign=1");
    REQUIRE(xboard.has_value());
    CHECK(xboard->kind == PlayerKind::Xboard);
    CHECK(xboard->launch.command == "fairymax");
    CHECK(xboard->launch.variant == "capablanca");
    CHECK(xboard->launch.options.size() == 1);
    CHECK(parse_player("xboard:engine")->search.seconds == 1);
    CHECK(refused("xboard:engine,nodes=5").find("knows no limit of nodes") != std::string::npos);
    CHECK(refused("xboard:engine,variant=a b").find("variant must be a word") != std::string::npos);
    CHECK(refused("uci:").find("uci:COMMAND") != std::string::npos);
    CHECK(refused("gtp").find("gtp:COMMAND") != std::string::npos);
    CHECK(refused("uci:engine,tim=1").find("did you mean `time`?") != std::string::npos);
    CHECK(refused("uci:engine,time=now").find("time must be") != std::string::npos);
    CHECK(refused("uci:engine,patience=0").find("patience must be") != std::string::npos);
    CHECK(refused("gtp:engine,option.x=1").find("there is no setting `option.x`") != std::string::npos);
}

TEST_CASE("a program that breaks the rules loses, and the match goes on") {
    constexpr double little = 0.2;
    game::Game toe = from_rules("tic-tac-toe");
    check_forfeits(play_two(toe, uci_script("echo bestmove z9")), "X: it plays `z9`, which is not legal");
    check_forfeits(play_two(toe, uci_script("echo bestmove")), "which is not legal");
    check_forfeits(play_two(toe, uci_script("echo thinking"), little), "it does not answer");
    check_forfeits(play_two(toe, uci_script("exit 3")), "it has ended, with exit code 3");
    check_forfeits(play_two(toe, uci_script("kill -9 $$")), "it was ended by signal 9");
    check_forfeits(play_two(toe, "uci:yes", little), "it does not answer");
    check_forfeits(play_two(toe, "uci:head -c 3000000 /dev/zero; read line"), "a line without an end");
    check_forfeits(play_two(toe, "uci:sleep 1000", little), "it does not answer");
    check_forfeits(play_two(toe, "uci:echo 'Error (unknown command)': uci; sleep 1000"),
                   "it does not speak UCI; it answers `Error (unknown command): uci`");
    check_forfeits(play_two(toe, "uci:/nonexistent/engine"), "there is no such program");
    game::Game hex = from_rules("hex", {{"size", "3"}});
    check_forfeits(play_two(hex, gtp_script("echo = Z7")), "Red: it plays `Z7`, which is not legal");
    check_forfeits(play_two(hex, gtp_script("echo = resign")), "Red: it resigns");
    check_forfeits(play_two(hex, gtp_script("echo '? what'")), "it answers `what` to `genmove black`");
    check_forfeits(play_two(hex, "gtp:sleep 1000", little), "it does not answer");
    check_forfeits(play_two(hex, "gtp:true"), "it has ended");
}

TEST_CASE("a program that plays as it should is told the moves") {
    game::Game toe = from_rules("tic-tac-toe");
    // It plays the first cell that was not played in the position it was given.
    const std::string script =
        "uci:while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; position*) p=\"$line \";; "
        "go*) for c in a1 a2 a3 b1 b2 b3 c1 c2 c3; do case \"$p\" in *\" $c \"*) ;; *) echo bestmove $c ponder a1; "
        "break;; esac; done;; esac; done";
    const Report report = play_two(toe, script);
    CHECK(report.finished == 2);
    CHECK(report.forfeited == 0);
    CHECK_FALSE(report.first_fault.has_value());
}

TEST_CASE("a program that speaks xboard's protocol is told the clock, the moves and when to move") {
    const auto notes = std::filesystem::temp_directory_path() / ("zug-notes-" + std::to_string(::getpid()));
    setenv("ZUG_NOTES", notes.c_str(), 1);
    game::Game toe = from_rules("tic-tac-toe");
    // It plays the first cell that has not been played, by itself or by the other.
    const std::string moves =
        "p=\"$p $rest \"; for c in a1 a2 a3 b1 b2 b3 c1 c2 c3; do case \"$p\" in *\" $c \"*) ;; *) "
        "echo '# thinking'; echo move $c; p=\"$p $c \"; break;; esac; done";
    const Report report = play_two(toe, xboard_script(moves + ";; new) p="));
    CHECK(report.finished == 2);
    CHECK_MESSAGE(report.forfeited == 0, report.first_forfeit.value_or(""));
    std::string told, line;
    std::ifstream file(notes);
    for (int i = 0; i < 14 && std::getline(file, line); ++i) told += line + "|";
    std::filesystem::remove(notes);
    setenv("ZUG_NOTES", "/dev/null", 1);
    CHECK(told.starts_with("xboard|protover 2|accepted ping|accepted usermove|accepted done|new|level 40 0:01 0|easy|"
                           "nopost|ping 1|time 40|otim 40|go|time 39|"));
    check_forfeits(play_two(toe, xboard_script("echo move z9")), "it plays `z9`, which is not legal");
    check_forfeits(play_two(toe, xboard_script("echo resign")), "it resigns");
    check_forfeits(play_two(toe, xboard_script("echo 'Illegal move: x'")), "it answers `Illegal move: x`");
    check_forfeits(play_two(toe, xboard_script("exit 2")), "it has ended, with exit code 2");
    check_forfeits(play_two(toe, "xboard:sleep 1000", 0.2), "it does not answer");
    // Programs from before version 2 say nothing of themselves.
    CHECK(play_two(toe,
                   "xboard:p=; while read m; do case $m in new) p=;; go|[abc][123]) p=\"$p $m \"; for c in a1 a2 a3 b1 "
                   "b2 b3 c1 c2 c3; do case \"$p\" in *\" $c \"*) ;; *) echo \"My move is: $c\"; p=\"$p $c \"; break;; "
                   "esac; done;; esac; done")
              .forfeited == 0);
}

TEST_CASE("a program that can't be set up elsewhere than at the start plays no other game") {
    game::Game toe = from_rules("tic-tac-toe");
    check_faults_after(toe, "a1 b1", xboard_script("echo move c1"), "can't be told a position");
}

TEST_CASE("games and positions that a protocol does not suit are refused") {
    game::Game pig = from_rules("pig"), chess = from_rules("chess"), hex = from_rules("hex", {{"size", "3"}});
    CHECK(unsuitable(*parse_player("uci:engine"), pig).find("chance") != std::string::npos);
    CHECK(unsuitable(*parse_player("gtp:engine"), chess).find("place stones") != std::string::npos);
    CHECK(unsuitable(*parse_player("uci:engine"), chess).empty());
    CHECK(unsuitable(*parse_player("gtp:engine"), hex).empty());
    check_faults_after(hex, "a1 b1", gtp_script("echo = C1"), "has to be told all moves");
}

// zug learn: what it writes, and players that evaluate by it.

#include "process.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using zug::test::has;
using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

// All but the header, which tells the time that it took.
std::string body_of(const std::filesystem::path& net) {
    const std::string text = read_file(net);
    return text.substr(text.find("\n}\n"));
}

// Of the first player, for each game.
double score(const Result& result) {
    const auto json = result.json();
    return json["score"][0].get<double>() / json["games"].get<double>();
}

} // namespace

TEST_CASE("equal seeds learn equal evaluations, and players use them") {
    const TemporaryFolder folder;
    const auto a = folder.path() / "a.zugnet", b = folder.path() / "b.zugnet", log = folder.path() / "log.csv";
    for (const auto& file : {a, b}) {
        const Result result = run_zug(
            {"learn", "tic-tac-toe", "--games", "4000", "--threads", "1", "-o", file.string(), "--log", log.string()});
        CAPTURE(result.err);
        CHECK(result.code == 0);
        CHECK(result.out.starts_with("4,000 games, "));
    }
    CHECK(body_of(a) == body_of(b));
    CHECK(read_file(log).starts_with("seconds,games,positions,error,error of others,score\n"));
    const std::string learned = "alphabeta:depth=1,eval=" + a.string();
    const Result match =
        run_zug({"match", "tic-tac-toe", "--players", learned + ",random", "--games", "200", "--json"});
    CAPTURE(match.err);
    REQUIRE(match.code == 0);
    CHECK(score(match) > 0.9);
    const Result search = run_zug({"search", "tic-tac-toe", "--method", learned, "--json"});
    CHECK(search.code == 0);
    CHECK(search.json()["value"] != 0);
}

TEST_CASE("an interrupted learner keeps what it learned") {
    const TemporaryFolder folder;
    const auto net = folder.path() / "net";
    const auto log = folder.path() / "log.csv";
    const std::vector<std::string> line = {"learn", "tic-tac-toe", "--time", "10m",
                                           "-o",    net.string(),  "--log",  log.string()};
    Setting setting;
    setting.interrupt_after = 1;
    const Result result = run_zug(line, setting);
    CAPTURE(result.err);
    CHECK(result.code == 130);
    CHECK_FALSE(result.timed_out);
    CHECK(read_file(net).starts_with("ZUGNET 1 "));
    CHECK(has(result.out, "stopped; the same command resumes from here"));
    // It has learned for a second of its ten minutes.
    const auto games = [](const Result& learned) { return learned.out.substr(0, learned.out.find(" games, ")); };
    Setting longer = setting;
    longer.interrupt_after = 2;
    const std::string log_before = read_file(log);
    const Result more = run_zug(line, longer);
    CHECK(more.code == 130);
    CHECK(read_file(log).starts_with(log_before));
    CHECK(read_file(log).size() > log_before.size());
    CHECK(games(more).size() >= games(result).size());
    const Result other = run_zug({"learn", "tic-tac-toe", "--time", "10m", "--seed", "2", "-o", net.string()}, setting);
    CHECK(other.code == 1);
    CHECK(has(other.err, "net.part: it was learned with other settings"));
    CHECK(run_zug({"learn", "tic-tac-toe", "--games", "9", "--seed", "2", "--again", "-o", net.string()})
              .out.starts_with("9 games, "));
    CHECK_FALSE(std::filesystem::exists(net.string() + ".part"));
}

// Games of Amazons on so large a board take much longer than that.
TEST_CASE("a learner that played no game leaves the file alone") {
    const TemporaryFolder folder;
    const std::string net = folder.write("net", "learned before");
    Setting setting;
    setting.interrupt_after = 2;
    const Result result =
        run_zug({"learn", "amazons", "-D", "size=16", "--time", "10m", "--threads", "1", "-o", net}, setting);
    CAPTURE(result.err);
    CHECK(result.code == 130);
    CHECK(read_file(net) == "learned before");
    CHECK(run_zug({"learn", "amazons", "--games", "0", "-o", net}).code == 2);
    CHECK(read_file(net) == "learned before");
}

// By the name that it gives the file.
TEST_CASE("what is learned with several parameters can be named as a player's evaluation") {
    const TemporaryFolder folder;
    Setting setting;
    setting.folder = folder.path();
    const std::vector<std::string> parameters = {"-D", "size=4", "-D", "swap=true"};
    std::vector<std::string> learn = {"learn", "hex", "--games", "20"}, match = {"match", "hex", "--games", "2"};
    learn.insert(learn.end(), parameters.begin(), parameters.end());
    match.insert(match.end(), parameters.begin(), parameters.end());
    CHECK(run_zug(learn, setting).code == 0);
    match.insert(match.end(), {"--players", "alphabeta:depth=1,eval=hex.size=4.swap=true.zugnet,random"});
    const Result result = run_zug(match, setting);
    CAPTURE(result.err);
    CHECK(result.code == 0);
}

TEST_CASE("a wrong command line or file is told") {
    const TemporaryFolder folder;
    const std::string net = (folder.path() / "net").string();
    const auto said = [](const std::vector<std::string>& line, int code) {
        const Result result = run_zug(line);
        CHECK(result.code == code);
        return result.err;
    };
    CHECK(has(said({"learn", "hex"}, 2), "say how long to learn: --time or --games"));
    CHECK(has(said({"learn", "hex", "--games", "1", "--lambda", "2"}, 2), "--lambda must be a number from 0 to 1"));
    CHECK(has(said({"learn", "hex", "--games", "1", "--rate", "nan"}, 2), "--rate must be"));
    CHECK(has(said({"learn", "hex", "--games", "1", "-o", "/no/such/folder/net"}, 1),
              "can't write to /no/such/folder/net"));
    CHECK(has(said({"match", "hex", "--players", "auto:eval=/no/such/net,random"}, 2), "/no/such/net: "));
    std::ofstream(net) << "ZUGNET 1 5 5\nhello";
    CHECK(
        has(said({"match", "hex", "--players", "auto:eval=" + net + ",random"}, 2), "it is not a learned evaluation"));
}

TEST_CASE("what was learned is shown") {
    const TemporaryFolder folder;
    const std::string net = (folder.path() / "weights.zugnet").string();
    const Result learned =
        run_zug({"learn", "connect-four", "--model", "terms", "--games", "50", "--threads", "1", "-o", net});
    CHECK(learned.code == 0);
    CHECK(has(learned.out, "2 terms in " + net + "\nwritten   learned\n      5  "));
    const Result shown = run_zug({"learn", "connect-four", "--explain=" + net});
    CHECK(shown.code == 0);
    CHECK(has(shown.out, "written   learned\n      5  "));
    CHECK(has(shown.out, "adds to X's utility, in percent of half its range\n\nat = X, "));
    CHECK(has(shown.out, "\n     a    b    c    d    e    f    g\n"));
    const std::string connect_four = run_zug({"learn", "connect-four", "--explain"}).out;
    CHECK(has(connect_four, "at = O, -"));
    // Three in a column with room for the fourth.
    CHECK(has(connect_four, "The greatest weights of patterns"));
    CHECK(has(connect_four,
              ", X to move\n6             .\n5             .\n4             .\n3             X\n2             X\n"));
    const std::string other = (folder.path() / "other.zugnet").string();
    CHECK(run_zug({"learn", "breakthrough", "--games", "20", "--threads", "1", "-o", other}).code == 0);
    CHECK(
        has(run_zug({"learn", "breakthrough", "--explain=" + other}).out,
            "The greatest weights of patterns, in the same unit before the sum is bounded, with White to move, and for "
            "the other player alike; blank: anything\n"));
    const std::string backgammon = run_zug({"learn", "backgammon", "--explain"}).out;
    CHECK_FALSE(has(backgammon, "The greatest weights of patterns")); // a network has none
    CHECK(has(run_zug({"learn", "hexapawn", "--explain=rules"}).out, "at = White, +"));
    CHECK(has(run_zug({"learn", "hexapawn", "--explain"}).err, "no learned evaluation of this game is beside"));
    CHECK(has(run_zug({"learn", "hexapawn", "--explain=none"}).err, "there is no evaluation to show"));
    CHECK(has(run_zug({"learn", "hexapawn", "--explain=" + net}).err, "it was learned for other rules: Connect Four"));
    const Result sum = run_zug({"learn", "hexapawn", "--model", "terms", "--games", "5", "-o", net});
    CHECK(sum.code == 1);
    CHECK(has(sum.err, "its eval is no sum of two terms or more"));
}

TEST_CASE("auto evaluates by the file beside the rule file, if that is of its rules") {
    const TemporaryFolder folder;
    const std::string rules = folder.write(
        "nim.zug",
        "game \"Nim\"\nparam n = 21\nplayers A, B\nstate heap: 0..100 = n\nmove take(k: 1..3) when k <= heap "
        "then heap := heap - k\nend me wins when heap = 0\n");
    const std::string quick = "auto:depth=1,prove=off", rival = "," + quick + ",eval=rules";
    const auto match = [&](const std::string& player, const std::string& define) {
        return run_zug(
            {"match", rules, "-D", define, "--players", player + rival, "--games", "100", "--opening", "3", "--json"});
    };
    CHECK(score(match(quick, "n=21")) == 0.5);
    CHECK(run_zug({"learn", rules, "--games", "2000", "-o", (folder.path() / "nim.zugnet").string()}).code == 0);
    CHECK(score(match(quick, "n=21")) > 0.7);
    CHECK(score(match(quick + ",eval=rules", "n=21")) == 0.5);
    CHECK(match(quick, "n=22").err.empty());
    CHECK(score(match(quick, "n=22")) == 0.5);
    CHECK(run_zug({"learn", rules, "-D", "n=22", "--games", "2000", "-o", (folder.path() / "nim.n=22.zugnet").string()})
              .code == 0);
    CHECK(score(match(quick, "n=22")) > 0.6);
    CHECK(score(match(quick, "n=23")) == 0.5);
    std::ofstream(folder.path() / "nim.zugnet") << "broken";
    CHECK(score(match(quick, "n=22")) > 0.6);
    const Result broken = match(quick, "n=21");
    CHECK(score(broken) == 0.5);
    CHECK(has(broken.err, "nim.zugnet: it is not a learned evaluation"));
}

TEST_CASE("recorded games are learned from") {
    const TemporaryFolder folder;
    const std::string games = (folder.path() / "games.json").string(), net = (folder.path() / "net").string(),
                      log = (folder.path() / "log.csv").string();
    const auto learn = [&](std::vector<std::string> more) {
        std::vector<std::string> line = {"learn", "tic-tac-toe", "--from", games, "-o", net, "--threads", "1"};
        line.insert(line.end(), more.begin(), more.end());
        return run_zug(line);
    };
    CHECK(has(learn({}).err, "cannot read"));
    const Result match = run_zug({"match", "tic-tac-toe", "--players", "alphabeta:depth=9,random", "--games", "400",
                                  "--opening", "2", "--values", "--record", games});
    REQUIRE(match.code == 0);
    const Result learned = learn({"--log", log});
    CAPTURE(learned.err);
    CHECK(learned.code == 0);
    CHECK(learned.out.starts_with("3,920 games, ")); // ten times all but every fiftieth
    CHECK(has(read_file(log), "3920,"));
    const std::string body = body_of(net);
    CHECK(learn({"--epochs", "10"}).code == 0);
    CHECK(body_of(net) == body);
    CHECK(learn({"--epochs", "1"}).out.starts_with("392 games, "));
    CHECK(learn({"--games", "500"}).out.starts_with("500 games, "));
    CHECK(learn({"--model", "network", "--units", "8"}).code == 0);
    const Result other = run_zug({"learn", "connect-four", "--from", games, "-o", net});
    CHECK(other.code == 1);
    CHECK(has(other.err, games + ":1: the record is of Tic-Tac-Toe"));
    const Result without = run_zug({"learn", "tic-tac-toe", "--epochs", "2", "-o", net});
    CHECK(without.code == 2);
    CHECK(has(without.err, "--epochs is for games of --from"));
    CHECK(learn({"--depth", "2"}).code == 2);
    CHECK(learn({"--exploration", "0.1"}).code == 2);
    CHECK(learn({"--past", "0.1"}).code == 2);
    const Result further = learn({"--initial", net}); // the network of 8 units
    CHECK(has(further.out, "8 hidden units"));
    CHECK(learn({"--initial", net, "--apart"}).code == 2); // it is as it was learned
    const Result unrecorded = run_zug({"match", "tic-tac-toe", "--players", "random,random", "--values"});
    CHECK(unrecorded.code == 2);
    CHECK(has(unrecorded.err, "--values is for --record"));
    std::ofstream(games, std::ios::app) << "{\"game\":\n";
    const Result cut = learn({});
    CHECK(cut.code == 1);
    CHECK(has(cut.err, games + ":401: "));
}

TEST_CASE("a learner plays against one that stays the same, and draws how it goes") {
    const TemporaryFolder folder;
    const std::string net = (folder.path() / "net").string(), plot = (folder.path() / "curve.svg").string(),
                      log = (folder.path() / "log.csv").string();
    const auto learn = [&](const std::string& game, std::vector<std::string> more, const char* games = "3000") {
        std::vector<std::string> line = {"learn",     game, "--games", games, "--seed", "3",
                                         "--threads", "1",  "-o",      net,   "--log",  log};
        line.insert(line.end(), more.begin(), more.end());
        return run_zug(line);
    };
    const Result plain = learn("tic-tac-toe", {});
    REQUIRE(plain.code == 0);
    const std::string body = body_of(net);
    const Result drawn = learn("tic-tac-toe", {"--plot", plot});
    CAPTURE(drawn.err);
    REQUIRE(drawn.code == 0);
    CHECK(body_of(net) == body); // what it plays does not change what it learns
    const std::string svg = read_file(plot);
    CHECK(svg.starts_with("<svg xmlns="));
    CHECK(has(svg, "score against auto:depth=1,eval=rules"));
    CHECK(has(svg, "<path d=\"M"));
    CHECK(svg.ends_with("</svg>\n"));
    // Against one who looks a ply ahead and no further; auto sees wins beyond that, and both draw more.
    CHECK(learn("tic-tac-toe", {"--plot", plot, "--against", "alphabeta:depth=1,eval=rules"}).code == 0);
    const std::string csv = read_file(log);
    const double last = std::stod(csv.substr(csv.rfind(',') + 1));
    CHECK(last > 0.6);
    CHECK(last <= 1);
    CHECK(learn("pig", {"--against", "expectimax:depth=1"}, "300").code == 0);
    CHECK(learn("three-tic-tac-toe", {"--against", "random"}, "300").code == 0);
    CHECK(run_zug({"learn", "2048", "--games", "3", "--threads", "6", "-o", net, "--plot", plot}).code == 0);
    CHECK(has(read_file(plot), "mean utility"));
    for (const char* wrong : {"human", "nobody", "alphabeta:depth=x", "minimax"}) {
        const Result refused = learn("pig", {"--against", wrong});
        CHECK(refused.code == 2);
        CHECK(!refused.err.empty());
    }
    CHECK(learn("tic-tac-toe", {"--plot", (folder.path() / "no" / "plot.svg").string()}).code == 1);
}

// Whole games over each protocol, and nonsense.

#include "partner.hpp"
#include "schema.hpp"

#include "base/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace zug;
using nlohmann::json;
using test::Partner;

namespace {

// The rest of the last line that begins so; empty: there is none.
std::string after(const std::vector<std::string>& lines, const std::string& beginning) {
    std::string rest;
    for (const std::string& line : lines)
        if (line.starts_with(beginning)) rest = line.substr(beginning.size());
    return rest;
}

json answered(Partner& partner, const json& request) {
    static const json schema = json::parse(protocols::engine_schema());
    const std::string misfit = test::misfit(schema, schema["$defs"]["request"], request);
    CHECK_MESSAGE(misfit.empty(), misfit);
    json last;
    for (const std::string& line : partner.say(request.dump())) {
        last = json::parse(line);
        const std::string why = test::misfit(schema, schema["$defs"]["answer"], last);
        CHECK_MESSAGE(why.empty(), line, " ", why);
        CHECK(last["id"] == request["id"]);
    }
    return last;
}

std::string printable_or_not(Random& random) {
    std::string text;
    for (std::uint32_t n = random.below(12); n > 0; --n) text += static_cast<char>(random.below(256));
    std::erase(text, '\n');
    return text;
}

// Words of a protocol in any order, some of them changed.
std::string nonsense(Random& random, const std::vector<std::string>& words) {
    std::string line;
    for (std::uint32_t n = random.below(7); n > 0; --n) {
        std::string word = words[random.below(static_cast<std::uint32_t>(words.size()))];
        if (!word.empty() && random.below(6) == 0)
            word[random.below(static_cast<std::uint32_t>(word.size()))] = static_cast<char>(random.below(256));
        line += random.below(20) == 0 ? printable_or_not(random) : word;
        if (random.below(20) != 0) line += ' ';
    }
    std::erase(line, '\n');
    return line;
}

} // namespace

TEST_CASE("a game over UCI") {
    for (const std::string game : {"tic-tac-toe", "hexapawn", "gardner"}) {
        CAPTURE(game);
        Partner partner("uci", game, "alphabeta:depth=1");
        auto rules = test::open(game).game;
        game::State state = rules.initial();
        std::string moves;
        int plies = 0;
        for (;; ++plies) {
            partner.say(moves.empty() ? "position startpos" : "position startpos moves" + moves);
            std::string move = after(partner.say("go nodes 30"), "bestmove ");
            move = move.substr(0, move.find(" ponder"));
            if (move == "(none)") break;
            auto next = rules.play_line(state, move);
            REQUIRE_MESSAGE(next.has_value(), move);
            state = *next;
            moves += " " + move;
        }
        CHECK(plies > 3);
        CHECK(rules.kind(state) == game::NodeKind::Terminal);
    }
}

TEST_CASE("a game over GTP, of two programs that tell each other their moves") {
    for (const std::string game :
         {"go size=3 limit=40", "hex size=3 swap=true", "othello n=4", "gomoku size=5 length=4"}) {
        CAPTURE(game);
        Partner first("gtp", game, "alphabeta:depth=2"), second("gtp", game, "random");
        int plies = 0;
        for (;; ++plies) {
            Partner& mover = plies % 2 == 0 ? first : second;
            const std::string colour = plies % 2 == 0 ? "black" : "white";
            const std::vector<std::string> answer = mover.say("genmove " + colour);
            REQUIRE(answer.size() == 1);
            if (answer.front() == "? the game is over") break;
            REQUIRE_MESSAGE(answer.front().starts_with("= "), answer.front());
            CHECK((&mover == &first ? second : first).say("play " + colour + answer.front().substr(1)) ==
                  std::vector<std::string>{"="});
        }
        CHECK(plies > 4);
        const auto score = first.say("final_score");
        CHECK(score.front().starts_with("= "));
        CHECK(second.say("final_score") == score);
    }
}

TEST_CASE("a game over the protocol of our own, chance and several players among them") {
    for (const std::string name : {"tic-tac-toe", "pig", "english-draughts", "truel", "peg-solitaire"}) {
        CAPTURE(name);
        Partner partner("engine", "", "alphabeta");
        int id = 0;
        json state = answered(partner, {{"id", ++id}, {"command", "load"}, {"file", name}})["result"]["state"];
        Random random(7);
        while (state["kind"] != "over" && id < 4000) {
            json move;
            if (state["kind"] == "chance")
                move = state["outcomes"][random.below(static_cast<std::uint32_t>(state["outcomes"].size()))]["move"];
            else
                move = answered(
                    partner, {{"id", ++id}, {"command", "search"}, {"player", "auto"}, {"nodes", 5}})["result"]["move"];
            REQUIRE(move.is_string());
            const json reply = answered(partner, {{"id", ++id}, {"command", "play"}, {"moves", json::array({move})}});
            REQUIRE_MESSAGE(reply.contains("result"), reply.dump());
            state = reply["result"];
        }
        CHECK(state["kind"] == "over");
        CHECK(state["returns"].is_array());
    }
}

TEST_CASE("nonsense is answered, and never ends the program") {
    const std::vector<std::string> uci_words{
        "uci",         "isready",  "setoption", "name",      "value",
        "Hash",        "Threads",  "MultiPV",   "Player",    "random",
        "alphabeta",   "position", "startpos",  "fen",       "8/8/8/8/8/8/8/K1k5 w",
        "moves",       "e2e4",     "e7e5",      "go",        "depth",
        "nodes",       "1",        "2",         "20",        "-3",
        "searchmoves", "mate",     "stop",      "ponderhit", "ucinewgame",
        "\xff",        "wtime",    "movestogo"};
    const std::vector<std::string> gtp_words{"play",
                                             "genmove",
                                             "b",
                                             "white",
                                             "A1",
                                             "t19",
                                             "C3",
                                             "pass",
                                             "undo",
                                             "boardsize",
                                             "3",
                                             "4",
                                             "komi",
                                             "-2.5",
                                             "nan",
                                             "1e99",
                                             "final_score",
                                             "showboard",
                                             "time_settings",
                                             "time_left",
                                             "7",
                                             "clear_board",
                                             "#",
                                             "\t",
                                             "\x7f",
                                             "known_command",
                                             "list_commands",
                                             "99999999999999999999"};
    Random random(11);
    Partner uci("uci", "gardner", "alphabeta:depth=1"), gtp("gtp", "go size=3", "random");
    for (int i = 0; i < 300; ++i) {
        // Each search has a limit, since a line without one goes to the player's depth.
        const std::string line = nonsense(random, uci_words);
        CAPTURE(line);
        uci.say(line);
        uci.say("stop");
        const auto ready = uci.say("isready");
        CHECK(std::ranges::count(ready, "readyok") == 1);
        const std::string command = nonsense(random, gtp_words);
        CAPTURE(command);
        for (const std::string& answer : gtp.say(command)) CHECK_FALSE(answer.empty());
        CHECK(gtp.say("7 protocol_version") == std::vector<std::string>{"=7 2"});
    }
}

TEST_CASE("nonsense in JSON gets an answer that fits the schema, line by line") {
    const std::vector<std::string> parts{"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         R"("id")",
                                         R"("command")",
                                         "1",
                                         "-1",
                                         "1e999",
                                         "true",
                                         "null",
                                         R"("state")",
                                         R"("play")",
                                         R"("moves")",
                                         R"("b2")",
                                         R"("search")",
                                         R"("x)",
                                         R"("depth")",
                                         "\xc3\x28",
                                         R"("\ud800")",
                                         R"({"id":1,"command":"play","moves":)",
                                         R"({"id":2,"command":"search","depth":)",
                                         R"({"id":"3","command":"load","text":)",
                                         R"("undo")"};
    const json schema = json::parse(protocols::engine_schema());
    Partner engine("engine", "tic-tac-toe", "alphabeta:depth=2");
    Random random(5);
    std::vector<std::string> lines{std::string(1'000'000, '['),
                                   std::string(1'000'000, '{'),
                                   R"({"id":1,"command":"play","moves":)" + std::string(500'000, '[') +
                                       std::string(500'000, ']') + "}",
                                   R"({"id":1,"command":"load","text":")" + std::string(1'000'000, 'x') + R"("})",
                                   std::string("{\"id\":1,\0}", 9),
                                   "\xff\xfe{}"};
    for (int i = 0; i < 1000; ++i) {
        std::string line;
        for (std::uint32_t n = random.below(12) + 1; n > 0; --n)
            line += parts[random.below(static_cast<std::uint32_t>(parts.size()))];
        lines.push_back(line);
    }
    for (const std::string& line : lines) {
        CAPTURE(line.substr(0, 200));
        const auto answers = engine.say(line);
        CHECK_FALSE(answers.empty());
        for (const std::string& answer : answers) {
            const std::string why = test::misfit(schema, schema["$defs"]["answer"], json::parse(answer));
            CHECK_MESSAGE(why.empty(), answer, " ", why);
        }
    }
    CHECK(json::parse(engine.say(R"({"id":9,"command":"state"})").front()).contains("result"));
}

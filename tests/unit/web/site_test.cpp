// The site without a network: requests as texts, most of them hostile.

#include "web/site.hpp"

#include "base/file.hpp"
#include "lang/load.hpp"
#include "web/assets.hpp"
#include "web/thinkers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

using namespace zug;
using web::HttpRequest;
using web::HttpResponse;
using Json = nlohmann::json;

namespace {

constexpr int port = 8080;

web::SiteOptions options() {
    const std::string folder = ZUG_SOURCE_DIR "/rules";
    web::SiteOptions options{.source = {.find = {},
                                        .library = {},
                                        .folders = {folder},
                                        .executor = game::ExecutorKind::Interpreter,
                                        .version = ""},
                             .game = "",
                             .parameters = {},
                             .search = {},
                             .rooms = {.each = 2, .all = 3}};
    for (const char* name : {"tic-tac-toe", "chess", "pig", "surakarta"})
        options.source.library.push_back(folder + "/" + name + ".zug");
    return options;
}

HttpRequest post(const std::string& body, const std::string& visitor = std::string(32, 'a')) {
    return {.method = "POST",
            .path = "/api",
            .host = "127.0.0.1:8080",
            .origin = "http://127.0.0.1:8080",
            .fetch_site = "same-origin",
            .cookie = "zug-visitor=" + visitor,
            .type = "application/json",
            .body = body};
}

// The answer to a command.
Json ask(web::Site& site, Json members, const std::string& visitor = std::string(32, 'a')) {
    members["id"] = 1;
    const HttpResponse response = site.answer(post(members.dump(), visitor), port);
    return Json::parse(response.body);
}

std::string open(web::Site& site, const std::string& game, const std::string& visitor = std::string(32, 'a')) {
    return ask(site, {{"command", "open"}, {"file", game}}, visitor)["result"]["room"];
}

// What the search of a room has come to when it ends.
Json finished(web::Site& site, const std::string& room) {
    for (;;) {
        Json state = ask(site, {{"command", "progress"}, {"room", room}})["result"];
        if (!state["busy"].get<bool>()) return state;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

} // namespace

TEST_CASE("a game is played") {
    web::Site site(options());
    const std::string room = open(site, "tic-tac-toe");
    Json shown = ask(site, {{"command", "show"}, {"room", room}, {"moves", {"b2", "a1"}}})["result"];
    CHECK(shown["player"] == "X");
    CHECK(shown["moves"].size() == 7);
    CHECK(shown["sites"][0] == Json{"cell:b1"});
    CHECK(shown["boards"].get<std::string>().find("data-site=\"cell:b1\"") != std::string::npos);
    shown = ask(site, {{"command", "show"}, {"room", room}, {"moves", {"a1", "a2", "b1", "b2", "c1"}}})["result"];
    CHECK(shown["kind"] == "over");
    CHECK(shown["reason"] == "me wins when line(3, at.me)");
    CHECK(ask(site, {{"command", "search"},
                     {"room", room},
                     {"moves", {"a1", "a2", "b1", "b2"}},
                     {"player", "minimax:depth=5"}})["result"]["search"] == 1);
    CHECK(finished(site, room)["answer"]["move"] == "c1");
}

TEST_CASE("a move that is typed is read as the game writes it, or as chess players do") {
    web::Site site(options());
    const auto read = [&](const std::string& game, const std::vector<std::string>& moves, const std::string& text) {
        return ask(site, {{"command", "move"}, {"room", open(site, game)}, {"moves", moves}, {"text", text}});
    };
    CHECK(read("chess", {"e2e4", "e7e5"}, "Nf3")["result"]["move"] == "g1f3");
    CHECK(read("chess", {}, "E2E4")["result"]["move"] == "e2e4");
    CHECK(read("tic-tac-toe", {"b2"}, "A1")["result"]["move"] == "a1");
    CHECK(read("tic-tac-toe", {"b2"}, "b2")["error"]["message"].get<std::string>().starts_with(
        "`b2` is not a legal move; "));
    CHECK(read("chess", {"g1f3", "a7a6", "d2d3", "a6a5"}, "Nd2")["error"]["message"] ==
          "`Nd2` may be `b1d2` or `f3d2`");
}

TEST_CASE("boards look as the file says, as `zug draw` has them") {
    web::Site site(options());
    const std::string room = open(site, "surakarta");
    const auto boards = ask(site, {{"command", "show"}, {"room", room}, {"moves", {"a2a3"}}})["result"]["boards"];
    const std::string last = ask(site, {{"command", "picture"}, {"room", room}, {"moves", {"a2a3"}}})["result"]["svg"];
    // A loop round a corner is a line of 32 parts.
    const auto loops = [](const std::string& svg) {
        int found = 0;
        for (std::size_t at = svg.find("<path d="), end = 0; at != svg.npos; at = svg.find("<path d=", end)) {
            end = svg.find("/>", at);
            found += std::count(svg.begin() + static_cast<std::ptrdiff_t>(at),
                                svg.begin() + static_cast<std::ptrdiff_t>(end), 'L') == 32;
        }
        return found;
    };
    CHECK(loops(boards.get<std::string>()) == 8);
    CHECK(loops(last) == 8);
}

TEST_CASE("a game without a board has an empty picture") {
    web::Site site(options());
    const std::string room = open(site, "pig");
    const Json shown = ask(site, {{"command", "show"}, {"room", room}, {"moves", Json::array()}})["result"];
    CHECK(shown["boards"].get<std::string>().find(" height=\"0\"") != std::string::npos);
}

TEST_CASE("rules that a visitor writes") {
    web::Site site(options());
    const Json wrong =
        ask(site, {{"command", "check"}, {"text", "game \"A\"\nplayers X, Y\nmove go(c: cel) then skip\n"}});
    CHECK(!wrong["result"]["diagnostics"].empty());
    CHECK(wrong["result"]["diagnostics"][0]["severity"] == "error");
    CHECK(ask(site, {{"command", "open"}, {"text", "nonsense"}})["result"].contains("diagnostics"));
    web::SiteOptions with = options();
    with.source.library.push_back(ZUG_SOURCE_DIR "/rules/hex.zug");
    web::Site other(with);
    const auto with_size = [&](const std::string& size) {
        const Json parameters{{"size", size}};
        return ask(other, {{"command", "open"}, {"file", "hex"}, {"parameters", parameters}})["result"]["message"];
    };
    CHECK(with_size("abc") == "size: found `abc`, expected a whole number");
    CHECK(with_size("99") == "hex.zug, line 10: found a board of 9801 sites; at most 4096 are possible");
    const auto text = read_file(ZUG_SOURCE_DIR "/rules/tic-tac-toe.zug", 1 << 20);
    REQUIRE(text);
    CHECK(ask(site, {{"command", "open"}, {"text", *text}})["result"]["game"]["title"] == "Tic-Tac-Toe");
}

TEST_CASE("rules that a visitor writes may extend what stands beside the site's own file") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("zug-site-test-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "own.zug") << "game \"Own\"\nplayers A, B\nstate n: 0..9\nmove add then n += 1\n"
                                         "end me wins when n = 9\n";
    web::SiteOptions with = options();
    with.source.library.push_back((folder / "own.zug").string());
    const Json change = {{"command", "open"}, {"text", "extends \"own.zug\"\ngame \"Changed\"\n"}};
    web::Site other(with);
    CHECK(ask(other, change)["result"].contains("diagnostics"));
    with.game = "own";
    web::Site site(with);
    CHECK(ask(site, change)["result"]["game"]["title"] == "Changed");
    std::filesystem::remove_all(folder);
}

TEST_CASE("the oldest games end when there are too many") {
    web::Site site(options());
    const std::string first = open(site, "pig"), second = open(site, "pig"), third = open(site, "pig");
    CHECK(ask(site, {{"command", "show"}, {"room", first}})["result"].contains("gone"));
    CHECK(!ask(site, {{"command", "show"}, {"room", second}})["result"].contains("gone"));
    const std::string other(32, 'b');
    CHECK(ask(site, {{"command", "show"}, {"room", second}}, other)["result"].contains("gone"));
    (void)open(site, "pig", other);
    (void)open(site, "pig", other);
    CHECK(ask(site, {{"command", "show"}, {"room", third}})["result"].contains("gone"));
}

TEST_CASE("who may not ask") {
    web::Site site(options());
    const auto status = [&](void (*change)(HttpRequest&)) {
        HttpRequest request = post(R"({"id":1,"command":"games"})");
        change(request);
        return site.answer(request, port).status;
    };
    CHECK(status([](HttpRequest&) {}) == 200);
    CHECK(status([](HttpRequest& r) { r.host = "evil.example:8080"; }) == 403);
    CHECK(status([](HttpRequest& r) { r.host = "127.0.0.1:9"; }) == 403);
    CHECK(status([](HttpRequest& r) { r.host = ""; }) == 403);
    CHECK(status([](HttpRequest& r) { r.origin = "http://evil.example"; }) == 403);
    CHECK(status([](HttpRequest& r) { r.origin = "null"; }) == 403);
    CHECK(status([](HttpRequest& r) { r.fetch_site = "cross-site"; }) == 403);
    CHECK(status([](HttpRequest& r) { r.type = "text/plain"; }) == 415);
    CHECK(status([](HttpRequest& r) { r.encoded = true; }) == 415);
    CHECK(status([](HttpRequest& r) { r.method = "DELETE"; }) == 405);
    CHECK(status([](HttpRequest& r) { r.path = "/../../etc/passwd"; }) == 404);
    CHECK(status([](HttpRequest& r) { r.body.assign(web::most_body + 1, ' '); }) == 413);
}

TEST_CASE("requests that mean nothing get an error") {
    web::Site site(options());
    const std::string room = open(site, "tic-tac-toe");
    const std::string own = "\"id\":1,\"room\":\"" + room + "\",";
    const std::vector<std::string> wrong{"",
                                         "{",
                                         "[]",
                                         "null",
                                         "\xff\xfe",
                                         std::string(300'000, '['),
                                         R"({"id":1})",
                                         R"({"id":{},"command":"games"})",
                                         R"({"id":1,"command":"quit"})",
                                         R"({"id":1,"command":"open"})",
                                         R"({"id":1,"command":"open","file":"../../../etc/passwd"})",
                                         R"({"id":1,"command":"open","file":"pig","parameters":[1]})",
                                         R"({"id":1,"command":"open","file":"pig","text":"game"})",
                                         R"({"id":1,"command":"show"})",
                                         R"({"id":1,"command":"show","room":7})",
                                         "{" + own + R"("command":"show","moves":["z9"]})",
                                         "{" + own + R"("command":"show","moves":{"a":1}})",
                                         "{" + own + R"("command":"show","width":-1})",
                                         "{" + own + R"("command":"values"})",
                                         "{" + own + R"("command":"move"})",
                                         "{" + own + R"("command":"move","text":""})",
                                         "{" + own + R"("command":"search"})",
                                         "{" + own + R"("command":"search","player":"nobody"})",
                                         "{" + own + R"("command":"search","player":"human"})",
                                         "{" + own + R"("command":"search","player":"solved"})",
                                         "{" + own + R"("command":"search","player":"solved:/tmp"})",
                                         "{" + own + R"("command":"search","player":"uci:touch /tmp/x"})",
                                         "{" + own + R"("command":"search","player":"auto:rote=/tmp/x"})",
                                         "{" + own + R"("command":"search","player":"auto:book=/etc/passwd"})",
                                         "{" + own + R"("command":"search","player":"alphabeta:hash=999G"})"};
    for (const std::string& body : wrong) {
        const HttpResponse response = site.answer(post(body), port);
        CHECK_MESSAGE(Json::parse(response.body).contains("error"), body.substr(0, 80));
    }
    CHECK(ask(site, {{"command", "show"}, {"room", "999999"}})["result"].contains("gone"));
    CHECK(ask(site, {{"command", "show"}, {"room", room}})["result"]["moves"].size() == 9);
}

TEST_CASE("the page has all of its files") {
    web::Site site(options());
    for (const web::Asset& asset : web::assets()) {
        HttpRequest request = post("");
        request.method = "GET";
        request.path = asset.path;
        CHECK(site.answer(request, port).body.size() > 40);
    }
}

TEST_CASE("a game is written for other programs") {
    web::Site site(options());
    const Json opened = ask(site, {{"command", "open"}, {"file", "chess"}})["result"];
    CHECK(opened["forms"] == Json::array({"pgn"}));
    const auto record = [&](Json members) {
        members.update({{"command", "record"}, {"room", opened["room"]}});
        return ask(site, members);
    };
    const Json moves = {"f2f3", "e7e5", "g2g4", "d8h4"}, players = {"human", "auto"};
    const Json answer = record({{"form", "pgn"}, {"moves", moves}, {"players", players}});
    REQUIRE(answer.contains("result"));
    CHECK(answer["result"]["text"].get<std::string>().ends_with("\n1. f3 e5 2. g4 Qh4# 0-1\n\n"));
    CHECK(record({{"form", "sgf"}, {"moves", moves}, {"players", players}}).contains("error"));
    CHECK(record({{"form", "pdf"}, {"moves", moves}, {"players", players}}).contains("error"));
    CHECK(record({{"form", "pgn"}, {"moves", "f2f3"}, {"players", players}}).contains("error"));
    CHECK(record({{"form", "pgn"}, {"moves", moves}, {"players", {"human"}}}).contains("error"));
    CHECK(ask(site, {{"command", "open"}, {"file", "pig"}})["result"]["forms"].empty());
}

TEST_CASE("players keep their tables for a bounded number of games, the last ones") {
    web::Thinkers thinkers(2);
    const int games[3] = {};
    const game::Game game = [] {
        const auto loaded = lang::load_file(ZUG_SOURCE_DIR "/rules/tic-tac-toe.zug");
        return game::Game(loaded.program);
    }();
    const auto made = [&] {
        return std::make_shared<protocols::Thinker>(game, *match::parse_player("alphabeta:depth=2"));
    };
    const auto first = made();
    thinkers.put(&games[0], "a", first);
    thinkers.put(&games[1], "a", made());
    CHECK(thinkers.find(&games[0], "a") == first);
    CHECK(thinkers.find(&games[0], "b") == nullptr);
    thinkers.put(&games[2], "a", made());
    CHECK(thinkers.size() == 2);
    CHECK(thinkers.find(&games[1], "a") == nullptr);
    CHECK(thinkers.find(&games[0], "a") == first);
    thinkers.drop(&games[0]);
    CHECK(thinkers.size() == 1);
    CHECK(first.use_count() == 1);
}

TEST_CASE("a search whose visitor has left makes room for another") {
    web::SiteOptions with = options();
    with.search.at_once = 1;
    with.search.patience = 2;
    web::Site site(std::move(with));
    const std::string other(32, 'b'), left = open(site, "chess"), mine = open(site, "tic-tac-toe", other);
    CHECK(ask(site, {{"command", "search"}, {"room", left}, {"player", "auto"}, {"time", 60}})["result"]["search"] ==
          1);
    const auto begin = std::chrono::steady_clock::now();
    Json begun = {{"wait", true}};
    for (bool waited = false; begun.contains("wait"); waited = true) {
        if (waited) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        begun = ask(site, {{"command", "search"}, {"room", mine}, {"player", "minimax"}}, other)["result"];
        CHECK((waited || begun.contains("wait")));
    }
    CHECK(begun["search"] == 1);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(45));
}

TEST_CASE("a game that is gone holds no player") {
    web::SiteOptions given = options();
    given.search.thinkers = 1;
    web::Site site(std::move(given));
    for (int round = 0; round < 3; ++round) {
        const std::string room = open(site, "tic-tac-toe");
        const auto search = [&](const char* player) {
            return ask(site, {{"command", "search"}, {"room", room}, {"moves", ""}, {"player", player}});
        };
        CHECK(search("alphabeta:depth=2").contains("result"));
        CHECK(search("uct:nodes=100").contains("result"));
        CHECK(search("alphabeta:depth=2").contains("result"));
    }
}

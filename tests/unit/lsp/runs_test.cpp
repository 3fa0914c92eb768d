// Work that takes long beside the answers: how it ends early.

#include "client.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using zug::lsp::Json;
using zug::test::Client;

namespace {

const std::string game_uri = "file:///long.zug";

// The rules of a game with tests that take minutes together.
std::string long_tests() {
    std::ostringstream text;
    text << std::ifstream(zug::test::library_folder + "/english-draughts.zug").rdbuf();
    for (int i = 0; i < 200; ++i) text << "test \"long " << i << "\": perft 8 = 7\n";
    return text.str();
}

Json run_tests(int id) {
    return {{"id", id},
            {"method", "workspace/executeCommand"},
            {"params", {{"command", "zug.runTests"}, {"arguments", {game_uri}}}}};
}

// The code of the one error that answers a request.
int code_of(const std::vector<Json>& heard, int id) {
    int code = 0, answers = 0;
    for (const Json& message : heard) {
        if (!message.contains("id") || message["id"] != id) continue;
        ++answers;
        REQUIRE(message.contains("error"));
        code = message["error"]["code"];
    }
    CHECK(answers == 1);
    return code;
}

} // namespace

TEST_CASE("work under way ends when it is cancelled, when its text changes, and when the server is shut down") {
    Client client;
    client.initialize();
    client.open(game_uri, long_tests());

    client.begin(run_tests(50));
    CHECK(code_of(client.say({{"method", "$/cancelRequest"}, {"params", {{"id", 50}}}}), 50) == -32800);

    client.begin(run_tests(51));
    const Json version = {{"uri", game_uri}, {"version", 2}};
    CHECK(
        code_of(client.notify("textDocument/didChange", {{"textDocument", version}, {"contentChanges", Json::array()}}),
                51) == -32801);

    // Another text does not end it; more work does.
    client.begin(run_tests(52));
    client.begin(
        {{"method", "textDocument/didOpen"},
         {"params", {{"textDocument", {{"uri", "file:///b.zug"}, {"version", 1}, {"text", "game \"B\"\n"}}}}}});
    CHECK(client.heard().empty());
    client.begin(run_tests(53));
    client.begin({{"id", 54}, {"method", "shutdown"}});
    const auto heard = client.end_of_batch();
    CHECK(code_of(heard, 52) == -32801);
    CHECK(code_of(heard, 53) == -32801);
    CHECK(heard.back() == Json{{"jsonrpc", "2.0"}, {"id", 54}, {"result", nullptr}});
}

TEST_CASE("a server that goes away ends its work") {
    Client client;
    client.initialize();
    client.open(game_uri, long_tests());
    client.begin(run_tests(60));
}

// The vocabulary that all games have, opened as a file of its own.

#include "client.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using zug::lsp::Json;
using zug::test::Client;

TEST_CASE("the prelude, which is no game by itself, is checked for its syntax") {
    std::ostringstream text;
    text << std::ifstream(ZUG_SOURCE_DIR "/rules/prelude.zug").rdbuf();
    REQUIRE(text.str().size() > 1000);
    const std::string uri = "file:///rules/prelude.zug";
    Client client;
    client.initialize();
    CHECK(Client::diagnostics_in(client.open(uri, text.str()), uri) == Json::array());
    Client other;
    other.initialize();
    const Json wrong = Client::diagnostics_in(other.open(uri, text.str() + "def x = = 1\n"), uri);
    REQUIRE(wrong.size() == 1);
    CHECK(wrong[0]["code"] == "unexpected");
}

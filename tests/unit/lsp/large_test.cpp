// Texts that are large, or have long lines: what is said about them does not grow with the square of their length.

#include "client.hpp"

#include <doctest/doctest.h>

using zug::lsp::Json;
using zug::test::Client;

namespace {

const std::string large_uri = "file:///large.zug";

// A type of many values, all on one line.
std::string one_line(int values) {
    std::string text =
        "game \"Large\"\nplayers A\nstate s: kind = K0\nmove m when true then s := K1\nend draw when s = K1\n"
        "type kind = K0";
    for (int i = 1; i < values; ++i) text += " | K" + std::to_string(i);
    return text + "\n";
}

} // namespace

TEST_CASE("a line of thousands of names is shown in part") {
    constexpr int values = 5000;
    const std::string text = one_line(values);
    REQUIRE(text.size() > 30'000);
    Client client;
    client.initialize();
    client.open(large_uri, text);
    const Json params = {{"textDocument", zug::test::document(large_uri)}, {"position", zug::test::position(3, 19)}};
    const Json completion = client.result("textDocument/completion", params);
    CHECK(completion["isIncomplete"] == true);
    CHECK(completion["items"].size() == 1000);
    CHECK(completion.dump().size() < 1'000'000);
    const Json hover = client.result("textDocument/hover", {{"textDocument", zug::test::document(large_uri)},
                                                            {"position", zug::test::position(5, 12)}});
    CHECK(hover["contents"]["value"].get<std::string>().size() < 1000);
    for (const Json& symbol : client.result("textDocument/documentSymbol", params))
        if (symbol["name"] == "kind") CHECK(symbol["children"].size() == values);
}

TEST_CASE("a text that is too long is looked at as far as it is not") {
    Client client;
    client.initialize();
    const auto heard = client.open(large_uri, std::string(17U << 20U, '#'));
    REQUIRE(!heard.empty());
    CHECK(heard.front()["method"] == "window/logMessage");
    CHECK(!Client::diagnostics_in(heard, large_uri).empty());
}

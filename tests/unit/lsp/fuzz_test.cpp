// Random messages: whatever arrives, each request gets one answer and the server goes on.

#include "base/random.hpp"
#include "client.hpp"
#include "lsp/serve.hpp"
#include "lsp/wire/frame.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

using zug::Random;
using zug::lsp::framed;
using zug::lsp::Json;
using zug::test::Client;

namespace {

const std::string toe_uri = "file:///toe.zug";

const std::string toe_text = "game \"Toe\"\nplayers X, O\nboard cell = grid(3, 3)\nstate at: cell -> player?\n"
                             "move mark(c: cell)\n  when c in empty\n  then at[c] := me\nend\n  draw when no empty\n"
                             "test \"one\": perft 1 = 9\n";

constexpr std::array methods = {"initialize",
                                "textDocument/didOpen",
                                "textDocument/didChange",
                                "textDocument/didClose",
                                "textDocument/didSave",
                                "textDocument/hover",
                                "textDocument/completion",
                                "textDocument/definition",
                                "textDocument/references",
                                "textDocument/documentHighlight",
                                "textDocument/prepareRename",
                                "textDocument/rename",
                                "textDocument/documentSymbol",
                                "textDocument/foldingRange",
                                "textDocument/formatting",
                                "textDocument/codeAction",
                                "textDocument/codeLens",
                                "textDocument/semanticTokens/full",
                                "workspace/executeCommand",
                                "$/cancelRequest",
                                "no/such/method"};

Json random_position(Random& random) { return zug::test::position(random.below(12), random.below(30)); }

// A message as it should be.
Json fine_message(Random& random, int id) {
    const Json range = {{"start", random_position(random)}, {"end", random_position(random)}};
    Json params = {{"textDocument", {{"uri", toe_uri}, {"version", id}, {"languageId", "zug"}, {"text", toe_text}}},
                   {"position", random_position(random)},
                   {"range", range},
                   {"newName", random.below(2) == 0 ? "other" : "at"},
                   {"context", {{"includeDeclaration", true}, {"diagnostics", Json::array()}}},
                   {"options", Json::object()},
                   {"command", random.below(2) == 0 ? "zug.runTests" : "zug.perft"},
                   {"arguments", {toe_uri}},
                   {"id", id - 1}};
    if (random.below(3) != 0) params["contentChanges"] = {{{"range", range}, {"text", "x"}}};
    Json made = {{"jsonrpc", "2.0"}, {"method", methods.at(random.below(methods.size()))}, {"params", params}};
    if (random.below(4) != 0) made["id"] = id;
    return made;
}

Json random_value(Random& random) {
    switch (random.below(10)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return -1;
    case 3: return 1e300;
    case 4: return UINT64_MAX;
    case 5: return "";
    case 6: return "\xf0\x9d\x94\x98\n\r\t\"\\%41";
    case 7: return Json::array();
    case 8: return Json::array({1, "a", nullptr});
    default: return Json::object();
    }
}

// Changes, removes or adds something somewhere.
void damage(Json& json, Random& random) {
    if (json.empty() || !json.is_structured() || random.below(6) == 0) {
        json = random_value(random);
        return;
    }
    auto at = json.begin();
    std::advance(at, random.below(static_cast<std::uint32_t>(json.size())));
    if (random.below(8) == 0)
        json.erase(at);
    else
        damage(*at, random);
}

bool is_answered(const Json& message) {
    return message.is_object() && message.contains("id") &&
           (message["id"].is_string() || message["id"].is_number_integer()) && message.contains("method") &&
           message["method"] != "exit";
}

std::size_t repeated(std::size_t count) {
    const char* const times = std::getenv("ZUG_FUZZ_TIMES");
    return times == nullptr ? count : count * std::strtoul(times, nullptr, 10);
}

} // namespace

TEST_CASE("each request gets one answer, however its message has been damaged") {
    Random random(11);
    for (std::size_t run = 0; run < repeated(15); ++run) {
        Client client;
        client.initialize();
        client.open(toe_uri, toe_text);
        for (int id = 1; id <= 60; ++id) {
            Json sent = fine_message(random, id);
            for (std::uint32_t more = random.below(3); more > 0; --more) damage(sent, random);
            CAPTURE(sent.dump());
            const auto heard = client.say(sent, random.below(20) == 0);
            if (!is_answered(sent)) continue;
            const auto is_answer = [&](const Json& one) {
                return one.contains("id") && one["id"] == sent["id"] && one.contains("result") != one.contains("error");
            };
            REQUIRE(std::ranges::count_if(heard, is_answer) == 1);
        }
        const auto last = client.request("shutdown", {});
        REQUIRE(last.size() == 1);
    }
}

TEST_CASE("bytes that have been damaged on their way are answered by messages") {
    Random random(12);
    for (std::size_t run = 0; run < repeated(60); ++run) {
        std::string bytes = framed(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})");
        for (int id = 1; id <= 12; ++id) bytes += framed(fine_message(random, id).dump());
        for (std::uint32_t more = 1 + random.below(6); more > 0; --more) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(bytes.size()));
            const std::size_t length = std::min<std::size_t>(random.below(20), bytes.size() - at);
            switch (random.below(4)) {
            case 0: bytes[at] = static_cast<char>(random.below(256)); break;
            case 1: bytes.erase(at, length); break;
            case 2: bytes.insert(at, bytes.substr(at, length)); break;
            default: bytes.insert(at, 1, static_cast<char>(random.below(256)));
            }
        }
        std::istringstream in(bytes);
        std::string out;
        const auto code =
            zug::lsp::serve(in, {zug::test::library_folder}, "1.2.3", [&](const std::string& text) { out += text; });
        REQUIRE(code.has_value());
        std::istringstream answers(out);
        for (auto next = zug::lsp::read_message(answers);; next = zug::lsp::read_message(answers)) {
            REQUIRE(next.has_value());
            if (!*next) break;
            REQUIRE(Json::parse(**next).value("jsonrpc", "") == "2.0");
        }
    }
}

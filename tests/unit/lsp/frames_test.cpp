// Bytes on the wire: messages in their frames, and whatever is none.

#include "client.hpp"
#include "lsp/serve.hpp"
#include "lsp/wire/frame.hpp"
#include "lsp/wire/inbox.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <thread>

using zug::lsp::framed;
using zug::lsp::Json;

namespace {

struct Served {
    std::vector<Json> answers = {};
    int code = 0;
};

Served serve(const std::string& input) {
    std::istringstream in(input);
    std::string out;
    const auto code =
        zug::lsp::serve(in, {zug::test::library_folder}, "1.2.3", [&](const std::string& text) { out += text; });
    REQUIRE(code.has_value());
    Served served{.code = *code};
    std::istringstream answers(out);
    for (auto next = zug::lsp::read_message(answers); next && *next; next = zug::lsp::read_message(answers))
        served.answers.push_back(Json::parse(**next));
    return served;
}

// Its answer shows that the server goes on.
const std::string shutdown = framed(R"({"jsonrpc":"2.0","id":"last","method":"shutdown"})");
const std::string initialize = framed(R"({"jsonrpc":"2.0","id":"first","method":"initialize","params":{}})");

std::string nested(std::size_t depth) {
    return R"({"id":1,"method":"shutdown","params":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

struct Row {
    std::string about;
    std::string input;
    std::vector<int> codes; // of the errors before the last answer
};

} // namespace

TEST_CASE("whatever is no message gets an error, and the next message is read") {
    const std::string hello = R"({"jsonrpc":"2.0","id":1,"method":"dance"})";
    const std::string length = std::to_string(hello.size());
    std::string too_long;
    too_long.resize(zug::lsp::longest_message + 1, ' ');
    const Row rows[] = {
        {"a message", framed(hello), {-32601}},
        {"two", framed(hello) + framed(hello), {-32601, -32601}},
        {"another order and spelling of the header",
         "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncONTENT-lENGTH:\t" + length + " \r\n\r\n" + hello,
         {-32601}},
        {"lines that end with a line feed alone", "Content-Length: " + length + "\n\n" + hello, {-32601}},
        {"an empty line before the header", "\r\n" + framed(hello), {-32601}},
        {"no length", "Content-Type: x\r\n\r\n", {-32700}},
        {"a length that is no number", "Content-Length: many\r\n\r\n", {-32700}},
        {"a negative length", "Content-Length: -5\r\n\r\n", {-32700}},
        {"a length with more behind it", "Content-Length: 5 bytes\r\n\r\n", {-32700}},
        {"an empty length", "Content-Length:\r\n\r\n", {-32700}},
        {"a length beyond all numbers", "Content-Length: 99999999999999999999999\r\n\r\n", {-32700}},
        {"lines of something else", "hello\r\nhow are you\r\n\r\n", {-32700}},
        {"a line of a megabyte", std::string(1U << 20U, 'x') + "\r\n\r\n", {-32700}},
        {"no content", framed(""), {-32700}},
        {"content that is no JSON", framed("hello"), {-32700}},
        {"JSON that is cut off", framed(R"({"id":1,"method":)"), {-32700}},
        {"JSON with more behind it", framed("{} {}"), {-32700}},
        {"bytes that are no UTF-8", framed("{\"id\":1,\"method\":\"\xff\xfe\"}"), {-32700}},
        {"half of a pair of surrogates", framed(R"({"id":1,"method":"\ud800"})"), {-32700}},
        {"a zero byte", framed(std::string("{\"id\":1,\0}", 10)), {-32700}},
        {"deep", framed(nested(90)), {-32002}},
        {"too deep", framed(nested(200)), {-32700}},
        {"far too deep", framed(nested(100'000)), {-32700}},
        {"brackets in a text are not deep", framed(R"({"id":1,"method":")" + std::string(1000, '[') + "\"}"), {-32002}},
        {"too long", framed(too_long), {-32700}},
        {"a batch", framed("[" + hello + "]"), {-32600}},
        {"numbers beyond all bounds", framed(R"({"id":1e999,"method":"x"})"), {-32700}},
        {"a key twice", framed(R"({"id":1,"id":2,"method":"dance"})"), {-32601}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.about);
        const bool refused_before = row.codes == std::vector{-32002};
        const Served served =
            serve((refused_before ? "" : initialize) + row.input + (refused_before ? initialize : "") + shutdown);
        std::vector<int> codes;
        for (const Json& answer : served.answers)
            if (answer.contains("error")) codes.push_back(answer["error"]["code"]);
        CHECK_MESSAGE(codes == row.codes, Json(codes).dump());
        REQUIRE(!served.answers.empty());
        CHECK(served.answers.back() == Json{{"jsonrpc", "2.0"}, {"id", "last"}, {"result", nullptr}});
        CHECK(served.code == 0);
    }
}

TEST_CASE("an input that ends anywhere ends the server") {
    const std::string all = initialize + shutdown + framed(R"({"jsonrpc":"2.0","method":"exit"})");
    for (std::size_t length = 0; length <= all.size(); ++length) {
        CAPTURE(length);
        const Served served = serve(all.substr(0, length));
        const std::size_t whole =
            (length >= initialize.size() ? 1U : 0U) + (length >= initialize.size() + shutdown.size() ? 1U : 0U);
        CHECK(served.answers.size() == whole);
        CHECK(served.code == (whole == 2 ? 0 : 1));
    }
    CHECK(serve("Content-Length: 18446744073709551615\r\n\r\n{}").answers.empty());
    CHECK(serve("Content-Length: 60000000\r\n\r\n{}").answers.empty());
}

TEST_CASE("what comes after `exit` is not read") {
    const std::string exit = framed(R"({"jsonrpc":"2.0","method":"exit"})");
    CHECK(serve(initialize + exit + shutdown).answers.size() == 1);
    CHECK(serve(initialize + exit).code == 1);
    CHECK(serve(initialize + shutdown + exit).code == 0);
}

TEST_CASE("a request that waits can be cancelled") {
    zug::lsp::Inbox inbox;
    const auto cancel = [](const Json& id) { return Json{{"method", "$/cancelRequest"}, {"params", {{"id", id}}}}; };
    inbox.add({{"id", 1}, {"method", "a"}});
    inbox.add({{"id", "1"}, {"method", "b"}});
    inbox.add(7);
    inbox.add(cancel("1"));
    inbox.add(cancel(5)); // perhaps one under way: it is passed on
    inbox.add({{"method", "$/cancelRequest"}, {"params", 5}});
    inbox.close();
    CHECK(!inbox.take().cancelled);
    CHECK(inbox.take().cancelled);
    CHECK(inbox.take().message == 7);
    CHECK(inbox.take().message == cancel(5));
    CHECK(inbox.take().end);
    CHECK(inbox.empty());
}

TEST_CASE("whoever writes faster than answers are given waits") {
    zug::lsp::Inbox inbox;
    constexpr int count = static_cast<int>(3 * zug::lsp::Inbox::most_waiting);
    std::thread writer([&] {
        for (int i = 0; i < count; ++i) inbox.add(i);
        inbox.close();
    });
    for (int i = 0; i < count; ++i) REQUIRE(inbox.take().message == i);
    CHECK(inbox.take().end);
    writer.join();
}

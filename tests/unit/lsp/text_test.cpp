// Positions, changes and URIs.

#include "base/random.hpp"
#include "client.hpp"
#include "lsp/text/document.hpp"
#include "lsp/text/lines.hpp"
#include "lsp/text/uri.hpp"
#include "utf16.hpp"

#include <doctest/doctest.h>

using namespace zug::lsp;
using zug::test::Utf16Text;

TEST_CASE("positions count units of UTF-16") {
    const std::string text = "a\xc3\xa9\xe2\x99\x9e\xf0\x9d\x94\x98z\r\n\rlast";
    const Lines lines(text);
    CHECK(lines.count() == 3);
    struct Row {
        std::size_t offset;
        std::uint32_t line, character;
    };
    for (const Row& row : {Row{0, 0, 0}, Row{1, 0, 1}, Row{3, 0, 2}, Row{6, 0, 3}, Row{10, 0, 5}, Row{11, 0, 6},
                           Row{13, 1, 0}, Row{14, 2, 0}, Row{18, 2, 4}}) {
        CAPTURE(row.offset);
        const Position position = lines.position(row.offset);
        CHECK(position.line == row.line);
        CHECK(position.character == row.character);
        CHECK(lines.offset(position) == row.offset);
    }
    CHECK(lines.offset({0, 4}) == 6);   // in the middle of a character
    CHECK(lines.offset({0, 99}) == 11); // before the end of the line
    CHECK(lines.offset({7, 0}) == text.size());
    CHECK(lines.position(99).character == 4);
    CHECK(Lines("").count() == 1);
    CHECK(Lines("\n").count() == 2);
    CHECK(Lines("").offset({0, 5}) == 0);
    CHECK(Lines("\xff\x80\x80").position(3).line == 0); // no UTF-8
}

TEST_CASE("random changes leave the text that an editor has") {
    zug::Random random(7);
    for (int run = 0; run < 200; ++run) {
        Utf16Text editor(zug::test::strange_text(random, 40));
        Document document{.uri = "file:///a.zug", .path = "/a.zug", .text = editor.utf8()};
        for (int i = 0; i < 20; ++i) {
            Json changes = Json::array();
            for (std::uint32_t count = 1 + random.below(3); count > 0; --count)
                changes.push_back(editor.change(random, zug::test::strange_text(random, 4)));
            REQUIRE(apply_changes(document, changes).has_value());
            REQUIRE(document.text == editor.utf8());
        }
    }
}

TEST_CASE("a text does not become longer than is allowed") {
    Document document{.uri = {}, .path = {}, .text = "abc"};
    const std::string large(longest_text, 'x');
    const Json start = {{"start", zug::test::position(0, 0)}, {"end", zug::test::position(0, 1)}};
    CHECK(apply_changes(document, Json::array({{{"range", start}, {"text", large}}})).error().text ==
          "the text is too long");
    CHECK(document.text == "abc");
    CHECK(apply_changes(document, Json::array({{{"text", large}}})).has_value());
    CHECK(apply_changes(document, Json::array({{{"range", start}, {"text", "y"}}})).has_value());
    CHECK(!apply_changes(document, Json::array({{{"range", start}, {"text", "yz"}}})).has_value());
    CHECK(!apply_changes(document, Json::array({{{"text", large + "x"}}})).has_value());
}

TEST_CASE("URIs of files and their paths") {
    struct Row {
        const char *path, *uri;
    };
    for (const Row& row :
         {Row{"/a/b.zug", "file:///a/b.zug"}, Row{"/a b/\xc3\xa9#?%.zug", "file:///a%20b/%C3%A9%23%3F%25.zug"},
          Row{"/a:b+c", "file:///a%3Ab%2Bc"}}) {
        CHECK(uri_of(row.path) == row.uri);
        CHECK(path_of(row.uri) == row.path);
    }
    CHECK(uri_of("/a/../b/./c") == "file:///b/c");
    CHECK(path_of("file://localhost/a") == "/a");
    CHECK(path_of("file:///a%2fb%zz%4") == "/a/b%zz%4");
    CHECK(path_of("file:///a%00b") == "/a%00b"); // no path has a zero byte
    CHECK(path_of("file://") == "");
    CHECK(path_of("untitled:Untitled-1") == "untitled:Untitled-1");
    CHECK(path_of("") == "");
}

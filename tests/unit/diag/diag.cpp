#include "diag/diagnostic.hpp"

#include <doctest/doctest.h>
#include <set>

using namespace zug;
using namespace zug::diag;

namespace {

std::string rendered(const std::string& text, std::uint32_t begin, std::uint32_t end, const std::string& fix = {}) {
    Sources sources;
    const auto file = sources.add("a.zug", text);
    Report report;
    report.add(Message::UnknownName, {file, begin, end}, {"n"}, fix);
    return render(sources, report);
}

} // namespace

TEST_CASE("slugs are unique and messages keep to the wording rules") {
    std::set<std::string_view> slugs;
    for (std::size_t i = 0; i < message_count(); ++i) {
        const auto& row = info(static_cast<Message>(i));
        CAPTURE(row.slug);
        CHECK(slugs.insert(row.slug).second);
        CHECK(!row.text.empty());
        CHECK(row.text.back() != '.');
    }
}

TEST_CASE("a diagnostic shows the line, a caret range and the fix") {
    CHECK(rendered("move m\n  when c in emty\n", 19, 23, "did you mean `empty`?") ==
          "a.zug:2:13: error: unknown name `n` [unknown-name]\n"
          "    2 |   when c in emty\n"
          "      |             ^^^^ did you mean `empty`?\n");
}

TEST_CASE("ends of lines and of the file") {
    CHECK(rendered("ab", 2, 2) == "a.zug:1:3: error: unknown name `n` [unknown-name]\n    1 | ab\n      |   ^\n");
    CHECK(rendered("ab\n", 3, 3) == "a.zug:2:1: error: unknown name `n` [unknown-name]\n    2 | \n      | ^\n");
    CHECK(rendered("ab\r\ncd", 0, 6) == "a.zug:1:1: error: unknown name `n` [unknown-name]\n    1 | ab\n      | ^^\n");
    CHECK(rendered("", 0, 0) == "a.zug:1:1: error: unknown name `n` [unknown-name]\n");
    CHECK(rendered("ab", 7, 9) == "a.zug:1:3: error: unknown name `n` [unknown-name]\n    1 | ab\n      |   ^\n");
    CHECK(rendered("a\nb", 1, 1) == "a.zug:1:2: error: unknown name `n` [unknown-name]\n    1 | a\n      |  ^\n");
}

TEST_CASE("tabs, wide characters and invalid bytes leave the carets in place") {
    CHECK(rendered("\tx\ty", 3, 4).find("    1 |     x   y\n      |         ^\n") != std::string::npos);
    CHECK(rendered("\xE4\xB8\xAD x", 4, 5).find("\n      |    ^\n") != std::string::npos);
    CHECK(rendered("e\xCC\x81 x", 4, 5).find("\n      |   ^\n") != std::string::npos);
    CHECK(rendered("\xFF\x01 x", 3, 4).find("    1 | \xEF\xBF\xBD? x\n      |    ^\n") != std::string::npos);
    CHECK(rendered("\xC3\xA9\xC3\xA9 x", 5, 6).find("a.zug:1:4:") == 0);
}

TEST_CASE("long lines are cut around the range") {
    const std::string line = std::string(5000, 'a') + "HERE" + std::string(5000, 'b');
    const auto text = rendered(line, 5000, 5004);
    CHECK(text.size() < 400);
    CHECK(text.find("aaaHEREbbb") != std::string::npos);
    const auto second = text.find('\n') + 1;
    const auto third = text.find('\n', second) + 1;
    CHECK(text.find("HERE", second) - second == text.find('^', third) - third);
    CHECK(rendered(std::string(9000, 'a'), 0, 9000).size() < 400);
}

TEST_CASE("reports are sorted, without repeats, and bounded") {
    Sources sources;
    const auto file = sources.add("a.zug", "abc\n");
    Report report;
    report.add(Message::UnknownName, {file, 2, 3}, {"c"});
    report.add(Message::UnknownName, {file, 0, 1}, {"a"});
    report.add(Message::UnknownName, {file, 2, 3}, {"c"});
    REQUIRE(report.sorted().size() == 2);
    CHECK(report.sorted()[0].text == "unknown name `a`");
    for (std::size_t i = 3; i < Report::limit; ++i) CHECK(report.add(Message::UnknownName, {file, 1, 2}, {"b"}));
    CHECK_FALSE(report.has_more());
    CHECK_FALSE(report.add(Message::UnknownName, {file, 1, 2}, {"b"}));
    CHECK(report.error_count() == Report::limit);
    CHECK(render(sources, report).ends_with("... and more\n"));
}

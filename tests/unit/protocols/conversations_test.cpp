// Conversations as data: conversations/*.txt. The first line of a file names the protocol, the game and its parameters,
// and after a `|` the player. Then `> ` begins a line that is said, and `< ` one that is expected in answer; `*` stands
// for any text, and a line `< ...` for any lines. An answer has no lines but those that are expected. A line `! ` gives
// a part of the text by which the protocol refuses the game.

#include "partner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using zug::test::Partner;

namespace {

bool matches(std::string_view pattern, std::string_view text) {
    const std::size_t star = pattern.find('*');
    if (star == pattern.npos) return pattern == text;
    if (!text.starts_with(pattern.substr(0, star))) return false;
    for (std::size_t from = star; from <= text.size(); ++from)
        if (matches(pattern.substr(star + 1), text.substr(from))) return true;
    return false;
}

using Lines = std::vector<std::string>;

bool matches(const Lines& patterns, std::size_t p, const Lines& lines, std::size_t l) {
    if (p == patterns.size()) return l == lines.size();
    if (patterns[p] != "...")
        return l < lines.size() && matches(patterns[p], lines[l]) && matches(patterns, p + 1, lines, l + 1);
    return matches(patterns, p + 1, lines, l) || (l < lines.size() && matches(patterns, p, lines, l + 1));
}

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n  " + line;
    return text;
}

// The answer to what was said last.
struct Exchange {
    std::string said;
    Lines expected, heard;

    void check() const {
        CHECK_MESSAGE(matches(expected, 0, heard, 0), said, "\nexpected:", joined(expected), "\nheard:", joined(heard));
    }
};

void hold(std::ifstream& file) {
    std::string line;
    std::getline(file, line);
    const std::size_t blank = line.find(' '), bar = line.find("| ");
    Partner partner(line.substr(0, blank), line.substr(blank, bar - blank), line.substr(bar + 2));
    std::optional<Exchange> exchange;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        const std::string text = line.size() > 2 ? line.substr(2) : "";
        if (line[0] == '!') {
            CHECK_MESSAGE(partner.refusal().find(text) != std::string::npos, partner.refusal());
            return;
        }
        REQUIRE_MESSAGE(partner.refusal().empty(), partner.refusal());
        if (line[0] == '<') {
            REQUIRE(exchange.has_value());
            exchange->expected.push_back(text);
            continue;
        }
        REQUIRE(line[0] == '>');
        if (exchange) exchange->check();
        exchange = Exchange{text, {}, partner.say(text)};
    }
    if (exchange) exchange->check();
}

} // namespace

TEST_CASE("conversations go as they are written down") {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(ZUG_SOURCE_DIR "/tests/unit/protocols/conversations"))
        files.push_back(entry.path());
    std::ranges::sort(files);
    REQUIRE(files.size() > 5);
    for (const fs::path& path : files) {
        CAPTURE(path.filename().string());
        std::ifstream file(path);
        hold(file);
    }
}

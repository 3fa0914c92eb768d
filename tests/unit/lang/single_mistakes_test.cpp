// Copies of games in rules/ with one mistake each: one error is reported, none of its consequences.

#include "support.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

using namespace zug;
using namespace zug::lang;

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<std::string> columns_of(const std::string& line) {
    std::vector<std::string> columns;
    std::stringstream in(line);
    for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
    return columns;
}

} // namespace

TEST_CASE("a single mistake is a single error") {
    const fs::path source(ZUG_SOURCE_DIR);
    std::ifstream list(source / "tests/diagnostics/single-mistakes.tsv");
    std::size_t mistakes = 0;
    for (std::string line; std::getline(list, line);) {
        if (line.starts_with('#')) continue;
        const auto columns = columns_of(line);
        REQUIRE(columns.size() == 5);
        const fs::path file = source / "rules" / (columns[0] + ".zug");
        std::string text = text_of(file);
        const std::size_t at = text.find(columns[1]);
        REQUIRE_MESSAGE(at != text.npos, line);
        const Loaded loaded = load_text(file.string(), text.replace(at, columns[1].size(), columns[2]));
        std::string found;
        for (const auto& item : loaded.report.sorted())
            found +=
                fmt::format("{}\t{}\n", location_of(loaded.sources, item.span).line, diag::info(item.message).slug);
        INFO(said(loaded));
        CHECK_MESSAGE(found == columns[3] + "\t" + columns[4] + "\n", line);
        ++mistakes;
    }
    CHECK(mistakes >= 20);
}

// The examples of reference.md can be read, and are laid out as the formatter does.

#include "grammar/format/format.hpp"
#include "support.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <vector>

using namespace zug::syntax;

namespace {

// The fenced blocks that are marked as text in the language.
std::vector<std::string> examples() {
    std::ifstream in(ZUG_SOURCE_DIR "/grammar/reference.md");
    std::vector<std::string> result;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            inside = line.starts_with("```zug");
            if (inside) result.emplace_back();
        } else if (inside) {
            result.back() += line + "\n";
        }
    }
    return result;
}

} // namespace

TEST_CASE("the examples of the reference") {
    CHECK(examples().size() >= 15);
    for (const auto& example : examples()) {
        const Parsed parsed(example);
        CAPTURE(example);
        CHECK(parsed.said() == "");
        CHECK(format(parsed.sources, parsed.file, parsed.tree) == example);
    }
}

// The examples of grammar/reference.md: each passes the checker, and so do the tests in it, on both executors.
//
// A block that begins with ```zug game is a file by itself. One with ```zug NAME is a part of a file: it is checked as
//   extends "NAME.zug"
// followed by the block, with the frame NAME.zug of tests/data/frames, whose declarations it may replace. (That it is
// laid out as the formatter does is tests/unit/grammar/reference.cpp's to say.)

#include "facts.hpp"
#include "own_tests.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace zug::data {

namespace {

struct Example {
    int line = 0; // where its text begins
    std::string frame, text;
};

std::vector<Example> examples(const std::filesystem::path& page) {
    std::ifstream in(page);
    std::vector<Example> found;
    bool inside = false;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.starts_with("```")) {
            inside = !inside && line.starts_with("```zug");
            if (!inside) continue;
            std::istringstream words(line.substr(3));
            Example& example = found.emplace_back();
            example.line = number + 1;
            words >> example.frame >> example.frame;
            if (example.frame == "zug") example.frame.clear();
        } else if (inside) {
            found.back().text += line + "\n";
        }
    }
    return found;
}

lang::Loaded load_example(const Example& example, const lang::Overrides& overrides) {
    const std::filesystem::path frames = std::filesystem::path(ZUG_SOURCE_DIR) / "tests" / "data" / "frames";
    const bool whole = example.frame == "game";
    const std::string text = whole ? example.text : "extends \"" + example.frame + ".zug\"\n" + example.text;
    return lang::load_text((frames / "example.zug").string(), text, overrides, {rules_folder().string()});
}

} // namespace

TEST_CASE("the examples of the reference are rules that work") {
    const auto all = examples(std::filesystem::path(ZUG_SOURCE_DIR) / "grammar" / "reference.md");
    CHECK(all.size() >= 50);
    std::size_t tests = 0;
    for (const Example& example : all) {
        CAPTURE(example.line);
        REQUIRE_MESSAGE(!example.frame.empty(),
                        "an example of the reference is marked `zug game`, or `zug` and a frame of tests/data/frames");
        const lang::Loaded loaded = load_example(example, {});
        REQUIRE_MESSAGE(loaded.program, diag::render(loaded.sources, loaded.report));
        for (const auto executor : {game::ExecutorKind::Interpreter, game::ExecutorKind::Reference}) {
            const auto report = run_own_tests(
                loaded, executor, [&](const lang::Overrides& params) { return load_example(example, params); });
            for (const game::TestFailure& failure : report.failures) FAIL_CHECK(failure.title << ": " << failure.text);
            tests += report.tests;
        }
    }
    CHECK(tests >= 60);
}

} // namespace zug::data

// The examples of grammar/reference.md: each passes the checker, and so do the tests in it, on both executors.
//
// A block that begins with ```zug is a file, in the folder tests/data/frames. One that begins with ```zug NAME.zug
// shows the file of this name there, which others extend. (That all are laid out as the formatter does is
// tests/unit/grammar/reference.cpp's to say.)

#include "facts.hpp"
#include "own_tests.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace zug::data {

namespace {

struct Example {
    int line = 0;            // where its text begins
    std::string shown, text; // the file that it shows, or empty
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
            std::string language;
            Example& example = found.emplace_back();
            example.line = number + 1;
            words >> language >> example.shown;
        } else if (inside) {
            found.back().text += line + "\n";
        }
    }
    return found;
}

std::filesystem::path frames() { return std::filesystem::path(ZUG_SOURCE_DIR) / "tests" / "data" / "frames"; }

lang::Loaded load_example(const Example& example, const lang::Overrides& overrides) {
    return lang::load_text((frames() / "example.zug").string(), example.text, overrides, {rules_folder().string()});
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST_CASE("the examples of the reference are rules that work") {
    const auto all = examples(std::filesystem::path(ZUG_SOURCE_DIR) / "grammar" / "reference.md");
    CHECK(all.size() >= 50);
    std::size_t tests = 0;
    std::set<std::string> shown;
    for (const Example& example : all) {
        CAPTURE(example.line);
        if (!example.shown.empty()) {
            CHECK(example.text == text_of(frames() / example.shown));
            shown.insert(example.shown);
            continue;
        }
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
    for (const auto& file : std::filesystem::directory_iterator(frames()))
        CHECK_MESSAGE(shown.contains(file.path().filename().string()), file.path().string());
}

} // namespace zug::data

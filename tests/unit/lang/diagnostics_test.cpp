// The files of tests/diagnostics are wrong on purpose. Each says in its first lines what must be said about it, no more
// and no less: `#! line:column slug`, with the file's name before it where that is another one. Together they provoke
// every message that there is.

#include "support.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace zug;
using namespace zug::lang;

namespace {

namespace fs = std::filesystem;

std::string expected(const fs::path& file) {
    std::ifstream in(file);
    std::string result;
    for (std::string line; std::getline(in, line) && line.starts_with("#! ");) result += line.substr(3) + '\n';
    return result;
}

std::string found(const fs::path& file, const Loaded& loaded) {
    std::string result;
    for (const auto& diagnostic : loaded.report.sorted()) {
        const Location location = location_of(loaded.sources, diagnostic.span);
        const std::string other =
            location.file == file.string() ? "" : fs::path(location.file).filename().string() + " ";
        result +=
            fmt::format("{}{}:{} {}\n", other, location.line, location.column, diag::info(diagnostic.message).slug);
    }
    return result;
}

// Messages about files that don't belong in a repository, and the one about internal errors.
std::set<std::string> provoked_elsewhere() {
    std::set<std::string> result{"bad-program"};
    const auto note = [&](const Loaded& loaded) {
        for (const auto& slug : slugs(loaded)) result.insert(slug);
    };
    note(load_file("no/such/file.zug"));
    note(load_text("nul", std::string("game \"T\"\0", 9)));
    note(load_text("bytes", "game \"\xff\xfe\""));
    note(load_text("large", std::string((4U << 20U) + 1, ' ')));
    std::string nested = "x";
    for (int i = 0; i < 60; ++i) nested = "some a, b, c, d in (" + nested + "): y";
    note(load_text("nested", "def a = " + nested));
    const fs::path folder = fs::temp_directory_path() / fmt::format("zug-imports-{}", ::getpid());
    fs::create_directories(folder);
    std::string imports;
    for (int i = 0; i < 300; ++i) {
        std::ofstream(folder / fmt::format("f{}.zug", i)) << "# nothing\n";
        imports += fmt::format("import \"f{}.zug\"\n", i);
    }
    std::ofstream(folder / "all.zug") << imports;
    note(load_file((folder / "all.zug").string()));
    fs::remove_all(folder);
    return result;
}

} // namespace

TEST_CASE("wrong files get the diagnostics that they expect") {
    std::set<std::string> provoked = provoked_elsewhere();
    for (const auto& entry : fs::directory_iterator(fs::path(ZUG_SOURCE_DIR) / "tests/diagnostics")) {
        if (entry.path().extension() != ".zug") continue;
        const Loaded loaded = load_file(entry.path().string());
        INFO(said(loaded));
        CHECK_MESSAGE(found(entry.path(), loaded) == expected(entry.path()), entry.path().filename().string());
        CHECK((loaded.program == nullptr) == loaded.report.has_errors());
        for (const auto& slug : slugs(loaded)) provoked.insert(slug);
    }
    for (std::size_t i = 0; i < diag::message_count(); ++i) {
        const std::string slug(diag::info(static_cast<diag::Message>(i)).slug);
        CHECK_MESSAGE(provoked.contains(slug), "no test provokes ", slug);
    }
}

TEST_CASE("likely fixes") {
    const auto fix = [](const std::string& text) {
        const Loaded loaded = load_text("test.zug", text);
        const auto all = loaded.report.sorted();
        return all.empty() ? std::string() : all.front().fix;
    };
    CHECK(fix(game_with("def n = count at.mee", "n")) == "did you mean `me`?");
    CHECK(fix(game_with("def n = count emty", "n")) == "did you mean `empty`?");
    CHECK(fix(game_with("def n = count at.me + at.foe", "n")) == "`|` joins two sets");
    CHECK(fix(game_with("def n = if at.me: 1 else 2", "n")) == "ask `some ...` or `no ...`");
    CHECK(fix(game_with("def n = count mark", "n")) == "ask `can mark(...)`");
    CHECK(fix(game_with("notation cell \"{x(c)}\"", "1")) == "for the sites of a board: `notation cell(c) \"...\"`");
    CHECK(fix(game_with("def n = count at.me | {z9}", "n")) ==
          "`cell` has a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3, a4, b4, c4, d4");
    CHECK(fix(game_with("type kind = Pawn | Rook\nstate k: kind", "if k = Queen: 1 else 2")) ==
          "values of `kind`: Pawn, Rook");
    CHECK(fix(game_with("type kind = Pawn | Rook\nstate k: kind", "if k is Rok: 1 else 2")) == "did you mean `Rook`?");
    CHECK(fix(game_with("param n: {2, 4} = 3", "n")) == "it is one of {2, 4}");
    CHECK(fix(game_with("turn amrk", "1")) == "did you mean `mark`?");
    CHECK(fix(game_with("turn jump", "1")) == "rules: mark");
    CHECK(fix(game_with("def n = count c in empty: some c.north", "n")) == "did you mean `N`?");
    CHECK(fix(game_with("def n = count c in empty: some c.down_left", "n")) == "did you mean `SW`?");
    CHECK(fix(game_with("def n = 1\ndef n = 2", "n")) == "the first is in line 5");
    CHECK(fix(game_with("move mark then at[a1] := me", "1")) == "the first is in line 5");
    CHECK(fix(game_with("players C, D", "1")) == "the first is in line 2");
    CHECK(fix(game_with("board pit = ring(6)\ndef n = count c: pit, d in {N, E}: some c.d", "n")) ==
          "`dir`, and a direction that stands by itself, are of the board `cell`; directions of another board stand "
          "behind its sites, as in `c.(N | E)`");
    const std::string own = "the standard vocabulary is for the board `cell`; for `pit`, define a `";
    CHECK(fix(game_with("board pit = ring(6)\ndef n = count c: pit: some group(c, {c})", "n")) ==
          own + "group` of its own");
    CHECK(fix(game_with("board pit = ring(6)\nstate k: pit -> 0..9\nmove go(h: pit) then sow(k, h, on)", "1")) ==
          own + "sow` of its own");
    CHECK(fix(game_with("def n = if square(2, 3) in empty: 1 else 2", "n")) ==
          "a site by its column and row is `cell(x, y)`");
    CHECK(fix(game_with("state s: int", "1")) == "give its range, such as `0..100`");
}

TEST_CASE("long names are cut, and a number that may be too large is told once for each place") {
    const std::string name(50'000, 'x');
    const Loaded unknown = load_text("test.zug", game_with("def n = count " + name, "n"));
    REQUIRE(unknown.report.sorted().size() == 1);
    const std::string text = unknown.report.sorted().front().text;
    CHECK(text.size() < 120);
    CHECK(text.starts_with("unknown name `xxxx"));
    CHECK(text.find(" ... ") != std::string::npos);
    const std::string grows = "state big: 0..1000000 = 0\nmove grow then big := 7";
    CHECK(slugs(load_text("test.zug", game_with(grows, "if big^5 > 1: 1 else 0"))) ==
          std::vector<std::string>{"number-may-be-too-large"});
    CHECK(slugs(load_text("test.zug", game_with(grows, "if big^5 > 1 or big^6 > 1: 1 else 0"))).size() == 2);
}

TEST_CASE("a name that only the syntax of a set needs may stay unused") {
    CHECK(slugs(load_text("test.zug", game_with("def n = count {t = a1.N | a2 in empty}", "n"))).empty());
    CHECK(slugs(load_text("test.zug", game_with("def n = count {t in empty | a2 in empty}", "n"))) ==
          std::vector<std::string>{"unused-name"});
}

TEST_CASE("`next` with brackets that touch it") {
    const auto with = [](const std::string& effect) {
        const std::string text = game_with("move pass\n  then " + effect, "1");
        const Loaded loaded = load_text("test.zug", text);
        const auto all = loaded.report.sorted();
        return all.empty() ? "" : all.size() > 1 ? said(loaded) : all.front().text + "; " + all.front().fix;
    };
    CHECK(with("next(me)") == "found `next(me)` as an effect, where `next p` gives the turn to p: it would stay with "
                              "`me`; the player after `me` is `next(me)`: write `next next(me)`, or `again`");
    CHECK(with("next(A)") == "found `next(A)`, which gives the turn to `A`; for that, write `next A`; for the player "
                             "after that one, `next next(A)`");
    CHECK(with("next(next(me))") == "found `next(next(me))`, which gives the turn to `next(me)`; for that, write `next "
                                    "next(me)`; for the player after that one, `next next(next(me))`");
    CHECK(with("next next(me)").empty());
    CHECK(with("next me").empty());
    CHECK(with("next (if no empty: A else B)").empty());
}

TEST_CASE("overrides that fit nothing") {
    const std::string text = game_with("param size = 3, komi = 7.5, swap = true\nparam width: 2..64 = 2",
                                       "size + komi + width + (if swap: 1 else 0)");
    CHECK(slugs(load_text("test.zug", text, {{"size", "5"}, {"komi", "6"}, {"swap", "false"}})).empty());
    CHECK(slugs(load_text("test.zug", text, {{"sise", "5"}})) == std::vector<std::string>{"unknown-param"});
    CHECK(slugs(load_text("test.zug", text, {{"size", "true"}})) == std::vector<std::string>{"type-mismatch"});
    CHECK(slugs(load_text("test.zug", text, {{"size", "5.5"}})) == std::vector<std::string>{"type-mismatch"});
    CHECK(slugs(load_text("test.zug", text, {{"size", "("}})) == std::vector<std::string>{"unexpected"});
    CHECK(slugs(load_text("test.zug", text, {{"size", ""}})) == std::vector<std::string>{"unexpected"});
    const auto message = [&](const std::string& name, const std::string& value) {
        const Loaded loaded = load_text("test.zug", text, {{name, value}});
        REQUIRE(loaded.report.sorted().size() == 1);
        const diag::Diagnostic only = loaded.report.sorted().front();
        return only.text + (only.fix.empty() ? "" : "; " + only.fix);
    };
    CHECK(message("size", "5.5") == "found a number, expected a whole number");
    CHECK(message("width", "3.5") == "found a number, expected a whole number of 2..64");
    CHECK(message("size", "abc") == "found `abc`, expected a whole number");
    CHECK(message("komi", "abc") == "found `abc`, expected a number");
    CHECK(message("swap", "yes") == "found `yes`, expected `true` or `false`");
    CHECK(message("size", "komo") == "found `komo`, expected a whole number; did you mean `komi`?");
}

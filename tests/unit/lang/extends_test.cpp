// Files that extend others: what is replaced, what stays, and in which order.

#include "support.hpp"

#include "ir/print.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace zug;
using namespace zug::lang;

namespace {

namespace fs = std::filesystem;

// A folder of rule files that goes with the test.
class Files {
public:
    Files() : folder_(fs::temp_directory_path() / fmt::format("zug-extends-{}", ::getpid())) {
        fs::create_directories(folder_ / "library");
    }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;
    ~Files() { fs::remove_all(folder_); }

    const fs::path& path() const { return folder_; }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
    Loaded load(const std::string& name, const Overrides& overrides = {}) const {
        return load_file((folder_ / name).string(), overrides, {(folder_ / "library").string()});
    }

private:
    fs::path folder_;
};

constexpr const char* base = "game \"Base\"\n"
                             "param size = 3, length = size, last = 1\n"
                             "players A, B\n"
                             "board cell = grid(size, size)\n"
                             "state at: cell -> player?\n"
                             "state n: 0..9\n"
                             "def full = no empty\n"
                             "move first\n  when n = last\n  then n += 1\n"
                             "phase marking when n < 5 {\n"
                             "  move mark(c: cell)\n    when c in empty\n    then at[c] := me\n"
                             "  move more\n    when n < 9\n    then n += 1\n"
                             "}\n"
                             "move third\n  when n = 7\n  then n := 0\n"
                             "end\n  me wins when line(length, at.me)\n  draw when full\n"
                             "glyph A \"X\", B \"O\"\n"
                             "notation mark \"m{c}\"\n"
                             "notation more \"+\"\n"
                             "test \"of the base\": perft 1 = 1\n";

std::vector<std::string> rule_names(const ir::Program& program) {
    std::vector<std::string> names;
    for (const auto& rule : program.rules) names.push_back(rule.name);
    return names;
}

std::vector<std::string> params(const ir::Program& program) {
    std::vector<std::string> texts;
    for (const auto& param : program.params) texts.push_back(param.name + "=" + param.value);
    return texts;
}

std::string glyphs(const ir::Program& program) {
    std::string all;
    for (const auto& glyph : program.glyphs) all += glyph.text;
    return all;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("what isn't replaced stays, without the tests") {
    Files files;
    files.write("base.zug", base);
    files.write("more.zug", "extends \"base.zug\"\n");
    const Loaded plain = files.load("base.zug");
    const Loaded more = files.load("more.zug");
    INFO(said(more));
    REQUIRE(plain.program);
    REQUIRE(more.program);
    CHECK(ir::print(*more.program) == ir::print(*plain.program));
    CHECK(more.program->extends == Texts{"base.zug"});
    CHECK(plain.program->extends.empty());
    CHECK(plain.program->tests.size() == 1);
    CHECK(more.program->tests.empty());
}

TEST_CASE("a declaration takes the place of the one of its name") {
    Files files;
    files.write("base.zug", base);
    files.write("more.zug", "extends \"base\"\n" // the ending can be left out
                            "game \"More\"\n"
                            "param fresh = 7, size = 4\n"
                            "move more\n  when n < 2, fresh = 7\n  then n += 2\n"
                            "move fourth\n  then n := 9\n"
                            "end me loses when line(length, at.me)\n"
                            "glyph B \"Q\" red\n"
                            "notation more \"plus\"\n"
                            "test \"of the game\": perft 1 = 17\n");
    const Loaded loaded = files.load("more.zug", {{"last", "5"}});
    INFO(said(loaded));
    REQUIRE(loaded.program);
    const ir::Program& program = *loaded.program;
    CHECK(program.title == "More");
    CHECK(params(program) == Texts{"size=4", "length=4", "last=5", "fresh=7"});
    CHECK(rule_names(program) == Texts{"first", "mark", "more", "third", "fourth"});
    CHECK(program.boards[ir::BoardId{0}].sites.size() == 16);
    CHECK(program.ends.size() == 3);
    CHECK(program.evals.empty());
    CHECK(glyphs(program) == "QX");
    CHECK(program.tests.size() == 1);
    // `more` stands outside the phase now.
    const std::string text = ir::print(program);
    CHECK(text.find("when (< n 5)", text.find("move mark")) < text.find("move more"));
    CHECK(text.find("when (< n 5)", text.find("move more")) == std::string::npos);
}

TEST_CASE("a phase replaces a whole phase") {
    Files files;
    files.write("base.zug", base);
    files.write("more.zug", "extends \"base.zug\"\n"
                            "phase marking when n < 2 {\n"
                            "  move fresh\n    then n := 8\n"
                            "  move mark(c: cell)\n    when c in empty\n    then at[c] := me, n := 0\n"
                            "}\n");
    const Loaded loaded = files.load("more.zug");
    INFO(said(loaded));
    REQUIRE(loaded.program);
    CHECK(rule_names(*loaded.program) == Texts{"first", "mark", "third", "fresh"});
}

TEST_CASE("extended files can extend others") {
    Files files;
    files.write("base.zug", base);
    files.write("library/second.zug", "extends \"base.zug\"\nparam last = 2\nend B wins when n = 8\nglyph A \"Y\"\n");
    files.write("third.zug", "extends \"second\"\nimport \"words\"\ngame \"Third\"\nend A wins when n = 9, odd last\n");
    files.write("words.zug", "param length = 2\ndef unused_by_all = 1 in {1}\n");
    // The library's own file looks beside itself first, then in the library: it finds no base there.
    CHECK(slugs(files.load("third.zug")) == Texts{"cannot-import"});
    files.write("library/base.zug", base);
    const Loaded loaded = files.load("third.zug");
    INFO(said(loaded));
    REQUIRE(loaded.program);
    CHECK(loaded.program->extends == Texts{"second", "base.zug"});
    CHECK(params(*loaded.program) == Texts{"size=3", "length=2", "last=2"});
    CHECK(glyphs(*loaded.program) == "YO");
    REQUIRE(loaded.program->ends.size() == 4);
    CHECK(slugs(loaded) == Texts{"unused-name"}); // of the imported file, which is the game's own
}

TEST_CASE("looks are replaced name by name") {
    Files files;
    files.write("base.zug", std::string(base) +
                                "type kind = Man | King\nstate kinds: cell -> kind?\n"
                                "look cell points, marked {a1}\nlook A star\nlook B cross\nlook Man king\n");
    const std::string more = "extends \"base.zug\"\n";
    files.write("more.zug", more + "look cell plain\nlook B king when false\n");
    const Loaded loaded = files.load("more.zug");
    INFO(said(loaded));
    REQUIRE(loaded.program);
    const ir::Program& program = *loaded.program;
    REQUIRE(program.looks.boards.size() == 1);
    CHECK(program.looks.boards[0].checkered == false);
    CHECK(!program.looks.boards[0].surface);
    CHECK(!program.looks.boards[0].marked.any());
    REQUIRE(program.looks.pieces.size() == 2);
    CHECK(program.looks.pieces[0].shape == ir::Shape::Star);
    CHECK(program.looks.pieces[1].shape == ir::Shape::King);
    // Those of what is no longer there go with it.
    files.write("more.zug", more + "type kind = King | Queen\n");
    const Loaded other = files.load("more.zug");
    INFO(said(other));
    REQUIRE(other.program);
    CHECK(other.program->looks.boards.size() == 1);
    CHECK(other.program->looks.pieces.size() == 2);
}

TEST_CASE("what is replaced is not looked at") {
    Files files;
    files.write("base.zug", std::string(base) + "def broken = nothing + at\nturn mark nowhere\neval p = unknown\n"
                                                "type kind = Man | King\nstate kinds: cell -> kind?\n"
                                                "glyph Man \"M\"\nnotation third \"{n_o}\"\n");
    const std::string more = "extends \"base.zug\"\ndef broken = 1\nturn mark\neval _ = broken\n";
    files.write("more.zug", more);
    CHECK(slugs(files.load("more.zug")).empty());
    // Looks of what is no longer there go with it.
    files.write("more.zug", more + "type kind = King | Queen\n");
    const Loaded loaded = files.load("more.zug");
    CHECK(said(loaded).empty());
    REQUIRE(loaded.program);
    CHECK(glyphs(*loaded.program) == "XOKQ");
    // What is left needs what it always needed.
    files.write("more.zug", more + "type kind = King | Queen\ndef full = Man = Queen\n");
    CHECK(slugs(files.load("more.zug")) == Texts{"unknown-name"});
}

TEST_CASE("a position format that takes over another one") {
    Files files;
    files.write("base.zug", std::string(base) + "position \"{at} {turn} {n}\"\n  turn A \"a\", B \"b\"\n");
    const std::string more = "extends \"base.zug\"\nstate won: player -> 0..3\nmove third\n  then won[me] += 1\n";
    files.write("second.zug", more + "position \"{extends} {won letters}\"\n  won A \"w\"\n");
    files.write("third.zug", "extends \"second.zug\"\nstate m: 0..9\nmove fourth\n  then m += 1\n"
                             "position \"{m};{extends}\"\n");
    const Loaded loaded = files.load("third.zug");
    INFO(said(loaded));
    REQUIRE(loaded.program);
    const std::string text = ir::print(*loaded.program);
    CHECK(text.find("position \"{m};{at} {turn} {n} {won letters}\"") != std::string::npos);
    CHECK(text.find("players 0 \"a\", 1 \"b\"") != std::string::npos);
    CHECK(text.find("won 0 \"w\", 1 \"O\"") != std::string::npos);
    // What does not fit this game can't be taken over.
    files.write("fourth.zug", "extends \"base.zug\"\nstate n: cell -> 0..9\nmove first\n  then n[a1] += 1\n"
                              "move more\n  when n[a1] < 9\nmove third\n  when n[a1] = 7\n"
                              "phase marking when n[a1] < 5 {\n  move mark(c: cell)\n    when c in empty\n"
                              "    then at[c] := me\n}\nplayers B, C\nposition \"{extends}\"\n");
    CHECK(slugs(files.load("fourth.zug")) == Texts{"position-extends"});
}

TEST_CASE("imports stay in the folder of the game and in the library, and nothing else is shown") {
    Files files;
    const auto outside = files.path().parent_path() / fmt::format("zug-outside-{}.zug", ::getpid());
    std::ofstream(outside) << "def secret = 1\n";
    fs::create_directories(files.path() / "below");
    files.write("below/words.zug", "def limit = 4\n");
    files.write("secret.txt", "root:x:0:0\n");
    fs::create_symlink(outside, files.path() / "linked.zug");
    REQUIRE(::mkfifo((files.path() / "pipe.zug").c_str(), 0600) == 0);
    const auto load = [&](const std::string& import) {
        files.write("game.zug", "import \"" + import + "\"\n" + game_with("", "4"));
        return files.load("game.zug");
    };
    CHECK(load("below/words").program);
    CHECK(load("below/../below/words").program);
    for (const std::string& import : {outside.string(), "../" + outside.filename().string(), std::string("linked"),
                                      std::string("../no-such-file"), std::string("/proc/self/environ")}) {
        INFO(import);
        const Loaded loaded = load(import);
        CHECK(said(loaded).find("not in the folder of this game") != std::string::npos);
        CHECK(slugs(loaded) == Texts{"cannot-import"});
    }
    for (const char* const import : {"secret.txt", "pipe", "below"}) {
        INFO(import);
        const Loaded loaded = load(import);
        CHECK(slugs(loaded) == Texts{"cannot-import"});
        CHECK(said(loaded).find("root") == std::string::npos);
    }
    fs::remove(outside);
}

TEST_CASE("imports are found in the library, those beside the file first") {
    Files files;
    files.write("library/words.zug", "def limit = 4\n");
    files.write("game.zug", "import \"words\"\n" + game_with("", "limit"));
    CHECK(files.load("game.zug").program);
    files.write("words.zug", "def nothing = 4\n");
    CHECK(slugs(files.load("game.zug")) == Texts{"unknown-name"});
    files.write("words.zug", "import \"nowhere\"\n");
    CHECK(slugs(files.load("game.zug")) == Texts{"unknown-name", "cannot-import"});
}

TEST_CASE("what is added to a rule comes after what it has, from each file in turn") {
    const Files files;
    files.write("base.zug", base);
    files.write("more.zug", "extends \"base.zug\"\nstate k: 0..9\nmove mark also\n  when k < 9\n  then k += 1\n");
    files.write("most.zug", "extends \"more.zug\"\nmove mark also\n  let d = c.N\n  when k > 0\n  then at[d] := me\n"
                            "  ensure k < 5\n");
    const Loaded loaded = files.load("most.zug");
    INFO(said(loaded));
    REQUIRE(loaded.program);
    const ir::Rule& mark = loaded.program->rules[ir::RuleId{1}];
    CHECK(rule_names(*loaded.program) == Texts{"first", "mark", "more", "third"});
    CHECK(mark.when.size() == 5); // of the phase, the rule, and both additions with a `let`
    CHECK(mark.then.size() == 3);
    CHECK(mark.ensure.size() == 1);
}

TEST_CASE("a rule of the same name replaces what was added below") {
    const Files files;
    files.write("base.zug", base);
    files.write("more.zug", "extends \"base.zug\"\nstate k: 0..9\nmove mark also\n  then k += 1\n");
    files.write("other.zug",
                "extends \"more.zug\"\nmove mark(c: cell)\n  when c in empty, k < 9\n  then at[c] := me\n");
    const Loaded loaded = files.load("other.zug");
    INFO(said(loaded));
    REQUIRE(loaded.program);
    CHECK(loaded.program->rules[ir::RuleId{1}].then.size() == 1);
}

TEST_CASE("additions need a rule of a file below, of the same kind, once in a file") {
    const Files files;
    files.write("base.zug", base);
    const auto found = [&](const std::string& text) {
        files.write("more.zug", "extends \"base.zug\"\n" + text);
        return slugs(files.load("more.zug"));
    };
    CHECK(found("move nowhere also\n  then n += 1\n") == Texts{"nothing-to-add-to"});
    CHECK(found("chance mark also\n  then n += 1\n") == Texts{"kind-changed"});
    CHECK(found("move mark also\n  then n += 1\nmove mark also\n  then n += 1\n") == Texts{"declared-twice"});
    CHECK(found("move mark also\n  then n += 1\nmove mark(c: cell)\n  when c in empty\n  then n += 1\n") ==
          Texts{"declared-twice"});
    CHECK(found("move mark also\n  then n += 1\nphase marking when n < 3 {\n  move other\n    then n += 1\n}\n") ==
          Texts{"nothing-to-add-to"});
}

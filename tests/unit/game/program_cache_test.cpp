// Byte code read from the cache equals the byte code that was stored, member by member, and plays the same games.

#include "compiler/compile.hpp"
#include "native/program_cache.hpp"

#include "lang/load.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <span>
#include <unistd.h>

using namespace zug;
using namespace zug::native;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<const ir::Program> program_of(const std::string& game, const lang::Overrides& params = {}) {
    return lang::load_file(std::string(ZUG_SOURCE_DIR "/rules/") + game + ".zug", params).program;
}

Bytes bytes_of(const run::CompiledParts& parts) {
    archive::Writer writer;
    writer.value(parts);
    return writer.bytes;
}

struct Folder {
    Folder() : path(fs::temp_directory_path() / ("zug-program-cache-test-" + std::to_string(getpid()))) {
        fs::remove_all(path);
    }
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

} // namespace

TEST_CASE("byte code is the same after a time on disk") {
    const Folder folder;
    const Cache cache(folder.path);
    for (const std::string game : {"chess", "backgammon", "english-draughts", "go", "yahtzee", "amazons"}) {
        CAPTURE(game);
        const auto program = program_of(game);
        REQUIRE(program);
        std::string why;
        const auto plain = run::compile(program, why);
        REQUIRE(plain);
        const auto made = compile(program, cache, why);
        const auto kept = compile(program, cache, why);
        REQUIRE(kept);
        CHECK(bytes_of(*made) == bytes_of(*plain));
        CHECK(bytes_of(*kept) == bytes_of(*plain));
        CHECK(bytes_of(*kept).size() > 1000);
        CHECK((kept->vm == plain->vm));
        CHECK(kept->layout->state_words() == plain->layout->state_words());
    }
    CHECK(!fs::is_empty(folder.path));
}

TEST_CASE("what is cut short is no byte code") {
    std::string why;
    const Bytes whole = bytes_of(*run::compile(program_of("tic-tac-toe"), why));
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        archive::Reader reader(std::span<const std::uint8_t>(whole).first(size));
        run::CompiledParts parts;
        reader.value(parts);
        CHECK(!reader.done());
    }
}

TEST_CASE("other parameters and other rules have other keys") {
    const auto key = key_of(*program_of("connect-four"));
    CHECK(key == key_of(*program_of("connect-four")));
    CHECK(key != key_of(*program_of("connect-four", {{"width", "6"}})));
    CHECK(key != key_of(*program_of("tic-tac-toe")));
    ir::Program changed = *program_of("tic-tac-toe");
    changed.evals.clear();
    changed.ends.pop_back();
    CHECK(key_of(changed) != key_of(*program_of("tic-tac-toe")));
}

TEST_CASE("byte code of another program is not used") {
    std::string why;
    const auto chess = run::compile(program_of("chess"), why), go = run::compile(program_of("go"), why);
    CHECK(run::fits(*chess, *chess->program));
    CHECK(!run::fits(*chess, *go->program));
    CHECK(!run::fits(*go, *chess->program));
    run::CompiledParts beyond = *go;
    beyond.ends[0] = static_cast<run::Entry>(beyond.code.instrs.size());
    CHECK(!run::fits(beyond, *go->program));
}

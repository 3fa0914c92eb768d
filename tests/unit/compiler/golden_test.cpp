// The effect of each pass on a small rule file: tests/passes/NAME.zug is the game, NAME.txt the byte code of a routine
// without the pass NAME and with it, the rules if they differ, else the shortest of the routines that do. A pass that
// no longer has this effect fails on the file of its name.
//
// To record them anew, after a look at what has changed: ZUG_RECORD=1 build/tests/test_unit_compiler -tc='each pass*'
// and `git diff tests/passes`.

#include "bytecode/disassembly/disassembler.hpp"
#include "compiler/compile.hpp"
#include "diag/diagnostic.hpp"
#include "ir/print.hpp"
#include "lang/load.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

using namespace zug;
using namespace zug::run;

namespace {

const std::filesystem::path folder = ZUG_SOURCE_DIR "/tests/passes";

// The routines' texts by name. Code without a name of its own belongs to the routine before it.
using Listing = std::map<std::string, std::string>;

const std::string rules_changed = "rules";

Listing listing_of(const std::shared_ptr<const ir::Program>& program, std::optional<Pass> without) {
    PassOptions options;
    options.verify = true;
    if (without) options.switch_off(*without);
    Passes passes(options);
    std::string why;
    const auto compiled = compile(program, why, nullptr, &passes);
    REQUIRE_MESSAGE(compiled, why);
    Listing listing;
    if (program->turn) listing[rules_changed] = ir::print_rules(*compiled->program);
    for (const auto& routine : disassemble(*compiled).routines) {
        std::string& text = listing[routine.name];
        for (const auto& row : routine.rows) {
            const std::string label = row.label.empty() ? "" : row.label + ":";
            text += "  " + label + std::string(label.size() < 6 ? 6 - label.size() : 1, ' ') + row.op +
                    std::string(row.op.size() < 14 ? 14 - row.op.size() : 1, ' ') + row.text + "\n";
        }
        for (const std::string& result : routine.results) text += "        " + result + "\n";
    }
    return listing;
}

// Labels are numbered through the whole program, so they change with any routine before them.
std::string without_labels(const std::string& text) {
    static const std::regex label(R"(\bL[0-9]+:? *)");
    return std::regex_replace(text, label, "L");
}

// The rules, where the pass changes those that are compiled; else the shortest routine that it changes: without and
// with it.
std::string difference(const Listing& without, const Listing& with) {
    std::string shortest;
    for (const Listing* listing : {&with, &without})
        for (const auto& [name, text] : *listing) {
            const auto text_in = [&name = name](const Listing& other) {
                const auto found = other.find(name);
                return found == other.end() ? "  (there is none)\n" : found->second;
            };
            if (without_labels(text_in(without)) == without_labels(text_in(with))) continue;
            const std::string both = name + "\n\nwithout:\n" + text_in(without) + "\nwith:\n" + text_in(with);
            if (name == rules_changed) return both;
            if (shortest.empty() || both.size() < shortest.size()) shortest = both;
        }
    return shortest;
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Instructions that don't depend on each other come in the order in which the compiler of Zug evaluates arguments. The
// listings are by GCC.
#ifdef __clang__
constexpr bool same_order = false;
#else
constexpr bool same_order = true;
#endif

} // namespace

TEST_CASE("each pass makes the difference that its listing shows") {
    const bool record = std::getenv("ZUG_RECORD") != nullptr;
    for (const PassInfo& pass : pass_table()) {
        if (pass.need == PassNeed::Required) continue;
        CAPTURE(pass.name);
        const std::filesystem::path rules = folder / (std::string(pass.name) + ".zug");
        REQUIRE_MESSAGE(std::filesystem::exists(rules), "each optional pass has a rule file in tests/passes");
        const auto loaded = lang::load_file(rules.string());
        REQUIRE_MESSAGE(loaded.program, diag::render(loaded.sources, loaded.report));
        const std::string found =
            difference(listing_of(loaded.program, pass.pass), listing_of(loaded.program, std::nullopt));
        CHECK_MESSAGE(!found.empty(), "the pass makes no difference");
        const std::filesystem::path kept = folder / (std::string(pass.name) + ".txt");
        if (record)
            std::ofstream(kept, std::ios::binary) << found;
        else if (same_order)
            CHECK(found == read(kept));
    }
}

// Cached code is keyed by a hash of the sources that make it (src/native/layer.cmake). The lists of what is hashed must
// leave nothing out: code made by an older build would be used by a newer one that lays out its data otherwise.

#include "sources.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

// The files that a version covers.
std::set<fs::path> covered(std::string_view version) {
    std::set<fs::path> files;
    std::istringstream lines(read(fs::path(ZUG_GENERATED_DIR) / (std::string(version) + ".txt")));
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) files.insert(line);
    return files;
}

// The sources of these folders, and all that they include, directly or through others.
std::set<const Source*> reachable(const std::vector<std::string>& folders) {
    std::set<const Source*> found;
    std::vector<const Source*> open;
    for (const Source& source : sources())
        if (std::ranges::find(folders, source.folder) != folders.end() && found.insert(&source).second)
            open.push_back(&source);
    while (!open.empty()) {
        const Source* const source = open.back();
        open.pop_back();
        for (const std::string& include : source->includes)
            if (const Source* const next = find(include); next != nullptr && found.insert(next).second)
                open.push_back(next);
    }
    return found;
}

// Whatever is reachable is hashed, and so is all that stands beside it, since a header's functions are defined there.
void check_version(std::string_view version, const std::vector<std::string>& makers) {
    const std::set<fs::path> files = covered(version);
    const std::set<const Source*> used = reachable(makers);
    REQUIRE(used.size() > 50);
    std::set<std::string> folders;
    for (const Source* source : used) folders.insert(source->folder);
    for (const Source& source : sources())
        if (folders.contains(source.folder))
            CHECK_MESSAGE(files.contains(source.path), version, " leaves out ", source.path.string());
}

} // namespace

TEST_CASE("the version of machine code covers every source that its translators see") {
    check_version("translator_version", {"native/llvm", "native/operations", "native/asmjit", "native/codegen"});
}

TEST_CASE("the version of byte code covers every source that reads, checks and compiles rules") {
    check_version("program_version", {"lang", "lang/resolve", "lang/check", "lang/presentation", "lang/finish",
                                      "compiler", "compiler/analysis", "compiler/graph", "compiler/lower",
                                      "compiler/routines", "bytecode", "ir", "native"});
}

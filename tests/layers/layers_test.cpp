// The architecture, checked on the text of the sources: which layer may include which, where the libraries that are
// slow to compile may be seen, and that no source knows a game of rules/.

#include "sources.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Layer {
    std::string folder, library, kind;
    std::set<std::string> sees; // whose headers it may include, besides its own
    std::string holds;
};

// The rows of src/layers.tsv.
const std::vector<Layer>& layers() {
    static const std::vector<Layer> all = [] {
        std::vector<Layer> found;
        std::istringstream lines(read(root / "src/layers.tsv"));
        for (std::string line; std::getline(lines, line);) {
            if (line.empty() || line[0] == '#') continue;
            std::istringstream cells(line);
            Layer layer;
            std::string sees, name;
            std::getline(cells, layer.folder, '\t');
            std::getline(cells, layer.library, '\t');
            std::getline(cells, layer.kind, '\t');
            std::getline(cells, sees, '\t');
            std::getline(cells, layer.holds, '\t');
            for (std::istringstream names(sees); names >> name;)
                if (name != "-") layer.sees.insert(name);
            found.push_back(std::move(layer));
        }
        return found;
    }();
    return all;
}

const Layer* layer_named(const std::string& folder) {
    const auto at = std::ranges::find(layers(), folder, &Layer::folder);
    return at == layers().end() ? nullptr : &*at;
}

bool is_spirit(const std::string& include) { return include.starts_with("boost/spirit"); }

// The chain of includes from a source to Spirit, if there is one.
std::optional<std::string> way_to_spirit(const Source& from, std::set<const Source*>& seen) {
    if (!seen.insert(&from).second) return std::nullopt;
    for (const auto& include : from.includes) {
        if (is_spirit(include)) return include;
        if (const Source* next = find(include))
            if (const auto way = way_to_spirit(*next, seen)) return include + " -> " + *way;
    }
    return std::nullopt;
}

// The text without comments, in lower case.
std::string code_of(const std::string& text) {
    static const std::regex comment(R"(//[^\n]*|/\*[^]*?\*/)");
    std::string code = std::regex_replace(text, comment, "");
    std::ranges::transform(code, code.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return code;
}

} // namespace

TEST_CASE("every folder includes only what the table of layers allows") {
    REQUIRE(sources().size() > 10);
    for (const auto& source : sources()) {
        CAPTURE(source.path.string());
        const Layer* layer = layer_named(source.folder);
        REQUIRE_MESSAGE(layer != nullptr, "a folder that src/layers.tsv does not list: ", source.folder);
        for (const auto& include : source.includes) {
            const std::string folder = fs::path(include).parent_path().string();
            if (folder == source.folder || layer_named(folder) == nullptr) continue;
            CHECK_MESSAGE(layer->sees.contains(folder), "includes ", include);
        }
    }
}

TEST_CASE("the table of layers goes from the bottom up, and names no folder in vain") {
    std::set<std::string> below;
    std::map<std::string, std::set<std::string>> included;
    for (const auto& source : sources())
        for (const auto& include : source.includes)
            included[source.folder].insert(fs::path(include).parent_path().string());
    for (const auto& layer : layers()) {
        CAPTURE(layer.folder);
        CHECK((layer.kind == "hot" || layer.kind == "cold"));
        CHECK_FALSE(layer.holds.empty());
        CHECK_FALSE(included[layer.folder].empty());
        for (const auto& seen : layer.sees) {
            CAPTURE(seen);
            REQUIRE(layer_named(seen) != nullptr);
            // A folder of the same library may stand above the one with what they share.
            const bool same_library = layer_named(seen)->library == layer.library;
            CHECK((same_library || below.contains(seen)));
            CHECK_FALSE(layer_named(seen)->sees.contains(layer.folder));
        }
        below.insert(layer.folder);
    }
}

TEST_CASE("every include of ours names its layer") {
    for (const auto& source : sources())
        for (const auto& include : source.includes) {
            if (source.folder.empty() || fs::path(include).has_parent_path()) continue;
            CAPTURE(source.path.string());
            CHECK_MESSAGE(!fs::exists(source.path.parent_path() / include), "includes ", include,
                          " without its folder");
        }
}

TEST_CASE("no source outside grammar/ sees Boost.Spirit, by any way") {
    for (const auto& source : sources()) {
        if (is_below(source.folder, "grammar")) continue;
        std::set<const Source*> seen;
        const auto way = way_to_spirit(source, seen);
        CHECK_MESSAGE(!way, source.path.string(), " -> ", way.value_or(""));
    }
}

// Its header alone takes as long to compile as three files of ours.
TEST_CASE("one source sees CLI11") {
    std::vector<std::string> users;
    for (const auto& source : sources())
        for (const auto& include : source.includes)
            if (include.starts_with("CLI/")) users.push_back(source.path.filename().string());
    CHECK(users == std::vector<std::string>{"command_line.cpp"});
}

TEST_CASE("no source knows a game") {
    std::set<std::string> names = {"chess", "othello", "connect"};
    for (const auto& entry : fs::directory_iterator(root / "rules"))
        if (entry.path().extension() == ".zug" && entry.path().stem() != "prelude") names.insert(entry.path().stem());
    for (const auto& source : sources()) {
        if (is_below(source.folder, "tests")) continue;
        // The command line's examples of use name rule files; so the rest of that folder is looked at by the words
        // above.
        const std::string code = code_of(source.text);
        for (const auto& name : names) {
            const bool example =
                is_below(source.folder, "cli") && name != "chess" && name != "othello" && name != "connect";
            // A short name such as `pig` or `hex` is a word, or a part of one, that code may use.
            if (example || name.size() < 6) continue;
            CHECK_MESSAGE(code.find(name) == std::string::npos, source.path.string(), " mentions ", name);
        }
    }
}

// The callbacks of machine code are left out: they hand on fields of instructions, while games are played.
TEST_CASE("sizes of byte code are narrowed by src/base/narrow.hpp") {
    static const std::regex cast(R"(static_cast<\s*(std::)?(uint8_t|uint16_t|reg)\s*>)");
    for (const auto& source : sources()) {
        if (!is_below(source.folder, "compiler") && !is_below(source.folder, "bytecode")) continue;
        if (source.path.filename() == "native_routines.cpp") continue;
        CHECK_MESSAGE(!std::regex_search(code_of(source.text), cast), source.path.string(), " has a cast of a size");
    }
}

TEST_CASE("src/README.md has the table of layers, and names files that exist") {
    const fs::path page = root / "src/README.md";
    std::string text = read(page);
    static const std::string begin = "<!-- layers -->\n", end = "<!-- /layers -->";
    const std::size_t from = text.find(begin) + begin.size(), to = text.find(end);
    REQUIRE(to != std::string::npos);
    std::string table = "| folder | holds |\n|---|---|\n";
    for (const auto& layer : layers()) {
        const bool in_src = !is_below(layer.folder, "grammar") && !is_below(layer.folder, "tests");
        table += "| `" + std::string(in_src ? "src/" : "") + layer.folder + "` | " + layer.holds + " |\n";
    }
    if (std::getenv("ZUG_RECORD") != nullptr) {
        text.replace(from, to - from, table);
        std::ofstream(page, std::ios::binary) << text;
    }
    CHECK(text.substr(from, text.find(end) - from) == table);

    static const std::regex path(R"(`((?:src|tests|grammar|rules)/[a-z_/.-]*[a-z])`)");
    for (std::sregex_iterator at(text.begin(), text.end(), path), last; at != last; ++at)
        CHECK_MESSAGE(fs::exists(root / (*at)[1].str()), "there is no ", (*at)[1].str());
}

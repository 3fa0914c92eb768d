// The architecture, checked on the text of the sources: which layer may include which, where the libraries that are
// slow to compile may be seen, and that no source knows a game of rules/.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path root = ZUG_SOURCE_DIR;

// What each folder may include besides itself and the standard and third-party libraries.
const std::map<std::string, std::set<std::string>> allowed = {
    {"base", {}},
    {"diag", {"base"}},
    {"grammar", {"diag", "base"}},
    {"ir", {"diag", "base"}},
    {"lang", {"ir", "grammar", "diag", "base"}},
    {"run", {"ir", "diag", "base"}},
    {"native", {"run", "ir", "diag", "base"}},
    {"codegen", {"native", "run", "ir", "diag", "base"}},
    {"game", {"native", "run", "lang", "ir", "grammar", "diag", "base"}},
    {"search", {"game", "base"}},
    {"solve", {"game", "base"}},
    {"match", {"solve", "search", "game", "base"}},
    {"cli", {"match", "solve", "search", "game", "native", "run", "lang", "ir", "grammar", "diag", "base"}},
};

struct Source {
    fs::path path;
    std::string layer;
    std::string text;
    std::vector<std::string> includes; // "game/game.hpp", "boost/spirit/home/x3.hpp"
};

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> includes_of(const std::string& text) {
    static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    std::vector<std::string> found;
    std::istringstream lines(text);
    std::smatch match;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_search(line, match, include)) found.push_back(match[1]);
    return found;
}

const std::vector<Source>& sources() {
    static const std::vector<Source> all = [] {
        std::vector<Source> found;
        for (const auto* top : {"src", "grammar"})
            for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
                const auto extension = entry.path().extension();
                if (extension != ".cpp" && extension != ".hpp" && extension != ".def") continue;
                const fs::path relative = fs::relative(entry.path(), root / "src");
                Source source{entry.path(), relative.begin()->string(), read(entry.path()), {}};
                if (source.layer == "..") source.layer = "grammar";
                source.includes = includes_of(source.text);
                found.push_back(std::move(source));
            }
        return found;
    }();
    return all;
}

std::string layer_of(const std::string& include) {
    const std::string first = fs::path(include).begin()->string();
    return allowed.contains(first) && fs::path(include).has_parent_path() ? first : std::string();
}

// By the name that includes have for it: `game/game.hpp`.
const Source* find(const std::string& include) {
    static const auto by_name = [] {
        std::map<std::string, const Source*> found;
        for (const auto& source : sources()) {
            const fs::path name = fs::relative(source.path, source.layer == "grammar" ? root : root / "src");
            found.emplace(name.string(), &source);
        }
        return found;
    }();
    const auto at = by_name.find(include);
    return at == by_name.end() ? nullptr : at->second;
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

TEST_CASE("every layer includes only what the table allows") {
    REQUIRE(sources().size() > 10);
    for (const auto& source : sources()) {
        CAPTURE(source.path.string());
        const auto row = allowed.find(source.layer);
        REQUIRE_MESSAGE(row != allowed.end(), "a folder that is not a layer");
        for (const auto& include : source.includes) {
            const std::string layer = layer_of(include);
            if (layer.empty() || layer == source.layer) continue;
            CHECK_MESSAGE(row->second.contains(layer), "includes ", include);
        }
    }
}

TEST_CASE("every include of ours names its layer") {
    for (const auto& source : sources())
        for (const auto& include : source.includes) {
            CAPTURE(source.path.string());
            CHECK_MESSAGE(!fs::exists(source.path.parent_path() / include), "includes ", include,
                          " without its folder");
        }
}

TEST_CASE("no source outside grammar/ sees Boost.Spirit, by any way") {
    for (const auto& source : sources()) {
        if (source.layer == "grammar") continue;
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
        // The command line's examples of use name rule files; so the rest of that folder is looked at by the words
        // above.
        const std::string code = code_of(source.text);
        for (const auto& name : names) {
            const bool example = source.layer == "cli" && name != "chess" && name != "othello" && name != "connect";
            // A short name such as `pig` or `hex` is a word, or a part of one, that code may use.
            if (example || name.size() < 6) continue;
            CHECK_MESSAGE(code.find(name) == std::string::npos, source.path.string(), " mentions ", name);
        }
    }
}

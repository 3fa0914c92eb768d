#include "sources.hpp"

#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>

namespace {

std::vector<std::string> includes_of(const std::string& text) {
    static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    std::vector<std::string> found;
    std::istringstream lines(text);
    std::smatch match;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_search(line, match, include)) found.push_back(match[1]);
    return found;
}

} // namespace

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

const std::vector<Source>& sources() {
    static const std::vector<Source> all = [] {
        std::vector<Source> found;
        for (const auto* top : {"src", "grammar", "tests/bench"})
            for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
                const auto extension = entry.path().extension();
                if (extension != ".cpp" && extension != ".hpp" && extension != ".def") continue;
                const bool in_src = std::string_view(top) == "src";
                const fs::path relative = fs::relative(entry.path(), in_src ? root / "src" : root);
                Source source{entry.path(), relative.parent_path().string(), read(entry.path()), {}};
                source.includes = includes_of(source.text);
                found.push_back(std::move(source));
            }
        return found;
    }();
    return all;
}

bool is_below(const std::string& folder, const std::string& top) {
    return folder == top || folder.starts_with(top + "/");
}

const Source* find(const std::string& include) {
    static const auto by_name = [] {
        std::map<std::string, const Source*> found;
        for (const auto& source : sources()) {
            const fs::path name = fs::relative(
                source.path,
                is_below(source.folder, "grammar") || is_below(source.folder, "tests") ? root : root / "src");
            found.emplace(name.string(), &source);
        }
        return found;
    }();
    const auto at = by_name.find(include);
    return at == by_name.end() ? nullptr : at->second;
}

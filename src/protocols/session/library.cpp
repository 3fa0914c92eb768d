#include "protocols/session/library.hpp"

#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/process/own_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace zug::protocols {

namespace fs = std::filesystem;

fs::path rules_folder() {
    // In the order of: build/zug, bin/zug, the Python module, a library in lib or in lib/x86_64-linux-gnu.
    if (fs::path near = folder_near({"../rules", "../share/zug/rules", "rules", "../../share/zug/rules"});
        !near.empty())
        return near;
    std::error_code error;
    const fs::path configured = ZUG_RULES_FOLDER;
    return fs::is_directory(configured, error) ? configured : fs::path();
}

tl::expected<std::vector<fs::path>, Error> library_files(const fs::path& folder) {
    auto files = list_folder(folder);
    if (!files)
        return failure(fmt::format("can't read the folder of rules {}: {}", folder.string(), files.error().text));
    std::erase_if(*files, [](const fs::path& file) { return file.extension() != ".zug" || file.stem() == "prelude"; });
    std::ranges::sort(*files);
    return std::move(*files);
}

bool is_file(const std::string& name) {
    std::error_code error;
    return fs::is_regular_file(name, error) || (fs::exists(name, error) && !fs::is_directory(name, error));
}

tl::expected<std::string, Error> file_of_library(std::span<const fs::path> library, const std::string& name) {
    std::vector<std::string> names;
    for (const auto& file : library) {
        if (file.stem() == name || file.filename() == name) return file.string();
        names.push_back(file.stem().string());
    }
    std::error_code error;
    if (fs::is_directory(name, error)) return failure(fmt::format("`{}` is a folder, not a rule file", name));
    std::string message = fmt::format("there is no rule file `{}`", name);
    const std::string near = nearest(fs::path(name).stem().string(), names);
    if (!near.empty())
        message += fmt::format("; did you mean `{}`?", near);
    else
        message += "; `zug list` names those that come with Zug";
    return failure(std::move(message));
}

} // namespace zug::protocols

#include "base/process/module.hpp"

#include "base/process/own_folder.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace zug {

namespace fs = std::filesystem;

std::string module_file(const char* module) {
    const fs::path folder = folder_near({"zug-modules", "../lib/zug", "../" ZUG_LIBRARY_FOLDER "/zug"});
    const fs::path file = folder / fmt::format("zug-{}.so", module);
    std::error_code error;
    return !folder.empty() && fs::exists(file, error) ? file.string() : "";
}

tl::expected<void*, Error> module_function(const char* module, const char* function) {
    const std::string file = module_file(module);
    if (file.empty()) return failure(fmt::format("the module zug-{}.so is not beside the program", module));
    void* const loaded = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) return failure(fmt::format("the module zug-{}.so can't be loaded: {}", module, ::dlerror()));
    void* const found = ::dlsym(loaded, function);
    if (found == nullptr) return failure(fmt::format("{} is not of this program", file));
    return found;
}

} // namespace zug

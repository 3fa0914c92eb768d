#include "base/process/own_folder.hpp"

#include <dlfcn.h>
#include <link.h>
#include <system_error>

namespace zug {

namespace fs = std::filesystem;

fs::path own_folder() {
    Dl_info info{};
    link_map* object = nullptr;
    const auto found =
        dladdr1(reinterpret_cast<const void*>(&own_folder), &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP);
    std::error_code error;
    // The program itself has no name there.
    const bool is_library = found != 0 && object != nullptr && *object->l_name != '\0';
    const fs::path file = fs::canonical(is_library ? object->l_name : "/proc/self/exe", error);
    return error ? fs::path() : file.parent_path();
}

fs::path folder_near(std::initializer_list<std::string_view> paths) {
    const fs::path own = own_folder();
    // Without it a relative path would name a folder below that where the user happens to be.
    if (own.empty()) return {};
    std::error_code error;
    for (const std::string_view path : paths)
        if (const fs::path folder = fs::canonical(own / path, error); !error && fs::is_directory(folder, error))
            return folder;
    return {};
}

} // namespace zug

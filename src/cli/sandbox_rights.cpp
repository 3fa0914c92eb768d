#include "cli/sandbox_rights.hpp"

#include "cli/options.hpp"
#include "native/cache.hpp"
#include "native/compile_service.hpp"
#include "protocols/session/library.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace zug::cli {

namespace fs = std::filesystem;

namespace {

// The nearest folder above that exists: what is to be written may have to be made first.
fs::path existing(fs::path path) {
    std::error_code error;
    path = fs::absolute(path, error);
    while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
    return path;
}

fs::path folder_of(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error) ? path : fs::absolute(path, error).parent_path();
}

// What a word may name: itself, or what follows a `,`, `:` or `=` in it (`solved:DIR`).
std::vector<fs::path> named_by(const std::string& word) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (std::size_t from = 0; from != std::string::npos;) {
        const std::string whole = word.substr(from), part = whole.substr(0, whole.find_first_of(",;"));
        for (const std::string& text : {whole, part})
            if (!text.empty() && fs::exists(text, error)) paths.emplace_back(text);
        const std::size_t next = word.find_first_of(",:=", from);
        from = next == std::string::npos ? next : next + 1;
    }
    return paths;
}

// The files in which players remember positions (`rote=FILE`), which they write.
std::vector<std::string> remembered_in(const std::string& word) {
    constexpr std::string_view setting = "rote=";
    std::vector<std::string> files;
    for (std::size_t at = word.find(setting); at != std::string::npos; at = word.find(setting, at + 1)) {
        const std::string rest = word.substr(at + setting.size());
        files.push_back(rest.substr(0, rest.find_first_of(",;")));
    }
    return files;
}

} // namespace

SandboxRights sandbox_rights(const Command& command, std::span<const std::string> words) {
    SandboxRights rights;
    rights.read = {
        protocols::rules_folder(), "/usr",           "/lib",      "/lib64",       "/etc/ld.so.cache", "/proc/self",
        "/proc/meminfo",           "/sys/fs/cgroup", "/dev/zero", "/dev/urandom", "/dev/stdin",       "/dev/fd"};
    for (const char* fonts : {"/etc/fonts", "/var/cache/fontconfig"}) rights.read.emplace_back(fonts);
    for (const std::string& word : words) {
        for (const std::string& file : remembered_in(word)) rights.write.push_back(existing(folder_of(file)));
        for (const fs::path& path : named_by(word)) {
            rights.read.push_back(folder_of(path));
            if (command.name() == "fmt") rights.write.push_back(folder_of(path));
        }
    }
    std::vector<const char*> written = {"-o", "--record", "--save"};
    if (command.name() == "tournament") written.insert(written.end(), {"--csv", "--html"}); // elsewhere a flag
    if (command.name() == "learn") {
        written.insert(written.end(), {"--log", "--plot"});
        if (!command.has("-o")) rights.write.push_back(existing("."));
    }
    for (const char* option : written)
        if (command.has(option))
            for (const std::string& path : command.values(option)) rights.write.push_back(existing(folder_of(path)));
    const char* const temporary = std::getenv("TMPDIR");
    rights.write.push_back(temporary != nullptr && *temporary != 0 ? temporary : "/var/tmp");
    for (const char* device : {"/dev/null", "/dev/tty"}) rights.write.emplace_back(device);
    if (const fs::path cache = native::cache_folder(); !cache.empty()) {
        std::error_code error;
        fs::create_directories(cache, error);
        rights.write.push_back(cache);
    }
    // The service, and what the system runs to load it.
    rights.run = {native::codegen_program(), "/lib", "/lib64", "/usr/lib"};
    return rights;
}

} // namespace zug::cli

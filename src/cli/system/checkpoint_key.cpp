#include "cli/system/checkpoint_key.hpp"

#include "native/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zug::cli {

namespace fs = std::filesystem;

namespace {

std::optional<SecretKey> read_key(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    SecretKey key{};
    struct stat about {};
    const bool is_private = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == ::geteuid() &&
                            (about.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    const bool good = is_private && ::read(file, key.data(), key.size()) == static_cast<ssize_t>(key.size());
    ::close(file);
    return good ? std::optional(key) : std::nullopt;
}

// The file appears whole and at once: it is written under another name, and linked, which fails if it exists.
void make_key(const fs::path& path) {
    SecretKey key{};
    if (sodium_init() < 0) return;
    randombytes_buf(key.data(), key.size());
    const fs::path draft = fmt::format("{}.{}", path.string(), ::getpid());
    const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return;
    const bool written =
        ::write(file, key.data(), key.size()) == static_cast<ssize_t>(key.size()) && ::fsync(file) == 0;
    ::close(file);
    if (written) (void)::link(draft.c_str(), path.c_str());
    ::unlink(draft.c_str());
}

} // namespace

std::optional<SecretKey> checkpoint_key(const fs::path& folder) {
    if (folder.empty()) return std::nullopt;
    const fs::path path = folder / "checkpoint-key";
    if (auto key = read_key(path)) return key;
    std::error_code error;
    fs::create_directories(folder, error);
    make_key(path);
    return read_key(path);
}

std::optional<SecretKey> checkpoint_key() { return checkpoint_key(native::cache_folder()); }

} // namespace zug::cli

#include "cli/system/checkpoint_key.hpp"

#include "base/file.hpp"
#include "native/cache.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zug::cli {

namespace fs = std::filesystem;

namespace {

using Found = tl::expected<SecretKey, Error>;

Found system_error(const fs::path& path) { return failure(fmt::format("{}: {}", path.string(), std::strerror(errno))); }

bool is_private(const struct stat& about) {
    return S_ISREG(about.st_mode) && about.st_uid == ::geteuid() && (about.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

Found read_key(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return system_error(path);
    SecretKey key{};
    struct stat about {};
    Found found = ::fstat(file, &about) == 0 ? Found(key) : system_error(path);
    if (found && !is_private(about))
        found = failure(path.string() + " is not a file that only you can read and write");
    else if (found && static_cast<std::size_t>(about.st_size) != key.size())
        found = failure(path.string() + " is damaged");
    if (const auto read = found ? read_at(file, 0, *found) : tl::expected<void, Error>(); !read)
        found = failure(fmt::format("{}: {}", path.string(), read.error().text));
    ::close(file);
    return found;
}

// The file appears whole and at once: it is written under another name, and linked, which fails if it exists.
tl::expected<void, Error> make_key(const fs::path& path) {
    SecretKey key{};
    if (sodium_init() < 0) return failure("there are no random numbers");
    randombytes_buf(key.data(), key.size());
    const fs::path draft = fmt::format("{}.{}", path.string(), ::getpid());
    const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return tl::unexpected(system_error(draft).error());
    errno = ENOSPC; // of a write that ends early
    const bool made = ::write(file, key.data(), key.size()) == static_cast<ssize_t>(key.size()) && ::fsync(file) == 0 &&
                      (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
    const int error = errno;
    ::close(file);
    ::unlink(draft.c_str());
    errno = error;
    if (!made) return tl::unexpected(system_error(path).error());
    return {};
}

} // namespace

Found checkpoint_key(const fs::path& folder) {
    if (folder.empty()) return failure("there is no folder for it");
    const fs::path path = folder / "checkpoint-key";
    std::error_code error;
    if (fs::symlink_status(path, error).type() == fs::file_type::not_found) {
        fs::create_directories(folder, error);
        if (auto made = make_key(path); !made) return tl::unexpected(made.error());
    }
    return read_key(path);
}

Found checkpoint_key() { return checkpoint_key(native::cache_folder()); }

} // namespace zug::cli

#include "solve/storage/work_folder.hpp"

#include "base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace zug::solve {

namespace {

namespace fs = std::filesystem;

using Locked = tl::expected<std::unique_ptr<WorkFolder>, Error>;

// Whether the handle's folder is still the one of that name: the previous holder of the lock may have removed it.
bool is_named(int handle, const fs::path& path) {
    struct stat locked {
    }, named{};
    return ::fstat(handle, &locked) == 0 && ::stat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
           locked.st_dev == named.st_dev;
}

// " (1234)", or nothing if the folder does not say.
std::string owner_text(const fs::path& file) {
    const auto number = read_file(file, 20);
    const bool known = number && !number->empty() &&
                       std::ranges::all_of(*number, [](unsigned char c) { return std::isdigit(c) != 0; });
    return known ? fmt::format(" ({})", *number) : "";
}

} // namespace

Locked WorkFolder::lock_existing(const fs::path& path) {
    for (;;) {
        const int handle = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (handle < 0 && errno == ENOENT) return nullptr;
        if (handle < 0) return failure(fmt::format("can't read {}: {}", path.string(), std::strerror(errno)));
        std::unique_ptr<WorkFolder> folder(new WorkFolder(path, handle));
        if (::flock(handle, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            ::close(std::exchange(folder->handle_, -1));
            if (error == EINTR) continue;
            return failure(error == EWOULDBLOCK
                               ? fmt::format("another process{} is solving this game, in {}",
                                             owner_text(folder->owner_file()), path.string())
                               : fmt::format("can't lock {}: {}", path.string(), std::strerror(error)));
        }
        if (is_named(handle, path)) {
            std::ofstream(folder->owner_file()) << ::getpid(); // for the message above only
            return folder;
        }
        ::close(std::exchange(folder->handle_, -1));
    }
}

Locked WorkFolder::lock(const fs::path& path) {
    for (;;) {
        if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST)
            return failure(fmt::format("can't make {}: {}", path.string(), std::strerror(errno)));
        if (auto folder = lock_existing(path); !folder || *folder != nullptr) return folder;
    }
}

WorkFolder::~WorkFolder() {
    if (handle_ < 0) return;
    std::error_code error;
    fs::remove(owner_file(), error);
    ::rmdir(path_.c_str()); // fails while there is a checkpoint
    ::close(handle_);
}

bool WorkFolder::sync() const { return ::fsync(handle_) == 0; }

} // namespace zug::solve

#include "native/cache.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace zug::native {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".zugcode";

class File {
public:
    File(const fs::path& path, int flags) : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    bool good() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }
    bool read(Bytes& bytes) const {
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t n = ::read(descriptor_, bytes.data() + done, bytes.size() - done);
            if (n <= 0) return false;
            done += static_cast<std::size_t>(n);
        }
        return true;
    }
    bool write(std::span<const std::uint8_t> bytes) const {
        while (!bytes.empty()) {
            const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
            if (n <= 0) return false;
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        }
        return true;
    }

private:
    int descriptor_;
};

} // namespace

fs::path cache_folder() {
    if (const char* own = std::getenv("ZUG_CACHE")) return own;
    const char* const xdg = std::getenv("XDG_CACHE_HOME");
    if (xdg != nullptr && *xdg == '/') return fs::path(xdg) / "zug";
    const char* const home = std::getenv("HOME");
    if (home != nullptr && *home == '/') return fs::path(home) / ".cache" / "zug";
    return {};
}

fs::path Cache::path(const Key& key) const { return folder_ / (digest_text(key) += extension); }

std::optional<Bytes> Cache::load(const Key& key) const {
    if (folder_.empty()) return std::nullopt;
    const File file(path(key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat about {};
    if (!file.good() || fstat(file.descriptor(), &about) != 0) return std::nullopt;
    if (!S_ISREG(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return std::nullopt;
    if (static_cast<std::uintmax_t>(about.st_size) > limit_) return std::nullopt;
    Bytes bytes(static_cast<std::size_t>(about.st_size));
    if (!file.read(bytes)) return std::nullopt;
    const auto body = read_blob(bytes, key);
    if (!body) return std::nullopt;
    futimens(file.descriptor(), nullptr); // marks it as used
    return Bytes(body->begin(), body->end());
}

void Cache::store(const Key& key, std::span<const std::uint8_t> blob) const {
    if (folder_.empty()) return;
    std::error_code error;
    fs::create_directories(folder_, error);
    const fs::path target = path(key);
    static std::atomic<unsigned> drafts = 0;
    fs::path draft = target;
    draft += fmt::format(".{}.{}", getpid(), drafts++);
    bool written = false;
    {
        const File file(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
        written = file.good() && file.write(blob);
    }
    if (written) fs::rename(draft, target, error);
    if (!written || error) fs::remove(draft, error);
    trim();
}

Cache::Claim::~Claim() {
    if (lock_ >= 0) close(lock_);
}

void Cache::claim(std::chrono::milliseconds most, Claim& claim) const {
    constexpr std::chrono::milliseconds pause{20};
    if (folder_.empty()) return;
    std::error_code error;
    fs::create_directories(folder_, error);
    const int lock = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0) return;
    for (auto waited = pause * 0; flock(lock, LOCK_EX | LOCK_NB) != 0; waited += pause) {
        if (waited >= most) {
            close(lock);
            return;
        }
        std::this_thread::sleep_for(pause);
    }
    claim.lock_ = lock;
}

void Cache::trim() const {
    struct Entry {
        fs::file_time_type used;
        std::uintmax_t size;
        fs::path path;
    };
    std::vector<Entry> entries;
    std::uintmax_t total = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        // Drafts that a killed process left behind have a suffix after the extension.
        if (it->path().filename().string().find(extension) == std::string::npos) continue;
        std::error_code gone;
        const Entry entry{it->last_write_time(gone), it->file_size(gone), it->path()};
        if (gone) continue;
        total += entry.size;
        entries.push_back(entry);
    }
    std::ranges::sort(entries, {}, &Entry::used);
    for (const Entry& entry : entries) {
        if (total <= limit_) break;
        fs::remove(entry.path, error);
        total -= entry.size;
    }
}

} // namespace zug::native

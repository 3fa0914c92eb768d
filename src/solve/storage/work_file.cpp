#include "solve/storage/work_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace zug::solve {

namespace {

constexpr std::size_t buffer_bytes = 1 << 16;

} // namespace

struct WorkFile::Hash {
    XXH64_state_t state;
    Hash() { XXH64_reset(&state, 0); }
};

WorkFile::WorkFile(std::filesystem::path path, std::string name, std::shared_ptr<IoError> io_error)
    : path_(std::move(path)), name_(std::move(name)), io_error_(std::move(io_error)), hash_(std::make_unique<Hash>()) {}

WorkFile::~WorkFile() {
    if (handle_ < 0) return;
    ::close(handle_);
    if (!kept_ && !name_.empty()) ::unlink(path_.c_str());
}

std::shared_ptr<WorkFile> WorkFile::create(const std::filesystem::path& folder, const std::string& name,
                                           std::shared_ptr<IoError> io_error) {
    const bool nameless = name.empty();
    const std::filesystem::path path = folder / (nameless ? "zug-XXXXXX" : name);
    std::shared_ptr<WorkFile> file(new WorkFile(path, name, std::move(io_error)));
    if (nameless) {
        std::string pattern = path.string();
        file->handle_ = ::mkostemp(pattern.data(), O_CLOEXEC);
        if (file->handle_ >= 0) ::unlink(pattern.c_str());
    } else {
        file->handle_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    if (file->handle_ < 0) file->fail("write", errno);
    return file;
}

std::shared_ptr<WorkFile> WorkFile::open(const std::filesystem::path& folder, const std::string& name,
                                         std::uint64_t bytes, std::uint64_t hash, std::shared_ptr<IoError> io_error) {
    std::shared_ptr<WorkFile> file(new WorkFile(folder / name, name, std::move(io_error)));
    file->handle_ = ::open(file->path_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    file->kept_ = true;
    struct stat about {};
    if (file->handle_ < 0 && (errno == ENOENT || errno == ELOOP)) return nullptr;
    if (file->handle_ < 0 || ::fstat(file->handle_, &about) != 0) return file->fail("read", errno), nullptr;
    if (!S_ISREG(about.st_mode) || static_cast<std::uint64_t>(about.st_size) < bytes) return nullptr;
    std::vector<std::uint8_t> buffer(std::size_t{1} << 20);
    for (std::uint64_t at = 0; at < bytes; at += buffer.size()) {
        const std::size_t count = std::min<std::uint64_t>(buffer.size(), bytes - at);
        file->read(at, buffer.data(), count);
        XXH64_update(&file->hash_->state, buffer.data(), count);
    }
    if (file->hash() != hash) return nullptr;
    if (::ftruncate(file->handle_, static_cast<off_t>(bytes)) != 0 || ::lseek(file->handle_, 0, SEEK_END) < 0)
        file->fail("write", errno);
    file->size_ = bytes;
    return file;
}

void WorkFile::fail(const char* what, int error) const {
    io_error_->note(fmt::format("can't {} {}: {}", what, path_.string(), std::strerror(error)));
}

std::uint64_t WorkFile::hash() const { return XXH64_digest(&hash_->state); }

void WorkFile::append(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const std::uint8_t*>(data);
    XXH64_update(&hash_->state, from, bytes);
    size_ += bytes;
    synced_ = false;
    if (buffer_.size() + bytes > buffer_bytes) flush();
    if (bytes > buffer_bytes) return write(from, bytes);
    buffer_.insert(buffer_.end(), from, from + bytes);
}

void WorkFile::flush() {
    write(buffer_.data(), buffer_.size());
    buffer_.clear();
}

void WorkFile::write(const std::uint8_t* data, std::size_t bytes) {
    while (bytes > 0 && !io_error_->any()) {
        const ssize_t count = ::write(handle_, data, bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fail("write", errno);
        data += count;
        bytes -= static_cast<std::size_t>(count);
    }
}

void WorkFile::sync() {
    if (synced_) return;
    flush();
    if (!io_error_->any() && ::fsync(handle_) != 0) fail("write", errno);
    synced_ = true;
}

bool WorkFile::extend(std::uint64_t bytes) {
    int error = EINTR;
    while (error == EINTR && !io_error_->any())
        error = ::posix_fallocate(handle_, static_cast<off_t>(size_), static_cast<off_t>(bytes));
    if (error != 0) return fail("write", error), false;
    size_ += bytes;
    return true;
}

void WorkFile::read(std::uint64_t offset, void* out, std::size_t bytes) const {
    auto* to = static_cast<std::uint8_t*>(out);
    while (bytes > 0) {
        const ssize_t count = io_error_->any() ? 0 : ::pread(handle_, to, bytes, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            if (count < 0) fail("read", errno);
            io_error_->note(fmt::format("can't read {}: it is shorter than it was", path_.string()));
            std::memset(to, 0, bytes);
            return;
        }
        to += count;
        offset += static_cast<std::uint64_t>(count);
        bytes -= static_cast<std::size_t>(count);
    }
}

} // namespace zug::solve

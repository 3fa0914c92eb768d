#include "base/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zug {

tl::expected<InputFile, Error> InputFile::open(const std::filesystem::path& path) {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (handle < 0) return failure(std::strerror(errno));
    InputFile file(handle, 0);
    struct stat about {};
    if (::fstat(handle, &about) != 0) return failure(std::strerror(errno));
    if (S_ISDIR(about.st_mode)) return failure("it is a folder");
    if (!S_ISREG(about.st_mode)) return failure("it is not a regular file");
    file.size_ = static_cast<std::uint64_t>(about.st_size);
    return file;
}

InputFile::~InputFile() {
    if (handle_ >= 0) ::close(handle_);
}

tl::expected<void, Error> InputFile::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
    while (!out.empty()) {
        const ssize_t count = ::pread(handle_, out.data(), out.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure(std::strerror(errno));
        if (count == 0) return failure("it is shorter than it was");
        offset += static_cast<std::uint64_t>(count);
        out = out.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

tl::expected<std::string, Error> read_file(const std::filesystem::path& path, std::uint64_t limit) {
    const auto file = InputFile::open(path);
    if (!file) return tl::unexpected(file.error());
    std::string text(std::min(file->size(), limit), '\0');
    const auto done = file->read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    if (!done) return tl::unexpected(done.error());
    return text;
}

} // namespace zug

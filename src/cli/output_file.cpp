#include "cli/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zug::cli {

namespace {

constexpr mode_t everyone_reads = 0644;

tl::unexpected<Error> failed(const std::string& file, int reason) {
    return failure(fmt::format("can't write to {}: {}", file, std::strerror(reason)));
}

} // namespace

tl::expected<void, Error> check_writable(const std::string& file) {
    // Opening a pipe would wait for its reader.
    struct stat about {};
    if (::stat(file.c_str(), &about) == 0 && S_ISFIFO(about.st_mode)) return {};
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, everyone_reads);
    if (descriptor < 0) return failed(file, errno);
    ::close(descriptor);
    return {};
}

tl::expected<void, Error> write_file(const std::string& file, std::string_view text) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, everyone_reads);
    if (descriptor < 0) return failed(file, errno);
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const int reason = errno;
            ::close(descriptor);
            return failed(file, reason);
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::close(descriptor) != 0) return failed(file, errno);
    return {};
}

} // namespace zug::cli

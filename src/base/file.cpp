#include "base/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zug {

namespace {

// Without O_NONBLOCK, opening a pipe waits for a writer.
int open_to_read(const std::filesystem::path& path) {
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

// What stands where a file was expected.
const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "it is a folder";
    if (S_ISFIFO(mode)) return "it is a pipe";
    return S_ISCHR(mode) || S_ISBLK(mode) ? "it is a device" : "it is not a regular file";
}

bool is_pipe(int handle) {
    struct stat about {};
    return ::fstat(handle, &about) == 0 && S_ISFIFO(about.st_mode);
}

// Until the end of what is written, or `limit` bytes.
tl::expected<std::string, Error> read_pipe(int handle, std::uint64_t limit, double patience) {
    std::string text;
    std::array<char, 1U << 16U> buffer;
    while (text.size() < limit) {
        pollfd ready{.fd = handle, .events = POLLIN, .revents = 0};
        const int count = ::poll(&ready, 1, static_cast<int>(patience * 1000));
        if (count == 0)
            return failure(
                fmt::format("nothing was written to this pipe for {} second{}", patience, patience == 1 ? "" : "s"));
        const ssize_t read = count < 0 ? count : ::read(handle, buffer.data(), buffer.size());
        if (read < 0 && errno != EINTR && errno != EAGAIN) return failure(std::strerror(errno));
        if (read == 0) break;
        if (read > 0) text.append(buffer.data(), static_cast<std::size_t>(read));
    }
    text.resize(std::min<std::uint64_t>(text.size(), limit));
    return text;
}

constexpr mode_t everyone_reads = 0644;

tl::unexpected<Error> failed(const std::string& file, int reason) {
    return failure(fmt::format("can't write to {}: {}", file, std::strerror(reason)));
}

// Writes to a path; errors name the file that the user knows.
tl::expected<void, Error> write_as(const std::string& path, std::string_view text, const std::string& file) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, everyone_reads);
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

// Of devices, several may be written to and read at once.
bool is_same_file(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return false;
    std::error_code error;
    if (std::filesystem::exists(a, error) && !std::filesystem::is_regular_file(a, error)) return false;
    if (std::filesystem::equivalent(a, b, error)) return true;
    const auto whole = [&](const std::string& name) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(name, error), error);
    };
    return whole(a) == whole(b) && !error;
}

} // namespace

tl::expected<InputFile, Error> InputFile::open(const std::filesystem::path& path) {
    const int handle = open_to_read(path);
    if (handle < 0) return failure(std::strerror(errno));
    InputFile file(handle, 0);
    struct stat about {};
    if (::fstat(handle, &about) != 0) return failure(std::strerror(errno));
    if (!S_ISREG(about.st_mode)) return failure(kind_of(about.st_mode));
    file.size_ = static_cast<std::uint64_t>(about.st_size);
    return file;
}

InputFile::~InputFile() {
    if (handle_ >= 0) ::close(handle_);
}

tl::expected<void, Error> read_at(int handle, std::uint64_t offset, std::span<std::uint8_t> out) {
    while (!out.empty()) {
        const ssize_t count = ::pread(handle, out.data(), out.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure(std::strerror(errno));
        if (count == 0) return failure("it is shorter than it was");
        offset += static_cast<std::uint64_t>(count);
        out = out.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

tl::expected<void, Error> InputFile::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
    return read_at(handle_, offset, out);
}

tl::expected<std::string, Error> read_file(const std::filesystem::path& path, std::uint64_t limit) {
    const auto file = InputFile::open(path);
    if (!file) return tl::unexpected(file.error());
    std::string text(std::min(file->size(), limit), '\0');
    const auto done = file->read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    if (!done) return tl::unexpected(done.error());
    return text;
}

tl::expected<std::string, Error> read_file_or_pipe(const std::filesystem::path& path, std::uint64_t limit,
                                                   double patience) {
    const int handle = open_to_read(path);
    if (handle < 0) return failure(std::strerror(errno));
    const bool pipe = is_pipe(handle);
    auto text = pipe ? read_pipe(handle, limit, patience) : std::string();
    ::close(handle);
    return pipe ? text : read_file(path, limit);
}

tl::expected<std::vector<std::filesystem::path>, Error> list_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        paths.push_back(at->path());
    if (error) return failure(error.message());
    return paths;
}

tl::expected<void, Error> check_writable(const std::string& file) {
    // Opening a pipe would wait for its reader.
    struct stat about {};
    const bool is_there = ::stat(file.c_str(), &about) == 0;
    if (is_there && S_ISFIFO(about.st_mode)) return {};
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, everyone_reads);
    if (descriptor < 0) return failed(file, errno);
    ::close(descriptor);
    if (!is_there) ::unlink(file.c_str());
    return {};
}

tl::expected<void, Error> check_apart(std::span<const std::string> results, std::span<const std::string> read) {
    for (std::size_t r = 0; r < results.size(); ++r) {
        if (results[r].empty()) continue;
        const auto same = [&](const std::string& other) { return is_same_file(results[r], other); };
        if (std::ranges::any_of(read, same))
            return failure(fmt::format("{} is read: what is written needs another file", results[r]));
        if (std::ranges::any_of(results.subspan(r + 1), same))
            return failure(fmt::format("{} is to hold two results: each needs a file of its own", results[r]));
    }
    return {};
}

tl::expected<void, Error> write_file(const std::string& file, std::string_view text) {
    std::error_code ignored;
    const std::filesystem::file_type type = std::filesystem::status(file, ignored).type();
    const bool is_file = type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found;
    const std::filesystem::path folder = std::filesystem::weakly_canonical(file, ignored).parent_path();
    const bool replaces = is_file && ::access(folder.c_str(), W_OK) == 0;
    return replaces ? replace_file(file, text) : write_as(file, text, file);
}

tl::expected<void, Error> replace_file(const std::filesystem::path& file, std::string_view text) {
    std::error_code error;
    const bool replaces = std::filesystem::exists(file, error);
    const std::filesystem::path target = replaces ? std::filesystem::canonical(file, error) : file;
    if (error) return failure(fmt::format("can't write to {}: {}", file.string(), error.message()));
    const std::filesystem::path draft = target.string() + ".new";
    const auto written = write_as(draft, text, file.string());
    if (written && replaces)
        std::filesystem::permissions(draft, std::filesystem::status(target, error).permissions(), error);
    if (written && !error) std::filesystem::rename(draft, target, error);
    if (written && !error) return {};
    std::error_code ignored;
    std::filesystem::remove(draft, ignored);
    if (!written) return written;
    return failure(fmt::format("can't write to {}: {}", file.string(), error.message()));
}

} // namespace zug

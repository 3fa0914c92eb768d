// The file of records.

#include "match/record.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace zug::match {

namespace {

tl::unexpected<Error> failed(const char* what, const std::string& file) {
    return failure(fmt::format("can't {} {}: {}", what, file, std::strerror(errno)));
}

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Ends an incomplete line at the end of the file. What was not opened to be read (pipes, and files of others) is left
// as it is; a file that is there to be read and can't be is an error, or the next record would be added to that line.
bool end_torn_line(int descriptor) {
    struct stat about {};
    if (::fstat(descriptor, &about) != 0) return false;
    const bool readable = (::fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDWR;
    if (!readable || !S_ISREG(about.st_mode) || about.st_size == 0) return true;
    char last = '\n';
    ssize_t count = -1;
    do count = ::pread(descriptor, &last, 1, about.st_size - 1);
    while (count < 0 && errno == EINTR);
    return count >= 0 && (last == '\n' || write_all(descriptor, "\n"));
}

} // namespace

tl::expected<RecordWriter, Error> RecordWriter::open(const std::string& file) {
    constexpr mode_t everyone_reads = 0644;
    // Without O_NONBLOCK, opening a pipe waits for its reader.
    constexpr int flags = O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat about {};
    const bool pipe = ::stat(file.c_str(), &about) == 0 && S_ISFIFO(about.st_mode);
    int descriptor = pipe ? -1 : ::open(file.c_str(), O_RDWR | O_CREAT | flags, everyone_reads);
    if (pipe || (descriptor < 0 && errno == EACCES)) // perhaps there is no permission to read only
        descriptor = ::open(file.c_str(), O_WRONLY | flags);
    if (pipe && descriptor < 0 && errno == ENXIO)
        return failure(fmt::format("can't write to {}: nobody reads this pipe", file));
    if (descriptor < 0) return failed("write to", file);
    RecordWriter writer(descriptor, file);
    ::fcntl(descriptor, F_SETFL, O_APPEND);
    if (!end_torn_line(descriptor)) return failed("write to", file);
    return writer;
}

RecordWriter::RecordWriter(RecordWriter&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), file_(std::move(other.file_)) {}

RecordWriter& RecordWriter::operator=(RecordWriter&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(file_, other.file_);
    return *this;
}

RecordWriter::~RecordWriter() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

tl::expected<void, Error> RecordWriter::append(const GameRecord& record) { return append_line(record_line(record)); }

tl::expected<void, Error> RecordWriter::append_line(const std::string& text) { return append_text(text + "\n"); }

tl::expected<void, Error> RecordWriter::append_text(std::string_view text) {
    if (!write_all(descriptor_, text)) return failed("write to", file_);
    return {};
}

// What is not a file on a disk has nothing to wait for, and says so by an error.
void RecordWriter::sync() { (void)!::fdatasync(descriptor_); }

} // namespace zug::match

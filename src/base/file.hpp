#pragma once
// Reading files that somebody else may have made, or may be changing, and writing those of results. Only regular files
// are read: opening a pipe or a device could wait for ever, or have effects. Nothing is mapped, since a mapped file
// that becomes shorter, or a disk that fails, ends the process without a word.

#include "base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug {

// A regular file that is open for reading. Errors are reasons without the name of the file ("it is a folder").
class InputFile {
public:
    static tl::expected<InputFile, Error> open(const std::filesystem::path& path);
    InputFile(InputFile&& other) noexcept : handle_(std::exchange(other.handle_, -1)), size_(other.size_) {}
    InputFile& operator=(InputFile&& other) noexcept {
        std::swap(handle_, other.handle_);
        size_ = other.size_;
        return *this;
    }
    ~InputFile();

    std::uint64_t size() const { return size_; } // when it was opened
    // Fills `out`. An error: the file ends before, or can't be read. Thread-safe.
    tl::expected<void, Error> read(std::uint64_t offset, std::span<std::uint8_t> out) const;

private:
    InputFile(int handle, std::uint64_t size) : handle_(handle), size_(size) {}
    int handle_ = -1;
    std::uint64_t size_ = 0;
};

// The same for a file descriptor.
tl::expected<void, Error> read_at(int handle, std::uint64_t offset, std::span<std::uint8_t> out);

// The bytes of a regular file, of a longer one the first `limit`. Errors as above.
tl::expected<std::string, Error> read_file(const std::filesystem::path& path, std::uint64_t limit);
// The same for a file that the user names, which may be a pipe too (`<(command)`, /dev/stdin): it is read to its end,
// as long as its writer never pauses for more than `patience` seconds.
tl::expected<std::string, Error> read_file_or_pipe(const std::filesystem::path& path, std::uint64_t limit,
                                                   double patience = 1);

// The paths of what a folder holds, in no order. The iterators of the standard library would throw if the folder can't
// be read to its end.
tl::expected<std::vector<std::filesystem::path>, Error> list_folder(const std::filesystem::path& folder);

// Errors of these name the file.

// Whether the file can be written, to know it before the work begins. It is left as it is.
tl::expected<void, Error> check_writable(const std::string& file);
// An error if a file for a result is one of those that are read for it, or if two results have the same file, under
// whatever names. Empty names mean none.
tl::expected<void, Error> check_apart(std::span<const std::string> results, std::span<const std::string> read);
// Replaces the content: of a file as replace_file() does, if its folder allows it; a device or a pipe is written to.
tl::expected<void, Error> write_file(const std::string& file, std::string_view text);
// Replaces the content by a new file that is renamed, so that there is always the old content or the new, whatever
// happens. It gets the permissions of the old one; a link stays one.
tl::expected<void, Error> replace_file(const std::filesystem::path& file, std::string_view text);

} // namespace zug

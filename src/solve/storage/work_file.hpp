#pragma once
// Files of a solution: append-only, with reads at any offset.
//
// Errors are not returned: the first one is recorded in `IoError`, and reads after it yield zeros. Callers check it
// before the data decides anything, at the points where threads join.

#include "base/first_error.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace zug::solve {

using IoError = FirstError;

class WorkFile {
public:
    // A new file. With an empty name it is unlinked at once, so it disappears with the process.
    static std::shared_ptr<WorkFile> create(const std::filesystem::path& folder, const std::string& name,
                                            std::shared_ptr<IoError> io_error);
    // An existing file whose first `bytes` bytes have this hash (XXH64); it is truncated to them. Null: there is none,
    // or an error.
    static std::shared_ptr<WorkFile> open(const std::filesystem::path& folder, const std::string& name,
                                          std::uint64_t bytes, std::uint64_t hash, std::shared_ptr<IoError> io_error);
    WorkFile(const WorkFile&) = delete;
    WorkFile& operator=(const WorkFile&) = delete;
    // Deletes the file unless a checkpoint needs it.
    ~WorkFile();
    void keep(bool kept) { kept_ = kept; }

    // By one thread at a time. The data can be read after flush().
    void append(const void* data, std::size_t bytes);
    void flush();
    // Flushes, and returns once all data is on disk.
    void sync();
    // Extends the file by zero bytes that are allocated on disk. False: the disk is full.
    bool extend(std::uint64_t bytes);
    int handle() const { return handle_; }
    // Thread-safe.
    void read(std::uint64_t offset, void* out, std::size_t bytes) const;

    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; }
    std::uint64_t hash() const; // XXH64 of all bytes

private:
    struct Hash;
    WorkFile(std::filesystem::path path, std::string name, std::shared_ptr<IoError> io_error);
    void write(const std::uint8_t* data, std::size_t bytes);
    void fail(const char* what, int error) const;

    std::filesystem::path path_; // for error messages
    std::string name_;
    std::shared_ptr<IoError> io_error_;
    int handle_ = -1;
    std::uint64_t size_ = 0; // including the buffer
    bool synced_ = true, kept_ = false;
    std::vector<std::uint8_t> buffer_;
    std::unique_ptr<Hash> hash_;
};

// A range of bytes in a file.
struct Section {
    std::shared_ptr<WorkFile> file; // null: none
    std::uint64_t offset = 0;
};

} // namespace zug::solve

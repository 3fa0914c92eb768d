#pragma once
// Files that a long solution works with: appended to, and read at any place.
//
// Their errors are not values: the first one is noted in `Trouble`, and what is read after it is zero. Whoever uses
// such files looks there before what was read decides anything, which is where threads meet.

#include "game/game.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace zug::solve {

// The first thing that went wrong with the files.
class IoError {
public:
    void note(std::string text);
    bool any() const { return any_; }
    std::string text() const;

private:
    std::atomic<bool> any_ = false;
    mutable std::mutex mutex_;
    std::string text_;
};

class WorkFile {
public:
    // A new file; with an empty name one that no folder shows, and that is gone when the process is.
    static std::shared_ptr<WorkFile> create(const std::filesystem::path& folder, const std::string& name,
                                            std::shared_ptr<IoError> io_error);
    // A file of so many bytes with this hash (XXH64); what stands behind them is cut off. Null: there is no such file.
    static std::shared_ptr<WorkFile> open(const std::filesystem::path& folder, const std::string& name,
                                          std::uint64_t bytes, std::uint64_t hash, std::shared_ptr<IoError> io_error);
    WorkFile(const WorkFile&) = delete;
    WorkFile& operator=(const WorkFile&) = delete;
    // The file goes, too, unless a checkpoint needs it.
    ~WorkFile();
    void keep(bool kept) { kept_ = kept; }

    // One thread at a time. Can be read after flush().
    void append(const void* data, std::size_t bytes);
    void flush();
    // Flushes, and comes back when all is on the disk.
    void sync();
    // Makes it longer by bytes that are 0 and have their place on the disk already. False: there is no room.
    bool extend(std::uint64_t bytes);
    int handle() const { return handle_; }
    // Any number of threads.
    void read(std::uint64_t offset, void* out, std::size_t bytes) const;

    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; }
    std::uint64_t hash() const; // XXH64 of all bytes

private:
    struct Hash;
    WorkFile(std::filesystem::path path, std::string name, std::shared_ptr<IoError> io_error);
    void write(const std::uint8_t* data, std::size_t bytes);
    void fail(const char* what, int error) const;

    std::filesystem::path path_; // as errors name it
    std::string name_;
    std::shared_ptr<IoError> io_error_;
    int handle_ = -1;
    std::uint64_t size_ = 0; // with what stands in the buffer
    bool synced_ = true, kept_ = false;
    std::vector<std::uint8_t> buffer_;
    std::unique_ptr<Hash> hash_;
};

// Bytes of a file: where a row of keys or results stands.
struct Section {
    std::shared_ptr<WorkFile> file; // null: none
    std::uint64_t offset = 0;
};

} // namespace zug::solve

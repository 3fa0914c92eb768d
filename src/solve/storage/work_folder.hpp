#pragma once
// A folder that one process at a time works in: it is made and locked in one step, before anything in it or beside it
// is created or removed, and what the process keeps there is named by others only while they hold the lock.

#include "base/error.hpp"

#include <filesystem>
#include <memory>

namespace zug::solve {

class WorkFolder {
public:
    // Makes the folder if there is none, and locks it. Errors: another process, whose number is in the sentence, holds
    // the lock; or the folder can't be made.
    static tl::expected<std::unique_ptr<WorkFolder>, Error> lock(const std::filesystem::path& path);
    // The same for a folder that exists; null if it does not.
    static tl::expected<std::unique_ptr<WorkFolder>, Error> lock_existing(const std::filesystem::path& path);
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    // Removes the folder if nothing is kept in it, and unlocks.
    ~WorkFolder();

    const std::filesystem::path& path() const { return path_; }
    // Returns once renamings in the folder are on disk. False: errno says why not.
    bool sync() const;

private:
    WorkFolder(std::filesystem::path path, int handle) : path_(std::move(path)), handle_(handle) {}
    std::filesystem::path owner_file() const { return path_ / "owner"; }

    std::filesystem::path path_;
    int handle_ = -1;
};

} // namespace zug::solve

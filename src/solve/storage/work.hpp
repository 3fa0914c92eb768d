#pragma once
// Where a long solution keeps what memory has no room for, and its checkpoints.
//
// In a folder beside the database to be, or, where there is none, in files without names in $TMPDIR or /var/tmp. The
// folder is made when the first file is. It is locked: one process at a time works in it.
//
// A checkpoint is a manifest that names the files that are needed, with sizes and hashes, and holds the state of
// whoever works. It takes the place of the last one in one step (write, fsync, rename), and what no manifest needs any
// more goes after that; so a killed process leaves the last checkpoint whole.
//
//   manifest = "ZUGWORK\0" version:u32 hash:u64 archive        (hash: XXH64 of the archive; base/archive.hpp)

#include "base/archive.hpp"
#include "solve/storage/work_file.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <set>

namespace zug::solve {

// What is solved, and how, as far as the results and the files depend on it.
struct SolveKey {
    std::string game;
    std::vector<std::pair<std::string, std::string>> params;
    std::uint64_t rules_hash = 0;
    std::uint8_t ties = 0;
    bool symmetries = true;           // are looked for
    std::vector<std::uint32_t> start; // the slots of the first position
};

class Work {
public:
    struct Place {
        std::filesystem::path folder = {}; // empty: no folder, no checkpoints
        // From the end of one to the next, and at least four times what one takes, so that they take a fifth of the
        // time at most; 0: one wherever it can be.
        double checkpoint_seconds = 30;
    };

    explicit Work(Place place);
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    // Removes the folder unless there is a checkpoint in it.
    ~Work();

    // The state of the last checkpoint: none if there is no folder. An error: another process works there. `why`: why a
    // checkpoint that is there is of no use.
    tl::expected<std::optional<archive::Bytes>, Error> find(const SolveKey& solve_key, std::string& why);
    // Forgets the checkpoint.
    void clear();
    // Removes what was left of work that is complete.
    static void remove(const std::filesystem::path& folder);

    std::shared_ptr<WorkFile> create();
    // One that no checkpoint has, and no folder shows.
    std::shared_ptr<WorkFile> create_nameless();
    // A file that the checkpoint names. Null: it does not.
    std::shared_ptr<WorkFile> file(const std::string& name) const;

    bool has_folder() const { return !place_.folder.empty(); }
    // Whether a checkpoint is asked for, and the last one is long enough ago, or the work `stops`. Whoever is told so
    // makes one at once: how long that takes is counted from here.
    bool is_due(bool stops = false) {
        if (!has_folder()) return false;
        asked_ = Clock::now();
        return stops || asked_ >= next_;
    }
    // All files that are alive belong to the checkpoint.
    void save(const archive::Bytes& state);
    bool has_checkpoint() const { return has_checkpoint_; }

    IoError& io_error() { return *io_error_; }

private:
    using Clock = std::chrono::steady_clock;
    struct FileEntry {
        std::string name;
        std::uint64_t bytes = 0, hash = 0;
    };
    struct Manifest {
        SolveKey solve_key;
        std::vector<FileEntry> files;
        std::uint64_t next_number = 0;
        archive::Bytes state;
    };

    tl::expected<bool, Error> lock(); // false: there is no such folder
    bool make_folder();
    std::optional<Manifest> read_manifest(std::string& why) const;
    std::string open_files(const Manifest& manifest);
    void write_manifest(const Manifest& manifest);
    // Removes all files in the folder but these.
    void remove_all_but(const std::set<std::string>& names) const;
    void schedule(Clock::duration spent = {});

    Place place_;
    SolveKey solve_key_;
    std::shared_ptr<IoError> io_error_ = std::make_shared<IoError>();
    int folder_handle_ = -1; // locked
    Clock::time_point asked_, next_;
    std::uint64_t next_number_ = 0;
    bool has_checkpoint_ = false;
    std::vector<std::weak_ptr<WorkFile>> files_;
    std::map<std::string, std::shared_ptr<WorkFile>> found_; // by the checkpoint's names, until the first save()
};

} // namespace zug::solve

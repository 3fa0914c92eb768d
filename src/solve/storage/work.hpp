#pragma once
// The files of a solution: data that exceeds memory, and checkpoints.
//
// They are in a folder beside the database to be written, which is locked (work_folder.hpp), or, without one, unnamed
// files in $TMPDIR or /var/tmp.
//
// A checkpoint is a manifest that names the files it needs, with sizes and hashes, and holds the solver's state. It
// replaces the previous one atomically (write, fsync, rename), and files that it no longer needs are deleted after
// that, so a killed process leaves the last checkpoint intact.
//
// What it holds is taken as it is: nobody but the program could have made it. So that this is true of folders that came
// from elsewhere, the manifest is authenticated with a key of the user's own. Who can write into the folder of a
// running solver is trusted: files beside the manifest are only guarded against damage.
//
//   manifest = "ZUGWORK\0" version:u32 0:u32 hash:u64 mac archive
//
// hash: XXH64 of the archive (base/archive.hpp); mac: 32 bytes (base/digest.hpp), zeros if there is no key.

#include "base/archive.hpp"
#include "base/digest.hpp"
#include "solve/storage/work_file.hpp"
#include "solve/storage/work_folder.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <set>

namespace zug::solve {

// What is solved and with which options, as far as results and files depend on it.
struct SolveKey {
    std::string game;
    std::vector<std::pair<std::string, std::string>> params;
    Digest rules{};
    std::uint8_t ties = 0;
    bool symmetries = true;           // whether symmetries are used
    std::vector<std::uint32_t> start; // the slots of the first position
};

// The error of a checkpoint that the user's key does not authenticate.
inline constexpr std::string_view not_authentic =
    "its checkpoint was made by another user or elsewhere, so what it says "
    "can't be trusted: --trust-checkpoint resumes "
    "from it all the same, --again starts again";

class Work {
public:
    struct FolderOptions {
        std::shared_ptr<WorkFolder> folder = {}; // null: no checkpoints
        // The time between checkpoints. It is extended to four times what writing one takes, so that they cost at most
        // a fifth of the time. 0: a checkpoint at every safepoint.
        double checkpoint_seconds = 30;
        std::optional<SecretKey> key = {}; // that authenticates checkpoints; none: they can be resumed only if trusted
        bool trusted = false;              // whether a checkpoint that it does not authenticate is taken
    };

    explicit Work(FolderOptions options, SolveKey solve_key = {});
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    // Removes all files that are not those of a checkpoint.
    ~Work();

    // The state of the last checkpoint, if there is one. `why`: why an existing checkpoint cannot be used; it is
    // discarded then. An error: it can't be read, or only be used if it is trusted; it stays.
    tl::expected<std::optional<archive::Bytes>, Error> find(std::string& why);
    // Discards the checkpoint.
    void clear();

    std::shared_ptr<WorkFile> create();
    // An unnamed file, which is in no checkpoint.
    std::shared_ptr<WorkFile> create_nameless();
    // A file of the checkpoint that was found. Null: it names no such file.
    std::shared_ptr<WorkFile> file(const std::string& name) const;

    bool has_folder() const { return options_.folder != nullptr; }
    // Whether to write a checkpoint now: the time between checkpoints has passed, or the work `stops`. The caller must
    // then write it at once, since its duration is measured from here.
    bool is_due(bool stops = false) {
        if (!has_folder()) return false;
        asked_ = Clock::now();
        return stops || asked_ >= next_;
    }
    // Writes a checkpoint of all files that are alive, and this state.
    void save(const archive::Bytes& state);
    static bool has_checkpoint(const std::filesystem::path& folder);

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

    const std::filesystem::path& folder() const { return options_.folder->path(); }
    // With whether it is authentic.
    std::optional<std::pair<Manifest, bool>> read_manifest(std::string& why) const;
    // Why they can't be used; empty: they can, or there was an I/O error.
    std::string open_files(const Manifest& manifest);
    bool write_manifest(const Manifest& manifest); // false: the previous one is still there
    void note_folder_error();
    // Removes all other files in the folder.
    void remove_all_but(const std::set<std::string>& names) const;
    void schedule(Clock::duration spent = {});

    FolderOptions options_;
    SolveKey solve_key_;
    std::shared_ptr<IoError> io_error_ = std::make_shared<IoError>();
    Clock::time_point asked_, next_;
    std::uint64_t next_number_ = 0;
    bool has_checkpoint_ = false;
    std::vector<std::weak_ptr<WorkFile>> files_;
    std::map<std::string, std::shared_ptr<WorkFile>> found_; // by the checkpoint's names, until the first save()
};

} // namespace zug::solve

#include "cli/system/sandbox.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace zug::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t truncate = std::uint64_t{1} << 14; // LANDLOCK_ACCESS_FS_TRUNCATE, newer than some headers
constexpr std::uint64_t reads = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t runs = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t of_files = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                   LANDLOCK_ACCESS_FS_EXECUTE | truncate; // all others concern folders
constexpr std::uint64_t writes = reads | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_DIR | truncate;

std::string system_error(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

// A file or folder that is open as a name only.
class Place {
public:
    explicit Place(const fs::path& path) : handle_(::open(path.c_str(), O_PATH | O_CLOEXEC)) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
        if (handle_ >= 0) ::close(handle_);
    }
    int handle() const { return handle_; }

private:
    int handle_;
};

class Landlock {
public:
    Landlock() {
        const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
        if (version < 1) return;
        // Version 1 has all that can be done to files but to move them between folders (2) and to truncate them (3).
        handled_ = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1;
        if (version >= 2) handled_ |= LANDLOCK_ACCESS_FS_REFER;
        if (version >= 3) handled_ |= truncate;
        const landlock_ruleset_attr attributes{.handled_access_fs = handled_};
        ruleset_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
    }
    Landlock(const Landlock&) = delete;
    Landlock& operator=(const Landlock&) = delete;
    ~Landlock() {
        if (ruleset_ >= 0) ::close(ruleset_);
    }

    bool good() const { return ruleset_ >= 0; }
    bool allow(const fs::path& path, std::uint64_t rights) const {
        std::error_code error;
        const Place place(path);
        if (place.handle() < 0) return true; // nothing to read there, and nothing to write
        if (!fs::is_directory(path, error)) rights &= of_files;
        const landlock_path_beneath_attr rule{.allowed_access = rights & handled_, .parent_fd = place.handle()};
        // What has no name in a file system, such as a pipe, is not restricted.
        return ::syscall(SYS_landlock_add_rule, ruleset_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 || errno == EBADFD;
    }
    bool enter() const { return ::syscall(SYS_landlock_restrict_self, ruleset_, 0) == 0; }

private:
    std::uint64_t handled_ = 0;
    int ruleset_ = -1;
};

// System calls that no command needs, and with which a process could reach the network, others' memory, or more of the
// kernel.
constexpr long refused[] = {SYS_socket,
                            SYS_socketpair,
                            SYS_bind,
                            SYS_ptrace,
                            SYS_process_vm_readv,
                            SYS_process_vm_writev,
                            SYS_pidfd_getfd,
                            SYS_mount,
                            SYS_umount2,
                            SYS_pivot_root,
                            SYS_chroot,
                            SYS_unshare,
                            SYS_setns,
                            SYS_bpf,
                            SYS_perf_event_open,
                            SYS_userfaultfd,
                            SYS_io_uring_setup,
                            SYS_keyctl,
                            SYS_add_key,
                            SYS_request_key,
                            SYS_init_module,
                            SYS_finit_module,
                            SYS_kexec_load};

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0; // the numbers of its calls are not known here
#endif

// The refused calls fail with EPERM, also those of another machine's numbering.
bool refuse_calls() {
    if (machine == 0) return errno = ENOSYS, false;
    std::vector<sock_filter> filter = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    };
#if defined(__x86_64__)
    constexpr std::uint32_t x32 = 0x40000000; // a second numbering of the same calls
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
#endif
    for (const long call : refused) {
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace

tl::expected<void, Error> enter_sandbox(const SandboxRights& rights) {
    const Landlock landlock;
    if (!landlock.good())
        return failure(system_error("--sandbox needs Landlock, which this system doesn't have (Linux 5.13 has it)"));
    const auto allow = [&](const std::vector<fs::path>& paths, std::uint64_t what) {
        return std::ranges::all_of(paths, [&](const fs::path& path) { return landlock.allow(path, what); });
    };
    const rlimit none{};
    if (!allow(rights.read, reads) || !allow(rights.write, writes) || !allow(rights.run, runs) ||
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !landlock.enter() || !refuse_calls() ||
        ::setrlimit(RLIMIT_CORE, &none) != 0)
        return failure(system_error("can't enter the sandbox"));
    return {};
}

} // namespace zug::cli

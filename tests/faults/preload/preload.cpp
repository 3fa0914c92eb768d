// A library to preload, which makes calls of the C library fail: the n-th of a kind from the start of main().
//
//   ZUG_FAULT=KIND:N[+]:ERROR   the N-th call fails, or with + that and all later ones. ERROR is a name as in errno.h,
//                               or `short`: the call does part of what was asked and succeeds.
//   ZUG_FAULT_PROGRAM=NAME      only in the program of this name, not in others that it starts
//   ZUG_FAULT_COUNTS=FILE       writes the number of calls of each kind to FILE when main() returns
//
// Calls are counted in each process by itself. fsync() does nothing but count: the tests cut no power, and wait less.

#include "kinds.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h> // before the definitions of what it declares, whatever is compiled with them
#include <pthread.h>
#include <spawn.h>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): names of glibc

extern "C" { // its allocator, by names that nobody replaces
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

using zug::test::fault_kinds;
using zug::test::FaultKind;

constexpr int partial = -1; // instead of a number of errno

struct Plan {
    std::size_t kind = fault_kinds.size();
    std::uint64_t first = 0, last = 0;
    int error = 0;
};

Plan plan;
std::atomic<bool> counting = false;
std::array<std::atomic<std::uint64_t>, fault_kinds.size()> counts;

int error_of(std::string_view name) {
    struct Named {
        std::string_view name;
        int error;
    };
    constexpr std::array<Named, 8> known = {{{"short", partial},
                                             {"EACCES", EACCES},
                                             {"EAGAIN", EAGAIN},
                                             {"EINTR", EINTR},
                                             {"EIO", EIO},
                                             {"EMFILE", EMFILE},
                                             {"ENOMEM", ENOMEM},
                                             {"ENOSPC", ENOSPC}}};
    const auto* const found = std::ranges::find(known, name, &Named::name);
    if (found == known.end()) std::abort();
    return found->error;
}

// Stops on a plan that is not understood: a test that injects nothing would pass.
Plan read_plan(std::string_view text) {
    Plan result;
    const std::size_t colon = text.find(':');
    result.kind = static_cast<std::size_t>(std::ranges::find(fault_kinds, text.substr(0, colon)) - fault_kinds.begin());
    if (colon == std::string_view::npos || result.kind == fault_kinds.size()) std::abort();
    text.remove_prefix(colon + 1);
    const auto number = std::from_chars(text.data(), text.data() + text.size(), result.first);
    text.remove_prefix(static_cast<std::size_t>(number.ptr - text.data()));
    result.last = text.starts_with('+') ? UINT64_MAX : result.first;
    if (text.starts_with('+')) text.remove_prefix(1);
    if (!text.starts_with(':')) std::abort();
    result.error = error_of(text.substr(1));
    return result;
}

// Counts a call. Whether it is to be disturbed: 0: no; `partial`, or the error that it is to give.
int disturbed(FaultKind kind) {
    if (!counting) return 0;
    const auto index = static_cast<std::size_t>(kind);
    const std::uint64_t number = ++counts[index];
    return index == plan.kind && number >= plan.first && number <= plan.last ? plan.error : 0;
}

// For calls that can't be done in part.
bool fails(FaultKind kind) {
    const int error = disturbed(kind);
    if (error > 0) errno = error;
    return error > 0;
}

// For calls that return the error.
int error_to_return(FaultKind kind) { return std::max(0, disturbed(kind)); }

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

// Reads or writes: whole, a part, or an error.
template <class Call>
ssize_t transfer(FaultKind kind, std::size_t size, const Call& call) {
    const int error = disturbed(kind);
    if (error > 0) {
        errno = error;
        return -1;
    }
    return call(error == partial ? (size + 1) / 2 : size);
}

FaultKind kind_of_write(int file) {
    return file == STDOUT_FILENO ? FaultKind::Output : file == STDERR_FILENO ? FaultKind::Message : FaultKind::Write;
}

mode_t mode_of(int flags, va_list& arguments) {
    return (static_cast<unsigned>(flags) & static_cast<unsigned>(O_CREAT)) != 0 ? va_arg(arguments, mode_t) : 0;
}

void write_counts() {
    const char* const name = std::getenv("ZUG_FAULT_COUNTS");
    FILE* const file = name != nullptr ? std::fopen(name, "w") : nullptr;
    if (file == nullptr) return;
    for (std::size_t k = 0; k < fault_kinds.size(); ++k)
        std::fprintf(file, "%s %llu\n", fault_kinds[k].data(), static_cast<unsigned long long>(counts[k]));
    std::fclose(file);
}

int (*real_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
    const char* const text = std::getenv("ZUG_FAULT");
    const char* const program = std::getenv("ZUG_FAULT_PROGRAM");
    const bool chosen = program == nullptr || std::string_view(program) == program_invocation_short_name;
    if (text != nullptr && chosen) plan = read_plan(text);
    counting = true;
    const int code = real_main(argc, argv, environment);
    counting = false;
    if (chosen) write_counts();
    return code;
}

} // namespace

// From here on, functions of the C library. Each has the declaration of its header.
extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*begin)(), void (*end)(),
                      void (*loader_end)(), void* stack) {
    using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
    real_main = main;
    return next<Start>("__libc_start_main")(counted_main, argc, argv, begin, end, loader_end, stack);
}

void* malloc(std::size_t size) noexcept { return fails(FaultKind::Allocate) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) noexcept {
    return fails(FaultKind::Allocate) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) noexcept {
    return fails(FaultKind::Allocate) ? nullptr : __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return fails(FaultKind::Allocate) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
    if (fails(FaultKind::Allocate)) return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block != nullptr ? 0 : ENOMEM;
}

ssize_t write(int file, const void* data, std::size_t size) {
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    return transfer(kind_of_write(file), size, [&](std::size_t part) { return real(file, data, part); });
}
ssize_t pwrite(int file, const void* data, std::size_t size, off_t offset) {
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
    return transfer(kind_of_write(file), size, [&](std::size_t part) { return real(file, data, part, offset); });
}
ssize_t writev(int file, const struct iovec* parts, int count) {
    static const auto real = next<ssize_t (*)(int, const struct iovec*, int)>("writev");
    // Part of it: the first of the parts.
    return transfer(kind_of_write(file), static_cast<std::size_t>(count),
                    [&](std::size_t part) { return real(file, parts, static_cast<int>(part)); });
}
// The streams of C write without a call that could be replaced.
std::size_t fwrite(const void* data, std::size_t size, std::size_t count, FILE* stream) {
    static const auto real = next<std::size_t (*)(const void*, std::size_t, std::size_t, FILE*)>("fwrite");
    return fails(kind_of_write(::fileno(stream))) ? 0 : real(data, size, count, stream);
}
int fflush(FILE* stream) {
    static const auto real = next<int (*)(FILE*)>("fflush");
    return stream != nullptr && fails(kind_of_write(::fileno(stream))) ? EOF : real(stream);
}

ssize_t read(int file, void* data, std::size_t size) {
    static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
    return transfer(FaultKind::Read, size, [&](std::size_t part) { return real(file, data, part); });
}
ssize_t pread(int file, void* data, std::size_t size, off_t offset) {
    static const auto real = next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
    return transfer(FaultKind::Read, size, [&](std::size_t part) { return real(file, data, part, offset); });
}

int open(const char* path, int flags, ...) {
    static const auto real = next<int (*)(const char*, int, ...)>("open");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails(FaultKind::Open) ? -1 : real(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    static const auto real = next<int (*)(int, const char*, int, ...)>("openat");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails(FaultKind::Open) ? -1 : real(folder, path, flags, mode);
}
int mkostemp(char* pattern, int flags) {
    static const auto real = next<int (*)(char*, int)>("mkostemp");
    return fails(FaultKind::Open) ? -1 : real(pattern, flags);
}
FILE* fopen(const char* path, const char* mode) {
    static const auto real = next<FILE* (*)(const char*, const char*)>("fopen");
    return fails(FaultKind::Open) ? nullptr : real(path, mode);
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

int mkdir(const char* path, mode_t mode) noexcept {
    static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
    return fails(FaultKind::MakeFolder) ? -1 : real(path, mode);
}
int rename(const char* from, const char* to) noexcept {
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    return fails(FaultKind::Rename) ? -1 : real(from, to);
}
int unlink(const char* path) noexcept {
    static const auto real = next<int (*)(const char*)>("unlink");
    return fails(FaultKind::Remove) ? -1 : real(path);
}
int rmdir(const char* path) noexcept {
    static const auto real = next<int (*)(const char*)>("rmdir");
    return fails(FaultKind::Remove) ? -1 : real(path);
}
int remove(const char* path) noexcept {
    static const auto real = next<int (*)(const char*)>("remove");
    return fails(FaultKind::Remove) ? -1 : real(path);
}
int fchmodat(int folder, const char* path, mode_t mode, int flags) noexcept {
    static const auto real = next<int (*)(int, const char*, mode_t, int)>("fchmodat");
    return fails(FaultKind::Permit) ? -1 : real(folder, path, mode, flags);
}
int fchmod(int file, mode_t mode) noexcept {
    static const auto real = next<int (*)(int, mode_t)>("fchmod");
    return fails(FaultKind::Permit) ? -1 : real(file, mode);
}

int fsync(int /*file*/) { return fails(FaultKind::Sync) ? -1 : 0; }
int fdatasync(int /*file*/) { return fails(FaultKind::Sync) ? -1 : 0; }
int ftruncate(int file, off_t size) noexcept {
    static const auto real = next<int (*)(int, off_t)>("ftruncate");
    return fails(FaultKind::Resize) ? -1 : real(file, size);
}
int posix_fallocate(int file, off_t offset, off_t size) {
    static const auto real = next<int (*)(int, off_t, off_t)>("posix_fallocate");
    const int error = error_to_return(FaultKind::Resize);
    return error != 0 ? error : real(file, offset, size);
}
off_t lseek(int file, off_t offset, int from) noexcept {
    static const auto real = next<off_t (*)(int, off_t, int)>("lseek");
    return fails(FaultKind::Seek) ? -1 : real(file, offset, from);
}
int flock(int file, int operation) noexcept {
    static const auto real = next<int (*)(int, int)>("flock");
    return fails(FaultKind::Lock) ? -1 : real(file, operation);
}

int stat(const char* path, struct stat* about) noexcept {
    static const auto real = next<int (*)(const char*, struct stat*)>("stat");
    return fails(FaultKind::Stat) ? -1 : real(path, about);
}
int lstat(const char* path, struct stat* about) noexcept {
    static const auto real = next<int (*)(const char*, struct stat*)>("lstat");
    return fails(FaultKind::Stat) ? -1 : real(path, about);
}
int fstat(int file, struct stat* about) noexcept {
    static const auto real = next<int (*)(int, struct stat*)>("fstat");
    return fails(FaultKind::Stat) ? -1 : real(file, about);
}
DIR* opendir(const char* path) {
    static const auto real = next<DIR* (*)(const char*)>("opendir");
    return fails(FaultKind::List) ? nullptr : real(path);
}
DIR* fdopendir(int folder) {
    static const auto real = next<DIR* (*)(int)>("fdopendir");
    return fails(FaultKind::List) ? nullptr : real(folder);
}
struct dirent* readdir(DIR* folder) {
    static const auto real = next<struct dirent* (*)(DIR*)>("readdir");
    return fails(FaultKind::List) ? nullptr : real(folder);
}

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
    static const auto real = next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
    return fails(FaultKind::Map) ? MAP_FAILED : real(address, size, protection, flags, file, offset);
}
int mprotect(void* address, std::size_t size, int protection) noexcept {
    static const auto real = next<int (*)(void*, std::size_t, int)>("mprotect");
    return fails(FaultKind::Map) ? -1 : real(address, size, protection);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* data) noexcept {
    static const auto real =
        next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    const int error = error_to_return(FaultKind::Thread);
    return error != 0 ? error : real(thread, attributes, work, data);
}
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
    static const auto real = next<int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                                          const posix_spawnattr_t*, char* const*, char* const*)>("posix_spawn");
    const int error = error_to_return(FaultKind::Process);
    return error != 0 ? error : real(process, path, actions, attributes, arguments, environment);
}
int pipe2(int* ends, int flags) noexcept {
    static const auto real = next<int (*)(int*, int)>("pipe2");
    return fails(FaultKind::Pipe) ? -1 : real(ends, flags);
}
int eventfd(unsigned start, int flags) noexcept {
    static const auto real = next<int (*)(unsigned, int)>("eventfd");
    return fails(FaultKind::Pipe) ? -1 : real(start, flags);
}

} // extern "C"

// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

#pragma once
// Other programs that read from and write to pipes of this one.

#include <array>
#include <csignal>
#include <cstddef>
#include <spawn.h>
#include <sys/types.h>
#include <utility>

namespace zug {

// Its ends are closed with it, and when another program is started.
class Pipe {
public:
    Pipe();
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe();

    bool is_open() const { return ends_[0] >= 0; } // false: errno said why, when it was made
    int reader() const { return ends_[0]; }
    int writer() const { return ends_[1]; }
    void close_reader() { close_end(0); }
    void close_writer() { close_end(1); }
    // An end that is the caller's to close from now on.
    int take_reader() { return std::exchange(ends_[0], -1); }
    int take_writer() { return std::exchange(ends_[1], -1); }

private:
    void close_end(std::size_t end);
    std::array<int, 2> ends_{-1, -1};
};

// While it lives, writing to a program that has ended does not end this one.
class WithoutPipeSignal {
public:
    WithoutPipeSignal();
    WithoutPipeSignal(const WithoutPipeSignal&) = delete;
    WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
    ~WithoutPipeSignal();

private:
    sigset_t pipe_, before_;
};

// Starts a program that reads `in` and writes `out`; what it writes to standard error is dropped, since a reader of
// this process's error output must not have to wait for the other one to close it. words: its arguments, the first its
// name, and null. attributes: null for the usual ones. Returns 0, or the number of an error.
int spawn(pid_t& process, const char* program, char* const* words, std::pair<int, int> in_and_out,
          const posix_spawnattr_t* attributes);

} // namespace zug

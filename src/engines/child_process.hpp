#pragma once
// Another program, spoken to by lines on its standard input and output.

#include "base/error.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace zug::engines {

// Until when a program is waited for: a moment, and a flag that ends it early; null: none.
struct Patience {
    using Clock = std::chrono::steady_clock;
    Clock::time_point end;
    const std::atomic<bool>* stop = nullptr;

    static Patience of(double seconds, const std::atomic<bool>* stop = nullptr);
};

class ChildProcess {
public:
    // A command of the shell, in a process group of its own; what it writes to standard error is dropped. An error: the
    // system starts no process. A command that there is not starts, and ends at once.
    static tl::expected<ChildProcess, Error> start(const std::string& command);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    // Closes its input, and if it has not ended soon, ends it and all that it has started.
    ~ChildProcess();

    // Writes a line. An error: it has ended, or does not read.
    tl::expected<void, Error> write(std::string_view line, const Patience& patience);
    // The next line without its end. An error: it has ended, writes nothing, or the flag has been set.
    tl::expected<std::string, Error> read(const Patience& patience);

private:
    ChildProcess(pid_t process, int in, int out) : process_(process), in_(in), out_(out) {}
    tl::expected<void, Error> wait_for(int stream, short event, const Patience& patience);
    Error ended();
    bool has_ended();

    pid_t process_ = -1;     // -1: none, or it has ended and been waited for
    int in_ = -1, out_ = -1; // our ends of its streams
    std::string buffer_;     // what it has written and nobody has read
    int status_ = 0;         // of a process that has ended
};

} // namespace zug::engines

#include "engines/child_process.hpp"

#include "base/process/streams.hpp"
#include "base/stop_flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace zug::engines {

namespace {

using Clock = Patience::Clock;
constexpr std::chrono::milliseconds glance{20}; // between looks at the stop flag

// The signals that a program expects to be as usual, but which this one may ignore.
void set_signals(posix_spawnattr_t& attributes) {
    sigset_t usual, none;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGINT, SIGALRM, SIGBUS}) sigaddset(&usual, signal);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP));
}

int start_shell(pid_t& process, const std::string& command, std::pair<int, int> in_and_out) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    set_signals(attributes);
    std::string shell = "sh", flag = "-c", text = command;
    const std::array<char*, 4> words{shell.data(), flag.data(), text.data(), nullptr};
    const int error = spawn(process, "/bin/sh", words.data(), in_and_out, &attributes);
    posix_spawnattr_destroy(&attributes);
    return error;
}

void close_stream(int& stream) {
    if (stream >= 0) close(stream);
    stream = -1;
}

} // namespace

Patience Patience::of(double seconds, const std::atomic<bool>* stop) {
    constexpr double longest = 1e8; // years; more would not fit into the clock
    const std::chrono::duration<double> patience(std::min(seconds, longest));
    return {Clock::now() + std::chrono::duration_cast<Clock::duration>(patience), stop};
}

tl::expected<ChildProcess, Error> ChildProcess::start(const std::string& command) {
    Pipe to, from;
    if (!to.is_open() || !from.is_open()) return failure(fmt::format("no pipe: {}", std::strerror(errno)));
    pid_t process = -1;
    const int error = start_shell(process, command, {to.reader(), from.writer()});
    fcntl(to.writer(), F_SETFL, O_NONBLOCK);
    ChildProcess child(error == 0 ? process : -1, to.take_writer(), from.take_reader());
    if (error != 0) return failure(fmt::format("can't start `{}`: {}", command, std::strerror(error)));
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    std::swap(process_, other.process_);
    std::swap(in_, other.in_);
    std::swap(out_, other.out_);
    std::swap(buffer_, other.buffer_);
    std::swap(status_, other.status_);
    return *this;
}

bool ChildProcess::has_ended() {
    if (process_ > 0 && waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
    return process_ < 0;
}

ChildProcess::~ChildProcess() {
    close_stream(in_);
    const pid_t group = process_;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(500);
    while (!has_ended() && Clock::now() < end) std::this_thread::sleep_for(glance / 4);
    if (group > 0) ::kill(-group, SIGKILL);
    if (process_ > 0)
        while (waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
        }
    close_stream(out_);
}

Error ChildProcess::ended() {
    // The streams are closed a moment before the process has ended.
    const Clock::time_point end = Clock::now() + glance;
    while (!has_ended() && Clock::now() < end) std::this_thread::sleep_for(glance / 20);
    if (!has_ended()) return {"it has closed its streams"};
    if (WIFSIGNALED(status_)) return {fmt::format("it was ended by signal {}", WTERMSIG(status_))};
    constexpr int not_found = 127; // of the shell
    return {fmt::format("it has ended, with exit code {}{}", WEXITSTATUS(status_),
                        WEXITSTATUS(status_) == not_found ? ": there is no such program" : "")};
}

namespace {

tl::expected<void, Error> look_at(const Patience& patience) {
    if (is_set(patience.stop)) return failure("stopped");
    if (Clock::now() >= patience.end) return failure("it does not answer");
    return {};
}

} // namespace

tl::expected<void, Error> ChildProcess::wait_for(int stream, short event, const Patience& patience) {
    while (true) {
        pollfd look{stream, event, 0};
        const int ready = poll(&look, 1, static_cast<int>(glance.count()));
        if (ready > 0) return {};
        if (ready < 0 && errno != EINTR) return failure(std::strerror(errno));
        if (auto more = look_at(patience); !more) return more;
    }
}

tl::expected<void, Error> ChildProcess::write(std::string_view line, const Patience& patience) {
    const WithoutPipeSignal without;
    const std::string text = fmt::format("{}\n", line);
    for (std::string_view rest = text; !rest.empty();) {
        if (auto ready = wait_for(in_, POLLOUT, patience); !ready) return ready;
        const ssize_t count = ::write(in_, rest.data(), rest.size());
        if (count > 0)
            rest.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EAGAIN && errno != EINTR)
            return tl::unexpected(ended());
    }
    return {};
}

tl::expected<std::string, Error> ChildProcess::read(const Patience& patience) {
    constexpr std::size_t longest = 1U << 20U; // of a line
    while (true) {
        if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            if (line.ends_with('\r')) line.pop_back();
            return line;
        }
        if (buffer_.size() > longest) return failure("it writes a line without an end");
        if (auto more = look_at(patience); !more) return tl::unexpected(more.error()); // it may write without a pause
        if (auto ready = wait_for(out_, POLLIN, patience); !ready) return tl::unexpected(ready.error());
        std::array<char, 4096> part;
        const ssize_t count = ::read(out_, part.data(), part.size());
        if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return tl::unexpected(ended());
        if (count > 0) buffer_.append(part.data(), static_cast<std::size_t>(count));
    }
}

} // namespace zug::engines

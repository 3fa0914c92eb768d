#include "cli/interrupt.hpp"

#include "base/activity.hpp"
#include "cli/output.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/resource.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

namespace zug::cli {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

// How long work may take to stop, in seconds.
constexpr double patience = sanitized ? 2 : 0.25;
// A signal that comes just before the program waits for input does not end the wait. So alarms follow, which do.
constexpr int most_alarms = 5;

std::atomic<bool> interrupt_flag = false, time_flag = false;
std::atomic<int> unattended = 0, saving = 0, deadly_signal = 0, alarms = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");
// The texts of handlers are made before they are needed.
char time_text[80], memory_text[120];
// What the terminal is given back, if that is set.
termios kept_mode;
std::atomic<bool> mode_is_kept = false;

// The functions below are called in signal handlers, and where there is no memory left.

void put(const char* text) { (void)!::write(STDERR_FILENO, text, std::strlen(text)); }

[[noreturn]] void end(const char* why, int code) {
    if (mode_is_kept) ::tcsetattr(STDIN_FILENO, TCSANOW, &kept_mode);
    if (::isatty(STDERR_FILENO) != 0) put("\r\x1b[K"); // a status line
    put("zug: ");
    put(why);
    if (*Activity::current() != 0) {
        put(" while ");
        put(Activity::current());
    }
    put("\n");
    die_of_signal();
    ::_exit(code);
}

[[noreturn]] void end_now() {
    if (time_flag) end(time_text, exit_failed);
    end("stopped", exit_interrupted);
}

void start_timer(double seconds) {
    const double whole = std::floor(seconds);
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(whole);
    timer.it_value.tv_usec = std::max<suseconds_t>(1, static_cast<suseconds_t>((seconds - whole) * 1e6));
    if (seconds <= 0) timer.it_value = {};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
}

// Asks for an end, or makes one.
void ask() {
    if (unattended > 0) end_now();
    interrupt_flag = true;
    start_timer(patience / most_alarms);
}

void on_interrupt(int signal) {
    if (signal != SIGINT) deadly_signal = signal;
    ask();
}

void on_timer(int) {
    if (interrupt_flag && saving == 0 && ++alarms >= most_alarms) end_now();
    if (interrupt_flag) return start_timer(saving == 0 ? patience / most_alarms : patience);
    time_flag = true;
    ask();
}

void on_bus_error(int) {
    end("a file that is in use can't be read any more: it has become shorter, or the disk has failed", exit_failed);
}

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = flags;
    sigaction(signal, &action, nullptr);
}

} // namespace

void watch_interrupts() {
    // Without SA_RESTART, so that waiting for input ends too; with SA_RESETHAND, so that the second one kills.
    handle(SIGINT, on_interrupt, static_cast<int>(SA_RESETHAND));
    // From `kill`, and when the terminal is closed, which `nohup` ignores.
    handle(SIGTERM, on_interrupt, static_cast<int>(SA_RESETHAND));
    struct sigaction known = {};
    if (::sigaction(SIGHUP, nullptr, &known) == 0 && known.sa_handler != SIG_IGN)
        handle(SIGHUP, on_interrupt, static_cast<int>(SA_RESETHAND));
    handle(SIGALRM, on_timer, 0);
    handle(SIGBUS, on_bus_error, 0);
    std::strcpy(memory_text, "there is no memory left");
    std::set_new_handler(out_of_memory);
}

void die_of_signal() {
    if (deadly_signal == 0) return;
    handle(deadly_signal, SIG_DFL, 0);
    sigset_t it; // which is blocked in its own handler
    sigemptyset(&it);
    sigaddset(&it, deadly_signal);
    ::sigprocmask(SIG_UNBLOCK, &it, nullptr);
    ::raise(deadly_signal);
}

std::atomic<bool>& interrupted() { return interrupt_flag; }

bool out_of_time() { return time_flag; }
std::string time_message() { return time_text; }

void limit_time(double seconds) {
    if (interrupt_flag) return;
    fmt::format_to_n(time_text, sizeof time_text - 1, "stopped after {} (--time)", duration_text(seconds)).out[0] = 0;
    start_timer(seconds);
}

void limit_memory(std::uint64_t bytes) {
    if (sanitized) return; // the shadow memory is larger than any limit
    const auto text = fmt::format("more memory is needed than {} (--memory sets another limit)", bytes_text(bytes));
    std::memcpy(memory_text, text.c_str(), std::min(text.size() + 1, sizeof memory_text - 1));
    rlimit limit{};
    if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
    ::setrlimit(RLIMIT_DATA, &limit);
}

void out_of_memory() { end(memory_text, exit_failed); }

Unattended::Unattended() {
    ++unattended;
    if (interrupt_flag) end_now();
}
Unattended::~Unattended() { --unattended; }

TerminalMode::TerminalMode() { mode_is_kept = ::tcgetattr(STDIN_FILENO, &kept_mode) == 0; }
TerminalMode::~TerminalMode() { mode_is_kept = false; }

Saving::Saving() { ++saving; }
Saving::~Saving() { --saving; }

} // namespace zug::cli

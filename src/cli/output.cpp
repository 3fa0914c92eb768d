#include "cli/output.hpp"

#include "base/file.hpp"
#include "base/printable.hpp"
#include "game/faces.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/ranges.h>
#include <span>
#include <sys/ioctl.h>
#include <unistd.h>

namespace zug::cli {

namespace {

[[noreturn]] void give_up_on_output() {
    const int reason = errno;
    if (reason != EPIPE) complain(fmt::format("can't write to standard output: {}", std::strerror(reason)));
    // Not exit(), which would flush the same stream again and wait for threads.
    std::_Exit(exit_failed);
}

void put_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

} // namespace

void set_up_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    for (int stream = 0; stream <= 2; ++stream) {
        // Read-only, so that writing to a closed standard output remains an error.
        if (fcntl(stream, F_GETFD) == -1) (void)!open("/dev/null", O_RDONLY);
    }
}

void write(std::string_view text) { write_bytes(printable(text, true)); }

void write_bytes(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) give_up_on_output();
}

void flush() {
    if (std::fflush(stdout) != 0) give_up_on_output();
}

void print_json(const Json& json) {
    // Text from a rule file may hold invalid UTF-8, which is replaced instead of throwing.
    write(json.dump(2, ' ', false, Json::error_handler_t::replace));
    write("\n");
}

int write_result(std::string_view text, const std::string& file) {
    if (file.empty()) {
        write(text);
        return exit_fine;
    }
    const auto written = write_file(file, text);
    if (written) return exit_fine;
    complain(written.error().text);
    return exit_failed;
}

void write_error(std::string_view text) { put_error(printable(text)); }

void complain(std::string_view text) {
    constexpr std::size_t longest = 4000;
    write_error(fmt::format("zug: {}\n", shortened(text, longest)));
}

bool colour_wanted() {
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
           std::string_view(term) != "dumb";
}

// As the locale says, which need not be installed. The console of Linux has few characters.
bool unicode_wanted() {
    const char* term = std::getenv("TERM");
    if (isatty(STDOUT_FILENO) == 0 || term == nullptr || std::string_view(term) == "linux") return false;
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return strcasestr(value, "utf-8") != nullptr || strcasestr(value, "utf8") != nullptr;
    return false;
}

bool error_is_terminal() { return isatty(STDERR_FILENO) != 0; }

std::size_t terminal_width() {
    constexpr std::size_t usual = 80;
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
        if (winsize size{}; ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return usual;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
    return text;
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::string_view units = "TGMK";
    for (std::size_t i = 0; i < units.size(); ++i) {
        const int power = 10 * static_cast<int>(units.size() - i);
        if (bytes >> power != 0)
            return fmt::format("{:.1f}{}", std::ldexp(static_cast<double>(bytes), -power), units[i]);
    }
    return fmt::format("{} bytes", bytes);
}

std::string duration_text(double seconds) {
    if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1000);
    if (seconds < 120) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(seconds);
    return fmt::format("{} min {} s", whole / 60, whole % 60);
}

namespace {

// `[######--------------]  31%  `.
std::string bar_text(double part) {
    constexpr std::size_t width = 20;
    const double share = std::clamp(part, 0.0, 1.0);
    const auto full = static_cast<std::size_t>(share * width);
    return fmt::format("[{:#<{}}{:-<{}}] {:3.0f}%  ", "", full, "", width - full, std::floor(share * 100));
}

} // namespace

Progress::Progress(double patience)
    : enabled_(error_is_terminal()),
      patience_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience))),
      begin_(Clock::now()), next_(begin_ + patience_) {}

Progress::~Progress() { clear(); }

bool Progress::due() { return enabled_ && Clock::now() >= next_; }

void Progress::show(std::string_view line, std::optional<double> part) {
    if (!enabled_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    shown_ = true;
    const std::string text =
        fmt::format("{}{}  {}", part ? bar_text(*part) : "", duration_text(seconds_since(begin_)), line);
    const std::vector<std::string> all = game::characters(printable(text));
    const auto fitting = std::span(all).first(std::min(all.size(), terminal_width() - 1));
    put_error(fmt::format("\r\x1b[K{}", fmt::join(fitting, "")));
}

void Progress::show(std::string_view line, std::uint64_t done, std::uint64_t of) {
    if (of == 0) return show(line);
    show(line, static_cast<double>(done) / static_cast<double>(of));
}

void Progress::clear() {
    if (shown_) put_error("\r\x1b[K");
    shown_ = false;
    begin_ = Clock::now();
    next_ = begin_ + patience_;
}

} // namespace zug::cli

#pragma once
// Output: results go to standard output, everything else to standard error.
//
// If a result can't be written (a full disk, a closed pipe), the program ends with exit code 1, since further results
// would be lost too. A broken pipe gives no message: its reader chose to stop.

#include "base/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zug::cli {

using Json = nlohmann::ordered_json;

// Exit codes of the program.
inline constexpr int exit_fine = 0, exit_failed = 1, exit_usage = 2, exit_interrupted = 130;

// Opens standard streams that the caller closed, so that no other file gets their descriptors, and makes a broken pipe
// an error instead of a signal.
void set_up_streams();

// All that is printed is without control characters (base/printable.hpp); write() leaves colours. write_bytes() prints
// as it is what is to be stored.
void write(std::string_view text);
void write_bytes(std::string_view text);
void flush();
template <class... T>
void say(fmt::format_string<T...> format, T&&... arguments) {
    write(fmt::format(format, std::forward<T>(arguments)...));
}
void print_json(const Json& json);
// Puts a result in a file, or on standard output if the name is empty. Returns the exit code, once the user was told
// why it can't be written.
int write_result(std::string_view text, const std::string& file);

// Writes one line to standard error, starting with the program's name; long ones are shortened.
void complain(std::string_view text);
// Writes any text to standard error.
void write_error(std::string_view text);

// Whether standard output is a terminal with colours and the user has not switched them off (https://no-color.org).
bool colour_wanted();
// Whether standard output is a terminal that shows more characters than those of ASCII.
bool unicode_wanted();
bool error_is_terminal();
// The number of columns of the terminal that standard output or standard error is; 80 if neither tells.
std::size_t terminal_width();

double seconds_since(std::chrono::steady_clock::time_point start);
// "1,234,567", "12.3 s": for text output, never for JSON.
std::string grouped(std::uint64_t number);
std::string duration_text(double seconds);
// A number of bytes in the largest unit that it fills, as in `1.5G`.
std::string bytes_text(std::uint64_t bytes);

// A status line on standard error, if that is a terminal, for work longer than `patience`, in seconds; erased on
// destruction: `[######--------------]  31%  4.2 s  62 of 200 games`, without the bar where nobody knows how much there
// is to do.
class Progress {
public:
    explicit Progress(double patience = 1);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Whether to show a line now: at most ten per second, so that callers can ask often.
    bool due();
    // As much of the line as fits on one of the terminal. `part`: of the work, how much is done, from 0 to 1.
    void show(std::string_view line, std::optional<double> part = {});
    void show(std::string_view line, std::uint64_t done, std::uint64_t of);
    // The next line is for the next work.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    bool enabled_;
    bool shown_ = false;
    Clock::duration patience_;
    Clock::time_point begin_, next_;
};

} // namespace zug::cli

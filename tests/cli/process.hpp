#pragma once
// Runs a program as a shell or a person would: arguments, input, files for its streams, a terminal, signals.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zug::test {

struct Setting {
    std::string input;            // given on standard input, which then ends
    std::filesystem::path folder; // to start in; empty: this one
    std::map<std::string, std::string> environment;
    std::string output_file;       // standard output goes there instead of to Result::out
    bool close_output = false;     // start with standard output closed
    bool close_pipe_early = false; // the reader of standard output has gone
    // Instead of `input`, on a terminal: the second text is typed once the first has been shown, after what was shown
    // for the one before.
    std::vector<std::pair<std::string, std::string>> dialogue;
    bool terminal = false;                 // all three streams are a terminal; Result::out has what it showed
    std::optional<double> interrupt_after; // seconds of its processor time; then SIGINT
    std::string interrupt_on;              // or SIGINT when this text has been shown on either stream
    int interrupt_by = 0;                  // another signal instead of SIGINT
    std::filesystem::path kill_on;         // or SIGKILL when this file has been made or replaced
    int kill_on_count = 1;                 // so many times since the start
    double limit = 300;                    // seconds; then it is killed, and Result::timed_out
};

struct Result {
    int code = -1; // exit code; -1: ended by a signal
    int signal = 0;
    bool timed_out = false;
    double processor_seconds = 0; // of the process and those that it waited for
    long megabytes = 0;           // at its peak
    std::string out, err;

    nlohmann::json json() const { return nlohmann::json::parse(out); }
};

Result run(const std::vector<std::string>& command, const Setting& setting = {});
// build/zug with these arguments.
Result run_zug(std::vector<std::string> arguments, const Setting& setting = {});

// A new empty folder, gone at the end of the scope.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    // Writes a file in it and returns its path.
    std::string write(const std::string& name, const std::string& text) const;

private:
    std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);
// Whether the text contains this part.
inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace zug::test

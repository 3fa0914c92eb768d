#include "process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <poll.h>
#include <pty.h>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace zug::test {

namespace {

using Clock = std::chrono::steady_clock;

// The test's ends of the streams; -1 where there is none, or it is closed.
struct Child {
    pid_t process = -1;
    int in = -1, out = -1, err = -1;
};

[[noreturn]] void become(const std::vector<std::string>& command, const Setting& setting) {
    std::signal(SIGPIPE, SIG_DFL);
    if (!setting.folder.empty() && chdir(setting.folder.c_str()) != 0) _exit(126);
    for (const auto& [name, value] : setting.environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

Child start_on_terminal(const std::vector<std::string>& command, const Setting& setting) {
    Child child;
    int terminal = -1;
    child.process = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child.process == 0) become(command, setting);
    child.out = terminal;
    child.in = dup(terminal);
    return child;
}

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    return ends;
}

Child start_on_pipes(const std::vector<std::string>& command, const Setting& setting) {
    const auto in = make_pipe(), out = make_pipe(), err = make_pipe();
    // Before the program starts: a short output would otherwise be in the pipe before its reader has gone.
    if (setting.close_pipe_early) close(out[0]);
    Child child{fork(), in[1], setting.close_pipe_early ? -1 : out[0], err[0]};
    if (child.process == 0) {
        dup2(in[0], 0);
        const int file =
            setting.output_file.empty() ? out[1] : open(setting.output_file.c_str(), O_WRONLY | O_CREAT, 0644);
        dup2(file, 1);
        dup2(err[1], 2);
        if (setting.close_output) close(1);
        become(command, setting);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    return child;
}

void close_stream(int& stream) {
    if (stream >= 0) close(stream);
    stream = -1;
}

// Reads what is available. Returns false at the end of the stream (EIO on a terminal whose program has exited).
bool take(int stream, std::string& text) {
    std::array<char, 4096> buffer;
    const ssize_t count = read(stream, buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
}

void give(Child& child, const std::string& input, std::size_t& given, bool terminal) {
    if (given < input.size()) {
        const ssize_t count = ::write(child.in, input.data() + given, input.size() - given);
        if (count < 0)
            given = input.size(); // it does not read any more
        else
            given += static_cast<std::size_t>(count);
    }
    if (given < input.size()) return;
    // On a terminal the input ends with Ctrl-D at the start of a line.
    if (terminal && ::write(child.in, "\x04", 1) < 0) given = input.size();
    close_stream(child.in);
}

// The processor time that a running process has used, so that on a busy machine it gets as far.
double processor_seconds(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    file.ignore(std::numeric_limits<std::streamsize>::max(), ')'); // its number and name
    std::string word;
    for (int i = 0; i < 11; ++i) file >> word; // up to the field before utime
    double user = 0, system = 0;
    file >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Counts how often a file is created or replaced; what happens twice between two questions counts once.
class FileWatch {
public:
    explicit FileWatch(const std::filesystem::path& path) : path_(path), seen_(look()) {}

    int changes() {
        const Stamp now = look();
        if (now != seen_ && now != Stamp{}) ++changes_;
        seen_ = now;
        return changes_;
    }

private:
    using Stamp = std::array<std::int64_t, 3>; // of which file and when; zeros: there is none

    Stamp look() const {
        struct stat file {};
        if (path_.empty() || stat(path_.c_str(), &file) != 0) return {};
        return {static_cast<std::int64_t>(file.st_ino), file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
    }

    std::filesystem::path path_;
    Stamp seen_;
    int changes_ = 0;
};

class Run {
public:
    Run(const std::vector<std::string>& command, const Setting& setting)
        : setting_(setting), watch_(setting.kill_on), start_(Clock::now()),
          child_(setting.terminal ? start_on_terminal(command, setting) : start_on_pipes(command, setting)) {}

    Result wait() {
        while (child_.out >= 0 || child_.err >= 0) {
            step();
            if (elapsed() > setting_.limit) {
                result_.timed_out = true;
                kill(child_.process, SIGKILL);
                break;
            }
        }
        close_stream(child_.in);
        close_stream(child_.out);
        close_stream(child_.err);
        int status = 0;
        rusage usage{};
        wait4(child_.process, &status, 0, &usage);
        result_.processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
        result_.megabytes = usage.ru_maxrss / 1024;
        if (WIFEXITED(status))
            result_.code = WEXITSTATUS(status);
        else
            result_.signal = WTERMSIG(status);
        return result_;
    }

private:
    static double seconds_of(const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    void step() {
        std::array<pollfd, 3> streams = {{{child_.out, POLLIN, 0}, {child_.err, POLLIN, 0}, {child_.in, POLLOUT, 0}}};
        // An interrupt is typed by a person who then waits: the input stays open meanwhile.
        const bool hold_input =
            (wants_interrupt() && given_ >= setting_.input.size()) || typed_ < setting_.dialogue.size();
        if (hold_input) streams[2].fd = -1;
        const int milliseconds = setting_.kill_on.empty() ? 20 : 1; // at most, until the file is looked at again
        poll(streams.data(), streams.size(), milliseconds);
        if (child_.out >= 0 && streams[0].revents != 0 && !take(child_.out, result_.out)) close_stream(child_.out);
        if (child_.err >= 0 && streams[1].revents != 0 && !take(child_.err, result_.err)) close_stream(child_.err);
        if (child_.in >= 0 && streams[2].revents != 0) give(child_, setting_.input, given_, setting_.terminal);
        type_if_due();
        interrupt_if_due();
        if (!setting_.kill_on.empty() && watch_.changes() >= setting_.kill_on_count) kill(child_.process, SIGKILL);
    }

    void type_if_due() {
        while (child_.in >= 0 && typed_ < setting_.dialogue.size()) {
            const auto& [shown, text] = setting_.dialogue[typed_];
            const std::size_t found = result_.out.find(shown, seen_);
            if (found == std::string::npos) return;
            seen_ = found + shown.size();
            ++typed_;
            if (::write(child_.in, text.data(), text.size()) < 0) typed_ = setting_.dialogue.size();
        }
    }

    bool wants_interrupt() const { return setting_.interrupt_after || !setting_.interrupt_on.empty(); }

    void interrupt_if_due() {
        if (interrupted_ || !wants_interrupt()) return;
        const auto& text = setting_.interrupt_on;
        const bool shown = !text.empty() &&
                           (result_.out.find(text) != std::string::npos || result_.err.find(text) != std::string::npos);
        if (!shown && !(setting_.interrupt_after && processor_seconds(child_.process) >= *setting_.interrupt_after))
            return;
        interrupted_ = true;
        kill(child_.process, setting_.interrupt_by != 0 ? setting_.interrupt_by : SIGINT);
    }

    const Setting& setting_;
    FileWatch watch_; // since before the child
    Clock::time_point start_;
    Child child_;
    Result result_;
    std::size_t given_ = 0;
    std::size_t typed_ = 0, seen_ = 0; // of the dialogue; of the output, up to what was waited for last
    bool interrupted_ = false;
};

} // namespace

Result run(const std::vector<std::string>& command, const Setting& setting) {
    std::signal(SIGPIPE, SIG_IGN);
    return Run(command, setting).wait();
}

Result run_zug(std::vector<std::string> arguments, const Setting& setting) {
    arguments.insert(arguments.begin(), ZUG_BINARY);
    return run(arguments, setting);
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "zug-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace zug::test

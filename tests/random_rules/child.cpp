#include "tests/random_rules/child.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace zug::random_rules {

namespace {

[[noreturn]] void work_and_exit(const std::function<std::string()>& work, unsigned seconds, int out) {
    const rlimit limit{seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    const std::string text = work();
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = write(out, text.data() + done, text.size() - done);
        if (n <= 0) _exit(1);
        done += static_cast<std::size_t>(n);
    }
    _exit(0);
}

std::string read_all(int in) {
    std::string text;
    char part[4096];
    for (;;) {
        const ssize_t n = read(in, part, sizeof part);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(part, static_cast<std::size_t>(n));
    }
}

} // namespace

Answer in_child(const std::function<std::string()>& work, unsigned seconds) {
    int ends[2];
    std::fflush(nullptr); // or the child would print the buffers too
    if (pipe(ends) != 0) return {.fine = false, .text = "no pipe"};
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work_and_exit(work, seconds, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return {.fine = false, .text = "no process"};
    }
    std::string text = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) return {.fine = false, .text = strsignal(WTERMSIG(status))};
    if (WEXITSTATUS(status) != 0) return {.fine = false, .text = "exit code " + std::to_string(WEXITSTATUS(status))};
    return {.fine = true, .text = std::move(text)};
}

} // namespace zug::random_rules

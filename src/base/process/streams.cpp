#include "base/process/streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace zug {

Pipe::Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
}

Pipe::~Pipe() {
    close_reader();
    close_writer();
}

void Pipe::close_end(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
}

WithoutPipeSignal::WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
}

WithoutPipeSignal::~WithoutPipeSignal() {
    const timespec no_time{};
    while (sigtimedwait(&pipe_, nullptr, &no_time) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int spawn(pid_t& process, const char* program, char* const* words, std::pair<int, int> in_and_out,
          const posix_spawnattr_t* attributes) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawn_file_actions_adddup2(&actions, in_and_out.first, STDIN_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, in_and_out.second, STDOUT_FILENO);
    if (error == 0) error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0) error = posix_spawn(&process, program, &actions, attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

} // namespace zug

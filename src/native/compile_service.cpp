#include "native/compile_service.hpp"

#include "base/process/own_folder.hpp"
#include "base/process/streams.hpp"
#include "native/cache.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace zug::native {

namespace fs = std::filesystem;

namespace {

// For another process that makes code, which may be the same; the largest games of rules/ take two seconds.
constexpr std::chrono::milliseconds longest_claim{10'000};

// Writes as much of the rest as the pipe takes. False when nothing is left, or nobody reads it.
bool write_some(int to, std::span<const std::uint8_t>& rest) {
    const ssize_t n = write(to, rest.data(), rest.size());
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    rest = rest.subspan(static_cast<std::size_t>(n));
    return !rest.empty();
}

bool read_some(int from, Bytes& bytes) {
    std::array<std::uint8_t, 65536> part;
    const ssize_t n = read(from, part.data(), part.size());
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    bytes.insert(bytes.end(), part.begin(), part.begin() + n);
    return n > 0;
}

// Each image is preceded by its length in bytes.
using Length = std::uint64_t;

bool write_part(int to, const Bytes& image) {
    const Length length = image.size();
    Bytes bytes(sizeof length + image.size());
    std::memcpy(bytes.data(), &length, sizeof length);
    std::ranges::copy(image, bytes.begin() + sizeof length);
    std::span<const std::uint8_t> rest(bytes);
    while (!rest.empty() && write_some(to, rest)) {
    }
    return rest.empty();
}

// Removes complete images from the beginning, and uses them.
void use_whole(Bytes& bytes, const UseImage& use) {
    Length length = 0;
    while (bytes.size() >= sizeof length) {
        std::memcpy(&length, bytes.data(), sizeof length);
        const std::span rest = std::span<const std::uint8_t>(bytes).subspan(sizeof length);
        if (rest.size() < length) return;
        use(rest.first(length));
        bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(sizeof length + length));
    }
}

// Sends the request and receives images at the same time, so that neither process waits for the other. False:
// cancelled.
bool exchange(Pipe& to, Pipe& from, std::span<const std::uint8_t> request, int cancel, const UseImage& use) {
    Bytes answer;
    fcntl(to.writer(), F_SETFL, O_NONBLOCK);
    for (;;) {
        std::array<pollfd, 3> waits = {{{from.reader(), POLLIN, 0}, {to.writer(), POLLOUT, 0}, {cancel, POLLIN, 0}}};
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return false;
        if (waits[2].revents != 0) return false;
        if (waits[1].revents != 0 && !write_some(to.writer(), request)) to.close_writer();
        if (waits[0].revents == 0) continue;
        if (!read_some(from.reader(), answer)) return true;
        use_whole(answer, use);
    }
}

} // namespace

fs::path codegen_program() {
    std::error_code error;
    const fs::path own = own_folder();
    // Were the folder unknown, a relative path would name a program in the folder where the user happens to be.
    const auto near = [&own](const char* path) { return own.empty() ? own : own / path; };
    // A library is not installed beside programs.
    for (const fs::path& path :
         {near("zug-codegen"), near("../bin/zug-codegen"), near("../../bin/zug-codegen"), fs::path(ZUG_CODEGEN)})
        if (!path.empty() && access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path, error)) return path;
    return {};
}

void run_compile_service(const fs::path& program, std::span<const std::uint8_t> request, const CompileOptions& options,
                         int cancel, const UseImage& use) {
    Pipe to, from;
    if (!to.is_open() || !from.is_open()) return;
    const WithoutPipeSignal quiet; // a service that has died must not end this process
    std::array<std::string, 4> words = {program.string(), digest_text(options.key), options.cache.string(),
                                        options.baseline_only ? "baseline"
                                        : options.background  ? "background"
                                                              : "now"};
    std::array<char*, 5> arguments = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
    pid_t child = 0;
    const bool started = spawn(child, program.c_str(), arguments.data(), {to.reader(), from.writer()}, nullptr) == 0;
    to.close_reader();
    from.close_writer();
    if (!started) return;
    const bool finished = exchange(to, from, request, cancel, use);
    while (waitpid(child, nullptr, finished ? 0 : WNOHANG) < 0 && errno == EINTR) {
    }
}

int compile_service_main(int argc, char** argv, const Builders& builders) {
    const auto key = argc == 4 ? parse_digest(argv[1]) : std::nullopt;
    if (!key) return 2;
    const bool background = argv[3] == std::string_view("background");
    std::signal(SIGPIPE, SIG_IGN); // the client may have ended; the cache is filled all the same
    // Detached from the client, so that it need not wait for this process. The processor time is limited.
    if (background && fork() > 0) return 0;
    const rlimit processor_time{60, 60};
    setrlimit(RLIMIT_CPU, &processor_time);
    if (background) setpriority(PRIO_PROCESS, 0, 5);

    Bytes bytes;
    while (read_some(STDIN_FILENO, bytes)) {
    }
    const auto request = read_request(bytes);
    if (!request || key_of(bytes) != *key) return 2;
    const Image baseline = builders.baseline(*request);
    if (!baseline.code.empty()) write_part(STDOUT_FILENO, write_image(baseline, *key));
    if (argv[3] == std::string_view("baseline")) return 0;
    const Cache cache(argv[2]);
    Cache::Claim claim;
    if (background) cache.claim(longest_claim, claim); // else somebody waits for this process
    const auto made = cache.load(*key);
    const auto known = made ? parse_image(*made) : std::nullopt;
    const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
    const Bytes image = write_image(known ? *known : builders.best(*request, threads), *key);
    write_part(STDOUT_FILENO, image);
    close(STDOUT_FILENO);
    if (!known) cache.store(*key, image);
    return 0;
}

} // namespace zug::native

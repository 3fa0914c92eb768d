// --sandbox: the commands work in it, and a process in it can't reach what it was not given.

#include "cli/system/sandbox.hpp"

#include "process.hpp"

#include <cerrno>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <linux/landlock.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace zug::test;

namespace {

bool has_landlock() { return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0; }

// What is tried by a child process in the sandbox: an exit code.
int in_sandbox(const zug::cli::SandboxRights& rights, const std::function<int()>& what) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(zug::cli::enter_sandbox(rights) ? what() : 99);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The error of opening the file; 0 if it can be opened.
int opening(const std::filesystem::path& path, int flags) {
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    const int error = file < 0 ? errno : 0;
    if (file >= 0) ::close(file);
    return error;
}

} // namespace

TEST_CASE("a process in the sandbox reads, writes and runs what it was given") {
    if (!has_landlock()) return;
    const TemporaryFolder given, other;
    const std::string mine = given.write("mine", "text"), secret = other.write("secret", "text");
    const zug::cli::SandboxRights reads{.read = {given.path()}, .write = {}, .run = {}};
    const zug::cli::SandboxRights writes{.read = {}, .write = {given.path()}, .run = {}};
    CHECK(in_sandbox(reads, [&] { return opening(mine, O_RDONLY); }) == 0);
    CHECK(in_sandbox(reads, [&] { return opening(mine, O_RDWR); }) == EACCES);
    CHECK(in_sandbox(reads, [&] { return opening(given.path() / "new", O_WRONLY | O_CREAT); }) == EACCES);
    CHECK(in_sandbox(reads, [&] { return opening(secret, O_RDONLY); }) == EACCES);
    CHECK(in_sandbox(reads, [&] { return opening("/etc/passwd", O_RDONLY); }) == EACCES);
    CHECK(in_sandbox(reads, [&] { return ::unlink(mine.c_str()) == 0 ? 0 : errno; }) == EACCES);
    CHECK(in_sandbox(reads, [&] { return ::truncate(secret.c_str(), 0) == 0 ? 0 : errno; }) == EACCES);
    CHECK(in_sandbox(writes, [&] { return opening(given.path() / "new", O_WRONLY | O_CREAT); }) == 0);
    CHECK(in_sandbox(writes, [&] { return opening(other.path() / "new", O_WRONLY | O_CREAT); }) == EACCES);
    CHECK(in_sandbox(reads, [&] {
              ::execl("/bin/true", "true", nullptr);
              return errno;
          }) == EACCES);
    CHECK(in_sandbox(reads, [&] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : errno; }) == EPERM);
    CHECK(in_sandbox(reads, [&] { return ::socket(AF_UNIX, SOCK_DGRAM, 0) >= 0 ? 0 : errno; }) == EPERM);
    CHECK(read_file(secret) == "text");
}

TEST_CASE("commands work in the sandbox") {
    Setting setting;
    setting.environment["ASAN_OPTIONS"] = "detect_leaks=0"; // which looks into the process from another one
    const TemporaryFolder folder, cache;
    setting.environment["ZUG_CACHE"] = cache.path().string();
    const std::string base = folder.path().string();
    const std::string game = folder.write("own.zug", "extends \"tic-tac-toe.zug\"\n");
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"perft", "chess", "--depth", "3", "--executor", "native"},
             {"check", game},
             {"fmt", game},
             {"solve", "tic-tac-toe", "-o", base + "/new/folder", "--verify"},
             {"solve", "hexapawn"},
             {"query", base + "/new/folder", "tic-tac-toe"},
             {"match", "tic-tac-toe", "--players", "random,solved:" + base + "/new/folder", "--games", "3", "--record",
              base + "/games.jsonl"},
             {"replay", base + "/games.jsonl"},
             {"match", "tic-tac-toe", "--players", "alphabeta:depth=2,rote=" + base + "/new/toe.rote,random"},
             {"tournament", "tic-tac-toe", "--players",
              "random; alphabeta:depth=2,rote=" + base + "/new/toe.rote; alphabeta:depth=1", "--games", "2"},
             {"learn", "tic-tac-toe", "--from", base + "/games.jsonl", "-o", base + "/toe.zugnet", "--plot",
              base + "/new/toe.svg"}}) {
        CAPTURE(command);
        std::vector<std::string> words = command;
        words.emplace_back("--sandbox");
        const Result result = run_zug(words, setting);
        if (!has_landlock()) {
            CHECK(result.code == 1);
            CHECK(has(result.err, "--sandbox needs Landlock"));
            continue;
        }
        CHECK_MESSAGE(result.code == 0, result.err);
    }
    for (const auto& entry : std::filesystem::directory_iterator(cache.path()))
        CHECK(entry.path().filename() == "sandbox"); // nothing that others would run
}

TEST_CASE("the page is served in the sandbox") {
    if (!has_landlock()) return;
    const TemporaryFolder folder;
    Setting setting;
    setting.folder = folder.path();
    setting.environment["ASAN_OPTIONS"] = "detect_leaks=0"; // as above
    const std::string script =
        ZUG_BINARY " web --sandbox --port 0 >first & "
                   "until grep -q http first; do kill -0 $! || exit 9; sleep 0.05; done; "
                   "port=$(sed 's/.*:\\([0-9]*\\)\\/.*/\\1/' first); exec 3<>/dev/tcp/127.0.0.1/$port; "
                   "printf 'GET / HTTP/1.0\\r\\nHost: 127.0.0.1:%s\\r\\n\\r\\n' $port >&3; head -n 1 <&3; "
                   "kill -INT $!; wait $!; echo $?";
    const Result result = run({"bash", "-c", script}, setting);
    CAPTURE(result.err);
    CHECK(has(result.out, " 200 "));
    CHECK(has(result.out, "130"));
}

// Files and texts of strangers.

#include "base/file.hpp"
#include "base/printable.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace zug;

namespace {

namespace fs = std::filesystem;

struct Folder {
    fs::path path = fs::temp_directory_path() / fmt::format("zug-base-{}", ::getpid());
    Folder() { fs::create_directories(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path); }
};

} // namespace

TEST_CASE("printable: control characters become question marks, text stays") {
    CHECK(printable("Go 19\xC3\x97"
                    "19\tx\r\n") == "Go 19\xC3\x97"
                                    "19\tx\r\n");
    CHECK(printable("\x1b[2J\x07\x7f") == "?[2J??");
    CHECK(printable(std::string_view("a\0b", 3)) == "a?b");
    CHECK(printable("\xC2\x9B"
                    "2J") == "?2J"); // the one-character form of ESC [
    CHECK(printable("a\xE2\x80\xAE"
                    "b\xE2\x81\xA6"
                    "c") == "a?b?c");
    CHECK(printable("\xE2\x80\x99\xE2\x99\x9F") == "\xE2\x80\x99\xE2\x99\x9F"); // an apostrophe, a pawn
    CHECK(printable("\xC2") == "\xC2");
}

TEST_CASE("printable: of escape sequences, only colours stay if they may") {
    CHECK(printable("\x1b[1;31mX\x1b[0m", true) == "\x1b[1;31mX\x1b[0m");
    CHECK(printable("\x1b[1;31mX") == "?[1;31mX");
    CHECK(printable("\x1b[2J\x1b[31", true) == "?[2J?[31");
    CHECK(printable("\x1b", true) == "?");
}

TEST_CASE("shortened: the middle is left out, characters stay whole") {
    CHECK(shortened("abc", 3) == "abc");
    CHECK(shortened(std::string(100, 'a') + std::string(100, 'b'), 30) ==
          std::string(20, 'a') + " ... (170 bytes) ... " + std::string(10, 'b'));
    for (std::size_t most = 0; most < 12; ++most) {
        const std::string cut = shortened("\xE2\x99\x9F\xE2\x99\x9F\xE2\x99\x9F\xE2\x99\x9F", most);
        CHECK(cut.find("\xE2 ") == std::string::npos);
        CHECK(cut.find("\x99 ") == std::string::npos);
        CHECK(cut.find(" \x99") == std::string::npos);
        CHECK(cut.find(" \x9F") == std::string::npos);
    }
}

TEST_CASE("files: of regular files the bytes, of all else a reason") {
    const Folder folder;
    const fs::path file = folder.path / "file", pipe = folder.path / "pipe";
    std::ofstream(file) << "0123456789";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(read_file(file, 100).value() == "0123456789");
    CHECK(read_file(file, 4).value() == "0123");
    CHECK(read_file_or_pipe(file, 4).value() == "0123");
    CHECK(read_file(folder.path, 100).error().text == "it is a folder");
    CHECK(read_file_or_pipe(folder.path, 100).error().text == "it is a folder");
    CHECK(read_file(pipe, 100).error().text == "it is a pipe");
    CHECK(read_file("/dev/zero", 100).error().text == "it is a device");
    CHECK(read_file_or_pipe("/dev/zero", 100).error().text == "it is a device");
    CHECK(!read_file_or_pipe(folder.path / "none", 100));
}

TEST_CASE("files: a pipe is read to its end, or until its writer pauses for too long") {
    const Folder folder;
    const fs::path pipe = folder.path / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(read_file_or_pipe(pipe, 100, 0.02).error().text == "nothing was written to this pipe for 0.02 seconds");
    std::signal(SIGPIPE, SIG_IGN); // when less than all is read
    const std::string text(200'000, 'x');
    for (const std::size_t limit : {std::size_t{1} << 20U, std::size_t{1000}}) {
        std::thread writer([&] { std::ofstream(pipe) << text; });
        const auto read = read_file_or_pipe(pipe, limit, 10);
        writer.join();
        CHECK(read.value() == text.substr(0, limit));
    }
}

#pragma once
// The program that makes machine code: a process of its own, so that a short run neither loads LLVM nor waits for it,
// and that what goes wrong there goes wrong there. It gets a request on its standard input, answers with an image on
// its standard output and keeps a copy in the cache.

#include "native/image.hpp"

#include <filesystem>

namespace zug::native {

// Where it is: beside this program, or where the build put it. Empty: it was not built.
std::filesystem::path helper_program();

struct HelperOptions {
    Key key{};
    std::filesystem::path cache; // the folder; may be empty
    bool background = false;     // let others go first
};

// Gives what the program answers, or nothing if it can't be run, fails, or `cancel`, a file descriptor, becomes
// readable; then it goes on alone and fills the cache.
Bytes ask_helper(const std::filesystem::path& program, std::span<const std::uint8_t> request,
                 const HelperOptions& options, int cancel);

// The other side: what the helper's main does with its arguments. Returns the exit code.
using Build = Image (*)(const Request& request, unsigned threads);
int helper_main(int argc, char** argv, Build build);

} // namespace zug::native

#pragma once
// The program that makes machine code: a process of its own, so that a short run neither loads LLVM nor waits for it,
// and that what goes wrong there goes wrong there. It gets a request on its standard input, answers with an image on
// its standard output and keeps a copy in the cache.

#include "native/image.hpp"

#include <filesystem>
#include <functional>

namespace zug::native {

// Where it is: beside this program, or where the build put it. Empty: it was not built.
std::filesystem::path codegen_program();

struct CompileOptions {
    Key key{};
    std::filesystem::path cache; // the folder; may be empty
    bool background = false;     // let others go first
    bool only_first = false;     // for tests of the first image
};

// Calls `use` with each image, written by write_image, as it comes. There is none if the program can't be run or fails,
// and no further one when `cancel`, a file descriptor, becomes readable; then the program goes on alone and fills the
// cache.
using UseImage = std::function<void(std::span<const std::uint8_t> image)>;
void request_code(const std::filesystem::path& program, std::span<const std::uint8_t> request,
                  const CompileOptions& options, int cancel, const UseImage& use);

// The other side: what the helper's main does with its arguments. Returns the exit code.
struct Builders {
    Image (*first)(const Request& request); // empty: there is none
    Image (*best)(const Request& request, unsigned threads);
};
int codegen_main(int argc, char** argv, const Builders& builders);

} // namespace zug::native

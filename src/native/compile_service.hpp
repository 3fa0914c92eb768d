#pragma once
// The compile service: machine code is made by a process of its own, so that a short run neither loads LLVM nor waits
// for it, and a crash of the compiler costs no game. The process gets a request on its standard input, answers with
// images on its standard output, and stores the best one in the cache.

#include "native/image.hpp"

#include <filesystem>
#include <functional>

namespace zug::native {

// The path of zug-codegen: beside this program, or where the build put it. Empty: it was not built.
std::filesystem::path codegen_program();

struct CompileOptions {
    Key key{};
    std::filesystem::path cache; // the cache's folder; may be empty
    bool background = false;     // run with a low priority
    bool baseline_only = false;  // stop after the baseline image, and cache nothing; for tests
};

// Runs the service for one request, and calls `use` with each image, as write_image wrote it, when it arrives: the
// baseline image, then LLVM's. There are none if the program cannot be run or fails. Returns early when `cancel`, a
// file descriptor, becomes readable; the service then finishes alone and fills the cache.
using UseImage = std::function<void(std::span<const std::uint8_t> image)>;
void run_compile_service(const std::filesystem::path& program, std::span<const std::uint8_t> request,
                         const CompileOptions& options, int cancel, const UseImage& use);

// The service itself, called by main() of zug-codegen. Returns the exit code.
struct Builders {
    Image (*baseline)(const Request& request); // without code, if there is no baseline JIT
    Image (*best)(const Request& request, unsigned threads);
};
int compile_service_main(int argc, char** argv, const Builders& builders);

} // namespace zug::native

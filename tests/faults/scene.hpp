#pragma once
// A command that is run again and again while one call after the other fails (preload/preload.cpp).
//
// Whatever fails, the command must end by itself: either as if nothing had happened, or with exit code 1 and a message
// that says what failed. The same command without faults must then succeed, and leave the same files with the same
// bytes as if there had been no fault.

#include "../cli/process.hpp"
#include "preload/kinds.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace zug::test {

struct Scene {
    std::vector<std::string> command;                               // of zug; `@` stands for the folder of the run
    std::function<void(const std::filesystem::path&)> prepare = {}; // makes the files that the command finds
    std::string program = "zug";                                    // in which calls fail
    bool measures = false;                                          // it prints measurements only
    bool own_cache = false;                                         // the cache of compiled code is among the files
    // For a command that adds to a file: of the file after a failed run and another one, what must be the same.
    std::function<std::string(const std::string& bytes)> essence = {};
};

struct Fault {
    FaultKind kind{};
    std::string error;       // a name as in errno.h, or "short"
    bool lasts = false;      // all later calls fail too
    std::size_t most = 8;    // of the calls of this kind, so many fail in turn;
    std::size_t every = 100; // with ZUG_FAULTS=all so many times as many
};

// What can fail anywhere; of each kind of call so many fail in turn.
std::vector<Fault> usual_faults(std::size_t most = 8);

// Runs the scene with each of these faults; checks by doctest.
void try_faults(const Scene& scene, const std::vector<Fault>& faults);

} // namespace zug::test

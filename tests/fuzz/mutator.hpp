#pragma once
// What mutations of rule files and the library of the fuzzer call of each other.

#include <cstddef>
#include <cstdint>

// Changes the data, which may grow to `max_size`, and gives its new size.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed);

// Changes some bytes: the library's own, and of tests/fuzz/mutants.cpp, which is without it.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

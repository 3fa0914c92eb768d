#pragma once
// Sets of moves that byte code emits one after the other, where their number isn't known beforehand.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace zug::run {

// A growing array of records, each as its RecordShape (bytecode/bytecode.hpp) says: the number of the shape, the kept
// registers, the words of a set.
struct Records {
    std::unique_ptr<std::uint64_t[]> words;
    std::uint64_t* next = nullptr;  // the end of the last record
    std::uint64_t* limit = nullptr; // the end of the memory
    std::uint64_t total = 0;        // members of all sets
    std::uint64_t taken = 0;        // offset of the first record that Take has not used up
    bool overflow = false;          // there were more than fit; set until the executor has seen it

    void clear() {
        next = words.get();
        total = taken = 0;
    }
    void grow(std::size_t by); // reserves at least so many more words
};

// Draw names a set by its number, or by from_record plus the offset of its record.
inline constexpr std::uint64_t from_record = std::uint64_t{1} << 32;

} // namespace zug::run

#pragma once
// What byte code emits.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace zug::run {

// What was emitted, one record behind the other (RecordShape).
struct Records {
    std::unique_ptr<std::uint64_t[]> words;
    std::uint64_t* next = nullptr;  // behind the last record
    std::uint64_t* limit = nullptr; // of the room for them
    std::uint64_t total = 0;        // members of all sets
    std::uint64_t taken = 0;        // where the first record begins that Take has not used up

    void clear() {
        next = words.get();
        total = taken = 0;
    }
    void grow(std::size_t by); // makes room for at least so many words more
};

// What Draw says of a set: its number, or from_record and where its record begins.
inline constexpr std::uint64_t from_record = std::uint64_t{1} << 32;

} // namespace zug::run

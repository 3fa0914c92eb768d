#pragma once
// A set of tuples of 64-bit words, all of one width, which are numbered in the order in which they were added. A hash
// table with linear probing finds them. Its hash is seeded anew in each process, so that no file can be made whose
// tuples collide; numbers do not depend on it.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zug::solve {

class TupleSet {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    explicit TupleSet(std::size_t width = 1) : width_(width) {}

    std::size_t width() const { return width_; }
    std::uint32_t size() const { return size_; } // below 2^32 - 1: see has_room()
    bool has_room() const { return size_ < none - 1; }
    std::size_t bytes() const {
        return words_.capacity() * sizeof(std::uint64_t) + slots_.capacity() * sizeof(std::uint32_t);
    }
    const std::uint64_t* operator[](std::uint32_t number) const { return words_.data() + number * width_; }
    // All words, tuple by tuple.
    const std::vector<std::uint64_t>& words() const { return words_; }

    // The number of a tuple. none: it is not in the set.
    std::uint32_t find(const std::uint64_t* tuple) const { return slots_.empty() ? none : slots_[slot_of(tuple)]; }
    // Whether it is new. The set must have room.
    bool insert(const std::uint64_t* tuple);
    // Numbers the tuples anew, in ascending (lexicographic) order.
    void sort();
    void clear() { *this = TupleSet(width_); }

private:
    std::size_t slot_of(const std::uint64_t* tuple) const; // the one with its number, or an empty one
    void rehash(std::size_t slots);

    std::size_t width_;
    std::uint32_t size_ = 0;
    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> slots_; // numbers; a power of two of them
};

} // namespace zug::solve

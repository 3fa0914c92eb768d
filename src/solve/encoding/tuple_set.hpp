#pragma once
// A set of tuples of 64-bit words, all of one width, which are numbered in the order in which they were added. A hash
// table with linear probing finds them; it holds a part of each hash, so that few tuples are looked at in vain. The
// hash is seeded anew in each process, so that no file can be made whose tuples collide; numbers do not depend on it.

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
    std::size_t bytes() const;
    const std::uint64_t* operator[](std::uint32_t number) const { return words_.data() + number * width_; }
    // All words, tuple by tuple.
    const std::vector<std::uint64_t>& words() const { return words_; }

    // The number of a tuple. none: it is not in the set.
    std::uint32_t find(const std::uint64_t* tuple) const {
        return slots_.empty() ? none : slots_[slot_of(tuple, hash(tuple))].number;
    }
    // Whether it is new. The set must have room.
    bool insert(const std::uint64_t* tuple);
    // Numbers the tuples anew, in ascending (lexicographic) order.
    void sort();
    void clear() { *this = TupleSet(width_); }

private:
    struct Slot {
        std::uint32_t number = none;
        std::uint32_t tag = 0; // the upper half of the hash
    };
    static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

    std::uint64_t hash(const std::uint64_t* tuple) const;
    std::size_t slot_of(const std::uint64_t* tuple, std::uint64_t hash) const; // its own, or an empty one
    void rehash(std::size_t slots);

    std::size_t width_;
    std::uint32_t size_ = 0;
    std::vector<std::uint64_t> words_;
    std::vector<Slot> slots_; // a power of two of them
};

} // namespace zug::solve

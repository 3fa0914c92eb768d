#pragma once
// Arrays for the work on a tier that is done at once: in memory where there is room, else in files that are mapped into
// it, so that the work is the same either way.
//
// What is touched of a mapped file counts as memory of the process. So look() is called as the work goes on; where the
// process has more than it may, all mapped pages are given back. They stay in the system's cache of files as long as
// nobody else needs that, and come back from there or the disk when they are touched. Whoever goes through arrays in
// ascending order is faster for it.
//
// A file has all its blocks from the start, so that a full disk is an error then, noted in Trouble, and none later.

#include "solve/storage/work.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>

namespace zug::solve {

// Of the process, in bytes, now.
std::uint64_t resident_memory();
// Gives memory that was freed back to the system, where a limit on it is counted.
void return_memory();

class Scratch;

// Bytes that are all 0 at first.
class Mapping {
public:
    Mapping() = default;
    Mapping(Mapping&& other) noexcept { swap(other); }
    Mapping& operator=(Mapping&& other) noexcept {
        Mapping(std::move(other)).swap(*this);
        return *this;
    }
    ~Mapping();
    void* data() const { return data_; }

private:
    friend class Scratch;
    Mapping(void* data, std::size_t bytes, Scratch* owner) : data_(data), bytes_(bytes), owner_(owner) {}
    void swap(Mapping& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(owner_, other.owner_);
    }

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    Scratch* owner_ = nullptr; // of what is in a file
};

// A row of numbers of a fixed size, all 0 at first.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Array() = default;
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    // So many from one on, or fewer at the end.
    std::span<T> row(std::size_t from, std::size_t count) { return {data_ + from, std::min(count, size_ - from)}; }
    std::span<const T> row(std::size_t from, std::size_t count) const {
        return {data_ + from, std::min(count, size_ - from)};
    }

private:
    friend class Scratch;
    Array(Mapping mapping, std::size_t size)
        : mapping_(std::move(mapping)), data_(static_cast<T*>(mapping_.data())), size_(size) {}

    Mapping mapping_;
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Outlives its arrays. They are made and given up by one thread at a time; look() is for all threads, while others use
// arrays, too.
class Scratch {
public:
    // Bytes that the work takes where all is in memory, and with what belongs to moves in files.
    struct Need {
        std::uint64_t all, positions;
    };
    // `free`: bytes that may be taken from now on.
    Scratch(Work& work, std::uint64_t free, const Need& need);
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    // Arrays must not be used if there was trouble with files.
    template <class T>
    Array<T> of_positions(std::size_t size) {
        return {map(size * sizeof(T), positions_in_files_), size};
    }
    template <class T>
    Array<T> of_moves(std::size_t size) {
        return {map(size * sizeof(T), moves_in_files_), size};
    }
    bool positions_in_files() const { return positions_in_files_; }
    bool moves_in_files() const { return moves_in_files_; }
    std::uint64_t free() const { return free_; }
    Work& work() const { return work_; }

    // Called when at most five places in arrays have been touched, or so many times that; pages() is how many times
    // that is where all places of a row were. Cost: next to nothing, and where there are files, now and then, a
    // question to the system.
    static std::uint64_t pages(std::uint64_t bytes) { return 1 + bytes / bytes_of_a_look; }
    void look(std::uint64_t times = 1) {
        if (!moves_in_files_) return;
        const auto looks = static_cast<std::int64_t>(times);
        if (until_question_.fetch_sub(looks, std::memory_order_relaxed) <= looks) give_back();
    }

private:
    friend class Mapping;
    // What may become resident between two looks: some places are touched, and about each the kernel maps 16 pages that
    // it has in its cache.
    static constexpr std::uint64_t bytes_of_a_look = 5 * 16 * 4096;

    Mapping map(std::size_t bytes, bool in_file);
    void give_back();
    void forget(void* data);
    void schedule(std::uint64_t resident);

    Work& work_;
    const std::uint64_t free_;
    const bool moves_in_files_, positions_in_files_;
    std::uint64_t most_resident_ = UINT64_MAX;
    std::atomic<std::int64_t> until_question_ = INT64_MAX; // looks
    std::mutex asks_;                                      // a thread, and gives back
    std::vector<std::span<std::byte>> mapped_;             // from files
};

} // namespace zug::solve

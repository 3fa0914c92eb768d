#pragma once
// Arrays for a tier with moves inside it: in memory if it suffices, else in memory-mapped files, so that the code that
// uses them is the same.
//
// Touched pages of a mapped file count towards the memory of the process. So look() is called as the work goes on; when
// the process exceeds its limit, all mapped pages are released. They stay in the page cache as long as the system has
// no other use for it, and are read from there or from disk when they are touched again. Traversing arrays in ascending
// order is therefore faster.
//
// Files are allocated in full at once, so a full disk is an error then, recorded in IoError, and never later.

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

// The resident memory of the process, in bytes.
std::uint64_t resident_memory();
// Returns freed memory to the system, so that it no longer counts towards a limit.
void return_memory();

class Scratch;

// Zero-initialised bytes.
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
    Scratch* owner_ = nullptr; // of a mapped block
};

// An array of fixed size, zero-initialised.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Array() = default;
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    // So many elements from one on, or fewer at the end.
    std::span<T> slice(std::size_t from, std::size_t count) { return {data_ + from, std::min(count, size_ - from)}; }
    std::span<const T> slice(std::size_t from, std::size_t count) const {
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

// Must outlive its arrays. These are created and destroyed by one thread at a time; look() may be called by any thread
// while others use arrays.
class Scratch {
public:
    // Bytes needed with everything in memory, and with the arrays of moves in files.
    struct Need {
        std::uint64_t all, positions;
    };
    // `free`: the bytes that may still be used.
    Scratch(Work& work, std::uint64_t free, const Need& need);
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    // Arrays must not be used after an I/O error.
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

    // To be called after at most five random accesses to arrays, or with the multiple of that; pages() is the multiple
    // for a sequential access to so many bytes. Cost: next to nothing; with files, occasionally a system call.
    static std::uint64_t pages(std::uint64_t bytes) { return 1 + bytes / bytes_of_a_look; }
    void look(std::uint64_t times = 1) {
        if (!moves_in_files_) return;
        const auto looks = static_cast<std::int64_t>(times);
        if (until_question_.fetch_sub(looks, std::memory_order_relaxed) <= looks) release_pages();
    }

private:
    friend class Mapping;
    // The memory that may become resident between two calls of look(): around each access the kernel maps up to 16
    // pages of its cache.
    static constexpr std::uint64_t bytes_of_a_look = 5 * 16 * 4096;

    Mapping map(std::size_t bytes, bool in_file);
    void release_pages();
    void forget(void* data);
    void schedule(std::uint64_t resident);

    Work& work_;
    const std::uint64_t free_;
    const bool moves_in_files_, positions_in_files_;
    std::uint64_t most_resident_ = UINT64_MAX;
    std::atomic<std::int64_t> until_question_ = INT64_MAX; // looks
    std::mutex asks_;                                      // held by the thread that checks, and releases pages
    std::vector<std::span<std::byte>> mapped_;             // from files
};

} // namespace zug::solve

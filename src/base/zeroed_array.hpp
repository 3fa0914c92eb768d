#pragma once
// A large block of zeros that costs nothing until it is touched: the system hands out zeroed pages on first use, so a
// short search with a large table stays short. Those of many megabytes get huge pages.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

namespace zug {

// Asks the system for pages of 2 MB where this block has not been touched yet; a hint, which it may ignore. With pages
// of 4 KB nearly every access at a random place has to look up where its page lies, which takes longer than the access.
void prefer_huge_pages(void* block, std::size_t bytes);

template <class T>
class ZeroedArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    ZeroedArray() = default;
    // Empty if there is no memory for it.
    explicit ZeroedArray(std::size_t size) {
        if (size == 0) return;
        constexpr std::size_t line = 64; // whole cache lines, so that a bucket lies in one
        block_.reset(std::calloc(size * sizeof(T) + line, 1));
        if (!block_) return;
        if (size * sizeof(T) >= least_for_huge_pages) prefer_huge_pages(block_.get(), size * sizeof(T) + line);
        void* start = block_.get();
        std::size_t room = size * sizeof(T) + line;
        data_ = static_cast<T*>(std::align(line, size * sizeof(T), start, room));
        size_ = size;
    }
    ZeroedArray(ZeroedArray&& other) noexcept { *this = std::move(other); }
    ZeroedArray& operator=(ZeroedArray&& other) noexcept {
        block_ = std::move(other.block_);
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }

    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* data() { return data_; }
    const T* data() const { return data_; }

private:
    // Such a block has a mapping of its own, whose pages no other block shares.
    static constexpr std::size_t least_for_huge_pages = std::size_t{32} << 20;

    struct Free {
        void operator()(void* block) const { std::free(block); }
    };
    std::unique_ptr<void, Free> block_;
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace zug

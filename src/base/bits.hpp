#pragma once
// A set of small numbers 0..size-1, as words of bits. Bits at and above size() are always zero.
// The general form, used by the checker, the reference evaluator and static tables; the other executors keep sets in
// their own frames. Binary operations require equal sizes.

#include <bit>
#include <boost/container/small_vector.hpp>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace zug {

class Bits {
public:
    Bits() = default;
    explicit Bits(std::size_t size) : size_(size), words_((size + 63) / 64, 0) {}
    static Bits full(std::size_t size) {
        Bits result(size);
        for (std::size_t i = 0; i < size; ++i) result.set(i);
        return result;
    }

    std::size_t size() const { return size_; }
    bool test(std::size_t i) const {
        assert(i < size_);
        return (words_[i / 64] >> (i % 64) & 1) != 0;
    }
    void set(std::size_t i) {
        assert(i < size_);
        words_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    void reset(std::size_t i) {
        assert(i < size_);
        words_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    }
    bool any() const {
        for (auto word : words_)
            if (word != 0) return true;
        return false;
    }
    std::size_t count() const {
        std::size_t total = 0;
        for (auto word : words_) total += static_cast<std::size_t>(std::popcount(word));
        return total;
    }
    // The least member at or above i, or size() when there is none.
    std::size_t next(std::size_t i) const {
        for (std::size_t w = i / 64; w < words_.size(); ++w) {
            std::uint64_t word = words_[w];
            if (w == i / 64) word &= ~std::uint64_t{0} << (i % 64);
            if (word != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(word));
        }
        return size_;
    }
    std::size_t first() const { return next(0); }

    Bits& operator|=(const Bits& other) {
        return combine(other, [](auto a, auto b) { return a | b; });
    }
    Bits& operator&=(const Bits& other) {
        return combine(other, [](auto a, auto b) { return a & b; });
    }
    Bits& operator-=(const Bits& other) {
        return combine(other, [](auto a, auto b) { return a & ~b; });
    }
    friend bool operator==(const Bits&, const Bits&) = default;

    const std::uint64_t* words() const { return words_.data(); }
    std::size_t word_count() const { return words_.size(); }

private:
    template <class Op>
    Bits& combine(const Bits& other, Op op) {
        assert(size_ == other.size_);
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] = op(words_[w], other.words_[w]);
        return *this;
    }

    std::size_t size_ = 0;
    boost::container::small_vector<std::uint64_t, 4> words_;
};

// Calls f(i) for each member i, in ascending order.
template <class F>
void for_each_bit(const Bits& bits, F&& f) {
    for (std::size_t i = bits.first(); i < bits.size(); i = bits.next(i + 1)) f(i);
}

} // namespace zug

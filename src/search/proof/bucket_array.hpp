#pragma once
// The memory of a table of bounded size: an array of buckets, of which a part is used at first, and four times as much
// whenever half of it is full, so that a small search touches little memory. Entries stay where they are when it grows;
// a quarter of them is still found then. The work that made the others is small beside what is to come.
//
// Several threads may use it; what is in the buckets is their own affair.

#include "search/core/zeroed_array.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace zug::search {

template <class Bucket>
class BucketArray {
public:
    // A bucket's number tells so many low bits of the keys in it.
    static constexpr unsigned known_bits = 8;

    // At most so many bytes, but at least 256 buckets; fewer bytes if there is no memory for them.
    explicit BucketArray(std::size_t bytes) {
        std::size_t buckets = least_buckets;
        while (buckets * 2 * sizeof(Bucket) <= bytes) buckets *= 2;
        buckets_ = ZeroedArray<Bucket>(buckets);
        while (buckets_.size() == 0 && buckets > least_buckets) buckets_ = ZeroedArray<Bucket>(buckets /= 2);
        used_buckets_ = std::min(buckets_.size(), first_buckets);
    }

    const Bucket& of(std::uint64_t key) const { return buckets_[number(key)]; }
    Bucket& of(std::uint64_t key) { return buckets_[number(key)]; }

    // Call when one of the `slots` slots of a bucket is used for the first time.
    void fill_slot(std::size_t slots) {
        const std::size_t buckets = used_buckets_.load(std::memory_order_relaxed);
        if (buckets == buckets_.size()) return;
        if (full_slots_.fetch_add(1, std::memory_order_relaxed) < buckets * slots / 2) return;
        used_buckets_.store(std::min(buckets * growth, buckets_.size()), std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t least_buckets = std::size_t{1} << known_bits, growth = 4;
    static constexpr std::size_t first_buckets = std::size_t{1} << 16;

    std::size_t number(std::uint64_t key) const {
        return static_cast<std::size_t>(key) & (used_buckets_.load(std::memory_order_relaxed) - 1);
    }

    ZeroedArray<Bucket> buckets_;
    std::atomic<std::size_t> used_buckets_ = 0, full_slots_ = 0;
};

} // namespace zug::search

#pragma once
// What the fuzz targets share.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

namespace zug::fuzz {

// Not an assert, which a build may leave out.
inline void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

// The input as numbers, for targets whose input is a list of decisions: zeros once it has ended.
class Numbers {
public:
    Numbers(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

    bool empty() const { return rest_.empty(); }
    std::uint8_t byte() {
        if (rest_.empty()) return 0;
        const std::uint8_t byte = rest_.front();
        rest_ = rest_.subspan(1);
        return byte;
    }
    // Below n, which is not 0.
    std::size_t below(std::size_t n) {
        std::size_t number = byte();
        for (std::size_t most = 0x100; most < n && most != 0; most <<= 8) number = number << 8 | byte();
        return number % n;
    }
    std::uint64_t word() {
        std::uint64_t word = 0;
        for (int i = 0; i < 8; ++i) word = word << 8 | byte();
        return word;
    }
    // Mostly one where arithmetic tends to go wrong.
    std::uint64_t edge() {
        const unsigned shift = byte() % 64U;
        switch (byte() % 6U) {
        case 0: return 0;
        case 1: return std::uint64_t{1} << shift;
        case 2: return (std::uint64_t{1} << shift) - 1;
        case 3: return ~std::uint64_t{0} << shift;
        case 4: return byte();
        default: return word();
        }
    }

private:
    std::span<const std::uint8_t> rest_;
};

} // namespace zug::fuzz

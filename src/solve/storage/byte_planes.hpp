#pragma once
// Numbers transposed to byte planes: all lowest bytes first, then the second lowest, up to the highest. Bytes that are
// similar in neighbouring numbers, such as a double's sign and exponent, end up together, which helps compression.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace zug::solve {

template <class Number>
void append_planes(std::span<const Number> numbers, std::vector<std::uint8_t>& out) {
    const std::size_t begin = out.size();
    out.resize(begin + numbers.size_bytes());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::uint8_t bytes[sizeof(Number)];
        std::memcpy(bytes, &numbers[i], sizeof(Number));
        for (std::size_t b = 0; b < sizeof(Number); ++b) out[begin + b * numbers.size() + i] = bytes[b];
    }
}

// `bytes` has as many bytes as the numbers.
template <class Number>
void read_planes(const std::uint8_t* planes, std::span<Number> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::uint8_t bytes[sizeof(Number)];
        for (std::size_t b = 0; b < sizeof(Number); ++b) bytes[b] = planes[b * numbers.size() + i];
        std::memcpy(&numbers[i], bytes, sizeof(Number));
    }
}

} // namespace zug::solve

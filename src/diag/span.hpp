#pragma once
// A half-open byte range in one of the source files of a load.

#include <cstdint>

namespace zug {

enum class FileId : std::uint32_t {};

struct Span {
    FileId file{};
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

} // namespace zug

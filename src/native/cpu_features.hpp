#pragma once
// The features of the processor, which are a part of the key of cached machine code.

#include <array>
#include <cstdint>

namespace zug::native {

// Equal for processors of the same model with the same instruction set extensions.
std::array<std::uint64_t, 2> cpu_hash();

// Whether there are translators for this architecture.
bool cpu_supported();

} // namespace zug::native

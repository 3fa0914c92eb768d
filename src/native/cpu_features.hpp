#pragma once
// The processor, on which machine code depends besides its source.

#include <array>
#include <cstdint>

namespace zug::native {

// Equal for processors of the same model with the same instruction set extensions.
std::array<std::uint64_t, 2> cpu_hash();

// Whether there are translators for this architecture.
bool cpu_supported();

} // namespace zug::native

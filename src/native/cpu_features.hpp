#pragma once
// The features of the processor, which are a part of the key of cached machine code.

#include <cstdint>
#include <vector>

namespace zug::native {

// Equal for processors of the same model with the same instruction set extensions.
std::vector<std::uint64_t> cpu_features();

// Whether there are translators for this architecture.
bool cpu_supported();

} // namespace zug::native

#pragma once
// What machine code depends on besides its source: the processor that it is made for.

#include <array>
#include <cstdint>

namespace zug::native {

// Equal for processors with the same instructions and the same model.
std::array<std::uint64_t, 2> processor_hash();

// Whether there is a loader for this kind of processor.
bool processor_known();

} // namespace zug::native

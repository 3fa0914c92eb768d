#pragma once
// Runs byte code on a frame.

#include "bytecode/bytecode.hpp"
#include "executor/records.hpp"

#include <cstdint>

namespace zug::run {

// What Ask, Settle, Record and the checks report to, and where Emit puts its records.
class Host {
public:
    virtual ~Host() = default;
    Records records;
    virtual void ask(const Question& question, std::uint64_t* frame, Reg into) = 0;
    virtual void settle(bool settled) = 0;
    virtual void record(std::uint32_t mover) = 0;
    enum class CheckFailure : std::uint8_t { OutOfRange, DoubleAssign, DoubleTurn };
    virtual void check_failed(CheckFailure check_failed, std::int32_t place, std::int64_t value) = 0;
};

inline constexpr std::int32_t faulted = INT32_MIN; // the result of a routine that a check stopped

using VirtualMachine = std::int32_t (*)(const Bytecode& code, Entry entry, std::uint64_t* frame, Host& host);

// The loop for a main width of `words`: 1 to 8 words have one of their own, others share a general one.
VirtualMachine vm_for(std::uint16_t words);
// The same, but tells Code::profile what it does; slower.
VirtualMachine counting_vm_for(std::uint16_t words);

} // namespace zug::run

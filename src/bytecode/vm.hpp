#pragma once
// The virtual machine: runs byte code on a frame.

#include "bytecode/bytecode.hpp"
#include "executor/records.hpp"

#include <cstdint>

namespace zug::run {

// The executor, as routines see it: what they call (opcodes.def), and the records that they emit.
class Host {
public:
    virtual ~Host() = default;
    Records records;
    // Puts the answer into register `into`, as wide as the type of the question's expression.
    virtual void ask(const Question& question, std::uint64_t* frame, Reg into) = 0;
    virtual void set_between_moves(bool between) = 0;
    virtual void record(std::uint32_t mover) = 0;
    enum class CheckFailure : std::uint8_t { OutOfRange, DoubleAssign, DoubleTurn };
    // `name`: an index in Bytecode::check_names. The routine returns `faulted` afterwards.
    virtual void check_failed(CheckFailure failure, std::int32_t name, std::int64_t value) = 0;
};

inline constexpr std::int32_t faulted = INT32_MIN; // the result of a routine in which a check failed

using VirtualMachine = std::int32_t (*)(const Bytecode& code, Entry entry, std::uint64_t* frame, Host& host);

// An instance of the machine for boards of `words` words. Instances for 1 to 6 and for 8 words have that width compiled
// in; all others share one that reads it from the instruction.
VirtualMachine vm_for(std::uint16_t words);
// The same, but reports each instruction to Bytecode::profile; slower.
VirtualMachine counting_vm_for(std::uint16_t words);

} // namespace zug::run

#pragma once
// The interface between an interpreter and routines that were translated to machine code. Both work on the same frames,
// so a routine may be replaced between any two calls.

#include "bytecode/compiled_program.hpp"
#include "executor/executor.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace zug::run {

// Host (vm.hpp) with a fixed layout, for machine code to call. Machine code depends on the order of the members
// (native/llvm/routine.hpp). Registers are passed as their indices in the frame.
struct RoutineHost {
    Records* records;
    void (*check_failed)(RoutineHost* self, std::int32_t kind, std::int32_t name, std::int64_t value);
    void (*ask)(RoutineHost* self, std::uint64_t* frame, std::int32_t question, std::int32_t into);
    void (*grow_records)(RoutineHost* self, std::int32_t words); // makes room for `words` more
    // Completes a TakeFirst with the first member of the records; 0: no member is left.
    std::int32_t (*take_record)(RoutineHost* self, std::uint64_t* frame, std::int32_t drawn);
    void (*undraw)(RoutineHost* self, std::uint64_t* frame, std::int32_t drawn, std::int32_t drawing);
    void (*set_between_moves)(RoutineHost* self, std::int32_t between);
    void (*record)(RoutineHost* self, std::uint64_t* frame, std::int32_t mover);
};

// Returns the result of the routine's Return, or `faulted`.
using Routine = std::int32_t (*)(std::uint64_t* frame, RoutineHost* host);

// Forwards calls to a Host.
struct HostBridge : RoutineHost {
    HostBridge(Host& host, const Bytecode& code);
    Host* host;
    const Bytecode* code;
};

// The translated routines, which an executor looks up before each call. Shared by the clones of an executor, and
// written by another thread.
class RoutineTable {
public:
    virtual ~RoutineTable() = default;
    // By entry; null entries have byte code only. Null as long as nothing is translated. The array lives as long as
    // this table.
    const Routine* routines() const { return routines_.load(std::memory_order_acquire); }
    // Called from time to time by any thread that runs byte code while nothing is translated.
    virtual void on_call() = 0;

protected:
    void publish(const Routine* routines) { routines_.store(routines, std::memory_order_release); }

private:
    std::atomic<const Routine*> routines_{nullptr};
};

} // namespace zug::run

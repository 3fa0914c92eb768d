#pragma once
// Machine code in place of byte code: the form that routines take when something has translated them, and the table in
// which an interpreter finds them. Frames are the same for both, so a routine may be replaced between any two calls.

#include "bytecode/compiled_program.hpp"
#include "executor/executor.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace zug::run {

// What a translated routine calls for all that concerns others: Host in a layout that machine code knows. Registers are
// numbers of frame words.
struct RoutineHost {
    Records* records;
    void (*check_failed)(RoutineHost* self, std::int32_t kind, std::int32_t place, std::int64_t value);
    void (*ask)(RoutineHost* self, std::uint64_t* frame, std::int32_t question, std::int32_t into);
    void (*grow_records)(RoutineHost* self, std::int32_t words); // makes room for so many more
    // The rest of Draw when member `number` of the records was drawn: the instruction to go on with.
    std::int32_t (*draw_record)(RoutineHost* self, std::uint64_t* frame, std::int32_t drawn, std::uint32_t number);
    // The same of Take; 0: there is none.
    std::int32_t (*take_record)(RoutineHost* self, std::uint64_t* frame, std::int32_t drawn);
    void (*undraw)(RoutineHost* self, std::uint64_t* frame, std::int32_t drawn, std::int32_t drawing);
    void (*settle)(RoutineHost* self, std::int32_t settled);
    void (*record)(RoutineHost* self, std::uint64_t* frame, std::int32_t mover);
};

// The result is that of the routine's Return, or `troubled`.
using Routine = std::int32_t (*)(std::uint64_t* frame, RoutineHost* host);

// Passes on to a Host.
struct HostBridge : RoutineHost {
    HostBridge(Host& host, const Bytecode& code);
    Host* host;
    const Bytecode* code;
};

// Where translated routines appear, by entry; an executor looks here before each call. Shared by clones.
class RoutineTable {
public:
    virtual ~RoutineTable() = default;
    // By entry, null where there is only byte code; null as a whole as long as nothing is ready. What it points to
    // lives as long as the table.
    const Routine* routines() const { return routines_.load(std::memory_order_acquire); }
    // Called now and then while nothing is ready and there is work to do; by any thread.
    virtual void on_call() = 0;

protected:
    void publish(const Routine* routines) { routines_.store(routines, std::memory_order_release); }

private:
    std::atomic<const Routine*> routines_{nullptr};
};

} // namespace zug::run

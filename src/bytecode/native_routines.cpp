#include "bytecode/native_routines.hpp"

#include "bytecode/vm_draw_ops.hpp"

namespace zug::run {
namespace {

HostBridge& bridge(RoutineHost* self) { return *static_cast<HostBridge*>(self); }

} // namespace

HostBridge::HostBridge(Host& to, const Bytecode& of) : RoutineHost{}, host(&to), code(&of) {
    records = &to.records;
    check_failed = [](RoutineHost* self, std::int32_t kind, std::int32_t name, std::int64_t value) {
        bridge(self).host->check_failed(static_cast<Host::CheckFailure>(kind), name, value);
    };
    ask = [](RoutineHost* self, std::uint64_t* frame, std::int32_t question, std::int32_t into) {
        bridge(self).host->ask(bridge(self).code->questions[static_cast<std::size_t>(question)], frame,
                               static_cast<Reg>(into));
    };
    grow_records = [](RoutineHost* self, std::int32_t words) { self->records->grow(static_cast<std::size_t>(words)); };
    take_record = [](RoutineHost* self, std::uint64_t* frame, std::int32_t drawn) {
        const Instr i{.d = static_cast<Reg>(drawn)};
        return static_cast<std::int32_t>(run::take_record(frame, i, *bridge(self).code, *self->records));
    };
    undraw = [](RoutineHost* self, std::uint64_t* frame, std::int32_t drawn, std::int32_t drawing) {
        const Instr i{.d = static_cast<Reg>(drawn), .imm = drawing};
        run::undraw(frame, i, *bridge(self).code, *self->records);
    };
    set_between_moves = [](RoutineHost* self, std::int32_t between) {
        bridge(self).host->set_between_moves(between != 0);
    };
    record = [](RoutineHost* self, std::uint64_t*, std::int32_t mover) {
        bridge(self).host->record(static_cast<std::uint32_t>(mover));
    };
}

} // namespace zug::run

#pragma once
// Where machine code finds what it needs of run::RoutineHost and run::Records, in pointers and words.

#include "bytecode/native_routines.hpp"

#include <cstddef>

namespace zug::codegen {

enum : unsigned {
    host_records,
    host_check_failed,
    host_ask,
    host_grow_records,
    host_draw_record,
    host_take_record,
    host_undraw,
    host_settle,
    host_record
};
static_assert(offsetof(run::RoutineHost, record) == host_record * sizeof(void*));

enum : unsigned { records_words, records_next, records_limit, records_total, records_taken };
static_assert(offsetof(run::Records, words) == records_words * sizeof(void*) &&
              sizeof(run::Records::words) == sizeof(void*) &&
              offsetof(run::Records, next) == records_next * sizeof(void*) &&
              offsetof(run::Records, limit) == records_limit * sizeof(void*) &&
              offsetof(run::Records, total) == records_total * sizeof(void*) &&
              offsetof(run::Records, taken) == records_taken * sizeof(void*));

} // namespace zug::codegen

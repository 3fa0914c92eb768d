#pragma once
// What the compiler tells a rule file's author: where each instruction comes from. Kept only if somebody asks.

#include "base/id.hpp"
#include "diag/span.hpp"
#include "ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zug::run {

// The part of a program that an instruction works for, and the place in the rule file that asks for it. What several
// parts share belongs to the first.
struct Origin {
    enum class Part : std::uint8_t { None, When, Then, Ensure, Weight, End, Payoff, Eval, Key, Turn };
    Span span;
    Part part = Part::None;
    std::uint32_t number = 0; // of the rule, the end clause, ...
};

struct DebugInfo {
    FileId library = none_id<FileId>; // what stands in this file counts as a part of what uses it
    std::vector<Origin> origins;      // by instruction
    struct Loop {
        enum class Kind : std::uint8_t {
            Members, // over the members of a set
            Grow,    // until nothing more is reached
            Repeat,  // a number of times
        };
        Kind kind = Kind::Members;
        std::size_t top = 0, back = 0; // its first instruction, and the jump back to it
        std::uint32_t most = 0;        // rounds; 0: not known
    };
    std::vector<Loop> loops;
    // What is done value by value or asked at run time, and the part of it that there was no way for to say it of all
    // values at once; none: there is no way for the whole.
    struct Refusal {
        Span what;
        ir::ExprId because = none_id<ir::ExprId>;
        bool too_large = false; // there was a way, but in too many parts
    };
    std::vector<Refusal> refusals;
    Span failed; // what has no byte code
};

} // namespace zug::run

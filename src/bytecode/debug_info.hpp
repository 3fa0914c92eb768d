#pragma once
// Debug info, for the author of a rule file (`zug info --ir` and `--why-slow`): the text that each instruction comes
// from, and the conditions that could not be lifted. Collected on request only.

#include "base/id.hpp"
#include "diag/span.hpp"
#include "ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace zug::run {

// The part of a program that an instruction belongs to, and the text in the rule file that it implements. An
// instruction that several parts share belongs to the first.
struct Origin {
    enum class Part : std::uint8_t { None, When, Then, Ensure, Weight, End, Payoff, Eval, Bound, Key, Turn };
    Span span;
    Part part = Part::None;
    std::uint32_t number = 0; // of the rule, the end clause, ...
};

struct DebugInfo {
    FileId library = none_id<FileId>; // text in this file is attributed to the text that uses it
    std::vector<Origin> origins;      // by instruction
    struct Loop {
        enum class Kind : std::uint8_t {
            Members, // over the members of a set
            Grow,    // until nothing more is reached
            Repeat,  // a number of times
        };
        Kind kind = Kind::Members;
        std::size_t top = 0, back = 0; // its first instruction, and the jump back to it
        std::uint32_t most = 0;        // a bound of the number of rounds; 0: unknown
    };
    std::vector<Loop> loops;
    // A condition that could not be lifted, so that it is tested value by value, or evaluated by the reference
    // evaluator at run time; and the part of it that prevents lifting, none if that is the whole.
    struct Refusal {
        Span what;
        struct Part { // not by its number, since compilation changes and adds expressions
            ir::Op op{};
            Span span;
        };
        std::optional<Part> because = std::nullopt;
        bool too_large = false; // it could be lifted, but to too many operations
    };
    std::vector<Refusal> refusals;
    Span failed; // the text that has no byte code, if compiling failed
};

} // namespace zug::run

#pragma once
// The result of one rule file.

#include <cstdint>
#include <string>

namespace zug::random_rules {

struct Verdict {
    enum class Kind : std::uint8_t { Agreed, Different, Refused, RefusedWrongly, Crashed };
    Kind kind = Kind::Agreed;
    // Different: what differs; RefusedWrongly: the message; Crashed: the signal or exit code
    std::string what;
    std::string text;           // the same for people
    std::string position, line; // Different: the position, and the moves that lead there
    std::string why;            // it has no byte code: the reason
    // Expressions of its byte code that the reference evaluator is asked for, how often it was, and for how many moves
    // and faults.
    std::uint64_t questions = 0, asked = 0, other_asked = 0;
    std::uint64_t positions = 0, faults = 0;
    std::uint64_t symmetries = 0; // that generate those that follow from the rules
    bool compound = false;        // turns of several steps are compound moves

    bool failed() const { return kind == Kind::Different || kind == Kind::RefusedWrongly || kind == Kind::Crashed; }
};

// Loads the text and plays it with all executors, in a process of its own.
Verdict judge(const std::string& text, std::uint64_t seed);

} // namespace zug::random_rules

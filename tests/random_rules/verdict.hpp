#pragma once
// What comes of one rule file.

#include <cstdint>
#include <string>

namespace zug::random_rules {

struct Verdict {
    enum class Kind : std::uint8_t { Agreed, Different, Refused, RefusedWrongly, Crashed };
    Kind kind = Kind::Agreed;
    // Different: in which respect; RefusedWrongly: by which message; Crashed: how
    std::string what;
    std::string text;           // the same for people
    std::string position, line; // Different: where, and the moves that lead there
    std::string why;            // it has no byte code: the reason
    bool asks = false;          // its byte code asks the reference evaluator
    std::uint64_t positions = 0, faults = 0;

    bool failed() const { return kind == Kind::Different || kind == Kind::RefusedWrongly || kind == Kind::Crashed; }
};

// Loads the text and plays it with all executors, in a process of its own.
Verdict judge(const std::string& text, std::uint64_t seed);

} // namespace zug::random_rules

#pragma once
// Work done in a child process, so that a crash or an endless loop is a result like any other.

#include <functional>
#include <string>

namespace zug::random_rules {

struct Answer {
    bool fine = false;
    std::string text; // what the work returned, or how it failed
};

// At most so many seconds of processor time.
Answer in_child(const std::function<std::string()>& work, unsigned seconds);

} // namespace zug::random_rules

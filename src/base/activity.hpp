#pragma once
// What the program is doing, for the message of a limit that ends it: time, memory, Ctrl-C. A signal handler may read
// it at any moment, so it is text in static memory. Control characters in it become `?`.

#include <cstddef>
#include <string>
#include <string_view>

namespace zug {

// Sets the text until the end of the scope, then restores the one before. Only the first thread that uses it has
// activities; those of other threads are ignored.
class Activity {
public:
    explicit Activity(std::string_view text);
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;
    ~Activity();

    // A text that ends with 0, as long as `most` at most; empty if nothing is under way.
    static constexpr std::size_t most = 200;
    static const char* current();

private:
    std::string before_;
    bool counts_;
};

} // namespace zug

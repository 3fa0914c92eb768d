#pragma once
// Lines of standard input. Unlike std::getline, waiting for one ends when Ctrl-C is pressed.

#include <optional>
#include <string>

namespace zug::cli {

class Lines {
public:
    // The next line without its end; nothing at the end of the input or after an interrupt.
    std::optional<std::string> next();
    bool interactive() const; // a terminal, where a person waits for a prompt

private:
    std::string buffer_;
    bool ended_ = false;
};

} // namespace zug::cli

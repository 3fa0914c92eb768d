#pragma once
// Lines of standard input. Unlike with std::getline, Ctrl-C ends the wait for a line.

#include <optional>
#include <string>

namespace zug::cli {

class Lines {
public:
    // The next line without its line end; empty at the end of the input or after an interrupt.
    std::optional<std::string> next();
    bool interactive() const; // a terminal, where a person waits for a prompt

private:
    std::string buffer_;
    bool ended_ = false;
};

} // namespace zug::cli

#pragma once
// Lines that a person types at a terminal, with the keys of a shell: the line can be edited, earlier ones of the
// session come back, and the tab key completes what has been begun.
//
// It is libedit behind a handle. Keys are as ~/.editrc says, else those of Emacs. Ctrl-C leaves a line that has been
// begun, and at an empty one interrupts the program as it does elsewhere (cli/interrupt.hpp). Ctrl-D at an empty line
// ends the input.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::cli {

class LineEditor {
public:
    // The lines that begin with what has been typed, in whatever case; empty: the last word is the name of a file.
    using Complete = std::function<std::optional<std::vector<std::string>>(std::string_view typed)>;

    explicit LineEditor(Complete complete);
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;
    ~LineEditor();

    // Whether the streams are a terminal on which lines can be edited.
    static bool suits_streams();

    // The next line without its line end; empty at the end of the input or after an interrupt.
    std::optional<std::string> next(const std::string& prompt);

private:
    class State;
    std::unique_ptr<State> state_;
};

} // namespace zug::cli

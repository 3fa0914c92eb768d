#include "cli/play/line_editor.hpp"

#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/play/columns.hpp"
#include "game/faces.hpp"

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/ranges.h>
#include <histedit.h>
#include <unistd.h>

namespace zug::cli {

namespace {

constexpr int most_history = 1000;     // lines
constexpr std::size_t most_told = 200; // completions

using Texts = std::vector<std::string>;

// What all of the texts begin with, in whole characters.
std::string common_beginning(const Texts& texts) {
    std::vector<std::string> common = game::characters(texts.front());
    for (const std::string& text : texts) {
        const std::vector<std::string> other = game::characters(text);
        common.erase(std::ranges::mismatch(common, other).in1, common.end());
    }
    return fmt::format("{}", fmt::join(common, ""));
}

} // namespace

class LineEditor::State {
public:
    explicit State(Complete complete);
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    std::optional<std::string> next(const std::string& prompt);

private:
    static State& of(EditLine* line);
    static const char* give_prompt(EditLine* line) { return of(line).prompt_.c_str(); }
    static unsigned char on_tab(EditLine* line, int key) { return of(line).complete(key); }
    static unsigned char on_interrupt(EditLine* line, int) { return of(line).leave(); }
    static unsigned char on_suspend(EditLine*, int);
    static unsigned char on_null(EditLine* line, int);

    unsigned char complete(int key);
    unsigned char leave();

    Complete complete_;
    std::string prompt_;
    EditLine* line_;
    History* history_;
};

LineEditor::State::State(Complete complete)
    : complete_(std::move(complete)), line_(el_init("zug", stdin, stdout, stderr)), history_(history_init()) {
    std::setlocale(LC_CTYPE, ""); // in which bytes are characters
    HistEvent event{};
    history(history_, &event, H_SETSIZE, most_history);
    history(history_, &event, H_SETUNIQUE, 1);
    el_set(line_, EL_CLIENTDATA, this);
    el_set(line_, EL_PROMPT, give_prompt);
    el_set(line_, EL_EDITOR, "emacs");
    el_set(line_, EL_SIGNAL, 1);
    el_set(line_, EL_HIST, history, history_);
    el_set(line_, EL_ADDFN, "zug-complete", "Complete a move or a command", on_tab);
    el_set(line_, EL_ADDFN, "zug-leave", "Leave the line", on_interrupt);
    el_set(line_, EL_ADDFN, "zug-suspend", "Suspend the program", on_suspend);
    el_set(line_, EL_ADDFN, "zug-null", "End an empty line", on_null);
    el_source(line_, nullptr);
    // The keys of signals come as keys, so that Ctrl-C can be about the line.
    el_set(line_, EL_SETTY, "-d", "-isig", nullptr);
    el_set(line_, EL_BIND, "^I", "zug-complete", nullptr);
    el_set(line_, EL_BIND, "^C", "zug-leave", nullptr);
    el_set(line_, EL_BIND, "^Z", "zug-suspend", nullptr);
    el_set(line_, EL_BIND, "^@", "zug-null", nullptr);
}

LineEditor::State::~State() {
    el_end(line_);
    history_end(history_);
}

LineEditor::State& LineEditor::State::of(EditLine* line) {
    void* state = nullptr;
    el_get(line, EL_CLIENTDATA, &state);
    return *static_cast<State*>(state);
}

std::optional<std::string> LineEditor::State::next(const std::string& prompt) {
    if (interrupted()) return std::nullopt;
    prompt_ = prompt;
    int count = 0;
    const TerminalMode mode;
    // Before the prompt, after which a key of a signal may come at once: el_gets itself does it after the prompt.
    el_set(line_, EL_PREP_TERM, 1);
    const char* const read = el_gets(line_, &count);
    if (read == nullptr || count <= 0 || interrupted()) return std::nullopt;
    std::string text(read, static_cast<std::size_t>(count));
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    HistEvent event{};
    if (!text.empty()) history(history_, &event, H_ENTER, text.c_str());
    return text;
}

unsigned char LineEditor::State::complete(int key) {
    const LineInfo* const typed = el_line(line_);
    const std::string begun(typed->buffer, typed->cursor);
    const auto found = complete_(begun);
    if (!found) return _el_fn_complete(line_, key);
    if (found->empty()) return CC_ERROR;
    const std::string longer = common_beginning(*found);
    if (found->size() == 1 || longer.size() > begun.size()) {
        if (longer.size() < begun.size()) return CC_ERROR;
        el_deletestr(line_, el_cursor(line_, 0));
        return el_insertstr(line_, longer.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    }
    const std::size_t told = std::min(found->size(), most_told);
    say("\n{}", in_columns(std::span(*found).first(told), terminal_width()));
    if (told < found->size()) say("and {} more\n", found->size() - told);
    flush();
    return CC_REDISPLAY;
}

unsigned char LineEditor::State::leave() {
    const LineInfo* const typed = el_line(line_);
    if (typed->buffer == typed->lastchar) {
        std::raise(SIGINT);
        return CC_NEWLINE;
    }
    say("^C\n");
    flush();
    el_cursor(line_, static_cast<int>(typed->lastchar - typed->cursor));
    el_deletestr(line_, el_cursor(line_, 0));
    return CC_REDISPLAY;
}

unsigned char LineEditor::State::on_suspend(EditLine*, int) {
    std::raise(SIGTSTP);
    return CC_REFRESH;
}

// Ctrl-D that was typed while a program was thinking: the terminal collected lines then, and gives the ends of the
// input among them as null characters once it no longer does.
unsigned char LineEditor::State::on_null(EditLine* line, int) {
    const LineInfo* const typed = el_line(line);
    return typed->buffer == typed->lastchar ? CC_EOF : CC_NORM;
}

LineEditor::LineEditor(Complete complete) : state_(std::make_unique<State>(std::move(complete))) {}
LineEditor::~LineEditor() = default;

bool LineEditor::suits_streams() {
    const char* const terminal = std::getenv("TERM");
    return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && terminal != nullptr && *terminal != '\0' &&
           std::string_view(terminal) != "dumb";
}

std::optional<std::string> LineEditor::next(const std::string& prompt) { return state_->next(prompt); }

} // namespace zug::cli

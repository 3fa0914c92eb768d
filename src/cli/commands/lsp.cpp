#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "lsp/serve.hpp"

#include <unistd.h>

#include <iostream>
#include <memory>

namespace zug::cli {

namespace {

int run_lsp() {
    const Unattended unattended; // the editor has the texts
    if (isatty(STDIN_FILENO) != 0)
        write_error("zug: this waits for messages of an editor, which starts it by itself (`zug lsp --help`). "
                    "Ctrl-C ends it.\n");
    const auto code = lsp::serve(std::cin, search_folders(), ZUG_VERSION, [](const std::string& message) {
        write_bytes(message);
        flush();
    });
    if (code) return *code;
    complain(code.error().text);
    return exit_failed;
}

} // namespace

Run add_lsp(Command& program) {
    Command app = program.add_command("lsp", "Tell editors what is wrong with rule files, what names mean, and more");
    auto stdio = std::make_shared<bool>(false);
    app.add_flag("--stdio", *stdio, "Nothing: standard input and output are used anyway. Some editors say so");
    add_example(app, "zug lsp\n\n"
                     "Editors start it, and talk to it over standard input and output by version 3.17 of the Language\n"
                     "Server Protocol. What VS Code, Vim and Neovim need is in grammar/editors; README.md says how to\n"
                     "install it.");
    return [stdio] { return run_lsp(); };
}

} // namespace zug::cli

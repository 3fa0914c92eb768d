#include "protocols/engine.hpp"
#include "cli/command.hpp"
#include "cli/conversation.hpp"

#include <memory>
#include <utility>

namespace zug::cli {

namespace {

struct EngineOptions {
    ConversationOptions conversation;
    bool schema = false;
};

int run_engine(const EngineOptions& options) {
    if (options.schema) {
        write_bytes(protocols::engine_schema());
        return exit_fine;
    }
    const ConversationOptions& conversation = options.conversation;
    protocols::Engine engine(game_source(conversation.game), conversation.player,
                             [](const std::string& line) { reply(line + "\n"); });
    if (!conversation.game.file.empty()) {
        auto open = opened_game(conversation.game);
        if (!open) return open.error();
        engine.open(std::move(*open));
    }
    return converse([&](std::string_view line) { return engine.take(line); });
}

} // namespace

Run add_engine(Command& program) {
    Command app = program.add_command("engine", "Let other programs play and search any game, by lines of JSON");
    auto options = std::make_shared<EngineOptions>();
    add_conversation_options(app, options->conversation);
    app.get("FILE").required(false).describe("A rule file, or the name of one in rules/; `load` can come later");
    app.add_flag("--schema", options->schema, "Print the JSON Schema of the protocol");
    add_example(app, "zug engine chess");
    return [options] { return run_engine(*options); };
}

} // namespace zug::cli

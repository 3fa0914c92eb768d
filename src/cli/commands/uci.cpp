#include "protocols/uci.hpp"
#include "cli/command.hpp"
#include "cli/conversation.hpp"

#include <memory>
#include <utility>

namespace zug::cli {

namespace {

int run_uci(const ConversationOptions& options) {
    auto open = opened_game(options.game);
    if (!open) return open.error();
    return converse(protocols::Uci::make(game_source(options.game), std::move(*open), options.player,
                                         [](const std::string& line) { reply(line + "\n"); }));
}

} // namespace

Run add_uci(Command& program) {
    Command app = program.add_command("uci", "Let other programs play a game by UCI, the protocol of chess programs");
    auto options = std::make_shared<ConversationOptions>();
    add_conversation_options(app, *options);
    add_example(app, "zug uci chess");
    return [options] { return run_uci(*options); };
}

} // namespace zug::cli

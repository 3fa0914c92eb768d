#include "protocols/gtp.hpp"
#include "cli/command.hpp"
#include "cli/conversation.hpp"
#include "cli/interrupt.hpp"

#include <memory>
#include <utility>

namespace zug::cli {

namespace {

int run_gtp(const ConversationOptions& options) {
    auto open = opened_game(options.game);
    if (!open) return open.error();
    return converse(
        protocols::Gtp::make(game_source(options.game), std::move(*open), options.player, reply, interrupted()));
}

} // namespace

Run add_gtp(Command& program) {
    Command app = program.add_command("gtp", "Let other programs play a game by GTP, the protocol of Go programs");
    auto options = std::make_shared<ConversationOptions>();
    add_conversation_options(app, *options);
    add_example(app, "zug gtp go -D size=9 --player auto:time=5");
    return [options] { return run_gtp(*options); };
}

} // namespace zug::cli

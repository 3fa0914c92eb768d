#pragma once
// What the commands share that other programs talk to by lines (src/protocols).

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "protocols/session/game_source.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace zug::cli {

// The game and the player of such a command.
struct ConversationOptions {
    GameOptions game;
    std::string player = "auto";
};
void add_conversation_options(Command& app, ConversationOptions& options);

protocols::GameSource game_source(const GameOptions& options);
// The game of the command line. What is wrong with it has been told; the error is the exit code.
tl::expected<protocols::OpenedGame, int> opened_game(const GameOptions& options);

// Writes an answer at once: the other program waits for it.
void reply(const std::string& text);
// Gives the lines of standard input to `take`, to their end or until it returns false. Returns the exit code.
int converse(const std::function<bool(std::string_view)>& take);
// The same with a protocol for the game, or what is wrong with the game or the player.
template <class Protocol>
int converse(const tl::expected<std::unique_ptr<Protocol>, Error>& protocol) {
    if (protocol) return converse([&](std::string_view line) { return (*protocol)->take(line); });
    complain(protocol.error().text);
    return exit_failed;
}

} // namespace zug::cli

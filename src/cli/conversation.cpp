#include "cli/conversation.hpp"

#include "base/process/memory.hpp"
#include "cli/interrupt.hpp"
#include "cli/lines.hpp"

#include <algorithm>
#include <utility>

namespace zug::cli {

void add_conversation_options(Command& app, ConversationOptions& options) {
    add_game_options(app, options.game);
    app.add_option("--player", options.player, "Who thinks: auto, alphabeta:depth=6, ... (`zug help players`)")
        .type_name("PLAYER")
        .show_default();
}

protocols::GameSource game_source(const GameOptions& options) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40U;
    protocols::GameSource source{.find = rule_file_named,
                                 .library = {},
                                 .folders = search_folders(),
                                 .executor = executor_kind(options.executor),
                                 .version = ZUG_VERSION,
                                 .memory = std::min(most, free_memory() / 2)};
    if (const auto files = library_files())
        for (const auto& file : *files) source.library.push_back(file.string());
    return source;
}

tl::expected<protocols::OpenedGame, int> opened_game(const GameOptions& options) {
    const auto file = find_rule_file(options.file);
    if (!file) return tl::unexpected(file.error());
    auto parameters = parse_defines(options.defines);
    if (!parameters) return tl::unexpected(parameters.error());
    auto open = open_to_play(options);
    if (!open) return tl::unexpected(open.error());
    return protocols::OpenedGame{std::move(open->game), *file, std::move(*parameters)};
}

void reply(const std::string& text) {
    write(text);
    flush();
}

int converse(const std::function<bool(std::string_view)>& take) {
    Lines lines;
    for (auto line = lines.next(); line && take(*line);) line = lines.next();
    return interrupted() ? exit_interrupted : exit_fine;
}

} // namespace zug::cli

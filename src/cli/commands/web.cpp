#include "base/process/streams.hpp"
#include "cli/command.hpp"
#include "cli/conversation.hpp"
#include "cli/interrupt.hpp"
#include "web/server.hpp"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <new>
#include <unistd.h>
#include <utility>

namespace zug::cli {

namespace {

struct WebOptions {
    GameOptions game;
    std::string solved;
    int port = 8080;
    bool open = false;
};

// In the browser that the desktop has for such addresses. Nothing depends on it.
void open_browser(std::string address) {
    std::string env = "env", program = "xdg-open"; // the first looks for the second
    char* const words[] = {env.data(), program.data(), address.data(), nullptr};
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t process = 0;
    if (spawn(process, "/usr/bin/env", words, {nothing, nothing}, nullptr) != 0)
        complain(fmt::format("no browser could be started: open {} in one", address));
    ::close(nothing);
}

// The file stands for a game of the library that has its name.
void add_to_library(std::vector<std::string>& library, const std::string& file) {
    const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem(); };
    std::erase_if(library, [&](const std::string& path) { return stem(path) == stem(file); });
    library.insert(library.begin(), file);
}

// The server and its port. The sandbox has no network, but for a port that was taken outside of it.
struct Listening {
    web::Server server;
    int port = 0;
};

bool listen(Listening& listening, int port) {
    const auto taken = listening.server.bind(port);
    if (!taken) complain(taken.error().text);
    listening.port = taken.value_or(0);
    return taken.has_value();
}

int run_web(const WebOptions& options, Listening& listening) {
    web::SiteOptions site{.source = game_source(options.game), .game = "", .parameters = {}, .search = {}, .rooms = {}};
    site.search.solved = options.solved;
    if (!options.game.file.empty()) {
        const auto game = opened_game(options.game);
        if (!game) return game.error();
        add_to_library(site.source.library, game->file);
        site.game = std::filesystem::path(game->file).stem().string();
        site.parameters = game->parameters;
    }
    const std::string address = fmt::format("http://127.0.0.1:{}/", listening.port);
    reply(fmt::format("Zug plays at {} until Ctrl-C\n", address));
    if (options.open) open_browser(address);
    std::set_new_handler(nullptr); // where memory runs out, one request fails and not the program
    listening.server.serve(std::move(site), interrupted());
    return interrupted() ? exit_interrupted : exit_failed;
}

} // namespace

Run add_web(Command& program) {
    constexpr int most_port = 65'535;
    Command app = program.add_command("web", "Play, analyse and edit games in a browser on this machine");
    auto options = std::make_shared<WebOptions>();
    add_game_options(app, options->game);
    app.get("FILE").required(false).describe("A rule file, or the name of one in rules/; others can be chosen later");
    app.add_option("--port", options->port, "The port on this machine; 0: any that is free")
        .type_name("N")
        .within(0, most_port)
        .show_default();
    app.add_option("--solved", options->solved, "Show perfect play from the databases of `zug solve -o` in this folder")
        .type_name("DIR");
    app.add_flag("--open", options->open, "Open the page in a browser");
    add_example(app, "zug web tic-tac-toe --open");
    auto listening = std::make_shared<Listening>();
    return {[options, listening] { return run_web(*options, *listening); },
            [options, listening] { return listen(*listening, options->port); }};
}

} // namespace zug::cli

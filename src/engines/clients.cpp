#include "engines/clients.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <strings.h>

namespace zug::engines {

std::string chess_protocol_refusal(const game::Game& game, std::string_view protocol) {
    const std::string& title = game.program().title;
    if (game.players() > 2)
        return fmt::format("{} can't be played by {}, which is for two players: it has {}", title, protocol,
                           game.players());
    if (game.traits().chance)
        return fmt::format("{} can't be played by {}, which knows no chance events; `zug engine` does", title,
                           protocol);
    return "";
}

bool is_white(const game::Game& game, std::uint32_t player) {
    const bool black_first = ::strcasecmp(game.player_name(0).c_str(), "black") == 0;
    return (player == 0) != black_first;
}

double Allowance::longest(bool white_moves) const {
    constexpr double without_clock = 600; // nodes and plies may take long
    if (clock) return std::max(0.0, white_moves ? white : black);
    return seconds > 0 ? seconds : without_clock;
}

namespace {

std::string go_text(const Allowance& allowance) {
    const auto milliseconds = [](double seconds) { return static_cast<std::int64_t>(seconds * 1000); };
    std::string text = "go";
    if (allowance.clock)
        text += fmt::format(" wtime {} btime {} winc {} binc {}", milliseconds(allowance.white),
                            milliseconds(allowance.black), milliseconds(allowance.increment),
                            milliseconds(allowance.increment));
    if (allowance.seconds > 0)
        text += fmt::format(" movetime {}", std::max<std::int64_t>(1, milliseconds(allowance.seconds)));
    if (allowance.nodes > 0) text += fmt::format(" nodes {}", allowance.nodes);
    if (allowance.depth > 0) text += fmt::format(" depth {}", allowance.depth);
    return text;
}

} // namespace

tl::expected<void, Error> ProgramClient::start() {
    auto process = ChildProcess::start(launch_.command);
    if (!process) return tl::unexpected(process.error());
    process_ = std::move(*process);
    return {};
}

tl::expected<std::string, Error> ProgramClient::hear(const Patience& patience) {
    if (!process_) return failure("it is not running");
    auto line = process_->read(patience);
    if (!line) {
        process_.reset();
        return line;
    }
    return std::string(trimmed(*line));
}

tl::expected<void, Error> ProgramClient::say(const std::string& line, const Patience& patience) {
    if (!process_) return failure("it is not running");
    auto done = process_->write(line, patience);
    if (!done) process_.reset();
    return done;
}

// The rest of the line that begins with this word.
tl::expected<std::string, Error> UciClient::wait_for(std::string_view word, const Patience& patience) {
    while (true) {
        auto line = hear(patience);
        if (!line) return line;
        const std::string_view text = *line;
        if (text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' '))
            return std::string(trimmed(text.substr(word.size())));
        // So programs answer that speak xboard's protocol alone.
        if (text.starts_with("Error (unknown command)")) {
            process_.reset();
            return failure(
                fmt::format("it does not speak UCI; it answers `{}` (xboard:COMMAND speaks xboard's protocol)", text));
        }
    }
}

tl::expected<void, Error> UciClient::introduce(const Patience& patience) {
    if (auto started = start(); !started) return started;
    if (auto said = say("uci", patience); !said) return said;
    if (auto known = wait_for("uciok", patience); !known) return tl::unexpected(known.error());
    for (const auto& [name, value] : launch_.options)
        if (auto set = say(fmt::format("setoption name {} value {}", name, value), patience); !set) return set;
    return {};
}

tl::expected<void, Error> UciClient::new_game(const std::atomic<bool>* stop) {
    const Patience patience = Patience::of(launch_.patience, stop);
    if (!process_)
        if (auto known = introduce(patience); !known) return known;
    for (const char* line : {"ucinewgame", "isready"})
        if (auto said = say(line, patience); !said) return said;
    if (auto ready = wait_for("readyok", patience); !ready) return tl::unexpected(ready.error());
    return {};
}

tl::expected<std::string, Error> UciClient::best_move(const std::string& position, const Allowance& allowance,
                                                      bool white_moves, const std::atomic<bool>* stop) {
    const Patience patience = Patience::of(allowance.longest(white_moves) + launch_.patience, stop);
    for (const std::string& line : {"position " + position, go_text(allowance)})
        if (auto said = say(line, patience); !said) return tl::unexpected(said.error());
    auto rest = wait_for("bestmove", patience);
    if (!rest) return rest;
    return std::string(trimmed(std::string_view(*rest).substr(0, rest->find(" ponder "))));
}

tl::expected<std::string, Error> GtpClient::ask(const std::string& command, double seconds,
                                                const std::atomic<bool>* stop) {
    const Patience patience = Patience::of(seconds + launch_.patience, stop);
    if (!process_)
        if (auto started = start(); !started) return tl::unexpected(started.error());
    if (auto said = say(command, patience); !said) return tl::unexpected(said.error());
    std::string answer;
    while (true) {
        auto line = hear(patience);
        if (!line) return line;
        const std::string_view text = *line;
        if (text.empty() && !answer.empty()) break;
        // Some programs say something before they answer.
        if (answer.empty() && !text.starts_with('=') && !text.starts_with('?')) continue;
        answer += fmt::format("{}{}", answer.empty() ? "" : "\n", text);
    }
    const std::string_view content = trimmed(std::string_view(answer).substr(1));
    if (answer.front() == '?') return failure(fmt::format("it answers `{}` to `{}`", content, command));
    return std::string(content);
}

} // namespace zug::engines

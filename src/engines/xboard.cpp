#include "engines/xboard.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace zug::engines {

namespace {

constexpr std::size_t session = 40; // moves of a clock that stands for a time for each move
constexpr double for_features = 2;  // seconds in which a program says what it can do; what is older says nothing

bool is_whole(double seconds) { return seconds >= 1 && std::floor(seconds) == seconds; }

std::string clock_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// What tells the program how long it may think, once in a game.
std::vector<std::string> time_control(const Allowance& allowance) {
    std::vector<std::string> lines;
    if (allowance.clock)
        lines.push_back(fmt::format("level 0 {} {:.0f}", clock_text(allowance.white), allowance.increment));
    else if (is_whole(allowance.seconds))
        lines.push_back(fmt::format("st {:.0f}", allowance.seconds));
    else if (allowance.seconds > 0)
        lines.push_back(fmt::format("level {} {} 0", session, clock_text(session * allowance.seconds)));
    if (allowance.depth > 0) lines.push_back(fmt::format("sd {}", allowance.depth));
    return lines;
}

// The clock before its n-th move, in seconds; 0: it has none.
double clock_of(const Allowance& allowance, std::size_t n) {
    if (allowance.clock) return allowance.white;
    if (is_whole(allowance.seconds)) return 0;
    return allowance.seconds * static_cast<double>(session - n % session);
}

// What follows a word that the line begins with; empty: it does not.
std::string_view after(std::string_view line, std::string_view word) {
    return line.starts_with(word) ? trimmed(line.substr(word.size())) : std::string_view();
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

} // namespace

// `name=value` again and again, where a value may stand in quotes. Moves are told by their squares alone.
std::optional<bool> XboardClient::take_features(std::string_view text, const Patience& patience) {
    std::optional<bool> done;
    while (!text.empty()) {
        const std::size_t equals = text.find('=');
        if (equals == text.npos) break;
        const std::string name(trimmed(text.substr(0, equals)));
        text.remove_prefix(equals + 1);
        const bool quoted = text.starts_with('"');
        if (quoted) text.remove_prefix(1);
        const std::size_t end = std::min(text.size(), text.find(quoted ? '"' : ' '));
        const std::string_view value = text.substr(0, end);
        if (name == "done") done = value == "1";
        const bool refused = name == "san" && value == "1";
        if (value == "1" && !refused) features_.insert(name);
        (void)say(fmt::format("{} {}", refused ? "rejected" : "accepted", name), patience);
        text.remove_prefix(std::min(text.size(), end + 1));
        text = trimmed(text);
    }
    return done;
}

tl::expected<void, Error> XboardClient::introduce(const std::atomic<bool>* stop) {
    features_.clear();
    if (auto started = start(); !started) return started;
    Patience patience = Patience::of(std::min(for_features, launch_.patience), stop);
    if (auto said = say_all({"xboard", "protover 2"}, patience); !said) return said;
    for (std::optional<bool> done; done != true;) {
        const auto line = process_->read(patience);
        const bool is_older = !line && !done && Patience::Clock::now() >= patience.end;
        if (is_older) break;
        if (!line) {
            process_.reset();
            return tl::unexpected(line.error());
        }
        const auto said = take_features(after(trimmed(*line), "feature "), patience);
        if (!process_) return failure("it does not read what it is told");
        if (said == false) patience = Patience::of(launch_.patience, stop);
        if (said) done = said;
    }
    for (const auto& [name, value] : launch_.options)
        if (auto set = say(fmt::format("option {}={}", name, value), patience); !set) return set;
    return {};
}

tl::expected<void, Error> XboardClient::say_all(const std::vector<std::string>& lines, const Patience& patience) {
    for (const std::string& line : lines)
        if (auto said = say(line, patience); !said) return said;
    return {};
}

tl::expected<void, Error> XboardClient::settle(const Patience& patience) {
    if (!features_.contains("ping")) return {};
    if (auto said = say("ping 1", patience); !said) return said;
    while (true) {
        const auto line = hear(patience);
        if (!line) return tl::unexpected(line.error());
        if (*line == "pong 1") return {};
        if (line->starts_with("Illegal move")) return failure(fmt::format("it answers `{}`", *line));
    }
}

tl::expected<void, Error> XboardClient::new_game(const std::string& position, const Allowance& allowance,
                                                 const std::atomic<bool>* stop) {
    if (!process_)
        if (auto known = introduce(stop); !known) return known;
    const Patience patience = Patience::of(launch_.patience, stop);
    moves_ = 0;
    std::vector<std::string> lines{"new"};
    if (!launch_.variant.empty()) lines.push_back("variant " + launch_.variant);
    for (std::string& line : time_control(allowance)) lines.push_back(std::move(line));
    for (const char* line : {"easy", "nopost"}) lines.emplace_back(line);
    answers_ = position.empty();
    if (!answers_ && !takes_positions())
        return failure("it can't be told a position that is not the start of the game");
    if (!answers_) lines.insert(lines.end(), {"force", "setboard " + position});
    if (auto said = say_all(lines, patience); !said) return said;
    return settle(patience);
}

std::vector<std::string> XboardClient::request(std::span<const std::string> moves, const Allowance& allowance) {
    std::vector<std::string> clocks, told;
    if (const double clock = clock_of(allowance, moves_++); clock > 0) {
        const auto hundredths = static_cast<std::int64_t>(100 * clock);
        clocks = {fmt::format("time {}", hundredths), fmt::format("otim {}", hundredths)};
    }
    for (const std::string& move : moves) told.push_back((features_.contains("usermove") ? "usermove " : "") + move);
    std::vector<std::string> lines;
    const bool answers = std::exchange(answers_, true) && told.size() <= 1;
    if (!answers) {
        lines = {"force"};
        std::ranges::move(told, std::back_inserter(lines));
        told.clear();
    }
    std::ranges::move(clocks, std::back_inserter(lines));
    lines.push_back(told.empty() ? "go" : told.front());
    return lines;
}

tl::expected<std::string, Error> XboardClient::best_move(std::span<const std::string> moves, const Allowance& allowance,
                                                         const std::atomic<bool>* stop) {
    const Patience patience = Patience::of(allowance.longest(true) + launch_.patience, stop);
    if (auto said = say_all(request(moves, allowance), patience); !said) return tl::unexpected(said.error());
    while (true) {
        auto line = hear(patience);
        if (!line) return line;
        for (const std::string_view word : {"move ", "My move is:", "My move is :"})
            if (const std::string_view move = after(*line, word); !move.empty()) return std::string(first_word(move));
        if (first_word(*line) == "resign") return std::string("resign");
        if (line->starts_with("Illegal move")) return failure(fmt::format("it answers `{}`", *line));
    }
}

} // namespace zug::engines

// The words of `go`, and scores.

#include "match/game_clock.hpp"
#include "protocols/uci.hpp"
#include "protocols/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace zug::protocols {

namespace {

struct Numbers {
    std::optional<std::int64_t> wtime, btime, winc, binc, movestogo, movetime, depth, nodes, mate;
};

constexpr std::array<std::pair<std::string_view, std::optional<std::int64_t> Numbers::*>, 9> numbers{
    {{"wtime", &Numbers::wtime},
     {"btime", &Numbers::btime},
     {"winc", &Numbers::winc},
     {"binc", &Numbers::binc},
     {"movestogo", &Numbers::movestogo},
     {"movetime", &Numbers::movetime},
     {"depth", &Numbers::depth},
     {"nodes", &Numbers::nodes},
     {"mate", &Numbers::mate}}};
constexpr std::array<std::string_view, 3> others{"searchmoves", "ponder", "infinite"};

bool is_keyword(std::string_view word) {
    return std::ranges::find(others, word) != others.end() ||
           std::ranges::any_of(numbers, [&](const auto& number) { return number.first == word; });
}

// Clocks may be below zero; then there is as good as no time left.
double seconds_of(std::int64_t milliseconds, double overhead) {
    constexpr double least = 0.001;
    return std::max(least, static_cast<double>(milliseconds) / 1000 - overhead);
}

void set_limits(UciGo& go, const Numbers& given, bool white, double overhead) {
    search::Limits limits;
    const auto left = white ? given.wtime : given.btime;
    const auto increment = (white ? given.winc : given.binc).value_or(0);
    if (given.movetime) {
        limits.seconds = seconds_of(*given.movetime, overhead);
        go.ponder_seconds = limits.seconds;
    } else if (left) {
        const auto moves = static_cast<std::uint32_t>(std::clamp<std::int64_t>(given.movestogo.value_or(0), 0, 1000));
        match::share_time({.left = seconds_of(*left, overhead),
                           .increment = static_cast<double>(std::max<std::int64_t>(0, increment)) / 1000,
                           .moves_to_go = moves},
                          limits);
        go.ponder_seconds = limits.enough_seconds;
    }
    std::int64_t depth = given.depth.value_or(search::max_depth);
    // Mate in so many moves is the last ply of a line of that length.
    if (given.mate) depth = std::min(depth, 2 * std::clamp<std::int64_t>(*given.mate, 1, search::max_depth) - 1);
    if (given.depth || given.mate)
        limits.depth = static_cast<int>(std::clamp<std::int64_t>(depth, 1, search::max_depth));
    if (given.nodes) limits.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(1, *given.nodes));
    const bool limited = limits.seconds > 0 || limits.nodes != 0 || limits.depth != search::unlimited_depth;
    if (limited) go.limits = limits;
}

} // namespace

tl::expected<UciGo, Error> parse_go(std::string_view words, bool white, double overhead) {
    UciGo go;
    Numbers given;
    while (!words.empty()) {
        const std::string_view word = next_word(words);
        const auto number = std::ranges::find(numbers, word, [](const auto& one) { return one.first; });
        if (number != numbers.end()) {
            const std::string_view text = next_word(words);
            given.*number->second = number_in<std::int64_t>(text);
            if (!(given.*number->second)) return failure(fmt::format("go {}: `{}` is not a number", word, text));
        } else if (word == "searchmoves") {
            for (std::string_view rest = words; !rest.empty(); words = rest) {
                const std::string_view move = next_word(rest);
                if (is_keyword(move)) break;
                go.moves.emplace_back(move);
            }
        } else if (word == "ponder") {
            go.ponder = true;
        } else if (word == "infinite") {
            go.infinite = true;
        } else {
            return failure(fmt::format("go: there is no `{}`", word));
        }
    }
    set_limits(go, given, white, overhead);
    if (go.infinite || (go.ponder && go.ponder_seconds)) go.limits = endless();
    return go;
}

std::string uci_score(const Line& line, std::uint32_t mover, const game::Traits& traits) {
    const double value = line.value[mover], low = traits.min_utility, high = traits.max_utility;
    const bool won = value >= high, lost = value <= low;
    if ((won || lost) && line.ends) return fmt::format("mate {}{}", lost ? "-" : "", (line.moves.size() + 1) / 2);
    // No score is infinite: a share of points that rounds to nothing or all is as far as the scale goes.
    constexpr double least_share = 1e-9, points_a_decade = 400;
    const double part = high > low ? (value - low) / (high - low) : 0.5;
    const double share = std::clamp(part, least_share, 1 - least_share);
    return fmt::format("cp {}", std::lround(points_a_decade * std::log10(share / (1 - share))));
}

} // namespace zug::protocols

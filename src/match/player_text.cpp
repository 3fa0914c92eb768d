// The texts that name players.

#include "match/player.hpp"

#include "base/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace zug::match {

namespace {

constexpr std::array<std::string_view, 8> kinds{"random",     "human", "minimax", "alphabeta",
                                                "expectimax", "maxn",  "auto",    "solved"};
constexpr std::array<std::string_view, 7> keys{"depth", "time", "nodes", "tt", "ordering", "deepening", "pruning"};

constexpr double longest_time = 1e7; // seconds; enough for a season

// `; did you mean x?`, or nothing if no name is near.
std::string suggestion(std::string_view text, std::span<const std::string_view> names) {
    const std::string near = nearest(text, {names.begin(), names.end()});
    return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

std::optional<double> seconds(std::string_view text) {
    double unit = 1;
    for (const auto& [name, size] : {std::pair<std::string_view, double>{"ms", 1e-3}, {"s", 1}, {"m", 60}})
        if (text.ends_with(name)) {
            text.remove_suffix(name.size());
            unit = size;
            break;
        }
    const auto value = number<double>(text);
    if (!value || !(*value > 0) || *value * unit > longest_time) return std::nullopt;
    return *value * unit;
}

std::optional<bool> on_or_off(std::string_view text) {
    if (text == "on") return true;
    if (text == "off") return false;
    return std::nullopt;
}

bool set_table(search::Options& options, std::string_view value) {
    constexpr std::size_t largest = 1 << 20; // megabytes
    if (const auto on = on_or_off(value)) {
        options.table = *on;
        return true;
    }
    if (!value.ends_with("MB")) return false;
    const auto megabytes = number<std::size_t>(value.substr(0, value.size() - 2));
    if (!megabytes || *megabytes == 0 || *megabytes > largest) return false;
    options.table_bytes = *megabytes << 20;
    return true;
}

bool set_switch(bool& part, std::string_view value) {
    const auto on = on_or_off(value);
    part = on.value_or(part);
    return on.has_value();
}

// Sets a key. Returns what its value must be if it is wrong, else an empty string.
std::string set(PlayerSpec& spec, std::string_view key, std::string_view value) {
    if (key == "depth") {
        const auto depth = number<int>(value);
        if (!depth || *depth < 1 || *depth > search::max_depth)
            return fmt::format("a whole number of plies from 1 to {}", search::max_depth);
        spec.depth = *depth;
    } else if (key == "time") {
        const auto time = seconds(value);
        if (!time) return "a time above zero such as 2s, 500ms or 1m";
        spec.seconds = *time;
    } else if (key == "nodes") {
        const auto nodes = number<std::uint64_t>(value);
        if (!nodes || *nodes == 0) return "a whole number from 1";
        spec.nodes = *nodes;
    } else if (key == "tt") {
        if (!set_table(spec.options, value)) return "on, off, or a size such as 64MB";
    } else {
        search::Options& options = spec.options;
        bool& part = key == "ordering" ? options.ordering : key == "deepening" ? options.deepening : options.pruning;
        if (!set_switch(part, value)) return "on or off";
    }
    return "";
}

tl::expected<void, Error> set_all(PlayerSpec& spec, std::string_view settings) {
    std::vector<std::string_view> seen;
    while (true) {
        const std::size_t comma = settings.find(',');
        const std::string_view setting = settings.substr(0, comma);
        const std::size_t equals = setting.find('=');
        const std::string_view key = setting.substr(0, equals);
        if (std::ranges::find(keys, key) == keys.end())
            return failure(fmt::format("player `{}`: there is no setting `{}`; a search player has {}{}", spec.text,
                                       key, fmt::join(keys, ", "), suggestion(key, keys)));
        if (std::ranges::find(seen, key) != seen.end())
            return failure(fmt::format("player `{}`: `{}` is set twice", spec.text, key));
        seen.push_back(key);
        const std::string_view value = equals == setting.npos ? "" : setting.substr(equals + 1);
        if (const std::string expected = set(spec, key, value); !expected.empty())
            return failure(fmt::format("player `{}`: {} must be {}, not `{}`", spec.text, key, expected, value));
        if (comma == settings.npos) return {};
        settings.remove_prefix(comma + 1);
    }
}

} // namespace

tl::expected<PlayerSpec, Error> parse_player(std::string_view text) {
    PlayerSpec spec;
    spec.text = text;
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    if (std::ranges::find(kinds, name) == kinds.end())
        return failure(fmt::format("there is no player `{}`; players are {}{}", name, fmt::join(kinds, ", "),
                                   suggestion(name, kinds)));
    if (name == "random" || name == "human") {
        if (colon != text.npos) return failure(fmt::format("player `{}`: `{}` has no settings", text, name));
        spec.kind = name == "human" ? PlayerKind::Human : PlayerKind::Random;
        return spec;
    }
    if (name == "solved") {
        if (colon == text.npos || colon + 1 == text.size())
            return failure(fmt::format("player `{}`: solved:DIR names the folder of its databases", text));
        spec.kind = PlayerKind::Solved;
        spec.folder = text.substr(colon + 1);
        return spec;
    }
    spec.kind = PlayerKind::Search;
    spec.method = search::method_named(name);
    if (colon != text.npos)
        if (auto done = set_all(spec, text.substr(colon + 1)); !done) return tl::unexpected(done.error());
    if (spec.depth < 0 && spec.seconds == 0 && spec.nodes == 0) spec.nodes = default_nodes;
    return spec;
}

tl::expected<std::vector<PlayerSpec>, Error> parse_players(std::string_view text) {
    std::vector<std::string> texts;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view piece = text.substr(0, comma);
        const std::size_t equals = piece.find('=');
        const bool setting = equals != piece.npos && equals < piece.find(':');
        if (setting && !texts.empty())
            texts.back() += fmt::format("{}{}", texts.back().find(':') == std::string::npos ? ':' : ',', piece);
        else
            texts.emplace_back(piece);
        if (comma == text.npos) break;
        text.remove_prefix(comma + 1);
    }
    std::vector<PlayerSpec> players;
    for (const std::string& one : texts) {
        auto player = parse_player(one);
        if (!player) return tl::unexpected(player.error());
        players.push_back(std::move(*player));
    }
    return players;
}

std::string unsuitable(const PlayerSpec& spec, const game::Traits& traits) {
    return spec.kind == PlayerKind::Search && spec.method ? search::refusal(*spec.method, traits) : "";
}

bool deterministic(const PlayerSpec& spec) {
    return spec.kind == PlayerKind::Solved || (spec.kind == PlayerKind::Search && spec.seconds == 0);
}

} // namespace zug::match

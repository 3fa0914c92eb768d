// The texts that name players.

#include "match/player.hpp"

#include "search/setting_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <thread>
#include <utility>

namespace zug::match {

namespace {

constexpr std::array others{
    OtherPlayer{"random", "a legal move, all equally likely"},
    OtherPlayer{"human", "asks a person"},
    OtherPlayer{"solved", "solved:DIR: the best move, from the game's database in that folder; solved:DIR,tease=on: of "
                          "the moves of the best value, the one that sets an opponent who errs the most problems; "
                          "solved:DIR,tease=on,error=0.1: with another error, which means the same as for errant"},
    OtherPlayer{"uci",
                "uci:COMMAND: another program that speaks UCI, started by the shell, with a second a move; "
                "uci:COMMAND,time=5m+3s,nodes=10000,depth=8: with other limits; option.NAME=VALUE sets an option "
                "of the program, patience=30s how long it may take beyond its time (10s)"},
    OtherPlayer{"xboard",
                "xboard:COMMAND: the same for programs that speak xboard's protocol; with time, depth, options "
                "and patience, and variant=NAME for games that are not chess"},
    OtherPlayer{"gtp", "gtp:COMMAND: the same for programs that speak GTP, with its own limits; "
                       "gtp:COMMAND,time=2s,patience=30s: with these"}};
constexpr std::array<std::string_view, 2> solved_settings{"tease", "error"};
constexpr std::array<std::string_view, 4> uci_settings{"time", "nodes", "depth", "patience"};
constexpr std::array<std::string_view, 5> xboard_settings{"time", "nodes", "depth", "patience", "variant"};
constexpr std::array<std::string_view, 2> gtp_settings{"time", "patience"};
constexpr std::string_view variant_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
constexpr std::string_view option_prefix = "option.";

std::span<const std::string_view> settings_of(PlayerKind kind) {
    if (kind == PlayerKind::Uci) return uci_settings;
    if (kind == PlayerKind::Xboard) return xboard_settings;
    return gtp_settings;
}

std::vector<std::string_view> kinds() {
    std::vector<std::string_view> names;
    for (const OtherPlayer& other : others) names.push_back(other.name);
    names.insert(std::ranges::find(names, "solved"), search::method_names().begin(), search::method_names().end());
    return names;
}

// The piece after the last comma, if it is one of these settings, or a misspelt one. The name of a folder, or a
// command, may look like one with another name, as databases' names do.
std::optional<std::string_view> last_setting(std::string_view text, std::span<const std::string_view> settings) {
    const std::string_view piece = text.substr(text.rfind(',') + 1);
    const std::size_t equals = piece.find('=');
    if (equals == piece.npos || piece.find('/') != piece.npos) return std::nullopt;
    const std::string_view name = piece.substr(0, equals);
    const bool known = std::ranges::find(settings, name) != settings.end() || name.starts_with(option_prefix);
    return known || !search::suggestion(name, settings).empty() ? std::optional(piece) : std::nullopt;
}

tl::expected<void, Error> set_solved(PlayerSpec& spec, std::string_view name, std::string_view value) {
    std::string_view values = "on or off";
    bool fits = false;
    if (name == "tease") {
        fits = search::set_switch(spec.tease, value);
    } else if (name == "error") {
        const auto& setting = *std::ranges::find(search::all_settings(), name, &search::Setting::name);
        values = setting.values;
        fits = setting.set(spec.search, value);
    } else {
        return failure(fmt::format("player `{}`: there is no setting `{}`{} (`zug help players` shows all)", spec.text,
                                   name, search::suggestion(name, solved_settings)));
    }
    if (!fits) return failure(fmt::format("player `{}`: {} must be {}, not `{}`", spec.text, name, values, value));
    return {};
}

// Settings are taken from the end, so that what remains is the folder, whatever its name.
tl::expected<PlayerSpec, Error> parse_solved(PlayerSpec spec, std::string_view folder) {
    spec.kind = PlayerKind::Solved;
    std::vector<std::string_view> seen;
    while (const auto setting = last_setting(folder, solved_settings)) {
        const std::size_t equals = setting->find('=');
        const std::string_view name = setting->substr(0, equals);
        if (std::ranges::find(seen, name) != seen.end())
            return failure(fmt::format("player `{}`: `{}` is set twice", spec.text, name));
        seen.push_back(name);
        if (auto done = set_solved(spec, name, setting->substr(equals + 1)); !done) return tl::unexpected(done.error());
        folder.remove_suffix(std::min(folder.size(), setting->size() + 1));
    }
    if (folder.empty())
        return failure(fmt::format("player `{}`: solved:DIR names the folder of its databases", spec.text));
    if (seen.size() == 1 && seen.front() == "error")
        return failure(fmt::format("player `{}`: error goes with tease=on", spec.text));
    spec.folder = folder;
    return spec;
}

tl::expected<void, Error> set_outside(PlayerSpec& spec, std::string_view name, std::string_view value,
                                      std::span<const std::string_view> settings) {
    if (name.starts_with(option_prefix) && spec.kind != PlayerKind::Gtp) {
        // Settings are read from the end.
        spec.launch.options.emplace(spec.launch.options.begin(), name.substr(option_prefix.size()), value);
        return {};
    }
    if (std::ranges::find(settings, name) == settings.end())
        return failure(fmt::format("player `{}`: there is no setting `{}`{}", spec.text, name,
                                   search::suggestion(name, settings)));
    if (name == "nodes" && spec.kind == PlayerKind::Xboard)
        return failure(
            fmt::format("player `{}`: xboard's protocol knows no limit of nodes; it has time and depth", spec.text));
    if (name == "variant") {
        spec.launch.variant = value;
        if (!value.empty() && value.find_first_not_of(variant_characters) == value.npos) return {};
        return failure(
            fmt::format("player `{}`: variant must be a word of letters and digits, not `{}`", spec.text, value));
    }
    if (name == "patience") {
        if (search::set_time(spec.launch.patience, value)) return {};
        return failure(fmt::format("player `{}`: patience must be a time above zero, not `{}`", spec.text, value));
    }
    const auto& setting = *std::ranges::find(search::all_settings(), name, &search::Setting::name);
    if (setting.set(spec.search, value)) return {};
    return failure(fmt::format("player `{}`: {} must be {}, not `{}`", spec.text, name, setting.values, value));
}

// Settings are taken from the end, so that what remains is the command, whatever it is.
tl::expected<PlayerSpec, Error> parse_outside(PlayerSpec spec, std::string_view command) {
    const std::span<const std::string_view> settings = settings_of(spec.kind);
    while (const auto setting = last_setting(command, settings)) {
        const std::size_t equals = setting->find('=');
        auto done = set_outside(spec, setting->substr(0, equals), setting->substr(equals + 1), settings);
        if (!done) return tl::unexpected(done.error());
        command.remove_suffix(std::min(command.size(), setting->size() + 1));
    }
    if (command.find_first_not_of(' ') == command.npos)
        return failure(fmt::format("player `{}`: {}:COMMAND gives the command that starts a program", spec.text,
                                   spec.text.substr(0, spec.text.find(':'))));
    spec.launch.command = command;
    if (spec.kind != PlayerKind::Gtp && !spec.search.limited()) spec.search.seconds = 1;
    return spec;
}

} // namespace

std::span<const OtherPlayer> other_players() { return others; }

tl::expected<PlayerSpec, Error> parse_player(std::string_view text) {
    PlayerSpec spec;
    spec.text = text;
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    if (const auto names = kinds(); std::ranges::find(names, name) == names.end())
        return failure(fmt::format("there is no player `{}`; players are {}{}", name, fmt::join(names, ", "),
                                   search::suggestion(name, names)));
    if (name == "random" || name == "human") {
        if (colon != text.npos) return failure(fmt::format("player `{}`: `{}` has no settings", text, name));
        spec.kind = name == "human" ? PlayerKind::Human : PlayerKind::Random;
        return spec;
    }
    if (name == "uci" || name == "xboard" || name == "gtp") {
        spec.kind = name == "uci" ? PlayerKind::Uci : name == "xboard" ? PlayerKind::Xboard : PlayerKind::Gtp;
        return parse_outside(std::move(spec), colon == text.npos ? "" : text.substr(colon + 1));
    }
    if (name == "solved") return parse_solved(spec, colon == text.npos ? "" : text.substr(colon + 1));
    search::Settings defaults;
    defaults.options.set_selective(name == "auto");
    if (name == "auto") {
        defaults.options.prove = search::usual_share;
        defaults.options.monte_carlo.check = search::usual_check;
    }
    auto settings = search::parse_settings(text, defaults);
    if (!settings) return tl::unexpected(settings.error());
    spec.kind = PlayerKind::Search;
    spec.search = *settings;
    spec.limits_given = spec.search.limited();
    if (!spec.limits_given) spec.search.nodes = default_nodes;
    return spec;
}

void suit_people(PlayerSpec& spec) {
    if (spec.kind != PlayerKind::Search || spec.limits_given) return;
    spec.search.nodes = 0;
    spec.search.seconds = 1;
    spec.search.options.threads = std::max(spec.search.options.threads, std::thread::hardware_concurrency());
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
    return spec.kind == PlayerKind::Search && spec.search.method
               ? search::refusal(*spec.search.method, spec.search.options, traits)
               : "";
}

bool deterministic(const PlayerSpec& spec) {
    const search::Settings& search = spec.search;
    const bool timed = search.seconds > 0 || search.game_time;
    return spec.kind == PlayerKind::Solved ||
           (spec.kind == PlayerKind::Search && !timed && search.options.threads == 1 && search.rote.empty() &&
            search.random == 0);
}

} // namespace zug::match

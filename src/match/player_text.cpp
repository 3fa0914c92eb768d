// The texts that name players.

#include "match/player.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace zug::match {

namespace {

constexpr std::array others{
    OtherPlayer{"random", "a legal move, all equally likely"}, OtherPlayer{"human", "asks a person"},
    OtherPlayer{"solved", "solved:DIR: the best move, from the game's database in that folder"}};

std::vector<std::string_view> kinds() {
    std::vector<std::string_view> names;
    for (const OtherPlayer& other : others) names.push_back(other.name);
    names.insert(names.end() - 1, search::method_names().begin(), search::method_names().end());
    return names;
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
    if (name == "solved") {
        if (colon == text.npos || colon + 1 == text.size())
            return failure(fmt::format("player `{}`: solved:DIR names the folder of its databases", text));
        spec.kind = PlayerKind::Solved;
        spec.folder = text.substr(colon + 1);
        return spec;
    }
    search::Settings defaults;
    defaults.options.set_selective(name == "auto");
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
    return spec.kind == PlayerKind::Search && spec.search.method ? search::refusal(*spec.search.method, traits) : "";
}

bool deterministic(const PlayerSpec& spec) {
    const search::Settings& search = spec.search;
    const bool timed = search.seconds > 0 || search.game_time;
    return spec.kind == PlayerKind::Solved ||
           (spec.kind == PlayerKind::Search && !timed && search.options.threads == 1);
}

} // namespace zug::match

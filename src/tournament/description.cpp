// The line that describes a tournament.

#include "tournament/results_file.hpp"

#include "base/digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace zug::tournament {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t version = 1;

std::string title_of(const Description::Game& game) {
    std::string title = game.game;
    for (const auto& [name, value] : game.params) title += fmt::format(" {}={}", name, value);
    return title;
}

std::string titles(const Description& description) {
    std::vector<std::string> all;
    for (const Description::Game& game : description.games) all.push_back(title_of(game));
    return fmt::format("{}", fmt::join(all, ", "));
}

std::string_view kind_of(const Description& description) {
    return description.gauntlet ? "a gauntlet" : "a round robin";
}

// Wrong types throw, which parse_description catches: it is the only place where such a line is read.
Description read(const Json& json) {
    Description out;
    out.players = json.at("players").get<std::vector<std::string>>();
    for (const Json& game : json.at("games"))
        out.games.push_back({game.at("game").get<std::string>(),
                             game.at("params").get<std::map<std::string, std::string>>(),
                             game.at("rules").get<std::string>(), game.value("openings", "")});
    out.opening_plies = json.at("opening").get<std::uint64_t>();
    out.seed = json.at("seed").get<std::uint64_t>();
    out.gauntlet = json.at("gauntlet").get<bool>();
    return out;
}

} // namespace

Description describe(std::span<const GameSetup> games, std::span<const match::PlayerSpec> players,
                     const TournamentOptions& options, bool gauntlet) {
    Description out;
    for (const match::PlayerSpec& player : players) out.players.push_back(player.text);
    for (const GameSetup& setup : games) {
        Description::Game game;
        game.game = setup.game.program().title;
        for (const auto& param : setup.game.program().params) game.params[param.name] = param.value;
        game.rules = digest_text(setup.game.rules_digest());
        if (!setup.openings.empty()) game.openings = openings_digest(setup.openings);
        out.games.push_back(std::move(game));
    }
    out.opening_plies = options.opening_plies;
    out.seed = options.seed;
    out.gauntlet = gauntlet;
    return out;
}

std::string description_line(const Description& description) {
    Json json;
    json["tournament"] = version; // first: match::describes_tournament looks for it
    json["players"] = description.players;
    json["games"] = Json::array();
    for (const Description::Game& game : description.games) {
        Json one = {{"game", game.game}, {"params", game.params}, {"rules", game.rules}};
        if (!game.openings.empty()) one["openings"] = game.openings;
        json["games"].push_back(std::move(one));
    }
    json["opening"] = description.opening_plies;
    json["seed"] = description.seed;
    json["gauntlet"] = description.gauntlet;
    constexpr int one_line = -1;
    return json.dump(one_line, ' ', false, Json::error_handler_t::replace);
}

tl::expected<Description, Error> parse_description(std::string_view line) {
    constexpr bool throws = false;
    const Json json = Json::parse(line.begin(), line.end(), nullptr, throws);
    if (!json.is_object()) return failure("it does not begin with the description of one");
    try {
        if (json.at("tournament").get<std::uint64_t>() != version) return failure("another version of Zug wrote it");
        return read(json);
    } catch (const Json::exception&) {
        return failure("the description in its first line is not complete");
    }
}

std::string difference(const Description& theirs, const Description& ours) {
    if (theirs.players != ours.players)
        return fmt::format("its players are {}, and not {}", fmt::join(theirs.players, "; "),
                           fmt::join(ours.players, "; "));
    if (titles(theirs) != titles(ours))
        return fmt::format("its games are {}, and not {}", titles(theirs), titles(ours));
    for (std::size_t g = 0; g < ours.games.size(); ++g) {
        if (theirs.games[g].rules != ours.games[g].rules)
            return fmt::format("it was played by other rules of {}", ours.games[g].game);
        if (theirs.games[g].openings != ours.games[g].openings)
            return fmt::format("its openings of {} are not the same", ours.games[g].game);
    }
    if (theirs.opening_plies != ours.opening_plies)
        return fmt::format("its games begin with {} random plies, and not {}", theirs.opening_plies,
                           ours.opening_plies);
    if (theirs.seed != ours.seed) return fmt::format("its seed is {}, and not {}", theirs.seed, ours.seed);
    if (theirs.gauntlet != ours.gauntlet) return fmt::format("it is {}, and not {}", kind_of(theirs), kind_of(ours));
    return "";
}

} // namespace zug::tournament

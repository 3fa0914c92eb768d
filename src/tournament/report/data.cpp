// The standings for programs: JSON and CSV.

#include "tournament/report/report.hpp"

#include <fmt/format.h>

namespace zug::tournament {

namespace {

using Json = nlohmann::ordered_json;

Json results_json(const Results& results) {
    return {{"wins", results.wins}, {"draws", results.draws}, {"losses", results.losses}, {"points", results.points()}};
}

void add_rating(Json& json, const Rating& rating) {
    json["elo"] = rating.rated ? Json(rating.elo) : Json();
    json["elo_95"] = rating.rated ? Json::array({rating.interval.low, rating.interval.high}) : Json();
}

Json pairs_json(const ResultTable& pairs, const Ratings& ratings) {
    Json out = Json::array();
    for (std::size_t a = 0; a < pairs.rows(); ++a)
        for (std::size_t b = a + 1; b < pairs.rows(); ++b) {
            if (pairs.at(a, b).count() == 0) continue;
            Json pair = {{"players", {a, b}}};
            pair.update(results_json(pairs.at(a, b)));
            add_rating(pair, ratings.difference(a, b));
            pair["superiority"] = ratings.superiority(a, b);
            out.push_back(std::move(pair));
        }
    return out;
}

Json players_json(const Standings& standings, const Ratings& ratings) {
    const ResultTable pairs = standings.pairs();
    Json out = Json::array();
    for (std::size_t k = 0; k < standings.players.size(); ++k) {
        const PlayerTotals& player = standings.players[k];
        Json one = {{"name", player.name}};
        add_rating(one, ratings[k]);
        one.update(results_json(pairs.row(k)));
        one.update(Json{{"games", player.games},
                        {"faulted", player.faulted},
                        {"ply_limit", player.ply_limit},
                        {"moves", player.moves},
                        {"seconds", player.seconds},
                        {"longest_move", player.longest},
                        {"late_games", player.late_games}});
        out.push_back(std::move(one));
    }
    return out;
}

// By player: the results in each seat, the mean utility, the rating.
Json game_players_json(const GameStandings& game, const Ratings& ratings) {
    Json out = Json::array();
    for (std::size_t k = 0; k < ratings.size(); ++k) {
        Json seats = Json::array();
        for (std::size_t seat = 0; seat < game.seats.size(); ++seat)
            seats.push_back(results_json(game.by_seat.at(k, seat)));
        Json one;
        add_rating(one, ratings[k]);
        one["mean_utility"] = game.utility[k].mean();
        one["seats"] = std::move(seats);
        out.push_back(std::move(one));
    }
    return out;
}

Json games_json(const Standings& standings) {
    Json out = Json::array();
    for (std::size_t g = 0; g < standings.games.size(); ++g) {
        const GameStandings& game = standings.games[g];
        const Ratings ratings = standings.ratings(g);
        out.push_back({{"game", game.title},
                       {"seats", game.seats},
                       {"finished", game.finished},
                       {"faulted", game.faulted},
                       {"ply_limit", game.ply_limit},
                       {"distinct", game.distinct},
                       {"mean_plies", game.plies.mean()},
                       {"players", game_players_json(game, ratings)},
                       {"pairs", pairs_json(game.pairs, ratings)}});
    }
    return out;
}

std::string_view decision_name(SprtDecision decision) {
    switch (decision) {
    case SprtDecision::AcceptH0: return "elo0";
    case SprtDecision::AcceptH1: return "elo1";
    case SprtDecision::None: break;
    }
    return "none";
}

// With quotes where the text needs them (RFC 4180).
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    return quoted + "\"";
}

std::string csv_line(const std::string& game, const std::string& player, const std::string& opponent,
                     const Results& results) {
    return fmt::format("{},{},{},{},{},{},{}", csv_field(game), csv_field(player), csv_field(opponent), results.wins,
                       results.draws, results.losses, results.points());
}

void add_csv(std::string& text, const Standings& standings, const std::string& title, const ResultTable& pairs) {
    for (std::size_t a = 0; a < pairs.rows(); ++a)
        for (std::size_t b = 0; b < pairs.rows(); ++b)
            if (pairs.at(a, b).count() > 0)
                text +=
                    csv_line(title, standings.players[a].name, standings.players[b].name, pairs.at(a, b)) + ",,,,,,\n";
}

} // namespace

Json report_json(const Standings& standings) {
    const Ratings ratings = standings.ratings();
    Json json = {{"asked", standings.asked},
                 {"games_counted", standings.counted},
                 {"finished", standings.finished()},
                 {"resumed", standings.resumed},
                 {"players", players_json(standings, ratings)},
                 {"pairs", pairs_json(standings.pairs(), ratings)},
                 {"games", games_json(standings)},
                 {"virtual_draws", ratings.virtual_draws()}};
    if (standings.sprt) {
        const SprtState& sprt = *standings.sprt;
        json["sprt"] = {{"elo0", sprt.options.elo0},
                        {"elo1", sprt.options.elo1},
                        {"alpha", sprt.options.alpha},
                        {"beta", sprt.options.beta},
                        {"llr", sprt.llr},
                        {"bounds", {sprt.bounds.accept_h0, sprt.bounds.accept_h1}},
                        {"blocks", sprt.counts},
                        {"accepted", decision_name(sprt.decision)}};
    }
    json["remarks"] = remarks(standings);
    json["seconds"] = standings.seconds;
    return json;
}

std::string report_csv(const Standings& standings) {
    const std::string all = "all";
    const Ratings ratings = standings.ratings();
    const ResultTable pairs = standings.pairs();
    std::string text =
        "game,player,opponent,wins,draws,losses,points,elo,elo_low,elo_high,seconds,moves,longest_move\n";
    for (std::size_t k = 0; k < standings.players.size(); ++k) {
        const PlayerTotals& player = standings.players[k];
        text += csv_line(all, player.name, all, pairs.row(k));
        text += ratings[k].rated ? fmt::format(",{:.1f},{:.1f},{:.1f}", ratings[k].elo, ratings[k].interval.low,
                                               ratings[k].interval.high)
                                 : ",,,";
        text += fmt::format(",{:.6f},{},{:.6f}\n", player.seconds, player.moves, player.longest);
    }
    add_csv(text, standings, all, pairs);
    for (const GameStandings& game : standings.games) add_csv(text, standings, game.title, game.pairs);
    return text;
}

} // namespace zug::tournament

#include "tournament/report/report.hpp"
#include "tournament/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::tournament {

namespace {

constexpr std::size_t most_detailed = 8; // players whose crosstable shows wins, draws and losses

std::string headline(const Standings& standings) {
    std::string text =
        fmt::format("{} players, {} of {} games", standings.players.size(), standings.counted, standings.asked);
    if (standings.resumed > 0) text += fmt::format(" ({} from the results file)", standings.resumed);
    return text + fmt::format(", {}\n", time_text(standings.seconds));
}

std::string standings_table(const Standings& standings, const Ratings& ratings) {
    TextTable table({"#", "player", ">Elo", ">95 percent", ">score", ">wins", ">draws", ">losses", ">superior"});
    const ResultTable pairs = standings.pairs();
    const auto& order = ratings.order();
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const std::size_t k = order[rank];
        const Results results = pairs.row(k);
        std::vector<std::string> row{std::to_string(rank + 1), standings.players[k].name};
        if (ratings[k].rated) {
            row.push_back(elo_text(ratings[k].elo));
            row.push_back(interval_text(ratings[k].interval));
            row.push_back(fmt::format("{:.3f}", results.share()));
        } else {
            row.insert(row.end(), {"", "", ""});
        }
        for (const std::uint64_t count : {results.wins, results.draws, results.losses})
            row.push_back(std::to_string(count));
        const bool next = rank + 1 < order.size() && ratings[order[rank + 1]].rated;
        row.push_back(next ? probability_text(ratings.superiority(k, order[rank + 1])) : "");
        table.add(std::move(row));
    }
    return table.text() + "(superior: the probability of being stronger than the next)\n";
}

std::string crosstable(const Standings& standings, const Ratings& ratings) {
    const bool detailed = ratings.size() <= most_detailed;
    std::vector<std::string> heading{"#", "player"};
    for (std::size_t rank = 0; rank < ratings.size(); ++rank) heading.push_back(fmt::format(">{}", rank + 1));
    TextTable table(std::move(heading));
    const ResultTable pairs = standings.pairs();
    for (std::size_t rank = 0; rank < ratings.size(); ++rank) {
        const std::size_t k = ratings.order()[rank];
        std::vector<std::string> row{std::to_string(rank + 1), standings.players[k].name};
        for (const std::size_t other : ratings.order()) {
            const Results& cell = pairs.at(k, other);
            if (cell.count() == 0)
                row.emplace_back("-");
            else if (detailed)
                row.push_back(fmt::format("{}-{}-{}", cell.wins, cell.draws, cell.losses));
            else
                row.push_back(fmt::format("{:.2f}", cell.share()));
        }
        table.add(std::move(row));
    }
    return (detailed ? "wins-draws-losses of the row against the column\n" : "score of the row against the column\n") +
           table.text();
}

std::string games_table(const Standings& standings) {
    TextTable table({"game", ">games", ">plies", ">different", "score by seat"});
    for (const GameStandings& game : standings.games) {
        std::string seats;
        for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
            const Results results = game.by_seat.column(seat);
            if (results.count() > 0)
                seats += fmt::format("{}{} {:.3f}", seats.empty() ? "" : ", ", game.seats[seat], results.share());
        }
        table.add({game.title, std::to_string(game.finished), fmt::format("{:.1f}", game.plies.mean()),
                   std::to_string(game.distinct), seats});
    }
    return table.text();
}

// With several games, the score in each; in games of one player, the mean utility.
std::string scores_by_game(const Standings& standings, const Ratings& ratings) {
    const bool single = std::ranges::any_of(standings.games, [](auto& game) { return game.seats.size() == 1; });
    if (standings.games.size() < 2 && !single) return "";
    std::vector<std::string> heading{"score in"};
    for (const GameStandings& game : standings.games) {
        heading.push_back(">" + game.title);
        if (game.seats.size() == 1) heading.emplace_back(">utility");
    }
    TextTable table(std::move(heading));
    for (const std::size_t k : ratings.order()) {
        std::vector<std::string> row{standings.players[k].name};
        for (const GameStandings& game : standings.games) {
            const Results results = game.pairs.row(k);
            row.push_back(results.count() == 0 ? "-" : fmt::format("{:.3f}", results.share()));
            if (game.seats.size() == 1) row.push_back(fmt::format("{:.6g}", game.utility[k].mean()));
        }
        table.add(std::move(row));
    }
    return "\n" + table.text();
}

std::string times_table(const Standings& standings, const Ratings& ratings) {
    TextTable table({"player", ">moves", ">time used", ">a move", ">longest", ">late games", ">faults"});
    for (const std::size_t k : ratings.order()) {
        const PlayerTotals& player = standings.players[k];
        table.add({player.name, std::to_string(player.moves), time_text(player.seconds),
                   player.moves == 0 ? "" : time_text(player.seconds / static_cast<double>(player.moves)),
                   time_text(player.longest), player.timed() ? std::to_string(player.late_games) : "-",
                   std::to_string(player.faulted)});
    }
    return table.text();
}

std::string duel_text(const Standings& standings, const Ratings& ratings) {
    if (ratings.size() != 2 || !ratings[0].rated) return "";
    const std::size_t better = ratings.order()[0], worse = ratings.order()[1];
    const Rating difference = ratings.difference(better, worse);
    return fmt::format("\n{} is {} Elo ({}) over {}, and stronger with probability {}\n",
                       standings.players[better].name, elo_text(difference.elo), interval_text(difference.interval),
                       standings.players[worse].name, probability_text(ratings.superiority(better, worse)));
}

} // namespace

std::string report_text(const Standings& standings) {
    const Ratings ratings = standings.ratings();
    std::string text = headline(standings) + "\n";
    text += standings_table(standings, ratings);
    text += "\n" + crosstable(standings, ratings);
    text += "\n" + games_table(standings);
    text += scores_by_game(standings, ratings);
    text += "\n" + times_table(standings, ratings);
    text += duel_text(standings, ratings);
    if (standings.sprt) text += "\n" + sprt_text(standings) + "\n";
    for (const std::string& remark : remarks(standings)) text += remark + "\n";
    return text;
}

std::string time_text(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
    if (seconds < 120) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(seconds);
    return whole < 7200 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                        : fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string sprt_text(const Standings& standings) {
    const SprtState& sprt = *standings.sprt;
    std::string text = fmt::format(
        "sequential test of {} against {} Elo: log likelihood ratio {:.2f} ({:.2f} to {:.2f}) after {} blocks",
        elo_text(sprt.options.elo0), elo_text(sprt.options.elo1), sprt.llr, sprt.bounds.accept_h0,
        sprt.bounds.accept_h1, sprt.blocks());
    switch (sprt.decision) {
    case SprtDecision::AcceptH0:
        return text + fmt::format("; decided for {}: {} is not {} Elo stronger", elo_text(sprt.options.elo0),
                                  standings.players[0].name, elo_text(sprt.options.elo1));
    case SprtDecision::AcceptH1:
        return text + fmt::format("; decided for {}: {} is more than {} Elo stronger", elo_text(sprt.options.elo1),
                                  standings.players[0].name, elo_text(sprt.options.elo0));
    case SprtDecision::None: break;
    }
    return text + "; not decided";
}

std::vector<std::string> remarks(const Standings& standings) {
    std::vector<std::string> all;
    std::uint64_t ply_limit = 0, faulted = 0;
    for (const GameStandings& game : standings.games) {
        ply_limit += game.ply_limit;
        faulted += game.faulted;
    }
    if (ply_limit > 0) all.push_back(fmt::format("{} games went on too long and were not scored", ply_limit));
    if (faulted > 0) all.push_back(fmt::format("{} games ended by a fault of a rule and were not scored", faulted));
    for (const GameStandings& game : standings.games)
        if (game.distinct * 2 < game.finished)
            all.push_back(fmt::format("only {} of {} games of {} differ, so the intervals are too narrow; --opening N "
                                      "begins with random moves",
                                      game.distinct, game.finished, game.title));
    if (standings.ratings().virtual_draws())
        all.emplace_back("some players lost all their games against the others, so one drawn game between each two "
                         "players was added to rate them");
    return all;
}

} // namespace zug::tournament

// The page. All texts in it come from rule files and the command line, so all are escaped.

#include "base/markup/markup.hpp"
#include "tournament/report/page_style.hpp"
#include "tournament/report/plots.hpp"
#include "tournament/report/report.hpp"
#include "tournament/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace zug::tournament {

namespace {

class HtmlTable {
public:
    // A heading that begins with `<` is that of a column of text.
    explicit HtmlTable(const std::vector<std::string>& headings) {
        text_ = "<div class=\"scroll\"><table>\n<thead><tr>";
        for (const std::string& heading : headings) {
            const bool is_text = heading.starts_with('<');
            text_ += fmt::format("<th scope=\"col\"{}>{}</th>", is_text ? " class=\"text\"" : "",
                                 escaped(is_text ? heading.substr(1) : heading));
        }
        text_ += "</tr></thead>\n<tbody>\n<tr>";
    }
    void text(std::string_view cell) { text_ += fmt::format("<td class=\"text\">{}</td>", escaped(cell)); }
    void figure(std::string_view cell) { text_ += fmt::format("<td>{}</td>", escaped(cell)); }
    // A score, on a background that is the stronger the further it is from a half; `small` stands below.
    void score(const Results& results, bool detailed) {
        if (results.count() == 0) {
            text_ += "<td class=\"self\">–</td>";
            return;
        }
        constexpr double strongest = 0.55; // of the background's opacity, so that text stays readable
        const double share = results.share(), opacity = std::abs(share - 0.5) * 2 * strongest;
        text_ += fmt::format("<td style=\"background: rgba(var({}), {:.2f})\">{:.3f}", share < 0.5 ? "--bad" : "--good",
                             opacity, share);
        if (detailed) text_ += fmt::format("<small>{} – {} – {}</small>", results.wins, results.draws, results.losses);
        text_ += "</td>";
    }
    void end_row() { text_ += "</tr>\n<tr>"; }
    std::string end() {
        text_.erase(text_.rfind("<tr>"));
        return text_ + "</tbody></table></div>\n";
    }

private:
    std::string text_;
};

std::string section(std::string_view title, std::string_view explanation, const std::string& content) {
    if (content.empty()) return "";
    return fmt::format("<section>\n<h2>{}</h2>\n<p>{}</p>\n{}</section>\n", escaped(title), escaped(explanation),
                       content);
}

std::string standings_section(const Standings& standings, const Ratings& ratings) {
    HtmlTable table({"#", "<player", "Elo", "95 percent", "score", "wins", "draws", "losses", "superior"});
    const ResultTable pairs = standings.pairs();
    for (std::size_t rank = 0; rank < ratings.size(); ++rank) {
        const std::size_t k = ratings.order()[rank];
        const Results results = pairs.row(k);
        const bool rated = ratings[k].rated;
        table.figure(std::to_string(rank + 1));
        table.text(standings.players[k].name);
        table.figure(rated ? elo_text(ratings[k].elo) : "");
        table.figure(rated ? interval_text(ratings[k].interval) : "");
        table.score(results, false);
        for (const std::uint64_t count : {results.wins, results.draws, results.losses})
            table.figure(std::to_string(count));
        const bool next = rank + 1 < ratings.size() && ratings[ratings.order()[rank + 1]].rated;
        table.figure(next ? probability_text(ratings.superiority(k, ratings.order()[rank + 1])) : "");
        table.end_row();
    }
    return section("Standings",
                   "Elo relative to the mean of all players. The intervals take the games with one opening as a unit. "
                   "Superior: the probability of being stronger than the next player.",
                   table.end() + rating_plot(standings, ratings));
}

std::string crosstable_section(const Standings& standings, const Ratings& ratings) {
    std::vector<std::string> headings{"#", "<player"};
    for (std::size_t rank = 0; rank < ratings.size(); ++rank) headings.push_back(std::to_string(rank + 1));
    HtmlTable table(headings);
    const ResultTable pairs = standings.pairs();
    for (std::size_t rank = 0; rank < ratings.size(); ++rank) {
        const std::size_t k = ratings.order()[rank];
        table.figure(std::to_string(rank + 1));
        table.text(standings.players[k].name);
        for (const std::size_t other : ratings.order()) table.score(pairs.at(k, other), true);
        table.end_row();
    }
    return section("Crosstable", "The score of the row against the column; below it wins, draws and losses.",
                   table.end());
}

std::string games_section(const Standings& standings, const Ratings& ratings) {
    HtmlTable games({"<game", "games", "mean plies", "different", "not scored"});
    for (const GameStandings& game : standings.games) {
        games.text(game.title);
        for (const std::string& figure : {std::to_string(game.finished), fmt::format("{:.1f}", game.plies.mean()),
                                          std::to_string(game.distinct), std::to_string(game.faulted + game.ply_limit)})
            games.figure(figure);
        games.end_row();
    }
    std::vector<std::string> headings{"<score in"};
    for (const GameStandings& game : standings.games) headings.push_back(game.title);
    HtmlTable scores(headings);
    for (const std::size_t k : ratings.order()) {
        scores.text(standings.players[k].name);
        for (const GameStandings& game : standings.games) scores.score(game.pairs.row(k), true);
        scores.end_row();
    }
    std::string content = games.end();
    if (standings.games.size() > 1) content += scores.end();
    return section("Games", "How long they were, how many of them differ, and the scores in each.", content);
}

std::string seats_section(const Standings& standings, const Ratings& ratings) {
    std::string content = seat_plot(standings);
    if (content.empty()) return "";
    std::vector<std::string> headings{"<player"};
    for (const GameStandings& game : standings.games)
        for (const std::string& seat : game.seats)
            headings.push_back(standings.games.size() == 1 ? seat : fmt::format("{}, {}", game.title, seat));
    HtmlTable table(headings);
    for (const std::size_t k : ratings.order()) {
        table.text(standings.players[k].name);
        for (const GameStandings& game : standings.games)
            for (std::size_t seat = 0; seat < game.seats.size(); ++seat) table.score(game.by_seat.at(k, seat), true);
        table.end_row();
    }
    return section("Seats", "The score of each seat, over all players and of each player.", content + table.end());
}

std::string times_section(const Standings& standings, const Ratings& ratings) {
    HtmlTable table({"<player", "moves", "time used", "a move", "longest", "late games", "faults"});
    for (const std::size_t k : ratings.order()) {
        const PlayerTotals& player = standings.players[k];
        table.text(player.name);
        table.figure(std::to_string(player.moves));
        table.figure(time_text(player.seconds));
        table.figure(player.moves == 0 ? "" : time_text(player.seconds / static_cast<double>(player.moves)));
        table.figure(time_text(player.longest));
        table.figure(player.timed() ? std::to_string(player.late_games) : "–");
        table.figure(std::to_string(player.faulted));
        table.end_row();
    }
    return section("Time",
                   "The bars are means, the lines reach to the longest move. A game is late if a player exceeded its "
                   "limit of time.",
                   table.end() + time_plot(standings, ratings));
}

std::string course_section(const Standings& standings, const Ratings& ratings) {
    std::string content =
        section("Course", "The score of the players over the games.", course_plot(standings, ratings));
    if (standings.sprt) content += section("Sequential test", sprt_text(standings) + ".", sprt_plot(standings) + "\n");
    return content;
}

std::string game_titles(const Standings& standings) {
    std::vector<std::string> games;
    for (const GameStandings& game : standings.games) games.push_back(game.title);
    return fmt::format("{}", fmt::join(games, ", "));
}

} // namespace

std::string report_html(const Standings& standings, const std::string& command) {
    const Ratings ratings = standings.ratings();
    const std::string title = "Tournament: " + game_titles(standings);
    std::string page = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                   "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
                                   escaped(title), page_style, escaped(title));
    page += fmt::format("<p>{} players, {} of {} games.</p>\n", standings.players.size(), standings.counted,
                        standings.asked);
    for (std::string remark : remarks(standings)) {
        remark.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(remark.front())));
        page += fmt::format("<p>{}.</p>\n", escaped(remark));
    }
    if (standings.first_fault) page += fmt::format("<p>{}</p>\n", escaped(*standings.first_fault));
    page += standings_section(standings, ratings);
    page += crosstable_section(standings, ratings);
    page += games_section(standings, ratings);
    page += seats_section(standings, ratings);
    page += course_section(standings, ratings);
    page += times_section(standings, ratings);
    return page + fmt::format("<footer>Made by <code>{}</code></footer>\n</body>\n</html>\n", escaped(command));
}

} // namespace zug::tournament

#include "tournament/report/plots.hpp"

#include "base/markup/markup.hpp"
#include "base/markup/plot.hpp"
#include "tournament/report/report.hpp"
#include "tournament/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zug::tournament {

using plot::Axis;
using plot::label;
using plot::line;

namespace {

constexpr double width = 720, left = 8, right = 712;
constexpr std::size_t most_lines = 7; // of different colours and dashes in page_style.hpp

std::string svg(double height, std::string_view title, const std::string& content) {
    return fmt::format(
        "<div class=\"plot\"><svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg></div>\n", width,
        height, escaped(title), content);
}

// A row of a plot with a label above a bar or an interval.
constexpr double row_height = 36, label_height = 14, bar_height = 10;

std::string vertical_grid(const Axis& axis, double bottom, std::string_view unit) {
    std::string out;
    for (const double mark : axis.marks()) {
        out += line(axis.at(mark), 4, axis.at(mark), bottom, mark == 0 ? "zero" : "grid");
        out += label(axis.at(mark), bottom + 16, fmt::format("{:.6g}{}", mark, unit), "mark");
    }
    return out;
}

std::string bar(double x, double y, double length, std::string_view title) {
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" class=\"bar\"><title>{}</title></rect>\n", x, y,
        std::max(length, 0.5), bar_height, escaped(title));
}

// The path of one value of each moment. x is the number of games.
template <class Value>
std::string path(const std::vector<Moment>& course, const Axis& x, const Axis& y, const Value& value) {
    plot::Path path(x, y);
    for (const Moment& moment : course) path.add(static_cast<double>(moment.games), value(moment));
    return path.text();
}

} // namespace

std::string rating_plot(const Standings& standings, const Ratings& ratings) {
    double low = 0, high = 0;
    std::size_t rows = 0;
    for (std::size_t k = 0; k < ratings.size(); ++k) {
        if (!ratings[k].rated) continue;
        low = std::min(low, ratings[k].interval.low);
        high = std::max(high, ratings[k].interval.high);
        ++rows;
    }
    if (rows == 0) return "";
    constexpr double least_span = 20; // Elo
    const Axis axis = Axis::round(low, high, least_span, left + 12, right - 12);
    const double bottom = static_cast<double>(rows) * row_height + 8;
    std::string content = vertical_grid(axis, bottom, "");
    double y = 8;
    for (const std::size_t k : ratings.order()) {
        const Rating& rating = ratings[k];
        if (!rating.rated) continue;
        const std::string text =
            fmt::format("{}: {} ({})", standings.players[k].name, elo_text(rating.elo), interval_text(rating.interval));
        const double middle = y + label_height + bar_height / 2, low_x = axis.at(rating.interval.low),
                     high_x = axis.at(rating.interval.high);
        content += label(left, y + 8, text, "name");
        content += line(low_x, middle, high_x, middle, "interval");
        content += line(low_x, middle - 4, low_x, middle + 4, "interval");
        content += line(high_x, middle - 4, high_x, middle + 4, "interval");
        content += fmt::format("<ellipse cx=\"{:.1f}\" cy=\"{:.1f}\" rx=\"4.5\" ry=\"4.5\" class=\"dot\"/>\n",
                               axis.at(rating.elo), middle);
        y += row_height;
    }
    return svg(bottom + 22, "Elo ratings with intervals", content);
}

std::string course_plot(const Standings& standings, const Ratings& ratings) {
    if (standings.course.size() < 2) return "";
    constexpr double top = 8, bottom = 240, from = 40;
    const Axis x(0, static_cast<double>(standings.course.back().games), from, right), y(0, 1, bottom, top);
    std::string content = plot::frame(x, y, "games");
    const std::size_t shown = std::min(most_lines, ratings.size());
    double height = bottom + 40;
    for (std::size_t rank = 0; rank < shown; ++rank) {
        const std::size_t k = ratings.order()[rank];
        content += fmt::format("<path d=\"{}\" class=\"line{}\"><title>{}</title></path>\n",
                               path(standings.course, x, y, [&](const Moment& moment) { return moment.share[k]; }),
                               rank, escaped(standings.players[k].name));
        height += 20;
        content += line(from, height - 4, from + 36, height - 4, fmt::format("line{}", rank));
        content +=
            label(from + 44, height,
                  fmt::format("{}: {:.3f}", standings.players[k].name, standings.course.back().share[k]), "name");
    }
    return svg(height + 10, "Score over the games", content);
}

std::string sprt_plot(const Standings& standings) {
    if (!standings.sprt || standings.course.size() < 2) return "";
    const SprtState& sprt = *standings.sprt;
    constexpr double top = 8, bottom = 240, from = 40;
    double low = sprt.bounds.accept_h0, high = sprt.bounds.accept_h1;
    for (const Moment& moment : standings.course) {
        low = std::min(low, moment.llr);
        high = std::max(high, moment.llr);
    }
    const Axis x(0, static_cast<double>(standings.course.back().games), from, right);
    const Axis y = Axis::round(low, high, 1, bottom, top);
    std::string content = plot::frame(x, y, "games");
    for (const auto& [bound, elo] :
         {std::pair{sprt.bounds.accept_h0, sprt.options.elo0}, std::pair{sprt.bounds.accept_h1, sprt.options.elo1}}) {
        content += line(from, y.at(bound), right, y.at(bound), "bound");
        content +=
            label(from + 6, y.at(bound) + (bound < 0 ? -5 : 14), fmt::format("{} Elo accepted", elo_text(elo)), "name");
    }
    content += fmt::format("<path d=\"{}\" class=\"line0\"/>\n",
                           path(standings.course, x, y, [](const Moment& moment) { return moment.llr; }));
    return svg(bottom + 40, "Log likelihood ratio over the games", content);
}

std::string seat_plot(const Standings& standings) {
    const Axis axis(0, 1, left, right - 12);
    std::string rows;
    double y = 8;
    for (const GameStandings& game : standings.games)
        for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
            const Results results = game.by_seat.column(seat);
            if (results.count() == 0) continue;
            const std::string text =
                fmt::format("{}, {}: {:.3f} ({} wins, {} draws, {} losses)", game.title, game.seats[seat],
                            results.share(), results.wins, results.draws, results.losses);
            rows += label(left, y + 8, text, "name");
            rows += bar(left, y + label_height, axis.at(results.share()) - left, text);
            y += row_height;
        }
    if (rows.empty()) return "";
    return svg(y + 20, "Score by seat", vertical_grid(axis, y, "") + rows);
}

std::string time_plot(const Standings& standings, const Ratings& ratings) {
    double longest = 0;
    for (const PlayerTotals& player : standings.players) longest = std::max(longest, player.longest);
    if (longest <= 0) return "";
    // In the unit that gives numbers of a few digits.
    const double unit = longest < 1e-3 ? 1e-6 : longest < 1 ? 1e-3 : 1;
    const Axis axis = Axis::round(0, longest / unit, 0, left, right - 12);
    const double bottom = static_cast<double>(ratings.size()) * row_height + 8;
    std::string content = vertical_grid(axis, bottom, unit < 1e-3 ? " µs" : unit < 1 ? " ms" : " s");
    double y = 8;
    for (const std::size_t k : ratings.order()) {
        const PlayerTotals& player = standings.players[k];
        const double mean = player.moves == 0 ? 0 : player.seconds / static_cast<double>(player.moves);
        const std::string text =
            fmt::format("{}: {} a move, at most {}", player.name, time_text(mean), time_text(player.longest));
        const double top = y + label_height, end = axis.at(player.longest / unit);
        content += label(left, y + 8, text, "name");
        content += line(left, top + bar_height / 2, end, top + bar_height / 2, "interval");
        content += line(end, top + 1, end, top + bar_height - 1, "interval");
        content += bar(left, top, axis.at(mean / unit) - left, text);
        y += row_height;
    }
    return svg(bottom + 22, "Time of a move", content);
}

} // namespace zug::tournament

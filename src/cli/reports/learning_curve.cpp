#include "cli/reports/learning_curve.hpp"

#include "base/markup/plot.hpp"
#include "base/text.hpp"
#include "cli/output.hpp"
#include "match/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

namespace zug::cli {

namespace {

constexpr std::string_view heading = "seconds,games,positions,error,error of others,score\n";
// What plays by an evaluation that is offered: it looks one ply ahead.
constexpr std::string_view learner = "auto:depth=1";
constexpr std::uint64_t games_a_match = 50;
constexpr std::uint32_t opening_plies = 4; // without chance, so that games differ

constexpr std::string_view style = R"(
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #1b1f24; }
.title { font-size: 15px; font-weight: 600; }
.paper { fill: #ffffff; }
.mark { fill: #57606a; text-anchor: middle; }
.mark-left { fill: #57606a; text-anchor: end; }
.grid { stroke: #d0d7de; }
.score, .error, .others { fill: none; stroke-width: 2px; }
.score { stroke: #0072b2; }
.error { stroke: #d55e00; }
.others { stroke: #009e73; stroke-dasharray: 8 3; }
@media screen and (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .mark, .mark-left { fill: #9198a1; }
  .paper { fill: #0d1117; }
  .grid { stroke: #3d444d; }
  .score { stroke: #56b4e9; }
  .error { stroke: #f0883e; }
  .others { stroke: #2fc698; }
}
)";

std::string optional_number(const std::optional<double>& number) {
    return number ? fmt::format("{:.6f}", *number) : "";
}

// A number of each point, and how it is drawn and called.
struct Curve {
    const char* style;
    std::string name;
    std::optional<double> (*number)(const CurvePoint&);
};

// Panels one below the other, over the games.
class Picture {
public:
    explicit Picture(const std::vector<CurvePoint>& points)
        : points_(points),
          x_(0, points.empty() ? 1 : std::max(1.0, static_cast<double>(points.back().games)), left, right) {}

    // At least up to `high`; none if no number is known.
    void add(const std::vector<Curve>& curves, double high) {
        double low = 0;
        std::size_t known = 0;
        for (const CurvePoint& point : points_)
            for (const Curve& curve : curves)
                if (const auto number = curve.number(point)) {
                    low = std::min(low, *number);
                    high = std::max(high, *number);
                    ++known;
                }
        if (known == 0) return;
        const plot::Axis y = plot::Axis::round(low, high, 1e-6, y_ + height, y_ + 24);
        content_ += plot::frame(x_, y, "games");
        double x = left;
        for (const Curve& curve : curves)
            if (draw(curve, y, x)) x += width / 2;
        y_ += height + gap;
    }

    std::string text(std::string_view title) const {
        return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{0}\" "
                           "height=\"{1:.0f}\">\n<style>{2}</style>\n<rect width=\"100%\" height=\"100%\" "
                           "class=\"paper\"/>\n{3}{4}</svg>\n",
                           width, y_, style, plot::label(left, 24, title, "title"), content_);
    }

private:
    // With its name at x, above the panel. False: none of its numbers is known.
    bool draw(const Curve& curve, const plot::Axis& y, double x) {
        plot::Path path(x_, y);
        for (const CurvePoint& point : points_)
            if (const auto number = curve.number(point)) path.add(static_cast<double>(point.games), *number);
        if (path.text().empty()) return false;
        content_ += plot::line(x, y_ + 5, x + 30, y_ + 5, curve.style);
        content_ += plot::label(x + 36, y_ + 10, curve.name, "name");
        content_ += fmt::format("<path d=\"{}\" class=\"{}\"/>\n", path.text(), curve.style);
        return true;
    }

    static constexpr double width = 720, left = 56, right = 700, height = 240, gap = 64;
    const std::vector<CurvePoint>& points_;
    plot::Axis x_;
    double y_ = 40; // of the next panel
    std::string content_;
};

} // namespace

tl::expected<void, Error> LearningCurve::play_against(const std::string& player, std::uint64_t seed,
                                                      const std::atomic<bool>* stop) {
    const bool has_eval = game_.traits().has_eval;
    const std::string usual = has_eval ? fmt::format("{},eval=rules", learner) : "random";
    auto spec = match::parse_player(player.empty() ? usual : player);
    if (!spec) return tl::unexpected(spec.error());
    if (spec->kind == match::PlayerKind::Human) return failure("learning can't wait for a person");
    // Else `auto` would take what is being learned.
    if (spec->kind == match::PlayerKind::Search && spec->search.eval.empty()) spec->search.eval = "rules";
    if (const std::string why = match::unsuitable(*spec, game_); !why.empty()) return failure(why);
    opponent_ = std::move(*spec);
    seed_ = seed;
    stop_ = stop;
    return {};
}

void LearningCurve::resume(const std::string& csv) {
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        std::array<std::string, 6> cells;
        std::istringstream row(line);
        for (std::string& cell : cells) std::getline(row, cell, ',');
        const auto seconds = number_in<double>(cells[0]), error = number_in<double>(cells[3]);
        const auto games = number_in<std::uint64_t>(cells[1]), positions = number_in<std::uint64_t>(cells[2]);
        if (!seconds || !games || !positions || !error) continue; // the heading
        points_.push_back({.seconds = *seconds,
                           .games = *games,
                           .positions = *positions,
                           .error = *error,
                           .error_of_others = number_in<double>(cells[4]),
                           .score = number_in<double>(cells[5])});
    }
}

void LearningCurve::note(const learn::Progress& now) {
    // At the end nothing may have been learned since the last point, and then only the score is new.
    if (points_.empty() || points_.back().games != now.games)
        points_.push_back({.seconds = now.seconds,
                           .games = now.games,
                           .positions = now.positions,
                           .error = now.error,
                           .error_of_others = now.error_of_others,
                           .score = std::nullopt});
    if (fresh_) points_.back().score = score_;
    fresh_ = false;
}

void LearningCurve::sample(const learn::Net& net) {
    game::Game own = game_.clone();
    own.offer(learn::make_evaluator(std::make_shared<const learn::Net>(net), own));
    std::vector<match::PlayerSpec> players{*match::parse_player(learner)};
    if (game_.players() > 1) players.resize(game_.traits().teams(), *opponent_);
    match::MatchOptions options;
    options.games = games_a_match;
    options.seed = seed_;
    options.opening_plies = game_.traits().chance ? 0 : opening_plies;
    options.stop = stop_;
    const auto report = match::run_match(own, own.initial(), players, options);
    if (!report || report->finished == 0) return;
    const match::Score& score = report->players.front();
    score_ = game_.players() > 1 ? score.points.mean() : score.utility.mean();
    fresh_ = true;
}

std::string LearningCurve::line() const {
    if (points_.empty()) return "";
    const CurvePoint& now = points_.back();
    std::string text = fmt::format("{} games, {:.0f} a second, error {:.4f}", grouped(now.games),
                                   static_cast<double>(now.games) / std::max(now.seconds, 1e-9), now.error);
    if (now.error_of_others) text += fmt::format(", of other games {:.4f}", *now.error_of_others);
    if (score_ && game_.players() > 1) text += fmt::format(", score {:.2f} against {}", *score_, opponent_->text);
    if (score_ && game_.players() == 1) text += fmt::format(", utility {:.6g}", *score_);
    return text;
}

std::string LearningCurve::csv() const {
    std::string text(heading);
    for (const CurvePoint& point : points_)
        text += fmt::format("{:.1f},{},{},{:.6f},{},{}\n", point.seconds, point.games, point.positions, point.error,
                            optional_number(point.error_of_others), optional_number(point.score));
    return text;
}

std::string LearningCurve::svg() const {
    const bool alone = game_.players() == 1;
    const std::string score =
        alone ? "mean utility" : fmt::format("score against {}", opponent_ ? opponent_->text : "");
    Picture picture(points_);
    picture.add({{"score", score, [](const CurvePoint& point) { return point.score; }}}, alone ? 0 : 1);
    picture.add({{"error", "error", [](const CurvePoint& point) { return std::optional(point.error); }},
                 {"others", "error of other games", [](const CurvePoint& point) { return point.error_of_others; }}},
                0);
    return picture.text(game_.program().title);
}

} // namespace zug::cli

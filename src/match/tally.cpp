#include "match/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace zug::match {

namespace {

constexpr double unbounded = 1e9; // utilities beyond it mean that no bound was found

enum class Verdict : std::uint8_t { Win, Draw, Loss };

// `par`: the utility that a single player must exceed to win.
Verdict verdict(const std::vector<double>& utilities, std::size_t seat, const game::Traits& traits, double par) {
    const double mine = utilities[seat];
    double others = utilities.size() == 1 ? par : -std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < utilities.size(); ++other)
        if (traits.team[other] != traits.team[seat]) others = std::max(others, utilities[other]);
    return mine > others ? Verdict::Win : mine == others ? Verdict::Draw : Verdict::Loss;
}

void add_to(Score& score, double utility, Verdict verdict) {
    score.utility.add(utility);
    switch (verdict) {
    case Verdict::Win: ++score.wins; break;
    case Verdict::Draw: ++score.draws; break;
    case Verdict::Loss: ++score.losses; break;
    }
    score.points.add(verdict == Verdict::Win ? 1 : verdict == Verdict::Draw ? 0.5 : 0);
}

} // namespace

Tally::Tally(std::uint64_t games, std::span<const PlayerSpec> players, const game::Game& game)
    : traits_(game.traits()) {
    report_.asked = games;
    const bool bounded = std::abs(traits_.min_utility) < unbounded && std::abs(traits_.max_utility) < unbounded;
    par_ = bounded ? (traits_.min_utility + traits_.max_utility) / 2 : 0;
    report_.players.resize(players.size());
    report_.seats.resize(players.size());
    for (std::size_t k = 0; k < players.size(); ++k) {
        report_.players[k].name = players[k].text;
        const auto seat = static_cast<std::uint32_t>(k);
        report_.seats[k].name = by_team() ? game.team_name(seat) : game.player_name(seat);
    }
}

void Tally::add(std::uint64_t i, const GameRecord& record) {
    if (record.end == End::Fault && !report_.first_fault)
        report_.first_fault = fmt::format("game {}, ply {}: {}", i, record.plies, record.fault);
    if (record.end == End::Forfeit && !report_.first_forfeit)
        report_.first_forfeit = fmt::format("game {}, ply {}: {}", i, record.plies, record.fault);
    waiting_.emplace(i, Outcome{record.end, record.utilities, record.plies, record.line});
    while (!waiting_.empty() && waiting_.begin()->first == next_) {
        count(next_++, waiting_.begin()->second);
        waiting_.erase(waiting_.begin());
    }
}

void Tally::close() {
    for (const auto& [i, outcome] : waiting_) count(i, outcome);
    waiting_.clear();
}

void Tally::count(std::uint64_t i, const Outcome& outcome) {
    switch (outcome.end) {
    case End::Finished: score(i, outcome); break;
    case End::Forfeit:
        ++report_.forfeited;
        score(i, outcome);
        break;
    case End::PlyLimit: ++report_.unfinished; break;
    case End::Fault: ++report_.faulted; break;
    case End::Quit:
    case End::Stopped: ++report_.given_up; break;
    }
}

void Tally::score(std::uint64_t i, const Outcome& outcome) {
    ++report_.finished;
    report_.plies.add(static_cast<double>(outcome.plies));
    if (seen_.insert(outcome.moves_hash).second) ++report_.distinct;
    bool decided = false;
    std::size_t seats = 0; // or teams, so far
    for (std::size_t p = 0; p < outcome.utilities.size(); ++p) {
        if (by_team() && traits_.team[p] < seats) continue; // its first member has been counted
        const Verdict how = verdict(outcome.utilities, p, traits_, par_);
        decided = decided || how == Verdict::Win || (how == Verdict::Loss && outcome.utilities.size() == 1);
        const double utility = outcome.utilities[p];
        add_to(report_.seats[seats], utility, how);
        add_to(report_.players[player_in_seat(seats, i, report_.players.size())], utility, how);
        ++seats;
    }
    if (!decided) ++report_.drawn;
}

std::optional<Elo> Report::elo() const {
    if (players.size() != 2) return std::nullopt;
    const Sample& points = players[0].points;
    const auto interval = points.interval();
    if (!interval) return std::nullopt;
    return Elo{match::elo(points.mean()), match::elo(interval->low), match::elo(interval->high)};
}

} // namespace zug::match

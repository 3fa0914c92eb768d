#include "tournament/tally.hpp"

#include "base/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace zug::tournament {

namespace {

// Twice as many moments are kept at most before every second one is left out.
constexpr std::size_t enough_moments = 256;

} // namespace

// Moves are compared as text, which is all that a results file has of them.
Outcome outcome_of(const match::GameRecord& record) {
    Outcome outcome{record.end, record.utilities, record.times, record.moves.size(), 0, record.fault};
    const auto mix = [&](const std::string& text) {
        std::uint64_t mixed = outcome.line ^ std::hash<std::string>()(text);
        outcome.line = splitmix64(mixed);
    };
    mix(record.from);
    for (const std::string& move : record.moves) mix(move);
    return outcome;
}

Tally::Tally(const Schedule& schedule, Standings standings)
    : schedule_(schedule), standings_(std::move(standings)), next_(schedule.next(0)), seen_(standings_.games.size()),
      totals_(standings_.players.size()) {
    standings_.asked = schedule.size();
}

bool Tally::decided() const { return standings_.sprt && standings_.sprt->decision != SprtDecision::None; }

void Tally::add(std::uint64_t index, Outcome outcome) {
    early_.insert_or_assign(index, std::move(outcome));
    advance();
}

void Tally::advance() {
    while (!decided() && next_ && !early_.empty() && early_.begin()->first == next_->index) {
        Outcome outcome = std::move(early_.begin()->second);
        early_.erase(early_.begin());
        Fixture fixture = *std::exchange(next_, schedule_.next(next_->index + 1));
        count({std::move(fixture), std::move(outcome)});
    }
}

void Tally::close() {
    if (!decided())
        for (auto& [index, outcome] : early_) {
            auto fixture = schedule_.next(index);
            if (!fixture || fixture->index != index) continue;
            in_order_ = false;
            if (!block_.empty() && block_.front().fixture.block != fixture->block) end_block();
            count({std::move(*fixture), std::move(outcome)});
        }
    early_.clear();
    in_order_ = false;
    end_block();
    note_moment(true);
}

void Tally::count(Played played) {
    ++standings_.counted;
    GameStandings& game = standings_.games[played.fixture.game];
    count_times(played);
    if (match::is_scored(played.outcome.end)) {
        score(played);
    } else {
        const bool fault = played.outcome.end == match::End::Fault;
        ++(fault ? game.faulted : game.ply_limit);
        for (const std::size_t player : played.fixture.seats) {
            PlayerTotals& totals = standings_.players[player];
            ++(fault ? totals.faulted : totals.ply_limit);
        }
        if (fault && !standings_.first_fault)
            standings_.first_fault = fmt::format("{}, game {}, ply {}: {}", game.title, played.fixture.index,
                                                 played.outcome.plies, played.outcome.fault);
    }
    const bool ends = played.fixture.ends_block;
    block_.push_back(std::move(played));
    if (ends) end_block();
}

void Tally::count_times(const Played& played) {
    for (std::size_t seat = 0; seat < played.outcome.times.size(); ++seat) {
        const match::TimeUsed& used = played.outcome.times[seat];
        PlayerTotals& totals = standings_.players[played.fixture.seats[seat]];
        totals.seconds += used.seconds;
        totals.longest = std::max(totals.longest, used.longest);
        totals.moves += used.moves;
        if (totals.exceeded(used)) ++totals.late_games;
    }
}

void Tally::score(const Played& played) {
    GameStandings& game = standings_.games[played.fixture.game];
    ++game.finished;
    game.plies.add(static_cast<double>(played.outcome.plies));
    if (seen_[played.fixture.game].insert(played.outcome.line).second) ++game.distinct;
    const auto& seats = played.fixture.seats;
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
        ++standings_.players[seats[seat]].games;
        game.utility[seats[seat]].add(played.outcome.utilities[seat]);
        for (std::size_t other = 0; other < seats.size(); ++other)
            if (seats[other] != seats[seat] && game.team[other] != game.team[seat]) compare(game, seat, other, played);
    }
}

// Counts one side of a comparison: the other side has its turn.
void Tally::compare(GameStandings& game, std::size_t seat, std::size_t other_seat, const Played& played) {
    const double mine = played.outcome.utilities[seat], others = played.outcome.utilities[other_seat];
    const int half_points = mine > others ? 2 : mine == others ? 1 : 0;
    const std::size_t player = played.fixture.seats[seat];
    Results& by_seat = game.by_seat.at(player, seat);
    ++(half_points == 2 ? by_seat.wins : half_points == 1 ? by_seat.draws : by_seat.losses);
    note_pair(game, player, played.fixture.seats[other_seat], half_points);
}

void Tally::note_pair(GameStandings& game, std::size_t a, std::size_t b, int half_points) {
    Results& pair = game.pairs.at(a, b);
    ++(half_points == 2 ? pair.wins : half_points == 1 ? pair.draws : pair.losses);
    ++(half_points == 2 ? totals_[a].wins : half_points == 1 ? totals_[a].draws : totals_[a].losses);
    if (a > b) return;
    PairScore& score = scores_[{a, b}];
    score.a = static_cast<std::uint16_t>(a);
    score.b = static_cast<std::uint16_t>(b);
    ++score.comparisons;
    score.half_points = static_cast<std::uint16_t>(score.half_points + half_points);
}

// In games of a single player, those of a block are compared with each other.
void Tally::compare_singles(GameStandings& game) {
    for (const Played& one : block_)
        for (const Played& other : block_) {
            const std::size_t a = one.fixture.seats[0], b = other.fixture.seats[0];
            if (a == b || !match::is_scored(one.outcome.end) || !match::is_scored(other.outcome.end)) continue;
            const double mine = one.outcome.utilities[0], others = other.outcome.utilities[0];
            note_pair(game, a, b, mine > others ? 2 : mine == others ? 1 : 0);
        }
}

void Tally::end_block() {
    if (block_.empty()) return;
    const Fixture& first = block_.front().fixture;
    GameStandings& game = standings_.games[first.game];
    if (first.seats.size() == 1) compare_singles(game);
    BlockResult result;
    for (const auto& [players, score] : scores_) result.push_back(score);
    if (!result.empty()) ++game.blocks[result];
    const auto complete = schedule_.games_per_block(first.game);
    const bool whole = block_.size() == complete && std::ranges::all_of(block_, [](const Played& played) {
                           return match::is_scored(played.outcome.end);
                       });
    if (in_order_ && whole && standings_.sprt) test_block(result);
    block_.clear();
    scores_.clear();
    note_moment(false);
}

void Tally::test_block(const BlockResult& block) {
    SprtState& sprt = *standings_.sprt;
    ++sprt.counts[block.front().half_points];
    sprt.llr = log_likelihood_ratio(sprt.counts, sprt.options.elo0, sprt.options.elo1);
    sprt.decision = sprt_decision(sprt.llr, sprt.bounds);
}

// The course keeps the state after every stride-th block. When there are too many, every second one is left out.
void Tally::note_moment(bool last) {
    if (++since_ < stride_ && !last && !decided()) return;
    Moment moment;
    moment.games = standings_.finished();
    if (!standings_.course.empty() && standings_.course.back().games == moment.games) return;
    since_ = 0;
    for (const Results& total : totals_) moment.share.push_back(total.count() == 0 ? 0.5 : total.share());
    if (standings_.sprt) moment.llr = standings_.sprt->llr;
    standings_.course.push_back(std::move(moment));
    if (standings_.course.size() < 2 * enough_moments) return;
    std::vector<Moment> kept;
    for (std::size_t i = 1; i < standings_.course.size(); i += 2) kept.push_back(std::move(standings_.course[i]));
    standings_.course = std::move(kept);
    stride_ *= 2;
}

} // namespace zug::tournament

#include "solve/query.hpp"

#include <algorithm>
#include <set>

namespace zug::solve {

namespace {

using game::Error;

tl::unexpected<Error> failure(std::string text) { return tl::unexpected(Error{std::move(text)}); }

tl::expected<Result, Error> result_of(Database& database, const game::State& state) {
    const auto found = database.find(state);
    if (!found) return tl::unexpected(found.error());
    if (!*found) return failure("this position can't be reached from the start of the game that was solved");
    return **found;
}

// The results of the positions after each move.
tl::expected<std::vector<Result>, Error> results_of(Database& database, game::Game& game, const game::State& state,
                                                    const game::MoveList& moves) {
    std::vector<Result> results;
    game::State next;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!game.successor(state, moves, i, next)) return failure(game.fault_text());
        const auto result = result_of(database, next);
        if (!result) return tl::unexpected(result.error());
        results.push_back(*result);
    }
    return results;
}

bool is(Sought sought, double value) {
    switch (sought) {
    case Sought::Won: return value > 0;
    case Sought::Lost: return value < 0;
    case Sought::Drawn: break;
    }
    return value == 0;
}

} // namespace

Standing standing(const Outcomes& outcomes, Result result) {
    const std::uint32_t outcome = outcomes.outcome(result);
    Standing standing{outcomes.payoffs(outcome), std::nullopt, outcomes.is_repetition(outcome)};
    if (!standing.repetition) standing.remoteness = outcomes.remoteness(result);
    return standing;
}

tl::expected<Answer, Error> answer(Database& database, game::Game& game, const game::State& state) {
    const auto own = result_of(database, state);
    if (!own) return tl::unexpected(own.error());
    const Outcomes& outcomes = database.outcomes();
    Answer answer{game.to_move(state), standing(outcomes, *own), {}};
    game::MoveList moves;
    if (game.expand(state, moves) == game::NodeKind::Fault) return failure(game.fault_text());
    const auto results = results_of(database, game, state, moves);
    if (!results) return tl::unexpected(results.error());
    const auto texts = game.move_texts(state, moves);
    for (std::size_t i = 0; i < moves.size(); ++i)
        answer.moves.push_back({i, texts[i], standing(outcomes, (*results)[i]), (*results)[i]});
    std::ranges::stable_sort(answer.moves, std::ranges::greater(),
                             [&](const MoveStanding& move) { return outcomes.preference(answer.mover, move.result); });
    return answer;
}

tl::expected<std::size_t, Error> best_move(Database& database, game::Game& game, const game::State& state,
                                           const game::MoveList& moves) {
    const auto results = results_of(database, game, state, moves);
    if (!results) return tl::unexpected(results.error());
    const std::uint32_t mover = game.to_move(state);
    const auto worth = [&](std::size_t i) {
        return std::pair(database.outcomes().preference(mover, (*results)[i]), ~moves.id(i));
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < moves.size(); ++i)
        if (worth(i) > worth(best)) best = i;
    return best;
}

tl::expected<std::vector<std::string>, Error> best_line(Database& database, game::Game& game,
                                                        const game::State& start) {
    std::vector<std::string> line;
    std::set<Key> met;
    game::State state = start, next;
    game::MoveList moves;
    while (met.insert(database.code().encode(state)).second) {
        moves.clear();
        const auto kind = game.expand(state, moves);
        if (kind == game::NodeKind::Fault) return failure(game.fault_text());
        if (kind == game::NodeKind::Terminal) break;
        const auto best = best_move(database, game, state, moves);
        if (!best) return tl::unexpected(best.error());
        line.push_back(game.move_text(state, moves, *best));
        if (!game.successor(state, moves, *best, next)) return failure(game.fault_text());
        std::swap(state, next);
    }
    return line;
}

tl::expected<std::optional<game::State>, Error> random_position(Database& database, game::Game& game, Sought sought,
                                                                Random& random) {
    const Outcomes& outcomes = database.outcomes();
    std::uint64_t total = 0;
    for (const auto& count : database.histogram())
        if (is(sought, outcomes.utility(outcomes.outcome(count.result), count.mover))) total += count.positions;
    if (total == 0) return std::nullopt;
    game::State state;
    const auto fits = [&](Key key, Result result) {
        database.code().decode(key, state);
        return is(sought, outcomes.utility(outcomes.outcome(result), game.to_move(state)));
    };
    // Positions are drawn until one fits; where few do, all are gone through instead.
    constexpr std::uint64_t tries = 100'000;
    for (std::uint64_t i = 0; i < tries; ++i) {
        const auto drawn = database.at(random.next() % database.positions());
        if (!drawn) return tl::unexpected(drawn.error());
        if (fits(drawn->first, drawn->second)) return state;
    }
    std::uint64_t left = random.next() % total;
    for (std::size_t b = 0; b < database.blocks(); ++b) {
        const auto block = database.read(b);
        if (!block) return tl::unexpected(block.error());
        for (std::size_t i = 0; i < block->keys.size(); ++i)
            if (fits(block->keys[i], block->results[i]) && left-- == 0) return state;
    }
    return failure("the database's statistics don't agree with its positions");
}

} // namespace zug::solve

#include "solve/database/query.hpp"

#include "solve/database/worths.hpp"

#include <algorithm>
#include <set>

namespace zug::solve {

namespace {

Standing standing_at(const Database& database, const Worths& worths, std::size_t i) {
    if (!database.chance()) return standing(database.outcomes(), worths.results[i]);
    std::vector<double> kept;
    for (const auto& column : worths.values) kept.push_back(column[i]);
    return {database.expected().payoffs(kept), std::nullopt, false, database.expected().win_probability(kept.front())};
}

// The indices of the moves, best for the player first.
std::vector<std::size_t> ranked(const Database& database, std::uint32_t player, const Worths& worths,
                                const std::vector<MoveStanding>& moves) {
    std::vector<std::size_t> order(moves.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (!database.chance()) {
        std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) {
            return database.outcomes().preference(player, worths.results[i]);
        });
        return order;
    }
    const auto best = best_of(database, player, worths);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) {
        return std::pair(std::ranges::find(best, i) != best.end(), moves[i].standing.value[player]);
    });
    return order;
}

} // namespace

Standing standing(const Outcomes& outcomes, Result result) {
    const std::uint32_t outcome = outcomes.outcome(result);
    Standing standing{outcomes.payoffs(outcome), std::nullopt, outcomes.is_repetition(outcome), std::nullopt};
    if (!standing.repetition) standing.remoteness = outcomes.remoteness(result);
    return standing;
}

tl::expected<std::optional<Standing>, Error> standing_of(Database& database, const game::State& state) {
    Worths own;
    const auto known = add_known(database, state, own);
    if (!known) return tl::unexpected(known.error());
    if (!*known) return std::nullopt;
    return standing_at(database, own, 0);
}

tl::expected<Answer, Error> answer(Database& database, game::Game& game, const game::State& state) {
    Worths own;
    if (auto added = add_reachable(database, state, own); !added) return tl::unexpected(added.error());
    game::MoveList moves;
    Answer answer{game.expand(state, moves), game.to_move(state), standing_at(database, own, 0), {}};
    if (answer.kind == game::NodeKind::Fault) return failure(game.fault_text());
    Worths worths;
    if (auto done = look_up_successors(database, game, state, moves, worths); !done)
        return tl::unexpected(done.error());
    const bool chance = answer.kind == game::NodeKind::Chance;
    const auto texts = game.move_texts(state, moves);
    std::vector<MoveStanding> found;
    for (std::size_t i = 0; i < moves.size(); ++i)
        found.push_back({i, texts[i], standing_at(database, worths, i), chance ? moves.probability(i) : 1});
    if (chance || found.empty()) {
        answer.moves = std::move(found);
        return answer;
    }
    for (const std::size_t i : ranked(database, answer.mover, worths, found)) answer.moves.push_back(found[i]);
    return answer;
}

tl::expected<std::size_t, Error> best_move(Database& database, game::Game& game, const game::State& state,
                                           const game::MoveList& moves) {
    Worths worths;
    if (auto done = look_up_successors(database, game, state, moves, worths); !done)
        return tl::unexpected(done.error());
    return least_id(moves, best_of(database, game.to_move(state), worths));
}

tl::expected<BestLine, Error> best_line(Database& database, game::Game& game, const game::State& start) {
    BestLine line{{}, start};
    std::set<Key> met;
    game::State next;
    game::MoveList moves;
    while (met.insert(database.code().own(line.end)).second) {
        moves.clear();
        const auto kind = game.expand(line.end, moves);
        if (kind == game::NodeKind::Fault) return failure(game.fault_text());
        if (kind != game::NodeKind::Decision) break;
        const auto best = best_move(database, game, line.end, moves);
        if (!best) return tl::unexpected(best.error());
        line.moves.push_back(game.move_text(line.end, moves, *best));
        if (!game.successor(line.end, moves, *best, next)) return failure(game.fault_text());
        std::swap(line.end, next);
    }
    return line;
}

tl::expected<std::optional<game::State>, Error> random_position(Database& database, game::Game& game,
                                                                const Sought& sought, Random& random) {
    const auto counted = [&](const Histogram::Count& count) {
        const Outcomes& outcomes = database.outcomes();
        return sought(outcomes.utility(outcomes.outcome(count.result), count.mover));
    };
    if (!database.chance() && std::ranges::none_of(database.histogram(), counted)) return std::nullopt;
    game::State state;
    std::vector<Key> images;
    const auto fits = [&](Key key) -> tl::expected<bool, Error> {
        database.code().decode(key, state);
        Worths worths;
        if (auto added = add_reachable(database, state, worths); !added) return tl::unexpected(added.error());
        return sought(standing_at(database, worths, 0).value[game.to_move(state)]) &&
               game.kind(state) != game::NodeKind::Chance;
    };
    // Rejection sampling over representatives, each accepted in proportion to its number of images. If few positions
    // fit, all are scanned instead: the n-th image that fits replaces the choice so far with probability 1/n (reservoir
    // sampling: D. Knuth, The Art of Computer Programming 2, 3.4.2).
    constexpr std::uint64_t tries = 100'000;
    for (std::uint64_t i = 0; i < tries; ++i) {
        const auto key = database.key(random.next() % database.positions());
        if (!key) return tl::unexpected(key.error());
        const auto fit = fits(*key);
        if (!fit) return tl::unexpected(fit.error());
        if (!*fit) continue;
        database.code().images(state, images);
        const std::uint64_t image = random.next() % database.code().symmetries();
        if (image >= images.size()) continue;
        database.code().decode(images[image], state);
        return state;
    }
    std::optional<Key> chosen;
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < database.positions(); ++i) {
        const auto key = database.key(i);
        if (!key) return tl::unexpected(key.error());
        const auto fit = fits(*key);
        if (!fit) return tl::unexpected(fit.error());
        if (!*fit) continue;
        database.code().images(state, images);
        for (const Key image : images)
            if (random.next() % ++found == 0) chosen = image;
    }
    if (!chosen) return std::nullopt;
    database.code().decode(*chosen, state);
    return state;
}

} // namespace zug::solve

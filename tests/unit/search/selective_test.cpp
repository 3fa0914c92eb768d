// Selective search: what it calls proven is proven, whichever parts are on, and its lines are legal. The search form
// of games.

#include "best_line.hpp"
#include "game/search_form.hpp"
#include "games.hpp"
#include "rule_games.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace zug;
using namespace zug::search;
using run::MoveList;
using run::NodeKind;
using run::State;
using test::load_rules;

namespace {

// One of the many combinations of parts.
Options some_parts(Random& random) {
    Options options;
    const auto coin = [&] { return random.below(2) == 0; };
    options.repetition = coin();
    options.deeper = coin();
    options.quiescence = coin();
    options.null_move = coin();
    options.reductions = coin() ? 1 + random.below(2) : 0;
    options.extensions = coin();
    options.futility = coin() ? 0.5 : 0;
    options.plausible = coin() ? 2 : 0;
    options.table = random.below(4) != 0;
    options.threads = 1 + random.below(2);
    options.table_bytes = 1 << 12;
    options.rote = coin();
    return options;
}

// Positions of random games with values that are wrong.
RoteTable wrong_memory(game::Game& game, Random& random) {
    game::SearchForm form(game);
    std::map<std::uint64_t, RoteEntry> entries;
    for (int played = 0; played < 5; ++played) {
        State state = game.initial(), next;
        MoveList moves;
        for (int ply = 0; ply < 20; ++ply) {
            const NodeKind kind = game.expand(state, moves);
            if (kind != NodeKind::Decision && kind != NodeKind::Chance) break;
            REQUIRE(game.successor(state, moves, random.below(static_cast<std::uint32_t>(moves.size())), next));
            std::swap(state, next);
            const std::uint64_t key = form.position_hash(form.convert(state));
            const double value = game.traits().max_utility * (2 * random.unit() - 1);
            entries[key] = {key, value, static_cast<std::uint16_t>(1 + random.below(12))};
        }
    }
    std::vector<RoteEntry> list;
    for (const auto& [key, entry] : entries) list.push_back(entry);
    return RoteTable(std::move(list));
}

std::vector<double> value_to_the_end(game::Game& game, Method method) {
    Limits limits;
    limits.depth = 100;
    const Result result = search::search(game, game.initial(), method, limits);
    REQUIRE(result.exact);
    return result.value;
}

} // namespace

TEST_CASE("what a selective search calls proven is proven") {
    Random random(5);
    int proven = 0, open = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        test::RandomGraph shape;
        shape.facts = {.chance = seed % 3 == 0, .eval = seed % 4 != 0, .lo = -3, .hi = 3};
        shape.events = seed % 3 == 0 ? 0.2 : 0;
        shape.nodes = 30;
        shape.branching = 4;
        game::Game game = test::random_graph(shape, seed);
        const Method method = automatic(game.traits());
        const std::vector<double> value = value_to_the_end(game, method);
        const RoteTable memory = wrong_memory(game, random);
        for (int depth = 1; depth <= 12; ++depth) {
            const Options options = some_parts(random);
            Limits limits;
            limits.depth = depth;
            if (options.rote) limits.rote = &memory;
            const Result result = search::search(game, game.initial(), method, limits, options);
            CAPTURE(seed);
            CAPTURE(depth);
            REQUIRE(result.fault.empty());
            test::play_best_line(game, game.initial(), result);
            CHECK(std::abs(result.value[0]) <= 3 + 1e-9);
            if (result.exact) CHECK(result.value == value);
            ++(result.exact ? proven : open);
        }
    }
    CHECK(proven > 500);
    CHECK(open > 500);
}

TEST_CASE("the search form of chess has its moves, and no draw by repetition") {
    game::Game chess = load_rules("chess");
    game::SearchForm form(chess);
    Random random(3);
    for (int played = 0; played < 20; ++played) {
        State state = chess.initial(), next;
        State formed = form.convert(state), formed_next;
        MoveList moves, formed_moves;
        for (int ply = 0; ply < 60; ++ply) {
            const NodeKind kind = chess.expand(state, moves);
            if (kind != NodeKind::Decision) break;
            REQUIRE(form.game().expand(formed, formed_moves) == NodeKind::Decision);
            REQUIRE(moves.size() == formed_moves.size());
            const std::size_t i = random.below(static_cast<std::uint32_t>(moves.size()));
            const auto same = formed_moves.find(moves.id(i));
            REQUIRE(same.has_value());
            CHECK(chess.move_text(state, moves, i) == form.game().move_text(formed, formed_moves, *same));
            REQUIRE(chess.successor(state, moves, i, next));
            REQUIRE(form.game().successor(formed, formed_moves, *same, formed_next));
            std::swap(state, next);
            std::swap(formed, formed_next);
            CHECK(form.position_hash(formed) == form.position_hash(form.convert(state)));
        }
    }
    const auto after = [&](std::string_view line) {
        return form.convert(chess.play_line(chess.initial(), line).value());
    };
    const std::string_view shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    const State back = after(std::string(shuffle) + "g1f3 g8f6 f3g1 f6g8");
    CHECK(chess.kind(chess.play_line(chess.initial(), std::string(shuffle) + "g1f3 g8f6 f3g1 f6g8").value()) ==
          NodeKind::Terminal);
    CHECK(form.game().kind(back) == NodeKind::Decision);
    // Neither the past nor the count of plies without progress tells positions apart, whose turn it is does.
    CHECK(form.position_hash(back) == form.position_hash(form.convert(chess.initial())));
    CHECK(form.position_hash(after("e2e3 e7e6 g1f3")) == form.position_hash(after("g1f3 e7e6 e2e3")));
    CHECK(form.position_hash(after("e2e3 e7e6 e3e4")) != form.position_hash(after("e2e4 e7e6")));
}

TEST_CASE("a pass gives the turn to the other player and changes nothing else") {
    game::Game chess = load_rules("chess");
    game::SearchForm form(chess);
    const State start = form.convert(chess.initial());
    State passed, back;
    form.pass(start, passed);
    CHECK(form.game().to_move(passed) == 1);
    form.pass(passed, back);
    CHECK(form.position_hash(back) == form.position_hash(start));
    CHECK(form.position_hash(passed) != form.position_hash(start));
}

TEST_CASE("a repetition is a draw to a selective search") {
    // White is to lose everything and has a perpetual check: Qe8+ Kh7 Qh5+ Kg8.
    game::Game chess = load_rules("chess");
    const auto start = chess.parse_position("6k1/6p1/8/7Q/8/8/qr6/5K2 w - -");
    REQUIRE(start.has_value());
    Options options;
    options.repetition = true;
    Limits limits;
    limits.depth = 6;
    const Result result = search::search(chess, *start, Method::AlphaBeta, limits, options);
    CHECK(result.fault.empty());
    CHECK(result.value[0] == 0);
    CHECK_FALSE(result.exact);
    CHECK(search::search(chess, *start, Method::AlphaBeta, limits).value[0] < 0);
}

TEST_CASE("a third occurrence of a position of the game is a draw to a selective search, which knows of no past") {
    game::Game chess = load_rules("chess");
    game::SearchForm form(chess);
    const auto ends_after = [&](std::string_view line) {
        return form.ends_by_past(chess.play_line(chess.initial(), line).value());
    };
    CHECK(ends_after("g1f3 g8f6 f3g1 f6g8").empty());
    for (const char* line :
         {"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"}) { // two moves away, and one
        const auto ends = ends_after(line);
        REQUIRE(ends.size() == 1);
        CHECK(ends[0].position == form.position_hash(form.convert(chess.initial())));
        CHECK(ends[0].payoff == 0);
    }
    // White, a queen behind, can repeat the position a third time, and does.
    const State start = chess.parse_position("3qk3/8/8/8/8/8/8/4K3 b - -").value();
    const std::string twice = "d8d7 e1e2 d7d8 e2e1 d8d7 e1e2 d7d8";
    Options options;
    options.repetition = true;
    Limits limits;
    limits.depth = 2;
    const Result result =
        search::search(chess, chess.play_line(start, twice).value(), Method::AlphaBeta, limits, options);
    REQUIRE(!result.pv.empty());
    CHECK(result.pv[0] == "e2e1"); // White's way out
    CHECK(result.value[0] == 0);
}

TEST_CASE("passes are trusted where moves are worth more, and not in games with zugzwang") {
    struct Passes {
        std::uint64_t cutoffs = 0, verified = 0, refuted = 0;
    };
    const auto passes_in = [](const std::string& name, int depth) {
        game::Game game = load_rules(name);
        Options options;
        options.set_selective(true);
        options.null_move = true;
        Limits limits;
        limits.depth = depth;
        const Result result = search::search(game, game.initial(), Method::AlphaBeta, limits, options);
        const auto count = [&](std::string_view of) {
            return std::ranges::find(result.counts, of, &Count::name)->value;
        };
        return Passes{count("cut-offs by a pass"), count("passes verified"), count("of them refuted")};
    };
    for (const auto& [name, depth] : {std::pair{"kalah", 13}, std::pair{"chess", 7}}) {
        CAPTURE(name);
        const Passes passes = passes_in(name, depth);
        CHECK(passes.verified > 100);
        CHECK(passes.refuted * 20 < passes.verified);
        CHECK(passes.cutoffs > 2 * passes.verified);
    }
    for (const auto& [name, depth] : {std::pair{"breakthrough", 9}, std::pair{"lines-of-action", 5}}) {
        CAPTURE(name);
        const Passes passes = passes_in(name, depth);
        CHECK(passes.verified > 5);
        CHECK(passes.refuted * 20 > passes.verified);
        CHECK(passes.cutoffs <= passes.verified - passes.refuted);
    }
}

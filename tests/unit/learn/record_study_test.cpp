// What recorded games teach.

#include "tests/unit/learn/learned.hpp"

#include "game/selfplay/sampler.hpp"
#include "learn/checkpoint.hpp"
#include "learn/record_study.hpp"
#include "tests/unit/learn/values.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

using namespace zug;
using namespace zug::learn;

namespace {

using Records = std::vector<RecordedGame>;

RecordedGame played(game::Game& game, const std::string& line) {
    RecordedGame recorded{.start = slots_of(game, game.initial()), .moves = {}, .values = {}, .utilities = {}};
    REQUIRE(game.play_line(game.initial(), line, &recorded.moves));
    return recorded;
}

// Random games; `note` is told of each position and may write what is expected there.
template <class Note>
Records random_games(game::Game& game, std::size_t count, Note&& note) {
    Records records;
    Random random;
    game::Sampler lot;
    for (std::size_t i = 0; i < count; ++i) {
        RecordedGame recorded{.start = slots_of(game, game.initial()), .moves = {}, .values = {}, .utilities = {}};
        game::State state = game.initial(), next;
        game::MoveList moves;
        while (game.expand(state, moves) == game::NodeKind::Decision) {
            note(state, recorded.values);
            const std::size_t move = lot.draw(moves, random);
            recorded.moves.push_back(moves.id(move));
            REQUIRE(game.successor(state, moves, move, next));
            std::swap(state, next);
        }
        recorded.utilities.resize(game.players());
        REQUIRE(game.payoffs(state, recorded.utilities));
        records.push_back(std::move(recorded));
    }
    return records;
}

TrainerOptions options_for(Records records, ModelKind model, std::uint64_t epochs) {
    TrainerOptions options;
    options.games = epochs * games_to_learn(records.size()).size();
    options.records = std::make_shared<const Records>(std::move(records));
    options.model = model;
    return options;
}

std::uint64_t positions_of(game::Game& game, RecordedGame recorded) {
    const auto net = learn::learn(game, options_for({std::move(recorded)}, ModelKind::Tuples, 1));
    REQUIRE(net);
    return net->training.positions;
}

} // namespace

TEST_CASE("of many games some are left out, to tell how others are estimated") {
    CHECK(games_to_learn(1) == std::vector<std::uint32_t>{0});
    CHECK(games_to_learn(99).size() == 99);
    CHECK(games_to_learn(1000).size() == 980);
}

TEST_CASE("exact values of positions are learned from games that were played at random") {
    for (const ModelKind model : models) {
        game::Game game = rules_of("tic-tac-toe");
        Values values(game);
        values(game.initial());
        const Records records = random_games(game, 2000, [&](const game::State& state, std::vector<float>& expected) {
            const auto value = static_cast<float>(values(state));
            expected.insert(expected.end(), {value, -value});
        });
        TrainerOptions options = options_for(records, model, 10);
        options.lambda = 0;
        double error = 0, error_of_others = 0;
        options.progress_seconds = 1000;
        options.progress = [&](const Progress& now) {
            error = now.error;
            error_of_others = now.error_of_others.value();
        };
        auto net = learn::learn(game, options);
        REQUIRE(net);
        CHECK(net->training.games == 19'600);
        CHECK(error > 0);
        CHECK(error_of_others > 0);
        CHECK(error_of_others < 0.4);
        game.use(make_evaluator(std::make_shared<const Net>(std::move(*net)), game));
        CHECK(values.share_kept(game) > 0.9);
    }
}

TEST_CASE("a learner of recorded games goes on from what it saved") {
    game::Game game = rules_of("tic-tac-toe");
    const Records records = random_games(game, 300, [](const game::State&, std::vector<float>&) {});
    for (const ModelKind model : models) {
        TrainerOptions options = options_for(records, model, 5);
        const std::string saved = check_resumed(game, options, 640, 640).saved;
        options.records = std::make_shared<const Records>(records.begin(), records.begin() + 200);
        CHECK_FALSE(parse_checkpoint(saved, game, options));
    }
}

TEST_CASE("openings that nobody chose, and positions where a loud move was made, teach nothing") {
    game::Game game = rules_of("chess");
    RecordedGame recorded = played(game, "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5");
    recorded.utilities = {1, -1};
    CHECK(positions_of(game, recorded) == 4); // not the two captures
    const float none = std::numeric_limits<float>::quiet_NaN();
    recorded.values = {none, none, 0.1F, -0.1F, 0.1F, -0.1F, 0.1F, -0.1F, 0.1F, -0.1F};
    recorded.values.insert(recorded.values.begin(), {none, none});
    CHECK(positions_of(game, recorded) == 2); // nor the two before anybody thought
    recorded.values[10] = recorded.values[11] = none;
    CHECK(positions_of(game, recorded) == 2); // a forced move is worth what comes of it
    recorded.utilities.clear();
    CHECK(positions_of(game, recorded) == 2);
}

TEST_CASE("before a chance event, and not after it, positions are learned from") {
    game::Game game = rules_of("pig");
    RecordedGame recorded{.start = slots_of(game, game.initial()), .moves = {}, .values = {}, .utilities = {1, 0}};
    game::State state = game.initial(), next;
    game::MoveList moves;
    std::size_t chosen = 1;
    for (int i = 0; i < 6; ++i) {
        const game::NodeKind kind = game.expand(state, moves);
        REQUIRE(kind != game::NodeKind::Terminal);
        if (i < 5) chosen += kind == game::NodeKind::Decision ? 1 : 0;
        recorded.moves.push_back(moves.id(0));
        REQUIRE(game.successor(state, moves, 0, next));
        std::swap(state, next);
    }
    CHECK(chosen < 6);
    CHECK(positions_of(game, recorded) == chosen);
}

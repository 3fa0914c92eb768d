// What learners save, and go on from.

#include "tests/unit/learn/learned.hpp"

#include "learn/checkpoint.hpp"

#include <atomic>
#include <cmath>

using namespace zug;
using namespace zug::learn;

TEST_CASE("a learner that goes on from what it saved learns what it would have learned") {
    for (const char* name : {"tic-tac-toe", "pig"})
        for (const ModelKind model : models) {
            CAPTURE(name);
            game::Game game = rules_of(name);
            TrainerOptions options;
            options.model = model;
            options.games = 501;
            check_resumed(game, options, 123, 130);
        }
}

TEST_CASE("the same with opponents of the past, who are saved, too") {
    game::Game game = rules_of("tic-tac-toe");
    for (const ModelKind model : models) {
        TrainerOptions options;
        options.model = model;
        options.games = 501;
        options.past = 0.5;
        const Resumed resumed = check_resumed(game, options, 123, 130);
        CHECK(parse_checkpoint(resumed.saved, game, options)->past.size() > 0);
        options.past = 0;
        CHECK(learn::learn(game, options)->model != resumed.rest.model);
        CHECK_FALSE(parse_checkpoint(resumed.saved, game, options));
    }
}

TEST_CASE("what was saved by another learner, or is damaged, is refused") {
    game::Game game = rules_of("tic-tac-toe"), other = rules_of("pig");
    TrainerOptions options;
    options.games = 20;
    std::string saved;
    options.checkpoint = [&](const Checkpoint& now) { saved = checkpoint_text(now); };
    REQUIRE(learn::learn(game, options));
    REQUIRE(parse_checkpoint(saved, game, options));
    CHECK(parse_checkpoint(saved, other, options).error().text == "it was learned for other rules or parameters");
    for (std::size_t length = 0; length < saved.size(); length += 101)
        CHECK_FALSE(parse_checkpoint(saved.substr(0, length), game, options));
    std::string changed = saved;
    changed[changed.size() / 2] ^= 1;
    CHECK(parse_checkpoint(changed, game, options).error().text == "it is damaged");
    options.seed = 2;
    CHECK_FALSE(parse_checkpoint(saved, game, options));
    options.seed = 1;
    options.threads = 2;
    CHECK_FALSE(parse_checkpoint(saved, game, options));
    options.threads = 1;
    options.model = ModelKind::Network;
    CHECK_FALSE(parse_checkpoint(saved, game, options));
    auto wild = *parse_checkpoint(saved, game, TrainerOptions{});
    wild.numbers[0] = NAN;
    CHECK_FALSE(parse_checkpoint(checkpoint_text(wild), game, TrainerOptions{}));
    wild.numbers[0] = 0;
    wild.numbers.pop_back();
    CHECK_FALSE(learn::learn(game, TrainerOptions{}, &wild));
}

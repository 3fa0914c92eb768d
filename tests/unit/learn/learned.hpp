#pragma once
// Games of rules/, and what is learned of them.

#include "lang/load.hpp"
#include "learn/checkpoint.hpp"
#include "learn/net.hpp"
#include "learn/trainer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace zug::learn {

inline game::Game rules_of(const std::string& name, const lang::Overrides& overrides = {}) {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", overrides);
    REQUIRE(loaded.program);
    return game::Game(loaded.program);
}

inline constexpr std::array models = {ModelKind::Tuples, ModelKind::Network};

inline Net learned(game::Game& game, std::uint64_t games, ModelKind model = ModelKind::Tuples, std::uint64_t seed = 1) {
    TrainerOptions options;
    options.games = games;
    options.seed = seed;
    options.model = model;
    auto net = learn::learn(game, options);
    REQUIRE(net);
    return std::move(*net);
}

inline std::vector<std::uint32_t> slots_of(const game::Game& game, const game::State& state) {
    std::vector<std::uint32_t> slots;
    const_cast<game::Game&>(game).executor().store(state, slots);
    return slots;
}

// Learns all that the options ask for; and again, but stopped after `stop` games, from what was saved after `kept`,
// which must come to the same. Rates fall with the games that are to be played, so it is stopped, not asked for less.
struct Resumed {
    Net rest;
    std::string saved;
};
inline Resumed check_resumed(game::Game& game, TrainerOptions options, std::uint64_t kept, std::uint64_t stop) {
    std::string saved;
    std::atomic<bool> stopped = false;
    options.checkpoint = [&](const Checkpoint& now) { saved = checkpoint_text(now); };
    options.checkpoint_seconds = 1000;
    const auto whole = learn::learn(game, options);
    REQUIRE(whole);
    options.checkpoint_seconds = 0;
    options.checkpoint = [&](const Checkpoint& now) {
        if (now.training.games <= kept) saved = checkpoint_text(now);
        stopped = now.training.games >= stop;
    };
    options.stop = &stopped;
    REQUIRE(learn::learn(game, options));
    stopped = false;
    options.checkpoint = nullptr;
    const auto from = parse_checkpoint(saved, game, options);
    REQUIRE(from);
    CHECK(from->training.games == kept);
    auto rest = learn::learn(game, options, &*from);
    REQUIRE(rest);
    CHECK(rest->training.games == options.games);
    CHECK(rest->training.positions == whole->training.positions);
    CHECK(rest->model == whole->model);
    return {std::move(*rest), std::move(saved)};
}

} // namespace zug::learn

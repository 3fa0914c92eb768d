#pragma once
// Games of rules/, and what is learned of them.

#include "lang/load.hpp"
#include "learn/net.hpp"
#include "learn/trainer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
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

} // namespace zug::learn

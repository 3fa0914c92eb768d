#pragma once
// The games of rules/.

#include "game/game.hpp"
#include "lang/load.hpp"
#include "tests/library.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace zug {

inline const std::filesystem::path rules = std::filesystem::path(ZUG_SOURCE_DIR) / "rules";

inline game::Game load_rules(const std::string& name, const lang::Overrides& parameters = {}) {
    const lang::Loaded loaded = lang::load_file((rules / (name + ".zug")).string(), parameters);
    REQUIRE_MESSAGE(loaded.program, name << " doesn't load");
    return game::Game(loaded.program);
}

// Sorted.
inline std::vector<std::string> names_of_rules() {
    std::vector<std::string> names;
    for (const auto& file : test::sample(test::library(), 3)) names.push_back(file.stem().string());
    return names;
}

} // namespace zug

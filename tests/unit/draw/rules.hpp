#pragma once
// The games of rules/.

#include "game/game.hpp"
#include "lang/load.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

namespace zug {

inline const std::filesystem::path rules = std::filesystem::path(ZUG_SOURCE_DIR) / "rules";

inline game::Game load_rules(const std::string& name, const lang::Overrides& parameters = {}) {
    const lang::Loaded loaded = lang::load_file((rules / (name + ".zug")).string(), parameters);
    REQUIRE_MESSAGE(loaded.program, name << " doesn't load");
    return game::Game(loaded.program);
}

// Sorted. A build with sanitizers takes every fifth: it spends its time on loading them, which other tests look at.
inline std::set<std::string> names_of_rules() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(rules))
        if (entry.path().extension() == ".zug" && entry.path().stem() != "prelude")
            names.insert(entry.path().stem().string());
#ifdef ZUG_SANITIZED
    std::size_t number = 0;
    std::erase_if(names, [&](const std::string&) { return number++ % 5 != 0; });
#endif
    return names;
}

} // namespace zug

#pragma once
// Games of rules/ for targets whose input is a text about one of them: its first character chooses.

#include "game/game.hpp"
#include "lang/load.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace zug::fuzz {

inline game::Game load_text(const std::string& text) {
    const auto loaded = lang::load_text("fuzz.zug", text);
    require(loaded.program != nullptr, "the text loads");
    return game::Game(loaded.program, game::ExecutorKind::Interpreter);
}

inline game::Game load(const std::string& name, const lang::Overrides& params = {},
                       game::ExecutorKind kind = game::ExecutorKind::Interpreter) {
    const auto loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", params);
    require(loaded.program != nullptr, "a file of rules/ loads");
    return game::Game(loaded.program, kind);
}

// With formats of their own, chains of steps, chance, counts, three players, rows of glyphs, sets.
inline constexpr std::array names = {"chess", "tic-tac-toe", "backgammon",        "english-draughts",
                                     "kalah", "hex",         "three-mens-morris", "truel"};

// A game, and the same run by the reference executor.
struct Pair {
    game::Game game, reference;
};

// Calls target(pair, rest of the text) with the game that the first character chooses.
template <class Target>
void with_game(const std::uint8_t* data, std::size_t size, Target&& target) {
    static std::vector<Pair> pairs = [] {
        std::vector<Pair> all;
        for (const char* name : names) all.push_back({load(name), load(name, {}, game::ExecutorKind::Reference)});
        return all;
    }();
    if (size == 0) return;
    target(pairs[data[0] % pairs.size()], std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1));
}

// Errors are for people: something, not a book.
inline void require_fit_for_people(const std::string& text) {
    require(!text.empty(), "what is wrong is said");
    require(text.size() < 20'000, "what is wrong is said in few words");
}

} // namespace zug::fuzz

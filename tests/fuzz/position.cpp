// A position of a game as text. Whatever it says, the parser ends with an error that can be shown, or with a position
// that is written and read back the same, that can be drawn, and on which the interpreter agrees with the reference
// executor: many positions are none that play could reach.

#include "tests/fuzz/games.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

namespace {

using namespace zug;
using fuzz::require;

std::vector<std::uint64_t> ids(const run::MoveList& moves) {
    std::vector<std::uint64_t> result;
    for (std::size_t i = 0; i < moves.size(); ++i) result.push_back(moves.id(i));
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<std::uint32_t> slots_of(game::Game& game, const game::State& state) {
    std::vector<std::uint32_t> slots;
    game.executor().store(state, slots);
    return slots;
}

void compare(game::Game& game, game::Game& other, const game::State& state) {
    game::State same, next, other_next;
    other.executor().load(slots_of(game, state), same);
    game::MoveList moves, other_moves;
    game.clear_fault();
    other.clear_fault();
    const game::NodeKind kind = game.expand(state, moves);
    require(other.expand(same, other_moves) == kind, "the executors see the same kind of node");
    require(ids(moves) == ids(other_moves), "the executors find the same moves");
    if (kind == game::NodeKind::Fault) return require(!game.fault_text().empty(), "a fault is described");
    const auto texts = game.move_texts(state, moves);
    require(std::set(texts.begin(), texts.end()).size() == texts.size(), "no two moves have the same text");
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < std::min(moves.size(), most); ++i) {
        const auto j = other_moves.find(moves.id(i));
        const bool done = game.successor(state, moves, i, next);
        require(other.successor(same, other_moves, j.value_or(other_moves.size()), other_next) == done,
                "the executors find the same faults");
        if (done) require(slots_of(game, next) == slots_of(other, other_next), "the executors reach the same state");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::with_game(data, size, [](fuzz::Pair& pair, std::string_view text) {
        game::Game& game = pair.game;
        const auto state = game.parse_position(text);
        if (!state) return fuzz::require_fit_for_people(state.error().text);
        const std::string written = game.position_text(*state);
        const auto again = game.parse_position(written);
        require(again.has_value(), "a position that was written can be read");
        require(slots_of(game, *again) == slots_of(game, *state), "it is the same position");
        require(!game.draw(*state, false).empty(), "a position can be drawn");
        compare(game, pair.reference, *state);
    });
    return 0;
}

#pragma once
// Where pieces go: pairs of sites that a step of a legal move leads from and to, found by playing.

#include "game/game.hpp"

#include <compare>
#include <vector>

namespace zug::draw::board {

struct Travel {
    std::size_t from = 0, to = 0;

    friend auto operator<=>(const Travel&, const Travel&) = default;
};

// The sites among the parameters of a step, in their order; a direction after a site counts as the site that it leads
// to. With their boards.
struct Visit {
    ir::BoardId board{};
    std::size_t site = 0;
};
std::vector<Visit> visits_of(const ir::Program& program, game::StepCode step);

// The places of tracks (ir::PlaceLook) among the parameters of a step, as the player who makes it counts them.
struct PlaceVisit {
    std::size_t track = 0, place = 0; // an index into the looks, and an ordinal
};
std::vector<PlaceVisit> place_visits_of(const ir::Program& program, game::StepCode step);

// By board: what legal moves of up to `positions` positions of random games show, without repetition, sorted. The same
// each time. Nothing is played where no rule moves from one site to another.
std::vector<std::vector<Travel>> travels_of(const game::Game& game, std::size_t positions);

} // namespace zug::draw::board

#pragma once
// What stands behind the library's headers.

#include "api/game.hpp"
#include "api/numbering.hpp"
#include "api/observation.hpp"
#include "game/game.hpp"

#include <memory>
#include <string>
#include <vector>

namespace zug::api {

struct Inner {
    game::Game game;
    Numbering numbering;
    std::shared_ptr<const State::Node> start{};
    std::shared_ptr<const Observer> observer{}; // made when it is asked for

    explicit Inner(game::Game of) : game(std::move(of)), numbering(game.program()) {}
};

// A position, and what is known about it. The list of moves is made when the position is reached, so that a rule that
// fails is an error of the move, and everything else can't fail.
struct State::Node {
    game::State state;
    game::NodeKind kind = game::NodeKind::Terminal;
    game::MoveList moves;
    std::vector<double> utilities;
    mutable std::vector<std::string> texts; // of the moves; made when they are asked for

    static tl::expected<std::shared_ptr<const Node>, Error> of(Inner& inner, game::State state);
};

} // namespace zug::api

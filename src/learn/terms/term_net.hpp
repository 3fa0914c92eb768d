#pragma once
// Weights of the terms of the file's eval (ir::Program::terms): the evaluation of A. L. Samuel's draughts program.

#include "game/evaluator.hpp"
#include "game/game.hpp"
#include "learn/model/output_scale.hpp"

#include <memory>
#include <string>
#include <vector>

namespace zug::learn {

struct TermNet {
    std::vector<std::string> terms; // their texts, for people
    std::vector<double> weights;    // of the leads in each term (Game::lead): what they add to the sum that is scaled
    std::vector<double> spread;     // by term: the root of the mean square of its lead in random games
    OutputScale scale;

    friend bool operator==(const TermNet&, const TermNet&) = default;
};

// Whether it is of the game's terms.
bool fits(const TermNet& net, const game::Game& game);

// The weights as multiples of those written in the file, by the factor that brings their sums closest: this is how they
// would be written there.
std::vector<double> as_written(const TermNet& net, const game::Game& game);

// Compiles the rules again with the weights as constants.
std::unique_ptr<game::Evaluator> make_evaluator(const TermNet& net, const game::Game& game);

} // namespace zug::learn

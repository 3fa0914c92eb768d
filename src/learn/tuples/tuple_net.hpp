#pragma once
// Patterns, the weights of their combinations, and what becomes of the sum of those that a position selects: the
// n-tuple network (inputs.hpp).

#include "game/evaluator.hpp"
#include "learn/model/output_scale.hpp"
#include "learn/model/viewpoint.hpp"
#include "learn/tuples/inputs.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace zug::learn {

struct TupleNet {
    Viewpoint viewpoint;
    Inputs inputs;
    std::uint32_t outputs = 1; // 1: the first player's utility, or with an exchange that of who is to move; else each's
    OutputScale scale;
    double unit = 1;                   // a step of a weight
    std::vector<std::int16_t> weights; // by stage, then weight, then output

    friend bool operator==(const TupleNet&, const TupleNet&) = default;
};

// Whether every position of the game selects weights that there are.
bool fits(const TupleNet& net, const game::Game& game);

// The net must outlive it; `owner` is kept until then.
std::unique_ptr<game::Evaluator> make_evaluator(const TupleNet& net, std::shared_ptr<const void> owner);

} // namespace zug::learn

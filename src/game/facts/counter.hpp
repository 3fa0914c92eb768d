#pragma once
// State variables that the key of a draw by repetition may leave out: see history.hpp for why that matters.

#include "game/facts/reading.hpp"

#include <functional>
#include <optional>
#include <span>

namespace zug::game {

// Whether the expression is this variable and nothing else.
bool is_get(const ir::Program& program, ir::ExprId expr, ir::StateId id);
// Whether the clause pays zero to every player.
bool is_draw(const ir::EndClause& clause, const ir::Program& program);

// For a comparison of a counter with a constant (`n = k`, `n >= k` or `n > k`, in any of the forms that the checker
// produces): the least value of the counter for which it holds. None for any other expression. `counts` tells whether
// an expression is the counter.
std::optional<std::int64_t> least_count(const ir::Program& program, ir::ExprId comparison,
                                        const std::function<bool(ir::ExprId)>& counts);

struct Counter {
    bool goes_back = false; // some move sets it to a constant
};
std::optional<Counter> find_counter(const ir::Program& program, std::span<const ProgramPoint> points, ir::StateId id);

// A part `{s = v | can rule(.., s, ..) for foe}` of a key: whether v is s for some s that the rule can use as that
// parameter. The other arguments, and quantifiers around it, are arbitrary.
struct PartialUse {
    ir::RuleId rule{};
    std::size_t parameter = 0;
};
std::optional<PartialUse> find_partial_use(const ir::Program& program, ir::ExprId part, ir::StateId id);
// Whether only that rule reads the variable, and only to compare that parameter with it.
bool used_only_by(const ir::Program& program, std::span<const ProgramPoint> points, ir::StateId id,
                  const PartialUse& use);

} // namespace zug::game

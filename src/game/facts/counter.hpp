#pragma once
// State variables that the draw by repetition may leave out of its key: see history.hpp for what that is good for.

#include "game/facts/reading.hpp"

#include <functional>
#include <optional>
#include <span>

namespace zug::game {

// Whether the expression is this variable and nothing else.
bool is_get(const ir::Program& program, ir::ExprId expr, ir::StateId id);
// Whether the clause pays zero to every player.
bool is_draw(const ir::EndClause& clause, const ir::Program& program);

// The least value of the counted number for which a comparison with a constant, which it must be, holds: of `n = k`,
// `n >= k` and `n > k`, in whichever way the checker writes them. `counts`: whether an expression is that number.
std::optional<std::int64_t> least_count(const ir::Program& program, ir::ExprId comparison,
                                        const std::function<bool(ir::ExprId)>& counts);

struct Counter {
    bool goes_back = false; // some move sets it to a constant
};
std::optional<Counter> find_counter(const ir::Program& program, std::span<const Place> places, ir::StateId id);

// A key's part `{s = v | can rule(.., s, ..) for foe}`: v in so far as the rule can use it as that parameter. The other
// arguments, and quantifiers around, are the file's choice.
struct PartialUse {
    ir::RuleId rule{};
    std::size_t parameter = 0;
};
std::optional<PartialUse> find_partial_use(const ir::Program& program, ir::ExprId part, ir::StateId id);
// Whether nothing but that rule reads the variable, and only to compare that parameter with it.
bool used_only_by(const ir::Program& program, std::span<const Place> places, ir::StateId id, const PartialUse& use);

} // namespace zug::game

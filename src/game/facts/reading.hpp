#pragma once
// The places of a program that decide what happens in the game and who gets what, and what is read at each.

#include "ir/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::game {

// An expression and where it stands. Evaluations, notations and tests decide nothing and are left out.
struct Place {
    enum class Kind : std::uint8_t { When, Weight, Then, Ensure, Turn, EndCondition, Payoff };
    Kind kind = Kind::When;
    ir::RuleId rule = none_id<ir::RuleId>; // of the first four
    std::size_t end = 0;                   // of the last two: which clause
    ir::ExprId expr = none_id<ir::ExprId>;
    ir::StateId target = none_id<ir::StateId>; // of a value that is assigned or added to a place: the variable
    bool adds = false;
    bool repeated = false; // inside a `for`
};

std::vector<Place> places_of(const ir::Program& program);
// What happens there, in words: "`play` asks in `ensure`", "`end` asks".
std::string place_text(const ir::Program& program, const Place& place, const std::string& verb);
// Whether some effect says `again`.
bool says_again(const ir::Program& program);

// Whether expressions depend on one thing, calls included. What a `can` asks its rule says by itself.
class Mentions {
public:
    // On a variable; or on an operation, with this `imm` only if one is given.
    Mentions(const ir::Program& program, ir::StateId state);
    Mentions(const ir::Program& program, ir::Op op, std::optional<std::int64_t> imm = {});

    bool in(ir::ExprId expr);

private:
    bool here(const ir::Expr& e) const;
    bool search(ir::ExprId expr);

    const ir::Program& program_;
    ir::StateId state_ = none_id<ir::StateId>;
    ir::Op op_ = ir::Op::Const;
    std::optional<std::int64_t> imm_;
    std::vector<char> seen_; // by ExprId: looked at before, without a find
};

} // namespace zug::game

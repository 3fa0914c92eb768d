#pragma once
// The program points that decide what happens in the game and who gets what, and what is read at each.

#include "ir/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::game {

// An expression and where in the program it is evaluated. Evaluations, notations and tests decide nothing and are left
// out.
struct ProgramPoint {
    enum class Kind : std::uint8_t { When, Weight, Then, Ensure, Turn, EndCondition, Payoff };
    Kind kind = Kind::When;
    ir::RuleId rule = none_id<ir::RuleId>; // of the first four
    std::size_t end = 0;                   // of the last two: which clause
    ir::ExprId expr = none_id<ir::ExprId>;
    ir::StateId target = none_id<ir::StateId>; // of a value that is assigned or added to a slot: the variable
    bool adds = false;
    bool repeated = false; // inside a `for`
};

std::vector<ProgramPoint> program_points(const ir::Program& program);
// What happens at a program point, in words: "`play` asks in `ensure`", "`end` asks".
std::string point_text(const ir::Program& program, const ProgramPoint& point, const std::string& verb);
// Whether some effect says `again`.
bool says_again(const ir::Program& program);

// Whether expressions depend on a given thing, directly or through calls. The rule that a `can` refers to is not
// followed: its own program points say what it reads.
class Mentions {
public:
    // On a state variable; or on an operation, if `imm` is given only with that immediate.
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
    std::vector<char> seen_; // by ExprId: searched before, nothing found
};

} // namespace zug::game

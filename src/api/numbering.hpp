#pragma once
// Fixed numbers for steps: the step codes of all move rules (or of all chance rules) one after the other, then a pass
// where the game has one, then the end of a chain where moves are chains.

#include "executor/move_list.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace zug::api {

class Numbering {
public:
    explicit Numbering(const ir::Program& program);

    std::int64_t actions() const { return actions_; }
    std::int64_t outcomes() const { return outcomes_; }
    // Ends a chain of steps; below 0 where moves are no chains.
    std::int64_t end_of_chain() const { return end_; }
    // Of a step of a move or an outcome.
    std::int64_t number(run::StepCode code) const;
    // The step of an action (or of an outcome) that is neither a pass nor the end of a chain.
    run::StepCode code(std::int64_t number, bool chance) const;
    std::string text(const ir::Program& program, std::int64_t number, bool chance) const;

private:
    struct Range {
        std::uint64_t first_code = 0, codes = 0;
        std::int64_t first_number = 0;
        bool chance = false;
    };
    std::vector<Range> ranges_; // by first code
    std::int64_t actions_ = 0, outcomes_ = 0, pass_ = -1, end_ = -1;
};

} // namespace zug::api

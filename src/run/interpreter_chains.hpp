#pragma once
// How the interpreter makes the steps of a chain, in its frame (see chain_search.hpp).

#include "run/chain_search.hpp"
#include "run/interpreter.hpp"

namespace zug::run {

class InterpreterChains {
public:
    using Slot = std::uint64_t;
    using Run = ChainRun<Slot>;

    // `start`: the state words. Leaves the frame's state changed.
    InterpreterChains(Interpreter& game, std::span<const std::uint64_t> start);

    std::vector<Run> moves() { return ChainSearch(*game_.program().turn, *this).moves({start_.begin(), start_.end()}); }
    std::vector<Run> steps(ir::RuleId rule, const Run& from);
    double most(std::uint32_t chain, const Run& run);
    std::array<std::uint64_t, 2> by(const Run& run);
    bool finish(Run& run);
    bool failed() const { return failed_; }

private:
    void enter(const Run& run);
    // Takes what the effects did to the frame into the run: the mover stays until the chain is over.
    void leave(Run& run);
    void fail(ir::RuleId rule, const Run& run);

    Interpreter& game_;
    std::span<const std::uint64_t> start_;
    std::uint32_t mover_;
    bool failed_ = false;
};

} // namespace zug::run

#pragma once
// How the interpreter makes the steps of a chain, in its frame (see chain_search.hpp).

#include "run/chain_search.hpp"
#include "run/interpreter.hpp"

namespace zug::run {

class InterpreterChains {
public:
    using Words = boost::container::small_vector<std::uint64_t, State::inline_words>;
    using Run = ChainRun<Words>;

    // `start`: the state words. Leaves the frame's state changed.
    InterpreterChains(Interpreter& game, std::span<const std::uint64_t> start);

    std::vector<Run> moves() { return search().moves({start_.begin(), start_.end()}); }
    bool any() { return search().any({start_.begin(), start_.end()}); }
    bool can_step(ir::RuleId rule, const Run& from);
    void steps(ir::RuleId rule, const Run& from, std::vector<Run>& out);
    double most(std::uint32_t chain, const Run& run);
    WordsHash by(const Run& run);
    bool finish(Run& run);
    bool failed() const { return failed_; }

private:
    ChainSearch<InterpreterChains> search() { return {*game_.program().turn, *this}; }
    void enter(const Run& run);
    // Takes what the effects did to the frame into the run: the mover stays until the chain is over.
    void leave(Run& run);
    void take_turn(Run& run);
    void fail(ir::RuleId rule, const Run& run);

    Interpreter& game_;
    std::span<const std::uint64_t> start_;
    std::uint32_t mover_;
    bool failed_ = false;
    std::vector<StepCode> found_;
};

} // namespace zug::run

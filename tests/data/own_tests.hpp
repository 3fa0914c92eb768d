#pragma once
// The tests that a rule file contains.

#include "game/self_test.hpp"
#include "lang/load.hpp"

#include <functional>

namespace zug::data {

// Runs them; `load` loads the text with other parameters. With the interpreter it also searches for values, and counts
// lines of play for which the reference executor is too slow.
game::TestReport run_own_tests(const lang::Loaded& loaded, game::ExecutorKind executor,
                               const std::function<lang::Loaded(const lang::Overrides&)>& load);

} // namespace zug::data

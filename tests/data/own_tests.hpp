#pragma once
// The tests that a rule text carries in itself.

#include "game/self_test.hpp"
#include "lang/load.hpp"

#include <functional>

namespace zug::data {

// Runs them; `load` loads the text with other parameters. With the interpreter values are looked for, too, and lines of
// play counted that the reference executor would take long for.
game::TestReport run_own_tests(const lang::Loaded& loaded, game::ExecutorKind executor,
                               const std::function<lang::Loaded(const lang::Overrides&)>& load);

} // namespace zug::data

#pragma once
// The reference evaluator: simple, slow, and the definition of what a program means.

#include "executor/executor.hpp"

#include <memory>

namespace zug::run {

std::unique_ptr<Executor> make_reference(std::shared_ptr<const ir::Program> program);

} // namespace zug::run

#pragma once
// What a searched node says about its value: run/claim.hpp, which executors share that search in routines of their own.

#include "game/line.hpp"

namespace zug::search {

using game::above;
using game::at_depth;
using game::Claim;
using game::proven;
using game::Reason;
using game::unknown;
using game::Window;

} // namespace zug::search

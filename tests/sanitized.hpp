#pragma once
// What a build with sanitizers does less of, where the same paths through the code are run with smaller numbers: it
// looks for wrong uses of memory and undefined behaviour, and results are what the release build looks at.

#include <cstddef>

namespace zug::test {

#ifdef ZUG_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// A test that takes minutes there goes through one seed or position in so many.
inline constexpr std::size_t one_in = sanitized ? 4 : 1;
// The same of the games that come with Zug.
inline constexpr std::size_t one_game_in = sanitized ? 6 : 1;

// How many of them that leaves.
constexpr std::size_t some_of(std::size_t all) { return (all + one_in - 1) / one_in; }

} // namespace zug::test

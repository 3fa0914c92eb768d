#pragma once
// Which Zug this is.

#include <string>

namespace zug::cli {

// `zug 0.1.0 (c5fbcd80a, Release)`: the version, the commit that it was built from (with `-dirty` where files differed
// from it, `unknown` where the sources are neither a clone nor from `git archive`), and the build type.
std::string version_text();

} // namespace zug::cli

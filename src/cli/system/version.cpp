#include "cli/system/version.hpp"

#include "commit.hpp" // generated: by itself, since it changes with every commit

#include <fmt/format.h>

namespace zug::cli {

std::string version_text() { return fmt::format("zug {} ({}, {})", ZUG_VERSION, ZUG_COMMIT, ZUG_BUILD_TYPE); }

} // namespace zug::cli

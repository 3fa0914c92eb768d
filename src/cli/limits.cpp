#include "cli/limits.hpp"

#include "base/process/memory.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/sandbox_rights.hpp"
#include "native/cache.hpp"

#include <cstdlib>

namespace zug::cli {

void add_limit_options(Command& command, Limits& limits) {
    if (!command.has("--time"))
        add_time_option(command, "--time", limits.seconds, "End after so long, as in 500ms or 10m");
    if (!command.has("--memory"))
        add_bytes_option(command, "--memory", limits.memory,
                         "The limit of memory, as in 8G (default: three quarters of free memory)")
            .positive();
    command.add_flag("--sandbox", limits.sandbox,
                     "Let the process touch nothing but the files it needs, and no network (Linux)");
}

bool enforce(const Limits& limits, const Command& command, std::span<const std::string> words) {
    if (limits.sandbox) { // first, since threads and children that there are already stay outside
        // What is left in this part of the cache is run and believed only by other processes in the sandbox.
        if (const auto cache = native::cache_folder(); !cache.empty())
            ::setenv("ZUG_CACHE", (cache / "sandbox").c_str(), 1);
        if (const auto done = enter_sandbox(sandbox_rights(command, words)); !done) {
            complain(done.error().text);
            return false;
        }
    }
    if (limits.seconds > 0) limit_time(limits.seconds);
    const std::uint64_t free = free_memory();
    if (limits.memory != 0)
        limit_memory(limits.memory);
    else if (free != UINT64_MAX)
        limit_memory(free / 4 * 3);
    return true;
}

} // namespace zug::cli

#include "cli/limits.hpp"

#include "cli/interrupt.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"

namespace zug::cli {

void add_limit_options(Command& command, Limits& limits) {
    if (!command.has("--time"))
        add_time_option(command, "--time", limits.seconds, "End after so long, as in 500ms or 10m");
    if (!command.has("--memory"))
        add_bytes_option(command, "--memory", limits.memory,
                         "The limit of memory, as in 8G (default: three quarters of free memory)");
}

void enforce(const Limits& limits) {
    if (limits.seconds > 0) limit_time(limits.seconds);
    const std::uint64_t free = free_memory();
    if (limits.memory != 0)
        limit_memory(limits.memory);
    else if (free != UINT64_MAX)
        limit_memory(free / 4 * 3);
}

} // namespace zug::cli

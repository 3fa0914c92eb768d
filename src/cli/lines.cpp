#include "cli/lines.hpp"

#include "cli/interrupt.hpp"

#include <array>
#include <cerrno>
#include <unistd.h>

namespace zug::cli {

std::optional<std::string> Lines::next() {
    for (;;) {
        const auto end = buffer_.find('\n');
        if (end != std::string::npos || (ended_ && !buffer_.empty())) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end == std::string::npos ? end : end + 1);
            if (line.ends_with('\r')) line.pop_back();
            return line;
        }
        if (ended_ || interrupted()) return std::nullopt;
        std::array<char, 4096> chunk;
        const auto count = read(STDIN_FILENO, chunk.data(), chunk.size());
        if (count > 0)
            buffer_.append(chunk.data(), static_cast<std::size_t>(count));
        else if (!(count < 0 && errno == EINTR))
            ended_ = true;
    }
}

bool Lines::interactive() const { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

} // namespace zug::cli

#include "cli/lines.hpp"

#include "cli/interrupt.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <unistd.h>

namespace zug::cli {

std::optional<std::string> Lines::next() {
    constexpr std::size_t longest = (1U << 20U) + 1; // no move is as long, nor a request to `zug engine`
    std::size_t searched = 0;
    for (;;) {
        const auto end = buffer_.find('\n', searched);
        if (end != std::string::npos || (ended_ && !buffer_.empty())) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end == std::string::npos ? end : end + 1);
            line.resize(std::min(line.size(), longest));
            if (line.ends_with('\r')) line.pop_back();
            return line;
        }
        if (ended_ || interrupted()) return std::nullopt;
        buffer_.resize(std::min(buffer_.size(), longest)); // the rest of a longer line is dropped
        searched = buffer_.size();
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

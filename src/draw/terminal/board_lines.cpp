#include "draw/terminal/board_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace zug::draw::terminal {

void BoardLines::add(Place from, Place to) {
    if (from.x == to.x || from.y == to.y)
        straight(from, to);
    else
        slanted(from, to);
}

void BoardLines::straight(Place from, Place to) {
    if (from.x > to.x || from.y > to.y) std::swap(from, to);
    const bool across = from.y == to.y;
    for (Place at = from; at != to;) {
        straight_[{at.x, at.y}] |= across ? east : south;
        ++(across ? at.x : at.y);
        straight_[{at.x, at.y}] |= across ? west : north;
    }
}

// A character is about twice as high as it is wide.
void BoardLines::slanted(Place from, Place to) {
    const int across = to.x - from.x, down = to.y - from.y;
    const bool falls = (across > 0) == (down > 0), flat = std::abs(across) > 4 * std::abs(down);
    const int count = flat ? std::abs(across) / 2 : std::abs(down);
    for (int i = 1; i < count; ++i) {
        const double part = static_cast<double>(i) / count;
        const std::pair at{from.x + static_cast<int>(std::lround(part * across)),
                           from.y + static_cast<int>(std::lround(part * down))};
        const std::string sign = flat    ? std::string(empty_sign(screen_))
                                 : falls ? (screen_.unicode ? "╲" : "\\")
                                         : (screen_.unicode ? "╱" : "/");
        std::string& there = slanted_[at];
        there = there.empty() || there == sign ? sign : screen_.unicode ? "╳" : "X";
    }
}

std::string BoardLines::crossing(Place at) const {
    constexpr std::array<const char*, 16> signs{"",  "╶", "╷", "┌", "╴", "─", "┐", "┬",
                                                "╵", "└", "│", "├", "┘", "┴", "┤", "┼"};
    const auto found = straight_.find({at.x, at.y});
    if (found == straight_.end()) return {};
    const unsigned leads = found->second;
    if (screen_.unicode) return std::has_single_bit(leads) ? std::string(empty_sign(screen_)) : signs[leads];
    return (leads & (north | south)) == 0 ? "-" : (leads & (east | west)) == 0 ? "|" : "+";
}

void BoardLines::write(Characters& page) const {
    for (const auto& [at, sign] : slanted_) page.write({at.first, at.second}, sign, faint_colour);
    for (const auto& [at, leads] : straight_)
        page.write({at.first, at.second}, crossing({at.first, at.second}), faint_colour);
}

} // namespace zug::draw::terminal

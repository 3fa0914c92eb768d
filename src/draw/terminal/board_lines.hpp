#pragma once
// The lines of a board of points on a page of characters.

#include "draw/terminal/characters.hpp"
#include "draw/terminal/signs.hpp"

#include <map>

namespace zug::draw::terminal {

class BoardLines {
public:
    explicit BoardLines(const Screen& screen) : screen_(screen) {}

    // Between two places, which it leads to but does not cover.
    void add(Place from, Place to);
    void write(Characters& page) const;
    // The character for a place where lines end or meet; empty: none of those that go straight.
    std::string crossing(Place at) const;

private:
    static constexpr unsigned east = 1, south = 2, west = 4, north = 8;

    void straight(Place from, Place to);
    void slanted(Place from, Place to);

    const Screen& screen_;
    std::map<std::pair<int, int>, unsigned> straight_; // by column and line: where lines lead to from there
    std::map<std::pair<int, int>, std::string> slanted_;
};

} // namespace zug::draw::terminal

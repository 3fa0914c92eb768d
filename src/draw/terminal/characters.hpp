#pragma once
// A page of characters, each with a colour, that is written in any order.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace zug::draw::terminal {

// Of lines and labels: grey on most terminals.
inline constexpr std::string_view faint_colour = "black";

struct Place {
    int x = 0, y = 0; // columns to the right and lines down, also below 0

    friend bool operator==(Place, Place) = default;
};

class Characters {
public:
    // From here to the right. `colour`: a word of the language, or empty.
    void write(Place at, std::string_view text, std::string_view colour = {});
    bool is_free(Place at) const;
    // The first line or column that is written on, and that after the last.
    int left() const;
    int right() const;
    int bottom() const;
    // Lines from the top one down, all moved right or left so that the first column is that of left().
    std::string lines(bool colour) const;

private:
    struct Character {
        std::string text;
        std::string colour;
    };
    std::map<int, std::map<int, Character>> rows_;
};

// How many columns a text takes, each character counting as one.
int columns_of(std::string_view text);

} // namespace zug::draw::terminal

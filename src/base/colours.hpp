#pragma once
// The colours of glyphs: their names in rule files, and their codes for terminals (ANSI, select graphic rendition).

#include <array>
#include <string_view>

namespace zug {

struct Colour {
    std::string_view name, code;
};

inline constexpr std::array<Colour, 10> colours{{{"black", "90"},
                                                 {"red", "31"},
                                                 {"green", "32"},
                                                 {"yellow", "33"},
                                                 {"blue", "34"},
                                                 {"magenta", "35"},
                                                 {"violet", "35"},
                                                 {"cyan", "36"},
                                                 {"white", "1"},
                                                 {"orange", "38;5;208"}}};

} // namespace zug

#pragma once
// Shared by the tests of the checker: short games, and what was said about them.

#include "lang/load.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace zug::lang {

struct Location {
    std::string file;
    std::size_t line = 1, column = 1;
};

// The location of a byte in a text; columns count bytes, as the tests' files are ASCII.
inline Location location_of(const diag::Sources& sources, Span span) {
    Location location{.file = sources.name(span.file)};
    const std::string& text = sources.text(span.file);
    for (std::size_t i = 0; i < std::min<std::size_t>(span.begin, text.size()); ++i) {
        location.column = text[i] == '\n' ? 1 : location.column + 1;
        location.line += text[i] == '\n' ? 1 : 0;
    }
    return location;
}

inline std::vector<std::string> slugs(const Loaded& loaded) {
    std::vector<std::string> result;
    for (const auto& diagnostic : loaded.report.sorted()) result.emplace_back(diag::info(diagnostic.message).slug);
    return result;
}

inline std::string said(const Loaded& loaded) { return diag::render(loaded.sources, loaded.report); }

// A game on a 4 by 4 grid whose end pays `value` to A: a constant expression's value can be read off the payoff.
inline std::string game_with(const std::string& declarations, const std::string& value) {
    return "game \"Test\"\nplayers A, B\nboard cell = grid(4, 4)\nstate at: cell -> player? = A on row(1), B on {a4, "
           "d4}\n" +
           declarations +
           "\nmove mark(c: cell)\n  when c in empty\n  then at[c] := me\nend when no empty\n  payoff A = " + value +
           "\n  payoff B = 0\n";
}

} // namespace zug::lang

#pragma once
// Rules that a visitor plays by: of the library, or a text that they write.

#include "protocols/session/game_source.hpp"
#include "web/commands.hpp"

#include <string>
#include <vector>

namespace zug::web {

struct Rules {
    lang::Loaded loaded;
    std::string name; // in the library; empty: a text
    std::string file; // its path
};

// A game of the library. Its description: what stands before it in its file.
struct LibraryGame {
    std::string name, path, title, about;
    std::size_t players = 0; // 0: the file has errors
    bool chance = false;
};

// Reads all files. Cost: milliseconds for each.
std::vector<LibraryGame> library_of(const std::vector<std::string>& paths, const lang::Folders& folders);
Json library_json(const std::vector<LibraryGame>& games);

// The rules as they are written, without those that they extend.
const std::string& text_of(const Rules& rules);
// All that is wrong with them: places in the text as ranges of characters of UTF-16, as pages count them.
Json diagnostics_json(const lang::Loaded& loaded);
// The first error as a sentence: `size: found ..., expected ...` where the parameter is wrong, else with its file and
// line.
std::string first_error(const lang::Loaded& loaded);

// A game by these rules, which must be without errors. Rules of a text run in the interpreter, so that they take no
// more than their own evaluation: no machine code is made of them.
game::Game game_of(const Rules& rules, game::ExecutorKind executor);

} // namespace zug::web

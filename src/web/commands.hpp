#pragma once
// What the page may ask the server: a request is a JSON object in the form of those of `zug engine`
// (protocols/engine_request.hpp), with a table of commands of its own. A game is named by the `room` that `open` gave;
// a position by the moves and outcomes of chance that lead to it from the start.

#include "protocols/engine_request.hpp"

#include <span>

namespace zug::web {

using protocols::Json;
using protocols::Request;
using Answered = tl::expected<Json, Error>;

//   games     the library
//   check     what is wrong with a text of rules
//   open      begins a game of the library, or of a text of rules; in `room`: instead of the game there
//   show      a position: boards, panel, moves with the sites that they name
//   move      the move of a position that a person calls so, as the game writes it
//   picture   the same as one SVG, for a file
//   record    the game as a file for other programs, in one of the forms that `open` lists; `players`: their names
//   search    begins a search of a position, or says `wait`; `progress` tells what it has found, and its end; a search
//             whose progress nobody asks for ends
//   stop      ends the search
//   values    what the solved database says of a position and its moves
std::span<const protocols::CommandForm> web_commands();

} // namespace zug::web

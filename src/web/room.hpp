#pragma once
// A game that a visitor plays: its rules, and the position that they look at. The page keeps the moves and their
// variations, and says with each request which position it means.

#include "draw/board/picture.hpp"
#include "protocols/session/game_line.hpp"
#include "records/typed_move.hpp"
#include "solve/database/query.hpp"
#include "web/rules.hpp"
#include "web/thinking.hpp"

#include <mutex>
#include <optional>
#include <string>

namespace zug::web {

class GameRoom {
public:
    // The rules must be without errors. The last two must outlive the room.
    GameRoom(Rules rules, game::ExecutorKind executor, const SearchBounds& bounds, SharedSearches& shared);

    // What the page needs to begin: the game, its parameters, its rules.
    Json about();
    // One of the commands show, move, picture, record, search, progress, stop and values. Thread-safe; only progress
    // and stop don't wait for others.
    Answered answer(const Request& request);

private:
    Answered answer_in_turn(const Request& request);
    Answered show(const Request& request);
    Answered move(const Request& request);
    Answered picture(const Request& request);
    Answered record(const Request& request);
    Answered search(const Request& request);
    Answered values();
    Json moves_json(const game::MoveList& moves);
    // The clause that ended the game as it stands in its file; empty: it can't be told.
    std::string reason();
    std::optional<draw::board::LastMove> last_move(const Request& request);
    tl::expected<std::string, Error> drawn(const Request& request, draw::board::Part part);

    std::mutex turn_; // of requests
    Rules rules_;
    protocols::GameLine line_;
    std::optional<solve::Database> database_;
    std::string no_database_; // why there is none; empty: none was looked for
    Thinking thinking_;
    std::optional<records::TypedMoves> typed_moves_; // none: nobody has typed yet
};

} // namespace zug::web

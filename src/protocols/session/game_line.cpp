#include "protocols/session/game_line.hpp"

#include "game/notation.hpp"

#include <utility>

namespace zug::protocols {

GameLine::GameLine(game::Game game) : game_(std::move(game)), states_{game_.initial()} {}

tl::expected<void, Error> GameLine::extend(std::vector<game::State>& states, std::string_view moves) {
    std::vector<std::uint64_t> ids;
    if (auto last = game_.play_line(states.back(), moves, &ids); !last) return tl::unexpected(last.error());
    game::MoveList list;
    for (const std::uint64_t id : ids) {
        game_.expand(states.back(), list);
        const auto move = list.find(id);
        game::State next;
        if (!move || !game_.successor(states.back(), list, *move, next)) return failure(game_.fault_text());
        states.push_back(std::move(next));
    }
    return {};
}

tl::expected<void, Error> GameLine::set(std::string_view position, std::string_view moves) {
    const bool more = position_ == position && moves.starts_with(moves_) &&
                      (moves_.empty() || moves.size() == moves_.size() || game::is_separator(moves[moves_.size()]));
    std::vector<game::State> states = states_;
    // A text with blanks may be meant that goes across the end of the moves before: then all of them are read again.
    if (!more || !extend(states, moves.substr(moves_.size()))) {
        states = {game_.initial()};
        if (!position.empty()) {
            auto first = game_.parse_position(position);
            if (!first) return tl::unexpected(first.error());
            states.front() = std::move(*first);
        }
        if (auto done = extend(states, moves); !done) return done;
    }
    states_ = std::move(states);
    position_ = position;
    moves_ = moves;
    return {};
}

tl::expected<void, Error> GameLine::play(std::string_view moves) {
    std::vector<game::State> states = states_;
    if (auto done = extend(states, moves); !done) return done;
    states_ = std::move(states);
    position_.reset();
    return {};
}

void GameLine::push(game::State state) {
    states_.push_back(std::move(state));
    position_.reset();
}

void GameLine::begin(game::State state) {
    states_ = {std::move(state)};
    position_.reset();
}

bool GameLine::undo(std::size_t plies) {
    if (plies > this->plies()) return false;
    states_.resize(states_.size() - plies);
    position_.reset();
    return true;
}

} // namespace zug::protocols

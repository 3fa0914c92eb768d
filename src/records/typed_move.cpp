#include "records/typed_move.hpp"

#include "game/notation.hpp"

#include <algorithm>
#include <string>

namespace zug::records {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The line without `1.` and `2...`, which stand before moves with or without a blank between. Others are kept: a number
// behind other characters of a word (`a1.5`) is none of these.
std::string without_numbers(std::string_view line) {
    std::string out;
    while (!line.empty()) {
        const bool begins = out.empty() || game::is_separator(out.back());
        const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(line, is_digit) - line.begin());
        const std::size_t dots = std::min(line.find_first_not_of('.', digits), line.size()) - digits;
        if (begins && digits > 0 && dots > 0) {
            line.remove_prefix(digits + dots);
            continue;
        }
        out += line.front();
        line.remove_prefix(1);
    }
    return out;
}

} // namespace

// What is wrong is said of the game's own way, unless chess players would call several moves so.
tl::expected<std::size_t, Error> TypedMoves::find(game::Game& game, const game::State& state,
                                                  const game::MoveList& moves, std::string_view text) const {
    auto own = game.parse_move(state, moves, text);
    if (own || !san_) return own;
    const auto called_so = san_->called(game, state, moves, text);
    if (called_so.size() == 1) return called_so.front();
    return called_so.empty() ? own : san_->find(game, state, moves, text);
}

tl::expected<game::State, Error> TypedMoves::play_line(game::Game& game, const game::State& from, std::string_view line,
                                                       std::vector<std::uint64_t>* ids) const {
    if (!san_) return game.play_line(from, line, ids);
    return game.play_line(from, without_numbers(line), ids,
                          [&](const game::State& state, const game::MoveList& moves, std::string_view text) {
                              return find(game, state, moves, text);
                          });
}

} // namespace zug::records

// Games from portable game notation.

#include "engines/clients.hpp"
#include "records/game_text.hpp"
#include "records/pgn.hpp"
#include "records/pgn_symbols.hpp"
#include "records/san.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zug::records {

namespace {

class PgnReader {
public:
    PgnReader(game::Game& game, const std::string& file, std::string_view text)
        : game_(game), file_(file), text_(text), san_(San::of(game)), white_(engines::is_white(game, 0) ? 0 : 1) {}

    tl::expected<match::GameRecord, Error> record_of(const PgnGame& game) {
        Replayed replayed(game_, file_);
        auto& players = replayed.record().players;
        if (const PgnTag* white = game.tag("White")) players[white_] = white->value;
        if (const PgnTag* black = game.tag("Black")) players[1 - white_] = black->value;
        if (const PgnTag* position = game.tag("FEN")) {
            auto from = game_.parse_position(position->value);
            if (!from) return failure_at(text_, position->offset, from.error().text);
            replayed.begin_from(std::move(*from));
        }
        for (const PgnWord& word : game.moves)
            if (auto made = make(replayed, word); !made)
                return failure_at(text_, word.offset, made.error().text + variant(game));
        if (auto done = end(replayed, game); !done) return tl::unexpected(done.error());
        return std::move(replayed.record());
    }

private:
    tl::expected<void, Error> make(Replayed& replayed, const PgnWord& word) {
        // A move's number without its dot; no move of chess is one.
        if (san_ && word.text.find_first_not_of("0123456789") == word.text.npos) return {};
        const auto moves = replayed.moves();
        if (!moves) return failure(fmt::format("`{}`: {}", word.text, moves.error().text));
        auto move = san_ ? san_->find(game_, replayed.state(), **moves, word.text)
                         : game_.parse_move(replayed.state(), **moves, word.text);
        if (!move && san_) {
            const std::string_view plain = word.text.substr(0, word.text.find_last_not_of("+#!?") + 1);
            if (const auto own = game_.parse_move(replayed.state(), **moves, plain)) move = own;
        }
        if (!move) return tl::unexpected(move.error());
        return replayed.make(*move);
    }

    // Where the record may be of another game.
    std::string variant(const PgnGame& game) const {
        const PgnTag* tag = game.tag("Variant");
        return !tag || tag->value == game_.program().title
                   ? ""
                   : fmt::format(" (the record is of {}, and this is {})", tag->value, game_.program().title);
    }

    tl::expected<void, Error> end(Replayed& replayed, const PgnGame& game) {
        std::optional<std::uint32_t> winner;
        if (game.result.text == "1-0") winner = white_;
        if (game.result.text == "0-1") winner = 1 - white_;
        const std::size_t offset = game.result.text.empty() ? game.offset : game.result.offset;
        if (auto done = replayed.end(winner, game.result.text); !done)
            return failure_at(text_, offset, done.error().text);
        const match::GameRecord& record = replayed.record();
        if (record.end != match::End::Finished || game.result.text.empty() || game.result.text == "*") return {};
        const double lead = record.utilities[white_] - record.utilities[1 - white_];
        const std::string_view by_rules = lead > 0 ? "1-0" : lead < 0 ? "0-1" : "1/2-1/2";
        if (by_rules == game.result.text) return {};
        return failure_at(text_, offset,
                          fmt::format("the record says {}, and by the rules it is {}", game.result.text, by_rules));
    }

    game::Game& game_;
    const std::string& file_;
    std::string_view text_;
    std::optional<San> san_;
    std::uint32_t white_; // a player
};

} // namespace

void read_pgn(game::Game& game, const std::string& file, std::string_view text, const match::TakeRecord& take) {
    PgnReader reader(game, file, text);
    PgnSymbols symbols(text);
    take_games(text, symbols, reader, take);
}

} // namespace zug::records

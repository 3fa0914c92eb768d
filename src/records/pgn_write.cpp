// Games as portable game notation.

#include "engines/clients.hpp"
#include "records/pgn.hpp"
#include "records/san.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zug::records {

namespace {

constexpr std::size_t longest_line = 79;

std::string tag(std::string_view name, std::string_view value) {
    std::string escaped;
    for (const char c : value) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c == '\n' ? ' ' : c;
    }
    return fmt::format("[{} \"{}\"]\n", name, escaped);
}

// Words, in lines that are not too long.
class Lines {
public:
    void add(std::string_view word) {
        if (length_ > 0) {
            const bool fits = length_ + 1 + word.size() <= longest_line;
            text_ += fits ? ' ' : '\n';
            length_ = fits ? length_ + 1 : 0;
        }
        text_ += word;
        length_ += word.size();
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
    std::size_t length_ = 0;
};

std::string_view result_of(const match::GameRecord& record, std::uint32_t white) {
    if (!match::is_scored(record.end)) return "*";
    const double lead = record.utilities[white] - record.utilities[1 - white];
    return lead > 0 ? "1-0" : lead < 0 ? "0-1" : "1/2-1/2";
}

tl::expected<std::string, Error> moves_of(game::Game& game, const match::GameRecord& record, std::uint32_t white,
                                          game::State state, std::string_view result) {
    const auto san = San::of(game);
    Lines lines;
    game::MoveList moves;
    std::size_t number = 1;
    bool numbered = false; // the last move was White's, and has its number
    for (const std::string& text : record.moves) {
        if (game.expand(state, moves) == game::NodeKind::Fault) return failure(game.fault_text());
        const auto move = game.parse_move(state, moves, text);
        if (!move) return tl::unexpected(move.error());
        const std::string written = san ? san->text(game, state, moves, *move) : text;
        if (written.find_first_of(" \t{}();[]\"$") != written.npos || written == "*")
            return failure(
                fmt::format("PGN is not for {}: `{}` is not a word by itself", game.program().title, written));
        const bool white_moves = game.to_move(state) == white;
        if (white_moves && numbered) ++number;
        if (white_moves || !numbered) lines.add(fmt::format("{}{}", number, white_moves ? "." : "..."));
        lines.add(written);
        if (!white_moves) ++number;
        numbered = white_moves;
        game::State next;
        if (!game.successor(state, moves, *move, next)) return failure(game.fault_text());
        state = std::move(next);
    }
    lines.add(result);
    return lines.text();
}

} // namespace

std::string pgn_refusal(const game::Game& game) {
    if (game.players() == 2 && !game.traits().chance) return "";
    return fmt::format("PGN is for games of two players without chance, and {} is not one", game.program().title);
}

tl::expected<std::string, Error> to_pgn(game::Game& game, const match::GameRecord& record) {
    if (std::string why = pgn_refusal(game); !why.empty()) return failure(std::move(why));
    const std::uint32_t white = engines::is_white(game, 0) ? 0 : 1;
    const std::string_view result = result_of(record, white);
    // The seven tags that the standard asks for, in its order.
    std::string text = tag("Event", "?") + tag("Site", "?") + tag("Date", "????.??.??") +
                       tag("Round", std::to_string(record.index + 1)) + tag("White", record.players[white]) +
                       tag("Black", record.players[1 - white]) + tag("Result", result) +
                       tag("Variant", game.program().title);
    game::State state = game.initial();
    if (!record.from.empty()) {
        auto from = game.parse_position(record.from);
        if (!from) return tl::unexpected(from.error());
        state = std::move(*from);
        text += tag("SetUp", "1") + tag("FEN", record.from);
    }
    const auto moves = moves_of(game, record, white, std::move(state), result);
    if (!moves) return tl::unexpected(moves.error());
    return text + "\n" + *moves + "\n\n";
}

} // namespace zug::records

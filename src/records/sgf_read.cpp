// Games from smart game format.

#include "base/text.hpp"
#include "engines/stones.hpp"
#include "records/game_text.hpp"
#include "records/sgf.hpp"
#include "records/sgf_board.hpp"
#include "records/sgf_tree.hpp"

#include <fmt/format.h>

#include <utility>

namespace zug::records {

namespace {

bool is_move(const SgfProperty& property) { return property.name == "B" || property.name == "W"; }

class SgfReader {
public:
    SgfReader(game::Game& game, SgfBoard board, const std::string& file, std::string_view text)
        : game_(game), board_(board), file_(file), text_(text) {}

    tl::expected<match::GameRecord, Error> record_of(const SgfLine& line) {
        if (auto fits = check_size(line); !fits) return tl::unexpected(fits.error());
        if (auto fits = check_komi(line); !fits) return tl::unexpected(fits.error());
        Replayed replayed(game_, file_);
        auto& players = replayed.record().players;
        if (const SgfValue* black = line.about("PB")) players[board_.player('B')] = black->text;
        if (const SgfValue* white = line.about("PW")) players[board_.player('W')] = white->text;
        if (auto done = set_up(replayed, line); !done) return tl::unexpected(done.error());
        for (std::size_t i = 0; i < line.nodes.size(); ++i)
            for (const SgfProperty& property : line.nodes[i]) {
                const SgfValue& value = property.values.front();
                const bool setup = property.name == "AB" || property.name == "AW" || property.name == "AE";
                if (setup && i > 0)
                    return failure_at(text_, value.offset, "stones are placed in the middle of the game");
                if (!is_move(property)) continue;
                if (auto made = make(replayed, property); !made)
                    return failure_at(text_, value.offset, made.error().text);
            }
        const SgfValue* result = line.about("RE");
        if (auto done = end(replayed, result); !done)
            return failure_at(text_, result ? result->offset : line.offset, done.error().text);
        return std::move(replayed.record());
    }

private:
    tl::expected<void, Error> check_size(const SgfLine& line) const {
        const SgfValue* size = line.about("SZ");
        if (!size) return {};
        const std::size_t colon = size->text.find(':');
        const auto width = number_in<std::int32_t>(trimmed(std::string_view(size->text).substr(0, colon)));
        const auto height = colon == std::string::npos
                                ? width
                                : number_in<std::int32_t>(trimmed(std::string_view(size->text).substr(colon + 1)));
        if (!width || !height)
            return failure_at(text_, size->offset, "SZ is a number, or two of them, as in 19 or 19:13");
        const engines::Vertices& vertices = board_.vertices();
        if (*width == vertices.width() && *height == vertices.height()) return {};
        return failure_at(text_, size->offset,
                          fmt::format("the record is of a board of {} by {}, and here it is {} by {}; -D sets it",
                                      *width, *height, vertices.width(), vertices.height()));
    }

    tl::expected<void, Error> check_komi(const SgfLine& line) const {
        const SgfValue* komi = line.about("KM");
        const ir::Param* here = komi_of(game_.program());
        if (!komi || !here || number_in<double>(trimmed(komi->text)) == number_in<double>(here->value)) return {};
        return failure_at(text_, komi->offset,
                          fmt::format("the record was played with a komi of {}, and here it is {}; -D sets it",
                                      komi->text, here->value));
    }

    // The stones that are there from the beginning, and who moves first.
    tl::expected<void, Error> set_up(Replayed& replayed, const SgfLine& line) {
        std::vector<engines::Stone> stones;
        for (const SgfProperty& property : line.nodes.front()) {
            if (property.name != "AB" && property.name != "AW") continue;
            for (const SgfValue& value : property.values) {
                const auto points = board_.points_in(value.text);
                if (points.empty())
                    return failure_at(text_, value.offset, fmt::format("there is no point `{}`", value.text));
                for (const engines::Point point : points) stones.push_back({point, board_.player(property.name[1])});
            }
        }
        auto from = engines::position_with(game_, board_.vertices(), stones, first_player(line));
        if (!from) return failure_at(text_, line.offset, from.error().text);
        replayed.begin_from(std::move(*from));
        return {};
    }

    // By PL, else by the first move.
    std::uint32_t first_player(const SgfLine& line) const {
        if (const SgfValue* first = line.about("PL"); first && !first->text.empty())
            return board_.player(first->text[0] == 'W' || first->text[0] == 'w' ? 'W' : 'B');
        for (const SgfNode& node : line.nodes)
            for (const SgfProperty& property : node)
                if (is_move(property)) return board_.player(property.name[0]);
        return game_.to_move(game_.initial());
    }

    tl::expected<void, Error> make(Replayed& replayed, const SgfProperty& property) {
        const std::string& text = property.values.front().text;
        const auto moves = replayed.moves();
        if (!moves) return failure(fmt::format("{}[{}]: {}", property.name, text, moves.error().text));
        if (game_.to_move(replayed.state()) != board_.player(property.name[0]))
            return failure(fmt::format("{}[{}]: it is the other player's turn", property.name, text));
        const auto illegal = [&] { return failure(fmt::format("{}[{}] is not a legal move", property.name, text)); };
        // On boards of up to 19 lines `tt` is a pass, as it was in earlier versions of the format.
        constexpr std::int32_t most_lines = 19;
        const bool old_pass = text == "tt" && board_.vertices().width() <= most_lines;
        if (const auto point = board_.point_in(text)) {
            const auto move = board_.vertices().find(game_.program(), **moves, *point);
            return move ? replayed.make(*move) : illegal();
        }
        const auto move = game_.parse_move(replayed.state(), **moves, text.empty() || old_pass ? "pass" : text);
        return move ? replayed.make(*move) : illegal();
    }

    // Where the rules say how it ended the record may differ: people agree on which stones are dead.
    tl::expected<void, Error> end(Replayed& replayed, const SgfValue* result) {
        std::optional<std::uint32_t> winner;
        if (result && (result->text.starts_with("B+") || result->text.starts_with("W+")))
            winner = board_.player(result->text[0]);
        return replayed.end(winner, result ? result->text : "");
    }

    game::Game& game_;
    SgfBoard board_;
    const std::string& file_;
    std::string_view text_;
};

} // namespace

void read_sgf(game::Game& game, const std::string& file, std::string_view text, const match::TakeRecord& take) {
    const auto board = SgfBoard::of(game);
    if (!board) {
        take(1, failure(fmt::format("1:1: {}", board.error().text)));
        return;
    }
    SgfReader reader(game, *board, file, text);
    SgfTrees trees(text);
    take_games(text, trees, reader, take);
}

} // namespace zug::records

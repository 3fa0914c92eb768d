#include "tournament/openings.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"
#include "records/typed_move.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zug::tournament {

namespace {

// Takes the word off the front of the text, if it begins with it.
bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word) || (text.size() > word.size() && blanks.find(text[word.size()]) == blanks.npos))
        return false;
    text = trimmed(text.substr(word.size()));
    return true;
}

tl::expected<Opening, Error> parse_opening(std::string_view text, game::Game& game, const records::TypedMoves& typed) {
    Opening opening;
    opening.start = game.initial();
    game::State last = opening.start;
    if (take_word(text, "position")) {
        auto position = game.parse_position(text);
        if (!position) return tl::unexpected(position.error());
        last = opening.start = std::move(*position);
        if (game.hash(opening.start) != game.hash(game.initial())) opening.from = game.position_text(opening.start);
    } else {
        take_word(text, "moves");
        auto played = typed.play_line(game, opening.start, text, &opening.line);
        if (!played) return tl::unexpected(played.error());
        last = std::move(*played);
    }
    const game::NodeKind kind = game.kind(last);
    if (kind == game::NodeKind::Terminal) return failure("the game is over after this opening");
    if (kind == game::NodeKind::Fault) {
        std::string fault = game.fault_text();
        game.clear_fault();
        return failure(std::move(fault));
    }
    return opening;
}

} // namespace

tl::expected<std::vector<Opening>, Error> parse_openings(std::string_view text, game::Game& game) {
    std::vector<Opening> openings;
    const records::TypedMoves typed(game);
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#')) continue;
        auto opening = parse_opening(line, game, typed);
        if (!opening) return failure(fmt::format("line {}: {}", number, opening.error().text));
        openings.push_back(std::move(*opening));
    }
    if (openings.empty()) return failure("there is no opening in it");
    return openings;
}

std::string openings_digest(const std::vector<Opening>& openings) {
    std::string all;
    for (const Opening& opening : openings) all += fmt::format("{}|{}\n", opening.from, fmt::join(opening.line, " "));
    return digest_text(digest_of({reinterpret_cast<const std::uint8_t*>(all.data()), all.size()}));
}

} // namespace zug::tournament

// From the texts of moves to their indices in a list.

#include "game/game.hpp"
#include "game/notation.hpp"

#include "base/nearest.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace zug::game {

namespace {

constexpr std::size_t shown_moves = 12;

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
    return text;
}

// `#3`: the third move.
std::optional<std::size_t> number_of(std::string_view text) {
    return text.starts_with('#') ? number_in<std::size_t>(text.substr(1)) : std::nullopt;
}

// Suggests moves: the most similar one, else those that begin alike, else all.
std::string likely(std::string_view text, const std::vector<std::string>& texts) {
    if (const std::string near = nearest(text, texts); !near.empty()) return fmt::format("; did you mean `{}`?", near);
    std::vector<std::string> candidates;
    for (const auto& candidate : texts)
        if (!text.empty() && lowered(candidate).starts_with(lowered(text.substr(0, 2))))
            candidates.push_back(candidate);
    if (candidates.empty()) candidates = texts;
    const std::size_t more = candidates.size() - std::min(candidates.size(), shown_moves);
    candidates.resize(candidates.size() - more);
    return fmt::format("; {} legal: {}{}", texts.size() == 1 ? "the only move is" : "among those that are",
                       fmt::join(candidates, "  "), more > 0 ? fmt::format("  and {} more", more) : "");
}

// The indices of the texts equal to `text`, exactly or without regard to case.
std::vector<std::size_t> matches(std::string_view text, const std::vector<std::string>& texts, bool exact) {
    std::vector<std::size_t> found;
    const std::string low = lowered(text);
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (exact ? texts[i] == text : lowered(texts[i]) == low) found.push_back(i);
    return found;
}

// The only move that ends in `text` after its rule's name: `e4` for `place e4`.
std::optional<std::size_t> unique_tail(std::string_view text, const std::vector<std::string>& texts) {
    const std::string tail = ' ' + lowered(text);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!lowered(texts[i]).ends_with(tail) || texts[i].find(' ') != texts[i].size() - tail.size()) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

} // namespace

std::vector<std::string> Game::move_texts(const State& state, const MoveList& moves) {
    return game::move_texts(program(), slots(state), moves);
}

std::string Game::move_text(const State& state, const MoveList& moves, std::size_t i) {
    return move_texts(state, moves)[i];
}

tl::expected<std::size_t, Error> Game::parse_move(const State& state, const MoveList& moves, std::string_view text) {
    text = trimmed(text);
    if (moves.empty()) return failure("there is no move here: the game is over");
    if (text.empty()) return failure("no move given");
    const auto texts = move_texts(state, moves);
    if (const auto exact = matches(text, texts, true); !exact.empty()) return exact.front();
    const auto similar = matches(text, texts, false);
    if (similar.size() == 1) return similar.front();
    if (similar.size() > 1)
        return failure(
            fmt::format("`{}` may be `{}` or `{}`: mind the case", text, texts[similar[0]], texts[similar[1]]));
    if (const auto tail = unique_tail(text, texts)) return *tail;
    if (const auto reordered = leading_move(text, texts, traits_.has_chains);
        reordered && reordered->length == text.size())
        return reordered->move;
    if (const auto number = number_of(text)) {
        if (*number >= 1 && *number <= moves.size()) return *number - 1;
        return failure(fmt::format("there is no move {}; the list has {}", echoed(text), moves.size()));
    }
    return failure(fmt::format("`{}` is not a legal move{}", echoed(text), likely(text, texts)));
}

tl::expected<State, Error> Game::play_line(const State& from, std::string_view line, std::vector<std::uint64_t>* ids,
                                           const ReadMove& read) {
    State state = from;
    State next;
    MoveList moves;
    line = trimmed(line);
    for (std::size_t ply = 1; !line.empty(); ++ply) {
        const std::string_view word =
            line.substr(0, static_cast<std::size_t>(std::ranges::find_if(line, is_separator) - line.begin()));
        const NodeKind node = expand(state, moves);
        if (node == NodeKind::Fault) return failure(fault_text());
        if (node == NodeKind::Terminal)
            return failure(fmt::format("move {}, `{}`: the game is over before it", ply, echoed(word)));
        const auto texts = move_texts(state, moves);
        std::size_t chosen = 0;
        std::size_t length = word.size();
        if (const auto found = leading_move(line, texts, traits_.has_chains)) {
            chosen = found->move;
            length = found->length;
        } else {
            const auto parsed = read ? read(state, moves, word) : parse_move(state, moves, word);
            if (!parsed) return failure(fmt::format("move {}: {}", ply, parsed.error().text));
            chosen = *parsed;
        }
        if (!successor(state, moves, chosen, next)) return failure(fault_text());
        if (ids != nullptr) ids->push_back(moves.id(chosen));
        std::swap(state, next);
        line = trimmed(line.substr(length));
    }
    return state;
}

} // namespace zug::game

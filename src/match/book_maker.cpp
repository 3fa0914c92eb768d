#include "match/book_maker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

namespace zug::match {

using game::NodeKind;
using game::State;

BookMaker::BookMaker(const game::Game& game)
    : title_(game.program().title), lowest_(game.traits().min_utility),
      range_(game.traits().max_utility - game.traits().min_utility) {}

BookMaker::Entry& BookMaker::entry(game::Game& game, const State& state, std::span<const std::string> line) {
    const auto [at, added] = entries_.try_emplace(game.position_text(state));
    if (added) at->second.line.assign(line.begin(), line.end());
    return at->second;
}

void BookMaker::add(game::Game& game, const GameRecord& record, std::uint32_t plies) {
    if (!record.from.empty() || record.utilities.size() != game.players()) return;
    State state = game.initial(), next;
    game::MoveList moves;
    for (std::size_t ply = 0; ply < std::min<std::size_t>(plies, record.moves.size()); ++ply) {
        const NodeKind kind = game.expand(state, moves);
        const auto i = game.parse_move(state, moves, record.moves[ply]);
        if (!i) return;
        if (kind == NodeKind::Decision) {
            const std::span line = std::span(record.moves).first(ply);
            Move& move = entry(game, state, line).moves[game.move_text(state, moves, *i)];
            move.weight += range_ > 0 ? (record.utilities[game.to_move(state)] - lowest_) / range_ : 1;
            ++move.games;
        }
        if (!game.successor(state, moves, *i, next)) return;
        std::swap(state, next);
    }
}

tl::expected<game::MoveList, Error> BookMaker::ask(game::Game& game, const Open& open, const Choose& choose) {
    game::MoveList moves;
    const NodeKind kind = game.expand(open.state, moves);
    if (kind == NodeKind::Fault) return failure(game.fault_text());
    if (kind != NodeKind::Decision) return moves;
    const auto chosen = choose(open.state, moves);
    if (!chosen) return tl::unexpected(chosen.error());
    for (const std::size_t i : *chosen)
        entry(game, open.state, open.line).moves[game.move_text(open.state, moves, i)] = {1, 1};
    return moves;
}

tl::expected<void, Error> BookMaker::explore(game::Game& game, std::uint32_t plies, const Choose& choose) {
    std::deque<Open> open{{game.initial(), {}}}; // by the length of the lines
    std::unordered_set<std::string> met;
    for (State next; !open.empty() && open.front().line.size() < plies; open.pop_front()) {
        const Open& here = open.front();
        const auto moves = ask(game, here, choose);
        if (!moves) return tl::unexpected(moves.error());
        for (std::size_t i = 0; i < moves->size(); ++i) {
            if (!game.successor(here.state, *moves, i, next)) return failure(game.fault_text());
            if (!met.insert(game.position_text(next)).second) continue;
            if (met.size() > most_positions)
                return failure(fmt::format("the first {} plies have more than {} positions; ask for fewer plies", plies,
                                           most_positions));
            open.push_back({next, here.line});
            open.back().line.push_back(game.move_text(here.state, *moves, i));
        }
    }
    return {};
}

std::string BookMaker::text(std::uint64_t least) const {
    std::vector<std::pair<std::size_t, std::string>> lines;
    for (const auto& [position, entry] : entries_) {
        std::vector<std::pair<double, std::string>> kept;
        for (const auto& [text, move] : entry.moves)
            if (move.games >= least && move.weight > 0) kept.emplace_back(-move.weight, text);
        if (kept.empty()) continue;
        std::ranges::sort(kept);
        std::vector<std::string> replies;
        for (const auto& [weight, text] : kept) replies.push_back(fmt::format("{} {:g}", text, -weight));
        const std::string before = entry.line.empty() ? "" : fmt::format("{} ", fmt::join(entry.line, "; "));
        lines.emplace_back(entry.line.size(), fmt::format("{}-> {}\n", before, fmt::join(replies, "; ")));
    }
    std::ranges::sort(lines);
    std::string result = fmt::format("# {}\n", title_);
    for (const auto& [plies, line] : lines) result += line;
    return result;
}

} // namespace zug::match

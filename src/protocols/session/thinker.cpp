#include "protocols/session/thinker.hpp"

#include "match/game_clock.hpp"
#include "protocols/session/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zug::protocols {

tl::expected<match::PlayerSpec, Error> player_of(std::string_view text, game::Game& game, std::uint64_t memory) {
    auto spec = match::parse_player(text);
    if (!spec) return spec;
    if (spec->kind == match::PlayerKind::Human) return failure("`human` is a person, and a protocol needs a program");
    if (match::is_outside(spec->kind))
        return failure("other programs play in `zug match`; here a player of this program is needed");
    // What only some methods would take counts where the text asks for it.
    const search::Options& options = spec->search.options;
    const std::size_t kept = options.memory == search::Options().memory ? 0 : options.memory;
    if (const std::uint64_t most = std::max(options.table_bytes, kept); most > memory)
        return failure(fmt::format("player `{}` may take {} MB of memory, and here it must be at most {}", text,
                                   most >> 20U, memory >> 20U));
    match::suit_people(*spec);
    if (std::string why = match::unsuitable(*spec, game); !why.empty()) return failure(std::move(why));
    return spec;
}

// The depth keeps a search from setting a share of the time apart for a proof, and the time makes it deepen.
search::Limits endless() {
    constexpr double no_time_limit = 1e9;
    search::Limits limits;
    limits.depth = search::max_depth;
    limits.seconds = no_time_limit;
    return limits;
}

Thinker::Thinker(const game::Game& game, match::PlayerSpec spec)
    : game_(game.clone()), texts_(game.clone()), spec_(std::move(spec)) {}

void Thinker::new_game(std::uint64_t seed) {
    seed_ = seed;
    for (const auto& player : players_)
        if (player) player->new_game(seed);
}

// Which method `auto` is depends on whether the search is to a depth, so that takes a player of its own.
match::Player& Thinker::player_for(const std::optional<search::Limits>& limits) {
    const bool to_depth =
        limits && limits->depth != search::unlimited_depth && limits->seconds == 0 && limits->nodes == 0;
    auto& player = players_[to_depth ? 1 : 0];
    if (!player) {
        match::PlayerSpec spec = spec_;
        if (to_depth) spec.search.depth = limits->depth;
        player = match::make_player(spec, game_);
        player->new_game(seed_);
    }
    // Once limits have been given the player has them for good: those of its text are then given as others are.
    if (!limits && !was_limited_) return *player;
    search::Limits own = limits ? *limits : own_limits();
    // Playouts know no depth: without another limit they would never end.
    if (to_depth && spec_.search.method == search::Method::MonteCarlo) own.nodes = match::default_nodes;
    player->allow(own);
    was_limited_ = true;
    return *player;
}

search::Limits Thinker::own_limits() const {
    search::Limits limits = spec_.search.limits();
    if (const auto& time = spec_.search.game_time) match::share_time({time->seconds, time->increment}, limits);
    return limits;
}

// A search that was stopped before its first pass has no move yet.
std::optional<std::size_t> Thinker::hurried_move(match::Player& player, const game::State& state) {
    constexpr std::uint64_t few_nodes = 1000;
    search::Limits limits;
    limits.depth = search::max_depth;
    limits.nodes = few_nodes;
    limits.write_line = false;
    const auto found = player.analyse(state, limits);
    return found && !found->pv_ids.empty() ? moves_.find(found->pv_ids.front()) : std::nullopt;
}

tl::expected<std::size_t, Error> Thinker::choose(const Question& question, const Tell& tell,
                                                 const std::atomic<bool>& stop) {
    const auto note = [&](const search::Result& result) {
        findings_ = {.lines = {},
                     .nodes = result.nodes,
                     .seconds = result.seconds,
                     .deepest = result.deepest,
                     .table_share = result.table_share};
        if (!result.value.empty() && !result.pv_ids.empty())
            findings_.lines.push_back(line_of(texts_, question.state, result));
    };
    match::Player& player = player_for(question.limits);
    player.watch([&](const search::Progress& progress) {
        note(progress.result);
        tell(findings_);
    });
    const auto move = player.choose(question.state, moves_, &stop);
    player.watch(nullptr);
    if (!move && move.error().why == match::NoMove::Why::Fault) return failure(move.error().text);
    const search::Result* const result = player.thoughts();
    if (result != nullptr) {
        note(*result);
        tell(findings_);
    }
    if (move) return *move;
    if (!findings_.lines.empty())
        if (const auto best = moves_.find(findings_.lines.front().ids.front())) return *best;
    return hurried_move(player, question.state).value_or(0);
}

tl::expected<std::size_t, Error> Thinker::compare(const Question& question, const Tell& tell,
                                                  const std::atomic<bool>& stop) {
    const auto& wanted = question.candidates;
    const auto is_wanted = [&](std::size_t i) {
        return wanted.empty() || std::ranges::find(wanted, moves_.id(i)) != wanted.end();
    };
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < moves_.size(); ++i)
        if (is_wanted(i)) candidates.push_back(i);
    if (candidates.empty()) return failure("none of the moves to consider is legal");
    match::Player& player = player_for(question.limits);
    if (spec_.kind != match::PlayerKind::Search) {
        game::MoveList some = moves_;
        some.keep_if(is_wanted);
        const auto move = player.choose(question.state, some, &stop);
        if (!move)
            return move.error().why == match::NoMove::Why::Stopped
                       ? tl::expected<std::size_t, Error>(candidates.front())
                       : failure(move.error().text);
        return candidates[*move];
    }
    search::Limits limits = question.limits ? *question.limits : own_limits();
    limits.stop = &stop;
    Comparison comparison(player, texts_, question.state, moves_, std::move(candidates));
    const auto order = comparison.run(limits, question.lines, [&](const Findings& findings) {
        findings_ = findings;
        tell(findings_);
    });
    if (!order) return tl::unexpected(order.error());
    return order->front();
}

tl::expected<Answer, Error> Thinker::answer(const Question& question, const Tell& tell, const std::atomic<bool>& stop) {
    findings_ = {};
    switch (game_.expand(question.state, moves_)) {
    case game::NodeKind::Terminal: return Answer();
    case game::NodeKind::Chance: return failure("chance has the move, no player");
    case game::NodeKind::Fault: {
        std::string fault = game_.fault_text();
        game_.clear_fault();
        return failure(std::move(fault));
    }
    case game::NodeKind::Decision: break;
    }
    const bool all = question.lines <= 1 && question.candidates.empty();
    const auto move = all ? choose(question, tell, stop) : compare(question, tell, stop);
    if (move && findings_.lines.empty() && moves_.size() == 1 && spec_.kind == match::PlayerKind::Search) {
        // The only move is made at once. What it is worth at a glance is told all the same: who asks may show it. An
        // error of the rules is told when they get there.
        Question glance = question;
        glance.limits.emplace().depth = 1;
        static_cast<void>(compare(glance, tell, stop));
    }
    if (!move) return tl::unexpected(move.error());
    Answer answer{.move = *move, .text = texts_.move_text(question.state, moves_, *move), .reply = {}, .findings = {}};
    if (!findings_.lines.empty()) {
        const Line& line = findings_.lines.front();
        if (line.ids.front() == moves_.id(*move) && line.moves.size() > 1) answer.reply = line.moves[1];
    }
    answer.findings = std::move(findings_);
    return answer;
}

tl::expected<void, Error> Thinker::game_over() {
    for (const auto& player : players_)
        if (player)
            if (auto kept = player->game_over(); !kept) return kept;
    return {};
}

} // namespace zug::protocols

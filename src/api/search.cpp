#include "api/search.hpp"

#include "api/inner.hpp"
#include "base/process/memory.hpp"
#include "protocols/session/thinker.hpp"

#include <algorithm>
#include <utility>

namespace zug::api {

struct Player::Thinking {
    protocols::Thinker thinker;

    Thinking(const game::Game& game, match::PlayerSpec spec) : thinker(game, std::move(spec)) {}
};

Player::Player(std::unique_ptr<Thinking> thinking) : thinking_(std::move(thinking)) {}
Player::Player(Player&&) noexcept = default;
Player& Player::operator=(Player&&) noexcept = default;
Player::~Player() = default;

tl::expected<Player, Error> Player::make(const Game& game, std::string_view text, std::uint64_t seed) {
    auto spec = protocols::player_of(text, game.inner()->game, free_memory() / 2);
    if (!spec) return tl::unexpected(spec.error());
    Player player(std::make_unique<Thinking>(game.inner()->game, std::move(*spec)));
    player.forget(seed);
    return player;
}

void Player::forget(std::uint64_t seed) { thinking_->thinker.new_game(seed); }

tl::expected<SearchResult, Error> Player::search(const State& state, const SearchLimits& limits) {
    const std::atomic<bool> never = false;
    protocols::Question question{.state = state.node().state, .limits = {}, .candidates = {}, .lines = limits.lines};
    search::Limits own;
    if (limits.depth > 0) own.depth = std::min(limits.depth, search::max_depth);
    own.nodes = limits.nodes;
    own.seconds = limits.seconds;
    if (limits.depth > 0 || limits.nodes > 0 || limits.seconds > 0) question.limits = own;
    auto answer = thinking_->thinker.answer(
        question, [](const protocols::Findings&) {}, limits.stop != nullptr ? *limits.stop : never);
    if (!answer) return tl::unexpected(answer.error());
    SearchResult result;
    result.move = answer->move;
    result.nodes = answer->findings.nodes;
    result.seconds = answer->findings.seconds;
    for (protocols::Line& line : answer->findings.lines)
        result.lines.push_back({std::move(line.moves), std::move(line.value), line.depth, line.exact});
    return result;
}

} // namespace zug::api

#include "draw/terminal/sides.hpp"

#include "ir/board_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace zug::draw::terminal {

namespace {

enum class Side : std::uint8_t { Bottom, Top, Left, Right };
constexpr std::array sides{Side::Bottom, Side::Top, Side::Left, Side::Right};
constexpr std::size_t games_tried = 40;

std::vector<std::size_t> sites_on(const ir::Board& board, Side side) {
    const auto distance = [&](const ir::Site& site) {
        switch (side) {
        case Side::Bottom: return site.y;
        case Side::Top: return -site.y;
        case Side::Left: return site.x;
        default: return -site.x;
        }
    };
    const std::int32_t least = distance(std::ranges::min(board.sites, {}, distance));
    std::vector<std::size_t> sites;
    for (std::size_t i = 0; i < board.sites.size(); ++i)
        if (distance(board.sites[i]) == least) sites.push_back(i);
    return sites;
}

// Whether it says which player stands on each site of a board.
bool is_of_players(const ir::Program& program, const ir::StateVariable& state) {
    return state.assigned && state.indices.size() == 1 && ir::board_with_rows(program, state.indices[0]) != nullptr &&
           program.types.kind(state.value) == ir::TypeKind::Optional &&
           program.types.kind(program.types.inner(state.value)) == ir::TypeKind::Player;
}

class SideFinder {
public:
    SideFinder(game::Game& game, const ir::StateVariable& state)
        : game_(game), state_(state), board_(*ir::board_with_rows(game.program(), state.indices[0])),
          needed_(game.players()), wins_(game.players()) {}

    void look_at(const game::State& end);
    std::string text() const;

private:
    bool is_won_without(const game::State& end, std::uint32_t winner, Side side);
    bool belongs(std::uint32_t player, Side side) const {
        constexpr std::size_t least = 5; // wins
        return wins_[player] >= least && needed_[player][static_cast<std::size_t>(side)] == wins_[player];
    }

    game::Game& game_;
    const ir::StateVariable& state_;
    const ir::Board& board_;
    std::vector<std::array<std::size_t, sides.size()>> needed_; // by player: in how many wins
    std::vector<std::size_t> wins_;
};

bool SideFinder::is_won_without(const game::State& end, std::uint32_t winner, Side side) {
    std::vector<std::uint32_t> slots;
    game_.executor().store(end, slots);
    for (const std::size_t site : sites_on(board_, side)) {
        std::uint32_t& slot = slots[state_.first_slot + site];
        if (slot == winner + 1) slot = 0; // none comes before the players
    }
    game::State without;
    game_.executor().load(slots, without);
    const bool over = game_.kind(without) == game::NodeKind::Terminal;
    game_.clear_fault();
    return over;
}

void SideFinder::look_at(const game::State& end) {
    std::vector<double> payoffs(game_.players());
    if (!game_.payoffs(end, payoffs)) return game_.clear_fault();
    const auto winner = static_cast<std::uint32_t>(std::ranges::max_element(payoffs) - payoffs.begin());
    if (std::ranges::count(payoffs, payoffs[winner]) > 1) return;
    ++wins_[winner];
    for (const Side side : sides)
        if (!is_won_without(end, winner, side)) ++needed_[winner][static_cast<std::size_t>(side)];
}

std::string SideFinder::text() const {
    std::string text;
    for (std::uint32_t player = 0; player < game_.players(); ++player) {
        const bool rows = belongs(player, Side::Bottom) && belongs(player, Side::Top),
                   columns = belongs(player, Side::Left) && belongs(player, Side::Right);
        if (rows == columns) continue;
        text += (text.empty() ? "" : ", ") + game_.player_name(player) + (rows ? " bottom and top" : " left and right");
    }
    return text;
}

} // namespace

std::vector<std::string> sides_of(const game::Game& original, const std::vector<std::vector<board::Travel>>& travels) {
    constexpr std::uint32_t longest = 400; // plies
    constexpr std::size_t patience = 3;    // with games that are longer
    const ir::Program& program = original.program();
    std::vector<std::string> texts(program.boards.size());
    if (original.players() < 2) return texts;
    for (const ir::StateVariable& state : program.states) {
        if (!is_of_players(program, state) || !travels[program.types[state.indices[0]].ref].empty()) continue;
        game::Game game = original.clone();
        SideFinder finder(game, state);
        Random random(1);
        for (std::size_t i = 0, unfinished = 0; i < games_tried && unfinished < patience; ++i) {
            game::State end = game.initial();
            game.playout(end, random, longest);
            if (game.kind(end) == game::NodeKind::Terminal)
                finder.look_at(end);
            else
                ++unfinished;
        }
        texts[program.types[state.indices[0]].ref] = finder.text();
    }
    return texts;
}

} // namespace zug::draw::terminal

// A player with a game's database never gives away a win or a draw: games against other players, from positions reached
// by random moves.

#include "facts.hpp"

#include "match/player.hpp"
#include "solve/database/database_writer.hpp"
#include "solve/database/query.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

namespace zug::data {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_random_moves = 6;

class Contest {
public:
    Contest(game::Game& game, const fs::path& folder, const std::string& settings, const std::string& other)
        : game_(game), database_(*solve::Database::open(folder / file_of(game), game)) {
        players_[0] = match::make_player(*match::parse_player("solved:" + folder.string() + settings), game);
        players_[1] = match::make_player(*match::parse_player(other), game);
    }
    static std::string file_of(const game::Game& game) { return solve::file_name(solve::identity_of(game)); }

    // Whether the player of this seat got at least the database's value of the position before its first move.
    bool play(std::uint64_t number, std::uint32_t seat) {
        Random random(number);
        std::uint64_t random_moves = random.next() % (most_random_moves + 1);
        for (auto& player : players_) player->new_game(number);
        std::optional<double> owed;
        game::State state = game_.initial(), next;
        game::MoveList moves;
        while (game_.expand(state, moves) == game::NodeKind::Decision) {
            std::size_t move = 0;
            if (random_moves > 0) {
                --random_moves;
                move = random.next() % moves.size();
            } else {
                const bool own = game_.to_move(state) == seat;
                if (own && !owed) owed = value(state, seat);
                move = *players_[own ? 0 : 1]->choose(state, moves, nullptr);
            }
            REQUIRE(game_.successor(state, moves, move, next));
            std::swap(state, next);
            moves.clear();
        }
        std::vector<double> payoffs(game_.players());
        REQUIRE(game_.payoffs(state, payoffs));
        if (owed && *owed >= 0) ++at_stake_;
        return !owed || payoffs[seat] >= *owed;
    }
    // Games in which there was something to lose.
    std::uint64_t at_stake() const { return at_stake_; }

private:
    double value(const game::State& state, std::uint32_t seat) {
        return solve::standing(database_.outcomes(), **database_.find(state)).value[seat];
    }

    game::Game& game_;
    solve::Database database_;
    std::array<std::unique_ptr<match::Player>, 2> players_;
    std::uint64_t at_stake_ = 0;
};

} // namespace

TEST_CASE("the player solved:DIR loses nothing that it need not lose") {
    const std::uint64_t games = std::getenv("ZUG_SLOW") != nullptr ? 10'000 : test::sanitized ? 100 : 200;
    const fs::path folder = fs::temp_directory_path() / ("zug-player-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    // Drawn, lost by the first player, and with cycles.
    for (const char* name : {"tic-tac-toe", "hexapawn", "dodgem"}) {
        CAPTURE(name);
        game::Game game = load({{"file", std::string(name) + ".zug"}, {"params", ""}});
        solve::DatabaseWriter writer(folder / Contest::file_of(game), game);
        REQUIRE(solve::solve(game, game.initial(), {}, &writer));
        for (const char* settings : {"", ",tease=on"})
            for (const char* other : {"random", "alphabeta:depth=2", "alphabeta:depth=6"}) {
                CAPTURE(settings);
                CAPTURE(other);
                Contest contest(game, folder, settings, other);
                std::uint64_t lost = 0;
                for (std::uint64_t i = 0; i < games; ++i)
                    if (!contest.play(i, static_cast<std::uint32_t>(i % 2))) ++lost;
                CHECK(lost == 0);
                CHECK(contest.at_stake() > games / 4);
            }
    }
    fs::remove_all(folder);
}

} // namespace zug::data

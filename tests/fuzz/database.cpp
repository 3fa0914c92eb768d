// Databases with right checksums and wrong contents: the input is a list of changes to one that the solver made. It is
// refused, or questions to it are answered or end with an error; and if --verify finds nothing wrong, its answers are
// the right ones.

#include "solve/database/database_writer.hpp"
#include "solve/database/query.hpp"
#include "solve/database/verify.hpp"
#include "tests/fuzz/forged_database.hpp"
#include "tests/fuzz/games.hpp"

#include <filesystem>
#include <optional>
#include <unistd.h>
#include <vector>

namespace {

using namespace zug;
using fuzz::require;
namespace fs = std::filesystem;

const fs::path folder = fs::temp_directory_path() / ("zug-fuzz-" + std::to_string(::getpid()));

struct Case {
    game::Game game;
    std::vector<game::State> line; // positions of one game
    std::vector<solve::Standing> standings;
    fuzz::ForgedDatabase right;
};

// The positions of a random game, and what a right database says about them.
void look_up(Case& made, solve::Database& database) {
    Random random(1);
    game::State state = made.game.initial(), next;
    game::MoveList moves;
    constexpr std::size_t most = 12;
    while (made.line.size() < most) {
        const auto standing = solve::standing_of(database, state);
        require(standing && *standing, "the position is in the right database");
        made.line.push_back(state);
        made.standings.push_back(**standing);
        if (made.game.expand(state, moves) == game::NodeKind::Terminal) return;
        const std::size_t i = random.below(static_cast<std::uint32_t>(moves.size()));
        require(made.game.successor(state, moves, i, next), "no fault");
        std::swap(state, next);
    }
}

// Heaps that grow one after the other, together too wide for numbers of 63 bits, so that combinations are listed.
constexpr const char* wide_game = R"(players First, Second
type heap = 1..22
state size: heap -> 0..64 = 0
state here: heap = 1
move add(k: 1..2) when size[here] + k <= 7 then size[here] += k
move go_on when size[here] = 7, here < 22 then here += 1
end me wins when stuck
)";

Case solved(game::Game game) {
    Case made{std::move(game), {}, {}, {}};
    fs::create_directories(folder);
    const fs::path path = folder / "right.zugdb";
    solve::DatabaseWriter writer(path, made.game);
    require(solve::solve(made.game, made.game.initial(), {}, &writer).has_value(), "the game is solved");
    auto database = solve::Database::open(path, made.game);
    require(database.has_value(), "the right database is opened");
    look_up(made, *database);
    made.right = fuzz::ForgedDatabase::read(path);
    return made;
}

bool is_right(const solve::Standing& said, const solve::Standing& right, double error) {
    for (std::size_t p = 0; p < right.value.size(); ++p)
        if (!(std::abs(said.value[p] - right.value[p]) <= error)) return false;
    return said.remoteness == right.remoteness && said.repetition == right.repetition;
}

void ask(Case& made, solve::Database& database) {
    for (const game::State& state : made.line) (void)solve::answer(database, made.game, state);
    (void)solve::best_line(database, made.game, made.line.front());
    Random random(1);
    (void)solve::random_position(
        database, made.game, [](double value) { return value > 0; }, random);
    for (const std::uint64_t number : {std::uint64_t{0}, database.positions() / 2, database.positions() - 1})
        (void)database.key(number);
    (void)database.damaged_block();
    const auto check = solve::verify(database, made.game, 1, {});
    if (!check || !check->wrong.empty()) return;
    // Values are as exact as the database says, and it may not say that they are not.
    const double error = database.chance() ? 1e-5 : 0;
    for (std::size_t i = 0; i < made.line.size(); ++i) {
        const auto said = solve::standing_of(database, made.line[i]);
        require(said && *said && is_right(**said, made.standings[i], error), "a database that passes is right");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static std::vector<Case> cases = [] {
        std::vector<Case> all;
        // With symmetries; with cycles and draws by repetition; with chance, on cycles and not, of two players and
        // three; wide.
        all.push_back(solved(fuzz::load("hexapawn", {{"width", "3"}})));
        all.push_back(solved(fuzz::load("robots", {{"width", "3"}, {"height", "2"}})));
        all.push_back(solved(fuzz::load("chomp", {{"width", "3"}, {"height", "3"}})));
        all.push_back(solved(fuzz::load("pig", {{"goal", "3"}})));
        all.push_back(solved(fuzz::load("dice", {{"goal", "3"}})));
        all.push_back(solved(fuzz::load("truel", {})));
        all.push_back(solved(fuzz::load_text(wide_game)));
        return all;
    }();
    fuzz::Numbers numbers(data, size);
    Case& chosen = cases[numbers.below(cases.size())];
    fuzz::ForgedDatabase forged = chosen.right;
    for (int changes = 0; changes < 64 && !numbers.empty(); ++changes) forged.change(numbers);
    const fs::path path = folder / "forged.zugdb";
    forged.write(path);
    auto database = solve::Database::open(path, chosen.game);
    if (database)
        ask(chosen, *database);
    else
        fuzz::require_fit_for_people(database.error().text);
    chosen.game.clear_fault();
    return 0;
}

// Games with chance: every position in a database against a slow solver.

#include "folder.hpp"
#include "games.hpp"

#include "solve/database/query.hpp"
#include "solve/database/verify.hpp"

#include <cmath>

namespace zug::solve {

namespace {

// By sweeps over all positions until nothing changes, each player for their own utility; of what is worth the same to
// the mover, what is worth least to the others together, then most to the first of them.
class ExpectationOracle {
public:
    struct Node {
        game::State state;
        game::NodeKind kind = game::NodeKind::Decision;
        std::uint32_t mover = 0;
        std::vector<std::size_t> to;
        std::vector<double> probabilities;
        Payoffs value;
    };

    explicit ExpectationOracle(game::Game& game) : game_(game) {
        add(game.initial());
        for (std::size_t i = 0; i < nodes_.size(); ++i) expand(i);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = nodes_.size(); i-- > 0;) changed = update(nodes_[i]) || changed;
        }
    }
    const std::vector<Node>& nodes() const { return nodes_; }

private:
    std::size_t add(const game::State& state) {
        const std::vector<std::uint64_t> words(state.words.begin(), state.words.end());
        const auto [at, fresh] = numbers_.emplace(words, nodes_.size());
        if (fresh) {
            Node node;
            node.state = state;
            node.value.assign(game_.players(), 0);
            nodes_.push_back(std::move(node));
        }
        return at->second;
    }

    void expand(std::size_t i) {
        game::MoveList moves;
        game::State next;
        const game::State state = nodes_[i].state;
        nodes_[i].kind = game_.expand(state, moves);
        nodes_[i].mover = game_.to_move(state);
        REQUIRE(nodes_[i].kind != game::NodeKind::Fault);
        if (nodes_[i].kind == game::NodeKind::Terminal) REQUIRE(game_.payoffs(state, nodes_[i].value));
        for (std::size_t m = 0; m < moves.size(); ++m) {
            REQUIRE(game_.successor(state, moves, m, next));
            const std::size_t to = add(next);
            nodes_[i].to.push_back(to);
            if (nodes_[i].kind == game::NodeKind::Chance) nodes_[i].probabilities.push_back(moves.probability(m));
        }
    }

    // Whether the value is another now.
    bool update(Node& node) {
        if (node.to.empty()) return false;
        Payoffs value(game_.players(), 0);
        if (node.kind == game::NodeKind::Chance) {
            for (std::size_t i = 0; i < node.to.size(); ++i)
                for (std::size_t p = 0; p < value.size(); ++p)
                    value[p] += node.probabilities[i] * nodes_[node.to[i]].value[p];
        } else {
            value = nodes_[node.to.front()].value;
            for (const std::size_t to : node.to)
                if (is_better(node.mover, nodes_[to].value, value)) value = nodes_[to].value;
        }
        double change = 0;
        for (std::size_t p = 0; p < value.size(); ++p) change = std::max(change, std::abs(value[p] - node.value[p]));
        node.value = value;
        return change > 1e-15;
    }

    static bool is_better(std::uint32_t mover, const Payoffs& a, const Payoffs& b) {
        if (std::abs(a[mover] - b[mover]) > 1e-9) return a[mover] > b[mover];
        double others = 0;
        for (std::size_t p = 0; p < a.size(); ++p)
            if (p != mover) others += a[p] - b[p];
        if (std::abs(others) > 1e-9) return others < 0;
        for (std::size_t p = 0; p < a.size(); ++p)
            if (std::abs(a[p] - b[p]) > 1e-9) return a[p] > b[p];
        return false;
    }

    game::Game& game_;
    std::map<std::vector<std::uint64_t>, std::size_t> numbers_;
    std::vector<Node> nodes_;
};

// Checks every position's expected value, in a database made with so many bytes of memory.
void check_values(game::Game& game, std::uint64_t memory) {
    const Folder folder;
    Options options;
    options.threads = 2;
    options.budget = {memory};
    const auto solution = write(game, folder.file(game), options);
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    auto database = Database::open(folder.file(game), game);
    REQUIRE_MESSAGE(database, (database ? "" : database.error().text));
    CHECK(database->chance());
    CHECK(database->solution().value == solution->value);
    CHECK(database->solution().error == solution->error);
    CHECK(solution->error > 0);
    CHECK(solution->error < 1e-9);
    const ExpectationOracle oracle(game);
    CHECK(database->solution().positions == oracle.nodes().size());
    std::vector<double> kept(database->expected().width());
    std::uint64_t wrong = 0, chance = 0;
    for (const auto& node : oracle.nodes()) {
        const auto found = database->find_expected(node.state, kept);
        REQUIRE(found);
        REQUIRE(*found);
        const Payoffs value = database->expected().payoffs(kept);
        for (std::size_t p = 0; p < value.size(); ++p)
            if (std::abs(value[p] - node.value[p]) > solution->error + 1e-12) ++wrong;
        if (node.kind == game::NodeKind::Chance) ++chance;
    }
    CHECK(wrong == 0);
    CHECK(solution->counts.chance == chance);
    const auto check = verify(*database, game, 2, {}, options.budget);
    REQUIRE(check);
    CHECK(check->positions == oracle.nodes().size());
    CHECK(check->wrong.empty());
}

// Three players roll a die in turn as often as they like; whoever goes over 4 is out. The highest total wins 1, shared;
// the lowest pays 1. Ties of a mover who is out already are common.
constexpr const char* dice_for_three =
    "players A, B, C\nstate total: player -> 0..7\nstate rolling: bool\nstate stood: 0..3\n"
    "move roll\n  when not rolling, total[me] <= 4\n  then rolling := true, again\n"
    "move stand\n  when not rolling\n  then stood += 1\n"
    "chance die(face: 1..3)\n  when rolling\n  weight 4 - face\n  then rolling := false, total[me] += face\n"
    "def worth(p: player) = if total[p] > 4: 0 else total[p]\n"
    "def most = max p: player: worth(p)\ndef least = min p: player: worth(p)\n"
    "end when stood = 3\n"
    "  payoff p = (if worth(p) = most: 1 / count {q in player | worth(q) = most} else 0)\n"
    "           - (if worth(p) = least: 1 else 0)\n";

} // namespace

TEST_CASE("every position's expected value is that of a slow solver") {
    for (const auto& [name, params] :
         std::vector<std::pair<const char*, lang::Overrides>>{{"dice", {{"goal", "4"}}},
                                                              {"efron", {}},
                                                              {"2048", {{"size", "2"}, {"goal", "4"}}},
                                                              {"truel", {{"limit", "5"}}},
                                                              // With cycles:
                                                              {"pig", {{"goal", "6"}}},
                                                              {"two-dice-pig", {{"goal", "7"}}}}) {
        CAPTURE(name);
        game::Game game = load(name, params);
        for (const std::uint64_t memory : {std::uint64_t{1'000}, UINT64_MAX}) check_values(game, memory);
    }
    game::Game game = load_text(dice_for_three);
    check_values(game, UINT64_MAX);
}

TEST_CASE("two teams expect what a slow solver says, with one number for a position") {
    game::Game game =
        load_text("extends \"" + std::string(ZUG_SOURCE_DIR) + "/rules/pig\"\nparam n = 4, goal = 3\nteams A C, B D\n");
    REQUIRE(game.traits().zero_sum);
    for (const std::uint64_t memory : {std::uint64_t{1'000}, UINT64_MAX}) check_values(game, memory);
}

TEST_CASE("the values of a game with chance don't depend on the number of threads, nor do the bytes") {
    const Folder folder;
    game::Game game = load("pig", {{"goal", "12"}});
    std::string first;
    for (const std::uint32_t threads : {1U, 2U, 3U}) {
        Options options;
        options.threads = threads;
        REQUIRE(write(game, folder.file(game), options));
        const std::string bytes = bytes_of(folder.file(game));
        if (first.empty()) first = bytes;
        CHECK(bytes == first);
    }
}

TEST_CASE("of moves that are worth the same to oneself, a rule says what others can expect") {
    const std::string text = "players A, B, C\nstate n: 0..2\nstate coin: 0..2\n"
                             "move to(k: 1..2)\n  when n = 0\n  then n := k, again\n"
                             "chance toss(s: 1..2)\n  when n > 0, coin = 0\n  then coin := s\n"
                             "end when coin > 0\n  payoff A = if n = coin: 3 else 0\n"
                             "  payoff B = if n = 1: 5 else 0\n  payoff C = 0\n";
    Options options;
    for (const auto& [ties, other] : {std::pair(Ties::Spiteful, 0.0), {Ties::Kind, 5.0}}) {
        options.ties = ties;
        game::Game game = load_text(text);
        const auto solution = solve(game, game.initial(), options);
        REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
        CHECK(solution->value == Payoffs{1.5, other, 0});
    }
}

TEST_CASE("questions to a database of a game with chance") {
    const Folder folder;
    game::Game game = load("pig", {{"goal", "10"}});
    REQUIRE(write(game, folder.file(game)));
    auto database = Database::open(folder.file(game), game);
    REQUIRE(database);
    const auto state = game.play_line(game.initial(), "roll 4");
    REQUIRE(state);
    const auto said = answer(*database, game, *state);
    REQUIRE(said);
    CHECK(said->kind == game::NodeKind::Decision);
    REQUIRE(said->moves.size() == 2);
    CHECK(said->standing.value == said->moves.front().standing.value);
    CHECK(said->moves[0].standing.value[0] > said->moves[1].standing.value[0]);
    CHECK(*said->standing.win_probability == doctest::Approx((said->standing.value[0] + 1) / 2));
    CHECK(!said->standing.remoteness);
    // The line of play ends where the die is thrown; what may come is worth as much as the line on the whole.
    const auto line = best_line(*database, game, *state);
    REQUIRE(line);
    CHECK(line->moves == std::vector<std::string>{said->moves.front().text});
    const auto then = answer(*database, game, line->end);
    REQUIRE(then);
    CHECK(then->kind == game::NodeKind::Chance);
    double mean = 0, all = 0;
    for (const auto& outcome : then->moves) {
        mean += outcome.probability * outcome.standing.value[0];
        all += outcome.probability;
    }
    CHECK(then->moves.size() == 6);
    CHECK(all == doctest::Approx(1));
    CHECK(mean == doctest::Approx(said->standing.value[0]).epsilon(1e-9));
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        const auto drawn = random_position(
            *database, game, [](double value) { return value > 0.2 && value < 0.3; }, random);
        REQUIRE(drawn);
        REQUIRE(*drawn);
        const auto about = answer(*database, game, **drawn);
        REQUIRE(about);
        CHECK(about->kind != game::NodeKind::Chance);
        CHECK(std::abs(about->standing.value[about->mover] - 0.25) < 0.05);
    }
    CHECK(!*random_position(
        *database, game, [](double value) { return value > 1; }, random));
}

} // namespace zug::solve

// Learned evaluations: the patterns of games, what learning makes of their weights, files, and evaluators.

#include "executor/position_buffer.hpp"
#include "game/line.hpp"
#include "game/selfplay/random_games.hpp"
#include "game/symmetry/symmetry.hpp"
#include "lang/load.hpp"
#include "learn/net.hpp"
#include "learn/trainer.hpp"
#include "learn/use.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

using namespace zug;
using namespace zug::learn;

namespace {

game::Game rules_of(const std::string& name, const lang::Overrides& overrides = {}) {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", overrides);
    REQUIRE(loaded.program);
    return game::Game(loaded.program);
}

Net learned(game::Game& game, std::uint64_t games, std::uint64_t seed = 1) {
    TrainerOptions options;
    options.games = games;
    options.seed = seed;
    auto net = learn::learn(game, options);
    REQUIRE(net);
    return std::move(*net);
}

std::vector<std::uint32_t> slots_of(const game::Game& game, const game::State& state) {
    std::vector<std::uint32_t> slots;
    const_cast<game::Game&>(game).executor().store(state, slots);
    return slots;
}

// A number for each weight that tells it from all others, added up over a position's. Equal weights have the same.
std::uint64_t fingerprint(const Inputs& inputs, std::span<const std::uint32_t> slots,
                          std::span<const std::uint32_t> ring = {}) {
    std::uint64_t sum = 0;
    for (const Pattern& pattern : inputs.patterns) {
        std::uint64_t weight = pattern.first;
        for (std::size_t i = 0; i < pattern.slots.size(); ++i)
            weight += std::uint64_t{slots[pattern.slots[i]] >> inputs.shifts[pattern.slots[i]]} * pattern.strides[i];
        REQUIRE(weight < inputs.weights);
        if (!ring.empty()) {
            std::uint32_t least = static_cast<std::uint32_t>(weight);
            for (std::uint32_t equal = ring[weight]; equal != weight; equal = ring[equal])
                least = std::min(least, equal);
            weight = least;
        }
        sum += splitmix64(weight);
    }
    return sum;
}

std::uint64_t fingerprint(std::span<const std::uint32_t> weights) {
    std::uint64_t sum = 0;
    for (std::uint64_t weight : weights) sum += splitmix64(weight);
    return sum;
}

constexpr std::array games = {"tic-tac-toe", "kalah", "backgammon", "three-tic-tac-toe", "2048", "pig", "breakthrough"};

} // namespace

TEST_CASE("patterns of games are within their limits, and the same in every call") {
    for (const char* name : games) {
        CAPTURE(name);
        game::Game game = rules_of(name);
        const InputLimits limits{.weights = 50'000, .patterns = 100, .combinations = 1000};
        const Inputs inputs = find_inputs(game, 1, limits).inputs;
        CHECK(inputs == find_inputs(game, 1, limits).inputs);
        CHECK_FALSE(inputs.patterns.empty());
        std::set<std::vector<std::uint32_t>> seen;
        for (const Pattern& pattern : inputs.patterns) {
            std::vector<std::uint32_t> slots = pattern.slots;
            std::ranges::sort(slots);
            CHECK(std::ranges::adjacent_find(slots) == slots.end());
            CHECK(seen.insert(slots).second);
        }
    }
}

TEST_CASE("images of a position under symmetries of the game select the same weights") {
    for (const char* name : {"tic-tac-toe", "breakthrough", "gomoku", "othello"}) {
        CAPTURE(name);
        game::Game game = rules_of(name);
        const auto [inputs, ring] = find_inputs(game, 1);
        const auto group = game::find_symmetries(game, game.initial());
        CHECK(group.size() > 1);
        game::play_random_games(game, game.initial(), 2, [&](const game::State& state, std::uint32_t) {
            const auto slots = slots_of(game, state);
            for (const game::Symmetry& symmetry : group.elements)
                CHECK(fingerprint(inputs, symmetry.apply(slots), ring) == fingerprint(inputs, slots, ring));
            return true;
        });
    }
}

TEST_CASE("a selection that is brought up to date is that of the position") {
    for (const char* name : games) {
        CAPTURE(name);
        game::Game game = rules_of(name);
        const Inputs inputs = find_inputs(game, 1, {.weights = 20'000, .patterns = 60, .combinations = 500}).inputs;
        Selection selection(inputs);
        std::map<std::uint32_t, std::uint32_t> changed;
        game::play_random_games(game, game.initial(), 3, [&](const game::State& state, std::uint32_t) {
            const auto slots = slots_of(game, state);
            std::uint64_t sum = fingerprint(selection.weights());
            selection.update(slots, [&](std::uint32_t, std::uint32_t before, std::uint32_t after) {
                std::uint64_t out = before, in = after;
                sum += splitmix64(in) - splitmix64(out);
            });
            CHECK(fingerprint(selection.weights()) == fingerprint(inputs, slots));
            CHECK(sum == fingerprint(inputs, slots));
            return true;
        });
    }
}

TEST_CASE("one thread and one seed learn one evaluation") {
    game::Game game = rules_of("tic-tac-toe");
    const Net a = learned(game, 300), b = learned(game, 300), c = learned(game, 300, 2);
    CHECK(a.body == b.body);
    CHECK_FALSE(a.body == c.body);
    CHECK(a.training.games == 300);
}

namespace {

// The exact values of all positions, for the first player.
class Values {
public:
    explicit Values(game::Game& game) : game_(game) {}

    double operator()(const game::State& state) {
        const auto slots = slots_of(game_, state);
        if (const auto known = values_.find(slots); known != values_.end()) return known->second;
        game::MoveList moves;
        double best = 0;
        if (game_.expand(state, moves) == game::NodeKind::Terminal) {
            std::array<double, 2> payoffs{};
            REQUIRE(game_.payoffs(state, payoffs));
            best = payoffs[0];
        }
        const bool first = game_.to_move(state) == 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            game::State next;
            REQUIRE(game_.successor(state, moves, i, next));
            const double value = (*this)(next);
            if (i == 0 || (first ? value > best : value < best)) best = value;
        }
        return values_[slots] = best;
    }
    std::size_t size() const { return values_.size(); }
    const auto& all() const { return values_; }

private:
    game::Game& game_;
    std::map<std::vector<std::uint32_t>, double> values_;
};

} // namespace

// Where some moves are better than others, the learned evaluation of the positions after them must tell which.
TEST_CASE("tic-tac-toe is learned from its rules") {
    game::Game game = rules_of("tic-tac-toe");
    Values values(game);
    values(game.initial());
    CHECK(values.size() == 5478);
    game.use(make_evaluator(std::make_shared<const Net>(learned(game, 20'000))));
    std::size_t decisive = 0, right = 0;
    for (const auto& [slots, value] : values.all()) {
        game::State state, next;
        game.executor().load(slots, state);
        game::MoveList moves;
        game.expand(state, moves);
        double best = 0, chosen = 0;
        std::set<double> different;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            REQUIRE(game.successor(state, moves, i, next));
            different.insert(values(next));
            std::array<double, 2> estimate{};
            if (game.kind(next) == game::NodeKind::Terminal)
                REQUIRE(game.payoffs(next, estimate));
            else
                game.evaluate(next, estimate);
            const double own = estimate[game.to_move(state)];
            if (i == 0 || own > best) best = own, chosen = values(next);
        }
        if (different.size() < 2) continue;
        ++decisive;
        right += chosen == value ? 1 : 0;
    }
    CHECK(decisive > 2000);
    MESSAGE(right, " of ", decisive);
    CHECK(static_cast<double>(right) > 0.9 * static_cast<double>(decisive));
}

TEST_CASE("what is learned evaluates positions by their slots alone, in any order, in games and their clones") {
    for (const char* name : {"tic-tac-toe", "backgammon", "three-tic-tac-toe", "chess", "pig", "2048"}) {
        CAPTURE(name);
        game::Game game = rules_of(name);
        const Net net = learned(game, 3);
        game.use(make_evaluator(std::make_shared<const Net>(net)));
        CHECK(game.traits().has_eval);
        CHECK_FALSE(game.uses_file_eval());
        game::Game other = game.clone();
        std::vector<game::State> states;
        game::play_random_games(game, game.initial(), 2, [&](const game::State& state, std::uint32_t) {
            states.push_back(state);
            return states.size() < 100;
        });
        std::vector<std::vector<double>> forward;
        for (const game::State& state : states) {
            forward.emplace_back(game.players());
            game.evaluate(state, forward.back());
            for (const double value : forward.back()) {
                CHECK(value > game.traits().min_utility);
                CHECK(value < game.traits().max_utility);
            }
        }
        for (std::size_t i = states.size(); i-- > 0;) {
            std::vector<double> back(game.players());
            other.evaluate(states[i], back);
            CHECK(back == forward[i]);
        }
    }
}

TEST_CASE("an evaluation is read back from its text") {
    game::Game game = rules_of("tic-tac-toe");
    const Net net = learned(game, 50);
    const std::string text = net_text(net);
    const auto back = parse_net(text, game);
    REQUIRE(back);
    CHECK(back->body == net.body);
    CHECK(text.find("\"game\": \"Tic-Tac-Toe\"") != std::string::npos);
}

TEST_CASE("a damaged evaluation is refused, wherever the damage is") {
    game::Game game = rules_of("tic-tac-toe");
    const std::string text = net_text(learned(game, 20));
    for (std::size_t length = 0; length < text.size(); length += 7)
        CHECK_FALSE(parse_net(text.substr(0, length), game).has_value());
    CHECK_FALSE(parse_net(text + "x", game).has_value());
    const std::size_t body = text.find("\n}\n");
    for (std::size_t i = body + 3; i < text.size(); i += 5) {
        std::string changed = text;
        changed[i] = static_cast<char>(changed[i] ^ 0x10);
        CHECK_FALSE(parse_net(changed, game).has_value());
    }
    for (std::size_t i = 0; i < body; ++i) { // the header may say something else, but nothing that harms
        std::string changed = text;
        changed[i] = static_cast<char>(changed[i] ^ 0x02);
        if (const auto net = parse_net(changed, game)) CHECK(net->rules == game.rules_digest());
    }
}

// Bodies that fit their digest, from somebody who means harm.
TEST_CASE("weights and slots that are not there are refused") {
    game::Game game = rules_of("tic-tac-toe");
    const Net good = learned(game, 20);
    const auto refused = [&](const std::function<void(NetBody&)>& change) {
        Net bad = good;
        change(bad.body);
        const auto read = parse_net(net_text(bad), game);
        return !read && read.error().text.find("damaged") != std::string::npos;
    };
    CHECK(refused([](NetBody& body) { body.weights.pop_back(); }));
    CHECK(refused([](NetBody& body) { body.inputs.patterns[0].slots[0] = 1000; }));
    CHECK(refused([](NetBody& body) { body.inputs.patterns[0].strides[0] = 1U << 31; }));
    CHECK(refused([](NetBody& body) { body.inputs.patterns[0].strides.clear(); }));
    CHECK(refused([](NetBody& body) { body.inputs.patterns.back().first = body.inputs.weights - 1; }));
    CHECK(refused([](NetBody& body) { body.inputs.shifts[0] = 40; }));
    CHECK(refused([](NetBody& body) { body.inputs.shifts.clear(); }));
    CHECK(refused([](NetBody& body) { body.stages = 1; }));
    CHECK(refused([](NetBody& body) { body.outputs = 7; }));
    CHECK(refused([](NetBody& body) { body.unit = NAN; }));
    CHECK(refused([](NetBody& body) { body.scale.half = INFINITY; }));
}

TEST_CASE("an evaluation of other rules is refused by name") {
    game::Game game = rules_of("tic-tac-toe"), other = rules_of("hex"), smaller = rules_of("hex", {{"size", "3"}});
    const std::string text = net_text(learned(other, 1));
    CHECK(parse_net(text, game).error().text == "it was learned for other rules: Hex");
    CHECK(parse_net(text, smaller).error().text == "it was learned for other rules or parameters of this game");
}

TEST_CASE("eval=none switches the rule file's evaluation off") {
    game::Game game = rules_of("breakthrough");
    CHECK(game.traits().has_eval);
    REQUIRE(use_evaluation(game, "none"));
    CHECK_FALSE(game.traits().has_eval);
    std::array<double, 2> values{1, 1};
    game.evaluate(game.initial(), values);
    CHECK(values == std::array<double, 2>{0, 0});
    const auto missing = use_evaluation(game, "no/such/file");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().text.starts_with("no/such/file: "));
}

TEST_CASE("several threads learn one evaluation together") {
    game::Game game = rules_of("tic-tac-toe");
    TrainerOptions options;
    options.games = 500;
    options.threads = 2;
    const auto net = learn::learn(game, options);
    REQUIRE(net);
    CHECK(net->training.games == 500);
    CHECK(std::ranges::any_of(net->body.weights, [](std::int16_t weight) { return weight != 0; }));
}

TEST_CASE("equal weights stay equal") {
    for (const char* name : {"tic-tac-toe", "breakthrough"}) {
        game::Game game = rules_of(name);
        const auto ring = find_inputs(game, 1).ring;
        const Net net = learned(game, 30);
        std::size_t shared = 0;
        for (std::size_t w = 0; w < net.body.weights.size(); ++w) {
            const std::size_t stage = w / ring.size(), own = w % ring.size();
            shared += ring[own] != own ? 1 : 0;
            CHECK(net.body.weights[w] == net.body.weights[stage * ring.size() + ring[own]]);
        }
        CHECK(shared > 0);
    }
}

// They stand beside their rule files, and are for the parameters that these name.
TEST_CASE("the evaluations of rules/ are of their games, and small") {
    constexpr std::uint64_t most = 1'000'000, most_together = 8'000'000; // bytes
    std::uint64_t together = 0, count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(ZUG_SOURCE_DIR) + "/rules")) {
        if (entry.path().extension() != ".zugnet") continue;
        CAPTURE(entry.path().string());
        game::Game game = rules_of(entry.path().stem().string());
        const auto net = read_net(entry.path(), game);
        CHECK_MESSAGE(net.has_value(), (net ? std::string() : net.error().text));
        std::filesystem::path rule_file = entry.path();
        CHECK(offer_evaluation(game, rule_file.replace_extension(".zug")).has_value());
        CHECK(game.has_offer());
        CHECK(entry.file_size() < most);
        together += entry.file_size();
        ++count;
    }
    CHECK(together < most_together);
    CHECK(count > 0);
}

TEST_CASE("learning ends when it is stopped") {
    game::Game game = rules_of("breakthrough");
    std::atomic<bool> stop = false;
    TrainerOptions options;
    options.stop = &stop;
    options.progress_seconds = 0;
    options.progress = [&](const Progress& now) { stop = now.games >= 10; };
    const auto net = learn::learn(game, options);
    REQUIRE(net);
    CHECK(net->training.games >= 10);
}

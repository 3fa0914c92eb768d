// Files of learned evaluations: those of this program, damaged ones, and ones from somebody who means harm.

#include "tests/unit/learn/learned.hpp"

#include "learn/use.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>

using namespace zug;
using namespace zug::learn;

TEST_CASE("an evaluation is read back from its text") {
    game::Game game = rules_of("tic-tac-toe");
    for (const ModelKind model : models) {
        const Net net = learned(game, 50, model);
        const std::string text = net_text(net);
        const auto back = parse_net(text, game);
        REQUIRE(back);
        CHECK(back->model == net.model);
        CHECK(text.find("\"game\": \"Tic-Tac-Toe\"") != std::string::npos);
    }
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

TEST_CASE("what was learned is learned further") {
    game::Game game = rules_of("tic-tac-toe"), draughts = rules_of("english-draughts");
    for (const ModelKind model : {ModelKind::Tuples, ModelKind::Network, ModelKind::Terms}) {
        game::Game& of = model == ModelKind::Terms ? draughts : game;
        TrainerOptions options;
        options.model = model;
        options.games = 20;
        const auto net = parse_net(net_text(learned(of, 50, model)), of);
        REQUIRE(net);
        options.initial = std::make_shared<const Model>(net->model);
        options.rate = 1e-9; // learns next to nothing
        const auto further = learn::learn(of, options);
        REQUIRE(further);
        const auto estimates = [&](const Model& at) {
            game::Game evaluated = of.clone();
            evaluated.use(make_evaluator(std::make_shared<const Net>(Net{{}, "", {}, {}, at}), evaluated));
            std::vector<double> values(2), all;
            game::State state = evaluated.initial(), next;
            game::MoveList moves;
            for (int ply = 0; ply < 6 && evaluated.expand(state, moves) == game::NodeKind::Decision; ++ply) {
                evaluated.evaluate(state, values);
                all.push_back(values[0]);
                REQUIRE(evaluated.successor(state, moves, 0, next));
                std::swap(state, next);
            }
            return all;
        };
        const std::vector<double> before = estimates(net->model), after = estimates(further->model);
        for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i] == doctest::Approx(before[i]).epsilon(0.01));
        options.initial = nullptr;
        CHECK(estimates(learn::learn(of, options)->model) != before);
        Model other = net->model;
        if (other.tuples) other.tuples->inputs.patterns.pop_back();
        if (other.network) --other.network->units;
        if (other.terms) other.terms->weights.pop_back();
        options.initial = std::make_shared<const Model>(other);
        CHECK_FALSE(learn::learn(of, options));
    }
}

// Bodies that fit their digest, from somebody who means harm.
TEST_CASE("weights and slots that are not there are refused") {
    game::Game game = rules_of("tic-tac-toe");
    const Net tuples = learned(game, 20), network = learned(game, 20, ModelKind::Network);
    const auto refused = [&](Net bad) {
        const auto read = parse_net(net_text(bad), game);
        return !read && read.error().text.find("damaged") != std::string::npos;
    };
    const auto of_tuples = [&](const std::function<void(TupleNet&)>& change) {
        Net bad = tuples;
        change(*bad.model.tuples);
        return refused(bad);
    };
    CHECK(of_tuples([](TupleNet& net) { net.weights.pop_back(); }));
    CHECK(of_tuples([](TupleNet& net) { net.inputs.patterns[0].slots[0] = 1000; }));
    CHECK(of_tuples([](TupleNet& net) { net.inputs.patterns[0].strides[0] = 1U << 31; }));
    CHECK(of_tuples([](TupleNet& net) { net.inputs.patterns[0].strides.clear(); }));
    CHECK(of_tuples([](TupleNet& net) { net.inputs.patterns.back().first = net.inputs.weights - 1; }));
    CHECK(of_tuples([](TupleNet& net) { net.inputs.shifts[0] = 40; }));
    CHECK(of_tuples([](TupleNet& net) { net.inputs.shifts.clear(); }));
    CHECK(of_tuples([](TupleNet& net) { net.viewpoint.stages = 2; }));
    CHECK(of_tuples([](TupleNet& net) { net.viewpoint.exchange->to[0] = 1000; }));
    CHECK(of_tuples([](TupleNet& net) { net.viewpoint.exchange->values[0] = {0, 0, 7}; }));
    CHECK(of_tuples([](TupleNet& net) { net.outputs = 7; }));
    CHECK(of_tuples([](TupleNet& net) { net.unit = NAN; }));
    CHECK(of_tuples([](TupleNet& net) { net.scale.half = INFINITY; }));
    CHECK(of_tuples([](TupleNet& net) { net.scale.half = 0; })); // scores are divided by it
    CHECK(of_tuples([](TupleNet& net) { net.scale = {.bounded = false, .scores = {{.slot = 1000}}}; }));
    CHECK(of_tuples([](TupleNet& net) { net.scale = {.bounded = false, .scores = {{}, {}, {}}}; }));
    CHECK(of_tuples([](TupleNet& net) { net.scale.scores = {{}}; })); // of a bounded utility
    const auto of_network = [&](const std::function<void(Network&)>& change) {
        Net bad = network;
        change(*bad.model.network);
        return refused(bad);
    };
    CHECK(of_network([](Network& net) { net.units = 0; }));
    CHECK(of_network([](Network& net) { net.units = 1U << 20; }));
    CHECK(of_network([](Network& net) { net.hidden.pop_back(); }));
    CHECK(of_network([](Network& net) { net.hidden_bias.push_back(0); }));
    CHECK(of_network([](Network& net) { net.output.clear(); }));
    CHECK(of_network([](Network& net) { net.output_bias.clear(); }));
    CHECK(of_network([](Network& net) { net.columns.first[1] = 5; }));
    CHECK(of_network([](Network& net) { net.columns.first.back() += 1; }));
    CHECK(of_network([](Network& net) { net.columns.shifts[0] = 40; }));
    CHECK(of_network([](Network& net) { net.columns.shifts[0] = 1; }));
    CHECK(of_network([](Network& net) { net.columns.numbers.clear(); }));
    CHECK(of_network([](Network& net) { net.utilities.clear(); }));
    CHECK(of_network([](Network& net) { net.utilities[0] = -2; }));
    CHECK(of_network([](Network& net) { net.utilities[0] = -0.5; })); // the players would not be alike
    CHECK(of_network([](Network& net) { net.one = 0; }));
    CHECK(of_network([](Network& net) { net.unit = INFINITY; }));
    CHECK(of_network([](Network& net) { std::ranges::fill(net.hidden, std::int16_t{32'000}); })); // would overflow
    CHECK(of_network([](Network& net) { net.output_bias[0] = 2'147'483'647; }));
    Net both = tuples;
    both.model.network = network.model.network;
    CHECK(refused(both));
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

namespace {

// The game of NAME or NAME.PARAMETER=VALUE.PARAMETER=VALUE
game::Game game_for(const std::string& stem) {
    lang::Overrides overrides;
    std::stringstream parameters(stem.find('.') == std::string::npos ? "" : stem.substr(stem.find('.') + 1));
    for (std::string word; std::getline(parameters, word, '.');)
        overrides[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    return rules_of(stem.substr(0, stem.find('.')), overrides);
}

} // namespace

// They stand beside their rule files, and are for the parameters that these name, or that their own names tell.
TEST_CASE("the evaluations of rules/ are of their games, and small") {
    constexpr std::uint64_t most = 1'000'000, most_together = 8'000'000; // bytes
    std::uint64_t together = 0, count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(ZUG_SOURCE_DIR) + "/rules")) {
        if (entry.path().extension() != ".zugnet") continue;
        CAPTURE(entry.path().string());
        const std::string stem = entry.path().stem().string();
        game::Game game = game_for(stem);
        const auto net = read_net(entry.path(), game);
        CHECK_MESSAGE(net.has_value(), (net ? std::string() : net.error().text));
        const auto rule_file = entry.path().parent_path() / (stem.substr(0, stem.find('.')) + ".zug");
        CHECK(offer_evaluation(game, rule_file).has_value());
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

#include "search/search.hpp"

#include "game/selfplay/kept_calibration.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "search/alpha_beta/best_reply.hpp"
#include "search/alpha_beta/expectimax.hpp"
#include "search/alpha_beta/minimax.hpp"
#include "search/alpha_beta/parallel.hpp"
#include "search/alpha_beta/paranoid.hpp"
#include "search/best_first/b_star.hpp"
#include "search/best_first/mgss.hpp"
#include "search/core/leaf.hpp"
#include "search/maxn/maxn.hpp"
#include "search/monte_carlo/monte_carlo.hpp"
#include "search/one_player/a_star.hpp"
#include "search/one_player/branch_and_bound.hpp"
#include "search/one_player/ida_star.hpp"
#include "search/opponent/opponent_model.hpp"
#include "search/proving.hpp"
#include "search/settings.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace zug::search {

namespace {

constexpr std::array methods_table{
    MethodInfo{Method::Minimax, "minimax", "every line to the depth; two sides, zero sum, no chance", "Shannon 1950"},
    MethodInfo{Method::AlphaBeta, "alphabeta", "the same value without the lines that can't matter",
               "Knuth and Moore 1975"},
    MethodInfo{Method::Expectimax, "expectimax", "the same with chance, and for one player",
               "Michie 1966; Ballard 1983"},
    MethodInfo{Method::MaxN, "maxn", "any number of players, each of whom takes what gives them most",
               "Luckhardt and Irani 1986"},
    MethodInfo{Method::Paranoid, "paranoid",
               "any number of players, all of whom play against the one to move and their team",
               "Sturtevant and Korf 2000"},
    MethodInfo{Method::BestReply, "bestreply", "the same, but between two turns only one of the others chooses freely",
               "Schadd and Winands 2011; Esser et al. 2013 (BRS+)"},
    MethodInfo{Method::OpponentModel, "errant",
               "two sides, zero sum: the move that sets opponents who err the most problems",
               "Jansen 1992; Donkers, Uiterwijk and van den Herik 2001"},
    MethodInfo{Method::MonteCarlo, "uct",
               "any game: means of random playouts, in a tree that grows where they are good",
               "Kocsis and Szepesvari 2006; Winands, Bjornsson and Saito 2008"},
    MethodInfo{Method::BStar, "bstar",
               "two sides, zero sum, no chance: grows a tree until no move can be better than the best",
               "Berliner 1979; Palay 1985"},
    MethodInfo{Method::Mgss, "mgss", "the same, where more computation is expected to improve the choice most",
               "Russell and Wefald 1989 (MGSS*)"},
    MethodInfo{Method::AStar, "astar",
               "one player without chance: the best end by the shortest way, keeping all positions",
               "Hart, Nilsson and Raphael 1968"},
    MethodInfo{Method::IdaStar, "idastar", "the same in little memory, length by length", "Korf 1985"},
    MethodInfo{Method::BranchAndBound, "dfbb", "the same, depth-first from the best line so far to a better one",
               "Lawler and Wood 1966"},
};

constexpr bool for_one_player(Method method) {
    return method == Method::AStar || method == Method::IdaStar || method == Method::BranchAndBound;
}

constexpr bool against_all(Method method) { return method == Method::Paranoid || method == Method::BestReply; }

// Who errant plays against, if the options say so.
Method opponents_method(const NamedOpponent& opponent, const game::Traits& traits) {
    return opponent.method.value_or(automatic(traits));
}

std::unique_ptr<Algorithm> make_algorithm(game::Game& game, Method method, const Options& options);

std::unique_ptr<Algorithm> named_opponent(game::Game& game, const Options& options) {
    if (!options.opponent || options.opponent->random >= 1) return nullptr;
    const NamedOpponent& opponent = *options.opponent;
    return make_algorithm(game, opponents_method(opponent, game.traits()), opponent.options);
}

// What tells uct that the move it has chosen loses by force.
std::unique_ptr<Algorithm> checker_of_choices(game::Game& game, const Options& options) {
    constexpr std::size_t table_bytes = std::size_t{4} << 20;
    if (options.monte_carlo.check <= 0 || !refusal(Method::AlphaBeta, game.traits()).empty()) return nullptr;
    return std::make_unique<AlphaBeta>(game, Options{.table_bytes = table_bytes});
}

std::unique_ptr<Algorithm> make_algorithm(game::Game& game, Method method, const Options& options) {
    const bool parallel = method == Method::AlphaBeta || method == Method::Expectimax;
    if (parallel && ((options.table && options.threads > 1) || options.selective()))
        return std::make_unique<ParallelAlphaBeta>(game, method, options);
    switch (method) {
    case Method::Minimax: return std::make_unique<Minimax>(game, options);
    case Method::AlphaBeta: return std::make_unique<AlphaBeta>(game, options);
    case Method::Expectimax: return std::make_unique<Expectimax>(game, options);
    case Method::Paranoid: return std::make_unique<Paranoid>(game, options);
    case Method::BestReply: return std::make_unique<BestReply>(game, options);
    case Method::OpponentModel: return std::make_unique<OpponentModel>(game, options, named_opponent(game, options));
    case Method::MonteCarlo: return std::make_unique<MonteCarlo>(game, options, checker_of_choices(game, options));
    case Method::BStar: return std::make_unique<BStar>(game, options);
    case Method::Mgss: return std::make_unique<Mgss>(game, options);
    case Method::AStar: return std::make_unique<AStar>(game, options);
    case Method::IdaStar: return std::make_unique<IdaStar>(game, options);
    case Method::BranchAndBound: return std::make_unique<BranchAndBound>(game, options);
    case Method::MaxN: break;
    }
    return std::make_unique<MaxN>(game, options);
}

} // namespace

Method automatic(const game::Traits& traits) {
    if (!scalar(traits)) return Method::MaxN;
    if (traits.players == 1 && !traits.chance) return traits.has_history ? Method::BranchAndBound : Method::AStar;
    return traits.players > 1 && !traits.chance ? Method::AlphaBeta : Method::Expectimax;
}

std::span<const MethodInfo> all_methods() { return methods_table; }

std::span<const std::string_view> method_names() {
    static constexpr auto all = [] {
        std::array<std::string_view, methods_table.size() + 1> result;
        for (std::size_t i = 0; i < methods_table.size(); ++i) result[i] = methods_table[i].name;
        result.back() = "auto";
        return result;
    }();
    return all;
}

std::string_view method_name(Method method) {
    return std::ranges::find(methods_table, method, &MethodInfo::method)->name;
}

std::optional<Method> method_named(std::string_view name) {
    const auto found = std::ranges::find(methods_table, name, &MethodInfo::name);
    return found == methods_table.end() ? std::nullopt : std::optional(found->method);
}

namespace {

std::string one_player_refusal(Method method, const game::Traits& traits, const std::string& name,
                               const std::string& use) {
    if (traits.players > 1)
        return name + " is for one player, and this game has " + std::to_string(traits.players) + use;
    if (traits.chance) return name + " can't search a game with chance events" + use;
    if (method == Method::AStar && traits.has_history)
        return name + " keeps positions without their past, which this game's rules ask for; use dfbb";
    return "";
}

std::string sides(const game::Traits& traits) {
    return (traits.partners == 0 ? "players, and this game has " : "teams, and this game has ") +
           std::to_string(traits.teams());
}

} // namespace

std::string refusal(Method method, const game::Traits& traits) {
    const std::string name(method_name(method));
    const std::string use = "; use " + std::string(method_name(automatic(traits)));
    if (method == Method::MaxN || method == Method::MonteCarlo) return "";
    if (against_all(method))
        return traits.players > 1 ? "" : name + " is for two or more players, and this game has one" + use;
    if (for_one_player(method)) return one_player_refusal(method, traits, name, use);
    if (traits.teams() > 2) return name + " is for at most two " + sides(traits) + use;
    if (traits.teams() == 2 && !traits.zero_sum)
        return name + " needs utilities that always add up to zero, and this game's may not" + use;
    if (method == Method::Expectimax) return "";
    if (method == Method::OpponentModel)
        return traits.players == 1 ? name + " is for two players, and this game has one" + use : "";
    if (traits.chance) return name + " can't search a game with chance events" + use;
    if (traits.players == 1) return name + " is for two players, and this game has one" + use;
    return "";
}

std::string refusal(Method method, const Options& options, const game::Traits& traits) {
    std::string refused = refusal(method, traits);
    if (!refused.empty() || !options.opponent || options.opponent->random >= 1) return refused;
    return refusal(opponents_method(*options.opponent, traits), options.opponent->options, traits);
}

namespace {

// Whether values of positions are averaged, over chance events or by the method.
bool takes_means(Method method, const game::Traits& traits) {
    return traits.chance || method == Method::OpponentModel || method == Method::MonteCarlo ||
           method == Method::BStar || method == Method::Mgss;
}

// A game with the scale that suits this one's eval, if it has one.
std::unique_ptr<game::Game> calibrated(game::Game& game, const std::atomic<bool>* stop) {
    const auto scale = game::kept_calibration(game, stop);
    if (!scale) return nullptr;
    auto copy = std::make_unique<game::Game>(game.clone());
    copy->use(*scale);
    return copy;
}

} // namespace

Searcher::Searcher(game::Game& game, Method method, const Options& options)
    : game_(&game), method_(method), options_(options), refusal_(refusal(method, options, game.traits())) {}

void Searcher::prepare(const std::atomic<bool>* stop) {
    if (algorithm_ || !refusal_.empty()) return;
    if (options_.calibration && takes_means(method_, game_->traits())) calibrated_ = calibrated(*game_, stop);
    algorithm_ = make_algorithm(calibrated_ ? *calibrated_ : *game_, method_, options_);
    if (options_.prove > 0 && refusal(Prover::NullWindow, game_->traits()).empty())
        algorithm_ = std::make_unique<Proving>(*game_, method_, options_, std::move(algorithm_));
}

Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

Result Searcher::run(const game::State& root, const Limits& limits) {
    prepare(limits.stop);
    if (algorithm_) return algorithm_->run(root, limits);
    Result refused;
    refused.method = method_;
    refused.fault = refusal_;
    return refused;
}

void Searcher::forget() {
    if (algorithm_) algorithm_->forget();
}

Result search(game::Game& game, const game::State& root, Method method, const Limits& limits, const Options& options) {
    return Searcher(game, method, options).run(root, limits);
}

} // namespace zug::search

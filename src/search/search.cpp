#include "search/search.hpp"

#include "search/alpha_beta.hpp"
#include "search/expectimax.hpp"
#include "search/leaf.hpp"
#include "search/maxn.hpp"
#include "search/minimax.hpp"

#include <array>
#include <utility>

namespace zug::search {

namespace {

struct Named {
    Method method;
    std::string_view name;
};
constexpr std::array names{Named{Method::Minimax, "minimax"}, Named{Method::AlphaBeta, "alphabeta"},
                           Named{Method::Expectimax, "expectimax"}, Named{Method::MaxN, "maxn"}};

std::unique_ptr<Engine> make_engine(game::Game& game, Method method, const Options& options) {
    switch (method) {
    case Method::Minimax: return std::make_unique<Minimax>(game, options);
    case Method::AlphaBeta: return std::make_unique<AlphaBeta>(game, options);
    case Method::Expectimax: return std::make_unique<Expectimax>(game, options);
    case Method::MaxN: break;
    }
    return std::make_unique<MaxN>(game, options);
}

} // namespace

Method automatic(const game::Traits& traits) {
    if (!scalar(traits)) return Method::MaxN;
    return traits.players == 2 && !traits.chance ? Method::AlphaBeta : Method::Expectimax;
}

std::string_view method_name(Method method) {
    for (const Named& entry : names)
        if (entry.method == method) return entry.name;
    return "";
}

std::optional<Method> method_named(std::string_view name) {
    for (const Named& entry : names)
        if (entry.name == name) return entry.method;
    return std::nullopt;
}

std::string refusal(Method method, const game::Traits& traits) {
    const std::string name(method_name(method));
    const std::string use = "; use " + std::string(method_name(automatic(traits)));
    if (method == Method::MaxN) return "";
    if (traits.players > 2)
        return name + " is for at most two players, and this game has " + std::to_string(traits.players) + use;
    if (traits.players == 2 && !traits.zero_sum)
        return name + " needs utilities that always add up to zero, and this game's may not" + use;
    if (method == Method::Expectimax) return "";
    if (traits.chance) return name + " can't search a game with chance events" + use;
    if (traits.players == 1) return name + " is for two players, and this game has one" + use;
    return "";
}

Searcher::Searcher(game::Game& game, Method method, const Options& options)
    : method_(method), refusal_(refusal(method, game.traits())) {
    if (refusal_.empty()) engine_ = make_engine(game, method, options);
}

Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

Result Searcher::run(const game::State& root, const Limits& limits) {
    if (engine_) return engine_->run(root, limits);
    Result refused;
    refused.method = method_;
    refused.fault = refusal_;
    return refused;
}

void Searcher::forget() {
    if (engine_) engine_->forget();
}

Result search(game::Game& game, const game::State& root, Method method, const Limits& limits, const Options& options) {
    return Searcher(game, method, options).run(root, limits);
}

} // namespace zug::search

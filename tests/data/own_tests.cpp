#include "own_tests.hpp"

#include "facts.hpp"

#include "search/search.hpp"

namespace zug::data {

namespace {

tl::expected<std::vector<double>, Error> best_play(game::Game& game, const game::State& state, std::int64_t depth) {
    search::Limits limits;
    limits.depth = static_cast<int>(depth);
    const search::Result result = search::search(game, state, search::automatic(game.traits()), limits);
    if (!result.fault.empty()) return tl::unexpected(Error{result.fault});
    return result.value;
}

} // namespace

game::TestReport run_own_tests(const lang::Loaded& loaded, game::ExecutorKind executor,
                               const std::function<lang::Loaded(const lang::Overrides&)>& load) {
    game::SelfTestOptions options;
    options.executor = executor;
    options.reload = [&](const game::TestParams& params) -> tl::expected<std::shared_ptr<const ir::Program>, Error> {
        const lang::Loaded again = load(lang::Overrides(params.begin(), params.end()));
        if (!again.program) return tl::unexpected(Error{diag::render(again.sources, again.report)});
        return again.program;
    };
    if (executor == game::ExecutorKind::Interpreter) options.value = best_play;
    options.most_nodes = executor == game::ExecutorKind::Interpreter ? interpreter_limit : reference_limit;
    options.most_positions = options.most_nodes;
    return game::run_self_tests(loaded.program, options);
}

} // namespace zug::data

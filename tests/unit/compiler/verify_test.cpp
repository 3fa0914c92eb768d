// The verifier of value graphs aborts where an invariant is broken, and says nothing where all hold.

#include "compiler/graph/value_graph.hpp"
#include "lang/load.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace zug;
using namespace zug::run;

namespace {

using Roots = std::vector<NodeRef>;

// Whether a process that builds a routine so, and finishes it with checks, is aborted.
bool aborts(const std::function<Roots(ValueGraph&)>& build) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        std::freopen("/dev/null", "w", stderr);
        const auto program = lang::load_file(ZUG_SOURCE_DIR "/rules/tic-tac-toe.zug").program;
        const StateLayout layout(*program);
        Bytecode code;
        PassOptions options;
        options.verify = true;
        Passes passes(options);
        ValueGraph graph(code, layout, vm_for(layout.main_words()), passes);
        graph.begin();
        graph.finish(build(graph), 0);
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE((WIFEXITED(status) || WIFSIGNALED(status)));
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

} // namespace

TEST_CASE("a graph that is as it should be passes all checks") {
    CHECK(!aborts([](ValueGraph& graph) -> Roots {
        const NodeRef both = graph.and_(graph.read(1, 1), graph.read(2, 1));
        return {graph.any(both), both};
    }));
}

TEST_CASE("a value of a loop's body is not visible behind the loop") {
    CHECK(aborts([](ValueGraph& graph) -> Roots {
        const auto loop = graph.open_loop(Reduce::Effects, graph.read(1, 1), 1, no_node);
        const NodeRef inside = graph.op(Family::Add, loop.var, graph.word(1));
        graph.close_loop(loop, no_node);
        return {inside};
    }));
}

TEST_CASE("operands have the widths that the operation calls for") {
    CHECK(aborts([](ValueGraph& graph) -> Roots {
        return {graph.make(Family::Or, 2, {graph.read(1, 1), graph.read(2, 2), no_node})};
    }));
}

TEST_CASE("a branch is closed in the region where it was opened") {
    CHECK(aborts([](ValueGraph& graph) -> Roots {
        graph.open_branch(graph.any(graph.read(1, 1)));
        return {};
    }));
}

TEST_CASE("a loop has a domain") {
    CHECK(aborts([](ValueGraph& graph) -> Roots {
        const auto loop = graph.open_loop(Reduce::Effects, no_node, 1, no_node);
        graph.effect(Family::Mov, 1, 9, {loop.var, no_node, no_node});
        graph.close_loop(loop, no_node);
        return {};
    }));
}

// Whole rule files, up to a hundred random plies: whatever a file says, loading it and playing it must end without a
// crash, and the interpreter must agree with the reference executor on every state along the way. Games too large for
// the reference executor to play quickly are only loaded.

#include "base/random.hpp"
#include "executor/executor.hpp"
#include "executor/random_play.hpp"
#include "interpreter/make_interpreter.hpp"
#include "lang/load.hpp"
#include "reference/make_reference.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <vector>

namespace {

using namespace zug;
using fuzz::require;

constexpr int max_plies = 100;
constexpr std::uint64_t max_instances = 2000; // of all rules
constexpr std::uint32_t max_slots = 300;
constexpr std::size_t max_expressions = 4000;
constexpr std::clock_t max_time = 2 * CLOCKS_PER_SEC; // the reference executor is slow, more so with sanitizers

std::vector<std::uint64_t> ids(const run::MoveList& moves) {
    std::vector<std::uint64_t> result;
    for (std::size_t i = 0; i < moves.size(); ++i) result.push_back(moves.id(i));
    std::sort(result.begin(), result.end());
    return result;
}

// Equal, or both not a number.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (x != x && y != y); });
}

void play(const std::shared_ptr<const ir::Program>& program) {
    const auto reference = run::make_reference(program), interpreter = run::make_interpreter(program);
    run::State a, b, next_a, next_b;
    run::MoveList list_a, list_b;
    std::vector<std::uint32_t> slots_a, slots_b;
    std::vector<double> values_a(program->player_count()), values_b(program->player_count());
    Random random(1);
    reference->initial(a);
    interpreter->initial(b);
    const std::clock_t begin = std::clock();
    for (int ply = 0; ply < max_plies && std::clock() - begin < max_time; ++ply) {
        reference->store(a, slots_a);
        interpreter->store(b, slots_b);
        require(slots_a == slots_b, "the executors reach the same state");
        const run::NodeKind kind = reference->expand(a, list_a);
        require(interpreter->expand(b, list_b) == kind, "the executors see the same kind of node");
        require(ids(list_a) == ids(list_b), "the executors find the same moves");
        if (kind == run::NodeKind::Terminal) {
            const bool paid = reference->payoffs(a, values_a);
            require(interpreter->payoffs(b, values_b) == paid, "the executors find the same faults in payoffs");
            require(!paid || same(values_a, values_b), "the executors pay the same");
        }
        if (kind == run::NodeKind::Terminal || kind == run::NodeKind::Fault) return;
        const std::size_t i = run::random_entry(list_a, kind, random);
        const std::size_t j = list_b.find(list_a.id(i)).value_or(list_b.size());
        const bool done = reference->successor(a, list_a, i, next_a);
        require(interpreter->successor(b, list_b, j, next_b) == done, "the executors find the same faults");
        if (!done) return;
        a = next_a;
        b = next_b;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto loaded = lang::load_text("fuzz.zug", std::string(reinterpret_cast<const char*>(data), size));
    const auto said = diag::render(loaded.sources, loaded.report);
    require(said.size() < 200'000, "the diagnostics are bounded");
    require((loaded.program != nullptr) == !loaded.report.has_errors(), "a file without errors is a game");
    if (!loaded.program) return 0;
    const ir::Program& program = *loaded.program;
    if (program.code_count > max_instances || program.slot_count > max_slots || program.exprs.size() > max_expressions)
        return 0;
    play(loaded.program);
    return 0;
}

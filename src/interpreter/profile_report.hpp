#pragma once
// What random play of a compiled program spends its time on, by the parts of the program and by the locations in the
// rule file that its instructions come from.

#include "bytecode/bytecode.hpp"
#include "bytecode/debug_info.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace zug::run {

// Shares are of the whole time, 0 to 1. Numbers of times are per ply played.
struct Cost {
    Origin origin;
    double share = 0;
    double instructions = 0;
};

struct OpCost {
    std::string_view name; // of all widths
    double share = 0;
    double times = 0;
};

struct LoopCost {
    DebugInfo::Loop::Kind kind = DebugInfo::Loop::Kind::Members;
    Origin origin;
    std::uint32_t most = 0;  // bound of the rounds; 0: unknown
    std::uint32_t depth = 1; // nesting, 1 for an outermost loop
    double entries = 0;
    double rounds = 0; // per entry
    double share = 0;  // of its whole body
};

struct QuestionCost {
    Question::Kind kind = Question::Kind::Stuck;
    Origin origin;
    double times = 0;
    double share = 0; // of the asking instructions; answers that run routines count for those
};

struct Explanation {
    bool compiled = false;
    std::shared_ptr<const ir::Program> program; // that was compiled: of CompoundMoves, where there are some
    std::string why_not;                        // what has no byte code
    DebugInfo debug_info;
    std::uint64_t playouts = 0, plies = 0;
    double outside = 0; // the share of the executor's own work, between routines
    std::vector<OpCost> ops;
    std::vector<Cost> parts;     // without locations
    std::vector<Cost> locations; // of one part each
    std::vector<LoopCost> loops;
    std::vector<QuestionCost> questions;

    // Why what stands there was not lifted to sets; null: it was not tried.
    const DebugInfo::Refusal* refusal(const Origin& origin) const;
};

struct ExplainOptions {
    FileId library = none_id<FileId>; // a file whose definitions count for what uses them
    double seconds = 2;
    std::uint64_t seed = 1;
    bool (*stop)() = [] { return false; }; // polled: no more games
};

// Compiles the program and plays random games for so long on a counting machine. Lists come in descending order of
// cost.
Explanation explain(std::shared_ptr<const ir::Program> program, const ExplainOptions& options);

} // namespace zug::run

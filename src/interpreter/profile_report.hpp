#pragma once
// What random play of a compiled program spends its time on, by the parts of the program and by the places in the rule
// file that its instructions come from.

#include "bytecode/bytecode.hpp"
#include "bytecode/debug_info.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace zug::run {

// Shares are of the whole time. Numbers of times are by move or chance event played.
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
    std::uint32_t most = 0;  // rounds; 0: not known
    std::uint32_t depth = 1; // loops that it stands in, itself counted
    double entries = 0;
    double rounds = 0; // by entry
    double share = 0;  // of all that is done in it
};

struct QuestionCost {
    Question::Kind kind = Question::Kind::Stuck;
    Origin origin;
    double times = 0;
    double share = 0; // what the answers take in the machine's own loop left out
};

struct Explanation {
    bool compiled = false;
    std::string why_not; // what has no byte code
    DebugInfo debug_info;
    std::uint64_t playouts = 0, plies = 0;
    double outside = 0; // the share of the executor's own work between routines
    std::vector<OpCost> ops;
    std::vector<Cost> parts;  // without places
    std::vector<Cost> places; // of one part each
    std::vector<LoopCost> loops;
    std::vector<QuestionCost> questions;

    // Why what stands there was not done for all values at once; null: nobody asked.
    const DebugInfo::Refusal* refusal(const Origin& origin) const;
};

struct ExplainOptions {
    FileId library = none_id<FileId>; // a file that counts as a part of what uses it
    double seconds = 2;
    std::uint64_t seed = 1;
    bool (*stop)() = [] { return false; }; // asked now and then: no more games
};

// Compiles the program and plays random games for so long, counting. All lists begin with what costs most.
Explanation explain(std::shared_ptr<const ir::Program> program, const ExplainOptions& options);

} // namespace zug::run

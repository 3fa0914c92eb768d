#include "compiler/passes.hpp"

#include "base/nearest.hpp"

#include <algorithm>
#include <cstdlib>

namespace zug::run {
namespace {

constexpr std::array<PassInfo, pass_count> table{{
#define PASS(id, name, stage, need, needs, establishes, changes, function)                                             \
    {Pass::id, name, PassStage::stage, PassNeed::need, needs, establishes, changes, #function},
#define GRAPH_MEMBER(id, name, stage, need, needs, establishes, changes, function)                                     \
    {Pass::id, name, PassStage::stage, PassNeed::need, needs, establishes, changes, "ValueGraph::" #function},
#define GRAPH_REWRITE GRAPH_MEMBER
#define GRAPH_PASS GRAPH_MEMBER
#include "compiler/passes.def"
#undef GRAPH_MEMBER
}};

} // namespace

std::span<const PassInfo> pass_table() { return table; }

std::string_view name_of(PassStage stage) {
    switch (stage) {
    case PassStage::Analysis: return "analysis";
    case PassStage::Lowering: return "lowering";
    case PassStage::Construction: return "construction";
    case PassStage::Finishing: return "finishing";
    case PassStage::Routines: return "routines";
    }
    return "";
}

std::optional<Pass> pass_named(std::string_view name) {
    const auto found = std::ranges::find(table, name, &PassInfo::name);
    return found == table.end() ? std::nullopt : std::optional(found->pass);
}

std::string unknown_pass(std::string_view name) {
    std::vector<std::string> names;
    for (const PassInfo& pass : table) names.emplace_back(pass.name);
    const std::string meant = nearest(name, names);
    return "there is no pass `" + std::string(name) + "`" +
           (meant.empty() ? "; `--passes` lists them" : "; did you mean `" + meant + "`?");
}

bool PassOptions::default_verify() {
    if (const char* set = std::getenv("ZUG_VERIFY")) return std::string_view(set) == "1";
#ifdef NDEBUG
    return false;
#else
    return true;
#endif
}

void Passes::restart() {
    for (PassStatistics& pass : statistics_) pass = {.time = pass.time};
    dumps_.clear();
}

void Passes::Timer::start(Passes& passes, Pass pass) {
    passes_ = &passes;
    outer_ = std::exchange(passes.innermost_, this);
    pass_ = pass;
    since_ = Clock::now();
}

void Passes::Timer::stop() {
    const Clock::duration whole = Clock::now() - since_;
    (*passes_)[pass_].time += whole - inner_;
    if (outer_ != nullptr) outer_->inner_ += whole;
    passes_->innermost_ = outer_;
}

} // namespace zug::run

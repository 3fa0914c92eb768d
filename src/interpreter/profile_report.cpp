#include "interpreter/profile_report.hpp"

#include "bytecode/operand_kinds.hpp"
#include "bytecode/profile.hpp"
#include "compiler/compile.hpp"
#include "interpreter/interpreter.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

namespace zug::run {
namespace {

constexpr std::uint32_t ply_limit = 5000;  // of one playout
constexpr std::uint32_t clock_every = 500; // games and plies between looks at the clock, at least

auto key_of(const Origin& o) { return std::tuple(o.part, o.number, index(o.span.file), o.span.begin, o.span.end); }

// The entry of a list with this origin for which `same` holds; added if there is none.
template <class T, class Same>
T& entry_for(std::vector<T>& list, const Origin& origin, Same&& same) {
    for (T& item : list)
        if (key_of(item.origin) == key_of(origin) && same(item)) return item;
    T& item = list.emplace_back();
    item.origin = origin;
    return item;
}

class Accountant {
public:
    Accountant(const Bytecode& code, const Profile& profile, Explanation& out)
        : code_(code), profile_(profile), out_(out) {
        std::uint64_t total = profile.samples_outside();
        for (std::size_t i = 0; i < code.instrs.size(); ++i) total += profile.samples(i);
        total_ = static_cast<double>(std::max<std::uint64_t>(1, total));
    }

    void all() {
        out_.outside = static_cast<double>(profile_.samples_outside()) / total_;
        std::map<decltype(key_of({})), std::size_t> parts, locations;
        for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
            const Origin& origin = out_.debug_info.origins[i];
            op(i);
            add(out_.locations, locations, origin, i);
            add(out_.parts, parts, {.span = {}, .part = origin.part, .number = origin.number}, i);
        }
        for (const DebugInfo::Loop& l : out_.debug_info.loops) loop(l);
        for (std::size_t i = 0; i < code_.instrs.size(); ++i)
            if (code_.instrs[i].op == Opcode::CallHost) question(i);
        const auto most_first = [](auto& list) {
            std::ranges::stable_sort(list, std::greater(), [](const auto& x) { return x.share; });
        };
        most_first(out_.ops);
        most_first(out_.parts);
        most_first(out_.locations);
        most_first(out_.loops);
        most_first(out_.questions);
        for (LoopCost& l : out_.loops) l.rounds = l.entries > 0 ? l.rounds / l.entries : 0;
    }

private:
    double share(std::size_t instr) const { return static_cast<double>(profile_.samples(instr)) / total_; }
    double per_ply(std::uint64_t runs) const {
        return static_cast<double>(runs) / static_cast<double>(std::max<std::uint64_t>(1, out_.plies));
    }

    void add(std::vector<Cost>& list, std::map<decltype(key_of({})), std::size_t>& known, const Origin& origin,
             std::size_t instr) {
        const auto [at, fresh] = known.try_emplace(key_of(origin), list.size());
        if (fresh) list.push_back({.origin = origin});
        Cost& cost = list[at->second];
        cost.share += share(instr);
        cost.instructions += per_ply(profile_.runs(instr));
    }

    void op(std::size_t instr) {
        const std::string_view name = signature_of(code_.instrs[instr].op).name;
        auto at = std::ranges::find(out_.ops, name, &OpCost::name);
        if (at == out_.ops.end()) at = out_.ops.insert(at, {.name = name});
        at->share += share(instr);
        at->times += per_ply(profile_.runs(instr));
    }

    void loop(const DebugInfo::Loop& l) {
        // At the top of a loop over members the next one is taken, or there is none.
        const bool takes = l.kind == DebugInfo::Loop::Kind::Members;
        const std::uint64_t rounds = takes ? profile_.runs(l.top + 1) : profile_.runs(l.back);
        std::uint32_t depth = 0;
        for (const DebugInfo::Loop& other : out_.debug_info.loops)
            depth += other.top <= l.top && other.back >= l.back ? 1 : 0;
        LoopCost& cost = entry_for(out_.loops, out_.debug_info.origins[l.back],
                                   [&](const LoopCost& c) { return c.kind == l.kind && c.depth == depth; });
        cost.kind = l.kind;
        cost.depth = depth;
        cost.most = l.most;
        cost.entries += per_ply(l.top > 0 ? profile_.runs(l.top - 1) : 0);
        cost.rounds += per_ply(rounds);
        for (std::size_t i = l.top; i <= l.back; ++i) cost.share += share(i);
    }

    void question(std::size_t instr) {
        const Question::Kind kind = code_.questions[static_cast<std::size_t>(code_.instrs[instr].imm)].kind;
        QuestionCost& cost = entry_for(out_.questions, out_.debug_info.origins[instr],
                                       [&](const QuestionCost& c) { return c.kind == kind; });
        cost.kind = kind;
        cost.times += per_ply(profile_.runs(instr));
        cost.share += share(instr);
    }

    const Bytecode& code_;
    const Profile& profile_;
    Explanation& out_;
    double total_ = 1; // samples
};

void play(Executor& executor, const ExplainOptions& options, Explanation& out) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
    Random random(options.seed);
    State state;
    for (std::uint64_t next_look = 0;;) {
        const std::uint64_t done = out.plies + out.playouts; // a game can be over at its start
        if (done >= next_look) {
            if (options.stop() || (done > 0 && Clock::now() >= end)) break;
            next_look = done + clock_every;
        }
        executor.initial(state);
        out.plies += executor.playout(state, random, ply_limit).plies;
        ++out.playouts;
        if (executor.fault()) break;
    }
}

} // namespace

const DebugInfo::Refusal* Explanation::refusal(const Origin& origin) const {
    const auto found = std::ranges::find(debug_info.refusals, origin.span, &DebugInfo::Refusal::what);
    return found != debug_info.refusals.end() ? &*found : nullptr;
}

Explanation explain(std::shared_ptr<const ir::Program> program, const ExplainOptions& options) {
    Explanation result;
    result.debug_info.library = options.library;
    auto compiled = compile(program, result.why_not, &result.debug_info);
    if (compiled && compiled->stepwise) { // by which games are played at random
        result.debug_info = {};
        result.debug_info.library = options.library;
        Passes passes;
        passes.switch_off(Pass::CompoundMoves);
        compiled = compile(program, result.why_not, &result.debug_info, &passes);
    }
    result.compiled = compiled != nullptr;
    if (!compiled) return result;
    result.program = compiled->program;
    Profile profile(compiled->code.instrs.size());
    compiled->code.profile = &profile;
    compiled->vm = counting_vm_for(compiled->layout->main_words());
    const Bytecode& code = compiled->code;
    Interpreter interpreter(std::move(compiled));
    {
        const Profile::Sampler sampler(profile);
        play(interpreter, options, result);
    }
    Accountant(code, profile, result).all();
    return result;
}

} // namespace zug::run

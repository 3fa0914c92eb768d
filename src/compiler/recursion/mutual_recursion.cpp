#include "compiler/recursion/mutual_recursion.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::FunctionId;
using ir::Op;

using Functions = std::set<FunctionId>;

FunctionId callee(const ir::Expr& call) { return static_cast<FunctionId>(call.imm); }

// Calls f(expression) for every part, once.
template <class F>
void each_part(const ir::Program& program, ExprId e, F&& f) {
    std::unordered_set<std::size_t> met;
    std::vector<ExprId> open{e};
    while (!open.empty()) {
        const ExprId part = open.back();
        open.pop_back();
        if (!met.insert(index(part)).second) continue;
        f(part);
        for (const ExprId a : program.arguments(part)) open.push_back(a);
    }
}

// Which definitions call which, those that call themselves alone.
class Calls {
public:
    explicit Calls(const ir::Program& program) : callees_(program.functions.size()) {
        for (std::size_t k = 0; k < callees_.size(); ++k) {
            const ir::Function& f = program.functions[static_cast<FunctionId>(k)];
            if (!f.recursive) continue;
            each_part(program, f.body, [&](ExprId e) {
                const ir::Expr& x = program.exprs[e];
                if (x.op == Op::Call && program.functions[callee(x)].recursive) callees_[k].insert(callee(x));
            });
        }
    }

    // What can be reached from a definition by calls, those of `without` left out.
    Functions reached(FunctionId from, FunctionId without = none_id<FunctionId>) const {
        Functions found;
        std::vector<FunctionId> open{from};
        while (!open.empty()) {
            const FunctionId at = open.back();
            open.pop_back();
            for (const FunctionId to : callees_[index(at)])
                if (to != without && found.insert(to).second) open.push_back(to);
        }
        return found;
    }
    // Those on a cycle with it, itself among them.
    Functions cycle(FunctionId id) const {
        Functions found = reached(id);
        std::erase_if(found, [&](FunctionId other) { return !reached(other).contains(id); });
        return found;
    }
    // Whether all cycles of the group lead through it.
    bool is_key(FunctionId id, const Functions& group) const {
        return std::ranges::all_of(
            group, [&](FunctionId other) { return other == id || !reached(other, id).contains(other); });
    }

private:
    std::vector<Functions> callees_;
};

// Writes out calls in one definition.
class WriteOut : private ExpressionBuilder {
public:
    WriteOut(ir::Program& program, FunctionId into, const Functions& group)
        : ExpressionBuilder(program), into_(into), group_(group) {}

    // The number of calls; 0: it is too large, or an argument may be cut to the range of its parameter.
    std::uint64_t run() {
        std::uint64_t written = 0;
        for (ExprId call = next_call(); valid(call); call = next_call(), ++written) {
            const ir::Function& called = program_.functions[callee(program_.exprs[call])];
            names_.clear();
            made_.clear();
            for (std::size_t i = 0; i < called.params.size(); ++i) {
                const ExprId given = program_.argument(call, i);
                if (program_.exprs[given].type != program_.vars[called.params[i]].type) return 0;
                names_.emplace(index(called.params[i]), given);
            }
            const ExprId body = with_names(called.body);
            if (size_ > most_size) return 0;
            program_.exprs[call] = program_.exprs[body];
        }
        return written;
    }

private:
    ExprId next_call() const {
        ExprId found = none_id<ExprId>;
        each_part(program_, program_.functions[into_].body, [&](ExprId e) {
            const ir::Expr& x = program_.exprs[e];
            if (x.op == Op::Call && callee(x) != into_ && group_.contains(callee(x))) found = e;
        });
        return found;
    }

    ExprId with_names(ExprId e) {
        if (const auto met = made_.find(index(e)); met != made_.end()) return met->second;
        const ir::Expr x = program_.exprs[e];
        ExprId made = e;
        if (x.op == Op::Var) {
            const auto name = names_.find(static_cast<std::size_t>(x.imm));
            if (name != names_.end()) made = name->second;
        } else {
            std::vector<ExprId> args = arguments(e);
            if (++size_ > most_size) return e;
            for (ExprId& a : args) a = with_names(a);
            if (args != arguments(e)) made = make(x.op, x.type, x.imm, args, x.span);
        }
        made_.emplace(index(e), made);
        return made;
    }

    static constexpr std::size_t most_size = 5'000;
    FunctionId into_;
    const Functions& group_;
    std::unordered_map<std::size_t, ExprId> names_; // what stands for the parameters of the call under way
    std::unordered_map<std::size_t, ExprId> made_;
    std::size_t size_ = 0;
};

} // namespace

std::uint64_t write_out_mutual_recursion(ir::Program& program) {
    std::uint64_t written = 0;
    Calls calls(program);
    for (std::size_t k = 0; k < program.functions.size(); ++k) {
        const auto id = static_cast<FunctionId>(k);
        if (!program.functions[id].recursive) continue;
        const Functions group = calls.cycle(id);
        if (group.size() < 2 || !calls.is_key(id, group)) continue;
        ir::Program trial = program; // of which nothing must be left if it fails
        const std::uint64_t more = WriteOut(trial, id, group).run();
        if (more == 0) continue;
        for (const FunctionId other : group) trial.functions[other].recursive = other == id;
        program = std::move(trial);
        calls = Calls(program);
        written += more;
    }
    return written;
}

} // namespace zug::run

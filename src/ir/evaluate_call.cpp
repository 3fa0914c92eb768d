// Calls of functions, and questions whether a rule can be played.
//
// A recursive function is computed as the least fixpoint of its cycle of calls: a table holds a value for each call
// that occurs (function and arguments), initially false or {}; the bodies are evaluated with the table until nothing
// changes. A call of a function outside the cycle has a fixpoint of its own, which is complete before it is used: this
// makes `not` and `\` over it sound (stratification).

#include "ir/evaluate.hpp"

#include <algorithm>

namespace zug::ir {

struct Evaluator::Fixpoint {
    struct Entry {
        FunctionId function;
        std::vector<Value> args;
        Value value;
    };
    std::vector<Entry> entries;
    FunctionId root;

    Entry* find(FunctionId function, const std::vector<Value>& args) {
        auto it = std::ranges::find_if(entries, [&](auto& e) { return e.function == function && e.args == args; });
        return it == entries.end() ? nullptr : &*it;
    }
};

Value Evaluator::call(ExprId id) {
    const Expr& e = program_.exprs[id];
    const auto function = static_cast<FunctionId>(e.imm);
    std::vector<Value> args;
    for (auto arg : program_.arguments(id)) args.push_back(value(arg));
    if (!program_.functions[function].recursive) return run_body(function, args);
    if (fixpoint_ != nullptr && same_cycle(fixpoint_->root, function)) {
        step(fixpoint_->entries.size() / 4);
        if (auto* entry = fixpoint_->find(function, args)) return entry->value;
        const Value bottom = missing(program_.exprs[program_.functions[function].body].type);
        fixpoint_->entries.push_back({function, std::move(args), bottom});
        return bottom;
    }
    return least_fixpoint(function, std::move(args));
}

Value Evaluator::least_fixpoint(FunctionId function, std::vector<Value> args) {
    Fixpoint fixpoint{.entries = {}, .root = function};
    fixpoint.entries.push_back(
        {function, std::move(args), missing(program_.exprs[program_.functions[function].body].type)});
    Fixpoint* outer = std::exchange(fixpoint_, &fixpoint);
    for (bool changed = true; changed && !out_of_work();) {
        changed = false;
        for (std::size_t i = 0; i < fixpoint.entries.size(); ++i) {
            // The table may move while the body runs.
            const FunctionId callee = fixpoint.entries[i].function;
            const std::vector<Value> callee_args = fixpoint.entries[i].args;
            Value now = run_body(callee, callee_args);
            if (now == fixpoint.entries[i].value) continue;
            fixpoint.entries[i].value = std::move(now);
            changed = true;
        }
    }
    fixpoint_ = outer;
    return std::move(fixpoint.entries.front().value);
}

Value Evaluator::run_body(FunctionId id, const std::vector<Value>& args) {
    const Function& function = program_.functions[id];
    std::vector<Value> saved;
    for (std::size_t i = 0; i < args.size(); ++i) saved.push_back(std::exchange(slot_of(function.params[i]), args[i]));
    Value result = value(function.body);
    for (std::size_t i = 0; i < args.size(); ++i) slot_of(function.params[i]) = std::move(saved[i]);
    return result;
}

bool Evaluator::same_cycle(FunctionId a, FunctionId b) {
    if (a == b) return true;
    const auto key = std::pair(a, b);
    auto it = cycles_.find(key);
    if (it == cycles_.end()) it = cycles_.emplace(key, reaches(a, b) && reaches(b, a)).first;
    return it->second;
}

bool Evaluator::reaches(FunctionId from, FunctionId to) const {
    std::vector<bool> seen(program_.functions.size());
    std::vector<ExprId> open{program_.functions[from].body};
    std::vector<bool> visited(program_.exprs.size());
    while (!open.empty()) {
        const ExprId id = open.back();
        open.pop_back();
        if (!valid(id) || visited[index(id)]) continue;
        visited[index(id)] = true;
        const Expr& e = program_.exprs[id];
        for (auto arg : program_.arguments(id)) open.push_back(arg);
        if (e.op != Op::Call) continue;
        const auto callee = static_cast<FunctionId>(e.imm);
        if (callee == to) return true;
        if (!seen[index(callee)]) open.push_back(program_.functions[callee].body);
        seen[index(callee)] = true;
    }
    return false;
}

bool Evaluator::can(ExprId id) {
    const Expr& e = program_.exprs[id];
    const std::int64_t player = scalar(program_.argument(id, 0));
    if (player == none) return false;
    std::vector<std::optional<std::int64_t>> pattern;
    for (std::size_t i = 1; i < e.arg_count; ++i) {
        const ExprId arg = program_.argument(id, i);
        if (program_.exprs[arg].op == Op::Wildcard) {
            pattern.emplace_back();
        } else {
            pattern.emplace_back(scalar(arg));
        }
    }
    return questions_->can(static_cast<RuleId>(e.imm), pattern, slots_, player);
}

} // namespace zug::ir

// Checking leaves unused expressions behind: folded ones, bodies that were inlined, attempts at recursive definitions.
// Compaction drops all that the program does not reach. Arguments have lower ids than the expressions they belong to,
// so one pass in order of ids suffices.

#include "lang/core/builder.hpp"
#include "lang/finish/passes.hpp"

#include <algorithm>
#include <map>

namespace zug::lang {

namespace {

using ir::FunctionId;
using ir::KeyId;

class Compaction {
public:
    explicit Compaction(ir::Program& program)
        : program_(program), expr_live_(program.exprs.size()), function_live_(program.functions.size()),
          key_live_(program.keys.size()) {}

    void run() {
        each_root([&](ExprId& id) { mark(id); });
        number_keys();
        number_functions();
        move_expressions();
        const auto renumber = [&](ExprId& id) {
            if (valid(id)) id = new_expr_[index(id)];
        };
        each_root(renumber);
        for (auto& key : program_.keys) std::ranges::for_each(key.parts, renumber);
    }

private:
    template <class F>
    void clauses(std::vector<ir::Clause>& list, F&& f) {
        for (auto& clause : list) f(clause.expr);
    }
    template <class F>
    void parts(std::vector<ir::NotationPart>& list, F&& f) {
        for (auto& part : list) {
            f(part.expr);
            f(part.when);
        }
    }
    template <class F>
    void blocks(std::vector<ir::Block>& list, F&& f) {
        for (auto& block : list) clauses(block.lets, f);
    }

    // f(id) for each reference to an expression from outside expressions, functions and keys.
    template <class F>
    void each_root(F&& f) {
        for (auto& rule : program_.rules) {
            clauses(rule.when, f);
            clauses(rule.ensure, f);
            blocks(rule.then, f);
            f(rule.weight);
        }
        for (auto& effect : program_.effects) {
            for (auto& index : effect.indices) f(index);
            f(effect.value);
        }
        if (program_.turn) {
            blocks(program_.turn->then, f);
            for (auto& chain : program_.turn->chains) {
                f(chain.most);
                for (auto& part : chain.most_sum) f(part);
            }
            if (program_.turn->by)
                for (auto& part : program_.turn->by->parts) f(part);
        }
        for (auto& end : program_.ends) {
            f(end.condition);
            for (auto& payoff : end.payoffs) f(payoff);
        }
        for (auto& eval : program_.evals) f(eval);
        for (auto& term : program_.terms)
            for (auto& part : term.by_player) {
                for (auto& let : part.lets) f(let.second);
                f(part.expr);
            }
        for (auto& loud : program_.loud) f(loud);
        if (program_.bound) {
            f(program_.bound->moves);
            f(program_.bound->payoff);
        }
        for (auto& of_rule : program_.notations)
            for (auto& notation : of_rule) {
                clauses(notation.when, f);
                parts(notation.text, f);
                if (notation.later) parts(*notation.later, f);
            }
        for (auto& test : program_.tests)
            for (auto& item : test.items) f(item.expr);
    }

    void mark(ExprId root) {
        if (!valid(root)) return;
        std::vector<ExprId> open{root};
        while (!open.empty()) {
            const ExprId at = open.back();
            open.pop_back();
            if (expr_live_[index(at)]) continue;
            expr_live_[index(at)] = true;
            const auto& e = program_.exprs[at];
            for (ExprId arg : program_.arguments(at)) open.push_back(arg);
            if (e.op == Op::Earlier && !key_live_[static_cast<std::size_t>(e.imm)]) {
                key_live_[static_cast<std::size_t>(e.imm)] = true;
                for (ExprId part : program_.keys[static_cast<KeyId>(e.imm)].parts) open.push_back(part);
            }
            if (e.op != Op::Call || function_live_[static_cast<std::size_t>(e.imm)]) continue;
            function_live_[static_cast<std::size_t>(e.imm)] = true;
            open.push_back(program_.functions[static_cast<FunctionId>(e.imm)].body);
        }
    }

    // A key whose last use was folded away would still be recorded at every turn.
    void number_keys() {
        IdVector<KeyId, ir::HistoryKey> kept;
        new_key_.assign(program_.keys.size(), none_id<KeyId>);
        for (std::size_t i = 0; i < program_.keys.size(); ++i)
            if (key_live_[i]) new_key_[i] = kept.push(std::move(program_.keys[static_cast<KeyId>(i)]));
        program_.keys = std::move(kept);
    }

    void number_functions() {
        IdVector<FunctionId, ir::Function> kept;
        new_function_.assign(program_.functions.size(), none_id<FunctionId>);
        for (std::size_t i = 0; i < program_.functions.size(); ++i)
            if (function_live_[i])
                new_function_[i] = kept.push(std::move(program_.functions[static_cast<FunctionId>(i)]));
        program_.functions = std::move(kept);
    }

    void move_expressions() {
        IdVector<ExprId, ir::Expr> kept;
        std::vector<ExprId> kept_args;
        new_expr_.assign(program_.exprs.size(), none_id<ExprId>);
        for (std::size_t i = 0; i < program_.exprs.size(); ++i) {
            if (!expr_live_[i]) continue;
            const auto old = static_cast<ExprId>(i);
            ir::Expr e = program_.exprs[old];
            const auto first = static_cast<std::uint32_t>(kept_args.size());
            for (ExprId arg : program_.arguments(old)) kept_args.push_back(new_expr_[index(arg)]);
            e.first_arg = first;
            if (e.op == Op::Call)
                e.imm = static_cast<std::int64_t>(index(new_function_[static_cast<std::size_t>(e.imm)]));
            if (e.op == Op::Earlier)
                e.imm = static_cast<std::int64_t>(index(new_key_[static_cast<std::size_t>(e.imm)]));
            if (e.op == Op::SetConst)
                e.imm = static_cast<std::int64_t>(index(kept_set(static_cast<ir::SetConstId>(e.imm))));
            new_expr_[i] = kept.push(e);
        }
        program_.exprs = std::move(kept);
        program_.args = std::move(kept_args);
        program_.set_consts = std::move(kept_sets_);
        for (auto& function : program_.functions) function.body = new_expr_[index(function.body)];
    }

    // Equal sets become one constant, so that equal expressions have equal immediates.
    ir::SetConstId kept_set(ir::SetConstId old) {
        const Bits& bits = program_.set_consts[old];
        const std::pair key(bits.size(), std::vector(bits.words(), bits.words() + bits.word_count()));
        const auto [known, fresh] = new_set_.try_emplace(key);
        if (fresh) known->second = kept_sets_.push(bits);
        return known->second;
    }

    ir::Program& program_;
    IdVector<ir::SetConstId, Bits> kept_sets_;
    std::map<std::pair<std::size_t, std::vector<std::uint64_t>>, ir::SetConstId> new_set_;
    std::vector<bool> expr_live_, function_live_, key_live_;
    std::vector<ExprId> new_expr_;
    std::vector<FunctionId> new_function_;
    std::vector<KeyId> new_key_;
};

} // namespace

void compact(ir::Program& program) { Compaction(program).run(); }

} // namespace zug::lang

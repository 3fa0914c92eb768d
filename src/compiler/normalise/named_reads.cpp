#include "compiler/normalise/named_reads.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

constexpr std::uint64_t most_values = 64;  // of a variable
constexpr std::size_t most_names = 4;      // in a comparison, variables included
constexpr std::uint64_t most_rows = 16384; // of the table, and of its columns, by the values of all names

constexpr std::size_t small = 12;     // operations of a value that may be written out more than once
constexpr std::size_t most_uses = 4;  // of such a value
constexpr std::size_t endless = 4096; // operations that are counted

class NamedReads {
public:
    explicit NamedReads(ir::Program& program) : program_(program), builder_(program) {}

    bool name(ExprId e) {
        const ir::Expr comparison = program_.exprs[e];
        if (comparison.op != Op::Eq && comparison.op != Op::Lt) return false;
        reads_.clear();
        names_.clear();
        computes_ = false;
        if (!look(e) || reads_.empty() || names_.empty() || !computes_ || names_.size() + reads_.size() > most_names)
            return false;
        std::uint64_t rows = 1;
        for (const ir::VarId name : names_) rows *= values(program_.vars[name].type);
        for (const auto& [state, read] : reads_) rows *= values(program_.exprs[read].type);
        if (rows > most_rows) return false;
        std::map<std::int64_t, ir::VarId> variables;
        for (const auto& [state, read] : reads_) {
            const std::string& name = program_.states[static_cast<ir::StateId>(state)].name;
            variables.emplace(state, program_.vars.push({name, program_.exprs[read].type}));
        }
        ExprId named = with_names(e, variables);
        for (const auto& [state, read] : reads_)
            named = builder_.make(Op::Let, comparison.type, static_cast<std::int64_t>(index(variables.at(state))),
                                  {read, named}, comparison.span);
        program_.exprs[e] = program_.exprs[named];
        return true;
    }

private:
    // How many values the type has; more than most_rows: it is not one by which there are tables.
    std::uint64_t values(ir::TypeId type) const {
        switch (program_.types.kind(type)) {
        case TypeKind::Set:
        case TypeKind::Path:
        case TypeKind::Optional:
        case TypeKind::Real: return most_rows + 1;
        default: return std::min(program_.types.cardinality(type), most_rows + 1);
        }
    }

    // Notes what the expression reads and names. False: it depends on more than that, or binds names of its own.
    bool look(ExprId e) {
        const ir::Expr& x = program_.exprs[e];
        switch (x.op) {
        case Op::Var:
            if (std::ranges::find(names_, static_cast<ir::VarId>(x.imm)) == names_.end())
                names_.push_back(static_cast<ir::VarId>(x.imm));
            return true;
        case Op::StateGet:
            reads_.emplace(x.imm, e);
            return program_.states[static_cast<ir::StateId>(x.imm)].assigned && values(x.type) <= most_values;
        case Op::Call:
            computes_ = true;
            if (!is_simple(program_.functions[static_cast<ir::FunctionId>(x.imm)])) return false;
            break;
        case Op::CoordX:
        case Op::CoordY:
        case Op::Number: computes_ = true; break;
        case Op::Const:
        case Op::If:
        case Op::Eq:
        case Op::Lt:
        case Op::Not:
        case Op::And:
        case Op::Or: break;
        default:
            if (!ir::is_arithmetic(x.op)) return false;
            computes_ = true;
        }
        return std::ranges::all_of(program_.arguments(e), [&](ExprId a) { return look(a); });
    }

    // Whether the function computes from its parameters only.
    bool is_simple(const ir::Function& function) const {
        const auto computed = [&](const auto& self, ExprId e) -> bool {
            const ir::Expr& x = program_.exprs[e];
            const bool simple = x.op == Op::Var || x.op == Op::Const || x.op == Op::If || x.op == Op::Eq ||
                                x.op == Op::Lt || x.op == Op::Not || x.op == Op::And || x.op == Op::Or ||
                                ir::is_arithmetic(x.op);
            return simple && std::ranges::all_of(program_.arguments(e), [&](ExprId a) { return self(self, a); });
        };
        return !function.recursive && computed(computed, function.body);
    }

    ExprId with_names(ExprId e, const std::map<std::int64_t, ir::VarId>& variables) {
        const ir::Expr x = program_.exprs[e];
        if (x.op == Op::StateGet)
            return builder_.make(Op::Var, x.type, static_cast<std::int64_t>(index(variables.at(x.imm))), {}, x.span);
        std::vector<ExprId> args;
        for (std::size_t i = 0; i < x.arg_count; ++i) args.push_back(with_names(program_.argument(e, i), variables));
        return builder_.make(x.op, x.type, x.imm, args, x.span);
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
    std::map<std::int64_t, ExprId> reads_; // by state variable
    std::vector<ir::VarId> names_;
    bool computes_ = false;
};

class NamesWrittenOut {
public:
    explicit NamesWrittenOut(ir::Program& program) : program_(program) {}

    bool write_out(ExprId e) {
        const ir::Expr let = program_.exprs[e];
        // What a call is given where there may be none has a name too, by which other passes know such a call.
        if (let.op != Op::Let || none_case(program_, e)) return false;
        const auto var = static_cast<ir::VarId>(let.imm);
        const ExprId value = program_.argument(e, 0), body = program_.argument(e, 1);
        if (program_.exprs[value].type != program_.vars[var].type || !pays(value, body, var)) return false;
        Substitution with_value(program_, false);
        with_value.name(var, value);
        const ExprId written = with_value(body);
        if (!valid(written)) return false;
        program_.exprs[e] = program_.exprs[written];
        return true;
    }

private:
    struct Uses {
        std::size_t times = 0;
        bool in_loop = false; // once for each value of another name
    };

    bool pays(ExprId value, ExprId body, ir::VarId var) const {
        const Op op = program_.exprs[value].op;
        if (op == Op::Var || op == Op::Const || op == Op::Me) return true;
        Uses uses;
        count_uses(body, var, false, uses);
        if (uses.in_loop || uses.times > most_uses) return false;
        return uses.times <= 1 ||
               (program_.types.kind(program_.exprs[value].type) != TypeKind::Path && operations(value) <= small);
    }

    void count_uses(ExprId e, ir::VarId var, bool in_loop, Uses& uses) const {
        if (is_name(program_, e, var)) {
            ++uses.times;
            uses.in_loop = uses.in_loop || in_loop;
        }
        const Op op = program_.exprs[e].op;
        const bool loop = ir::binds_variable(op) && op != Op::Let;
        const auto args = program_.arguments(e);
        for (std::size_t i = 0; i < args.size(); ++i) count_uses(args[i], var, in_loop || (loop && i > 0), uses);
    }

    std::size_t operations(ExprId e) const {
        std::size_t count = program_.exprs[e].op == Op::Call ? endless : 1;
        for (const ExprId a : program_.arguments(e))
            if (count < endless) count += operations(a);
        return count;
    }

    ir::Program& program_;
};

} // namespace

std::uint64_t name_reads(ir::Program& program) {
    NamedReads reads(program);
    std::uint64_t named = 0;
    for (std::size_t e = 0, exprs = program.exprs.size(); e < exprs; ++e)
        named += reads.name(static_cast<ExprId>(e)) ? 1 : 0;
    return named;
}

std::uint64_t write_out_names(ir::Program& program) {
    NamesWrittenOut names(program);
    return replace_each(program, [&](ExprId e) { return names.write_out(e); });
}

} // namespace zug::run

#include "compiler/normalise/named_reads.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

constexpr std::uint64_t most_values = 64;  // of a variable
constexpr std::uint64_t most_sites = 400;  // of one compared with a site of the same board
constexpr std::size_t most_names = 4;      // in a comparison, variables included
constexpr std::uint64_t most_rows = 16384; // of the table, and of its columns, by the values of all names

constexpr std::size_t small = 12;                // operations of a value that may be written out more than once
constexpr std::size_t most_uses = 4;             // of such a value
constexpr std::size_t small_of_coordinates = 32; // the same of one computed from coordinates
constexpr std::size_t endless = 4096;            // operations that are counted

class NamedReads {
public:
    explicit NamedReads(ir::Program& program) : program_(program), builder_(program) {}

    // Of a comparison.
    bool name(ExprId e) {
        const Op op = program_.exprs[e].op;
        return (op == Op::Eq || op == Op::Lt) && name_in(e, false);
    }
    // Of a quantifier, as in `some dx in -1..1: some dy in -1..1: t = cell(x(here) + dx, y(here) + dy)`.
    bool name_in_quantifier(ExprId e) {
        const Op op = program_.exprs[e].op;
        return (op == Op::Exists || op == Op::ForAll) && name_in(e, true);
    }

private:
    bool name_in(ExprId e, bool on_sites_only) {
        const ir::Expr comparison = program_.exprs[e];
        reads_.clear();
        names_.clear();
        computes_ = finds_sites_ = false;
        if (!look(e) || reads_.empty() || names_.empty() || !computes_ || names_.size() + reads_.size() > most_names)
            return false;
        if (!is_on_sites() && (on_sites_only || !has_table())) return false;
        std::vector<ir::VarId> variables;
        for (const ExprId read : reads_) {
            const auto state = static_cast<ir::StateId>(program_.exprs[read].imm);
            variables.push_back(program_.vars.push({program_.states[state].name, program_.exprs[read].type}));
        }
        ExprId named = with_names(e, variables);
        for (std::size_t k = 0; k < reads_.size(); ++k)
            named = builder_.make(Op::Let, comparison.type, static_cast<std::int64_t>(index(variables[k])),
                                  {reads_[k], named}, comparison.span);
        program_.exprs[e] = program_.exprs[named];
        return true;
    }

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

    // Whether the comparison is of two sites of a board, one of them read: such a relation is a path.
    bool is_on_sites() const {
        if (names_.size() != 1 || reads_.size() != 1) return false;
        const ir::TypeId site = program_.vars[names_[0]].type;
        return program_.exprs[reads_[0]].type == site && program_.types.kind(site) == TypeKind::Site &&
               values(site) <= most_sites;
    }

    // Whether there is a table of it by all values. A site at coordinates is found at once as it is.
    bool has_table() const {
        if (finds_sites_) return false;
        std::uint64_t rows = 1;
        for (const ir::VarId name : names_) rows *= values(program_.vars[name].type);
        for (const ExprId read : reads_) {
            const std::uint64_t different = values(program_.exprs[read].type);
            if (different > most_values) return false;
            rows *= different;
        }
        return rows <= most_rows;
    }

    // Whether the expression is of constants and the player to move, as indices of an entry that is read may be.
    bool is_same_for_all(ExprId e) const {
        const Op op = program_.exprs[e].op;
        return (op == Op::Me || op == Op::NextPlayer || op == Op::PrevPlayer || op == Op::Const ||
                ir::is_arithmetic(op)) &&
               std::ranges::all_of(program_.arguments(e), [&](ExprId a) { return is_same_for_all(a); });
    }

    // The number of a read among those that were noted, this one included.
    std::size_t number_of(ExprId read) {
        const auto same = [&](ExprId known) { return alike(program_, known, read); };
        const auto at = std::ranges::find_if(reads_, same);
        if (at != reads_.end()) return static_cast<std::size_t>(at - reads_.begin());
        reads_.push_back(read);
        return reads_.size() - 1;
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
        case Op::MapGet:
            number_of(e);
            return program_.states[static_cast<ir::StateId>(x.imm)].assigned &&
                   std::ranges::all_of(program_.arguments(e), [&](ExprId a) { return is_same_for_all(a); });
        case Op::Call:
            computes_ = true;
            if (!is_simple(program_.functions[static_cast<ir::FunctionId>(x.imm)])) return false;
            break;
        case Op::Exists:
        case Op::ForAll: {
            computes_ = true;
            const bool fits = std::ranges::all_of(program_.arguments(e), [&](ExprId a) { return look(a); });
            std::erase(names_, static_cast<ir::VarId>(x.imm));
            return fits;
        }
        case Op::CoordX:
        case Op::CoordY:
        case Op::Number: computes_ = true; break;
        case Op::SiteAt: finds_sites_ = computes_ = true; break;
        case Op::Const:
        case Op::SetConst:
        case Op::IntRange:
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
                                x.op == Op::CoordX || x.op == Op::CoordY || ir::is_arithmetic(x.op);
            return simple && std::ranges::all_of(program_.arguments(e), [&](ExprId a) { return self(self, a); });
        };
        return !function.recursive && computed(computed, function.body);
    }

    ExprId with_names(ExprId e, const std::vector<ir::VarId>& variables) {
        const ir::Expr x = program_.exprs[e];
        if (x.op == Op::StateGet || x.op == Op::MapGet)
            return builder_.make(Op::Var, x.type, static_cast<std::int64_t>(index(variables[number_of(e)])), {},
                                 x.span);
        std::vector<ExprId> args;
        for (std::size_t i = 0; i < x.arg_count; ++i) args.push_back(with_names(program_.argument(e, i), variables));
        return builder_.make(x.op, x.type, x.imm, args, x.span);
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
    std::vector<ExprId> reads_; // of variables of the state, no two of them alike
    std::vector<ir::VarId> names_;
    bool computes_ = false, finds_sites_ = false;
};

class NamesWrittenOut {
public:
    explicit NamesWrittenOut(ir::Program& program) : program_(program) {}

    // Names that a rule gives to what it computes from coordinates, as `let dx = abs(x(t) - x(f))` is, in the
    // conditions that follow: they are then about sites. Effects are left as they are. Returns how often it was done.
    std::uint64_t write_out_in(ir::Rule& rule) {
        std::uint64_t written = 0;
        for (std::size_t k = 0; k < rule.when.size(); ++k) {
            const ir::Clause let = rule.when[k];
            if (!valid(let.bind) || !is_of_coordinates(let.expr) || operations(let.expr) > small_of_coordinates)
                continue;
            Substitution with_value(program_, false);
            with_value.name(let.bind, let.expr);
            for (std::size_t later = k + 1; later < rule.when.size(); ++later) {
                ir::Clause& clause = rule.when[later];
                if (!names(program_, clause.expr, let.bind)) continue;
                const ExprId with = with_value(clause.expr);
                if (!valid(with)) continue;
                clause.expr = with;
                ++written;
            }
        }
        return written;
    }

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

    // Whether the value is a number that is computed from coordinates of sites.
    bool is_of_coordinates(ExprId e) const {
        const ir::Expr& x = program_.exprs[e];
        if (x.op == Op::CoordX || x.op == Op::CoordY) return true;
        return ir::is_arithmetic(x.op) &&
               std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return is_of_coordinates(a); });
    }

    bool pays(ExprId value, ExprId body, ir::VarId var) const {
        const Op op = program_.exprs[value].op;
        if (op == Op::Var || op == Op::Const || op == Op::Me) return true;
        Uses uses;
        count_uses(body, var, false, uses);
        if (uses.in_loop || uses.times > most_uses) return false;
        return uses.times <= 1 || (program_.types.kind(program_.exprs[value].type) != TypeKind::Path &&
                                   operations(value) <= (is_of_coordinates(value) ? small_of_coordinates : small));
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
    const std::size_t exprs = program.exprs.size();
    for (std::size_t e = exprs; e-- > 0;) named += reads.name_in_quantifier(static_cast<ExprId>(e)) ? 1 : 0;
    for (std::size_t e = 0; e < exprs; ++e) named += reads.name(static_cast<ExprId>(e)) ? 1 : 0;
    return named;
}

std::uint64_t write_out_names(ir::Program& program) {
    NamesWrittenOut names(program);
    std::uint64_t written = 0;
    for (std::size_t r = 0; r < program.rules.size(); ++r)
        written += names.write_out_in(program.rules[static_cast<ir::RuleId>(r)]);
    return written + replace_each(program, [&](ExprId e) { return names.write_out(e); });
}

} // namespace zug::run

#include "ir/print.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zug::ir {

namespace {

std::string counts_word(PositionPart::Counts counts) {
    switch (counts) {
    case PositionPart::Counts::Numbers: return " counts";
    case PositionPart::Counts::Letters: return " letters";
    default: return "";
    }
}

class Printer {
public:
    explicit Printer(const Program& program) : program_(program) {}

    std::string expr(ExprId id) const;
    void all();
    void rules();
    std::string take() { return std::move(out_); }

private:
    template <class... Args>
    void line(int depth, fmt::format_string<Args...> pattern, Args&&... args) {
        out_.append(static_cast<std::size_t>(depth) * 2, ' ');
        fmt::format_to(std::back_inserter(out_), pattern, std::forward<Args>(args)...);
        out_ += '\n';
    }
    std::string type(TypeId id) const { return type_text(program_, id); }
    std::string var(VarId id) const { return fmt::format("{}#{}", program_.vars[id].name, index(id)); }
    std::string vars(const std::vector<VarId>& ids) const;
    std::string imm(const Expr& e) const;
    std::string set_text(const Expr& e) const;
    std::string arguments(std::span<const ExprId> ids) const;
    std::string key(const HistoryKey& key) const;
    void clauses(int depth, std::string_view test_word, const std::vector<Clause>& list);
    void block(int depth, const Block& b);
    void effect(int depth, EffectId id);
    void boards();
    void states();
    void functions();
    void turn();
    void ends();
    void notations();
    void position();

    const Program& program_;
    std::string out_;
};

std::string Printer::set_text(const Expr& e) const {
    std::vector<std::string> members;
    const TypeId element = program_.types.inner(e.type);
    for_each_bit(program_.set_consts[static_cast<SetConstId>(e.imm)], [&](std::size_t i) {
        members.push_back(value_text(program_, element, program_.types.value(element, i)));
    });
    return fmt::format("{{{}}}", fmt::join(members, ", "));
}

// What the immediate of a node stands for, or nothing if the op has none.
std::string Printer::imm(const Expr& e) const {
    if (e.op == Op::Var || binds_variable(e.op)) return var(static_cast<VarId>(e.imm));
    switch (e.op) {
    case Op::Const: return value_text(program_, e.type, e.imm);
    case Op::RealConst: return fmt::format("{}", std::bit_cast<double>(e.imm));
    case Op::SetConst: return set_text(e);
    case Op::StateGet:
    case Op::MapGet: return program_.states[static_cast<StateId>(e.imm)].name;
    case Op::Earlier: return fmt::format("key{}", e.imm);
    case Op::Project: return fmt::format("{}", e.imm);
    case Op::Call: return fmt::format("{}#{}", program_.functions[static_cast<FunctionId>(e.imm)].name, e.imm);
    case Op::Can: return program_.rules[static_cast<RuleId>(e.imm)].name;
    case Op::Table: {
        const auto board = static_cast<BoardId>(program_.types[e.type].ref);
        return program_.boards[board].steps[static_cast<StepId>(e.imm)].name;
    }
    default: return {};
    }
}

std::string Printer::arguments(std::span<const ExprId> ids) const {
    std::vector<std::string> texts;
    for (auto id : ids) texts.push_back(expr(id));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string Printer::expr(ExprId id) const {
    if (!valid(id)) return "-";
    const Expr& e = program_.exprs[id];
    const auto args = program_.arguments(id);
    switch (e.op) {
    case Op::Const:
    case Op::RealConst:
    case Op::SetConst:
    case Op::Var:
    case Op::StateGet:
    case Op::Table: return imm(e);
    case Op::MapGet: return fmt::format("{}[{}]", imm(e), arguments(args));
    case Op::Call: return fmt::format("{}({})", imm(e), arguments(args));
    case Op::Universe: return fmt::format("(all of {})", type(program_.types.inner(e.type)));
    default: break;
    }
    std::string text = fmt::format("({}", op_text(e.op));
    if (const std::string of = imm(e); !of.empty()) text += ' ' + of;
    for (auto arg : args) text += ' ' + expr(arg);
    if (e.op == Op::Retype || e.op == Op::SiteAt || e.op == Op::MakeTuple) text += " : " + type(e.type);
    return text + ")";
}

std::string Printer::vars(const std::vector<VarId>& ids) const {
    std::vector<std::string> texts;
    for (auto id : ids) texts.push_back(var(id) + ": " + type(program_.vars[id].type));
    return fmt::format("{}", fmt::join(texts, ", "));
}

void Printer::clauses(int depth, std::string_view test_word, const std::vector<Clause>& list) {
    for (const Clause& clause : list) {
        if (valid(clause.bind)) {
            line(depth, "let {} = {}", var(clause.bind), expr(clause.expr));
        } else {
            line(depth, "{} {}", test_word, expr(clause.expr));
        }
    }
}

void Printer::effect(int depth, EffectId id) {
    const Effect& e = program_.effects[id];
    auto many = [&](const std::vector<EffectId>& list) {
        for (auto inner : list) effect(depth + 1, inner);
    };
    const std::string name =
        valid(e.state) && index(e.state) < program_.states.size() ? program_.states[e.state].name : "";
    const std::string target = e.indices.empty() ? name : fmt::format("{}[{}]", name, arguments(e.indices));
    switch (e.kind) {
    case EffectKind::Assign: line(depth, "{} := {}", target, expr(e.value)); break;
    case EffectKind::Add: line(depth, "{} += {}", target, expr(e.value)); break;
    case EffectKind::AssignSet: line(depth, "each {} := {}", target, expr(e.value)); break;
    case EffectKind::AssignAll: line(depth, "all {} := {}", name, expr(e.value)); break;
    case EffectKind::If:
        line(depth, "if {}", expr(e.value));
        many(e.yes);
        if (!e.no.empty()) line(depth, "else");
        many(e.no);
        break;
    case EffectKind::For:
        line(depth, "for {} in {}", var(e.var), expr(e.value));
        many(e.yes);
        break;
    case EffectKind::Let:
        line(depth, "let {} = {}", var(e.var), expr(e.value));
        many(e.yes);
        break;
    case EffectKind::Again: line(depth, "again"); break;
    case EffectKind::Next: line(depth, "next {}", expr(e.value)); break;
    }
}

void Printer::block(int depth, const Block& b) {
    line(depth, "then");
    clauses(depth + 1, "", b.lets);
    for (auto id : b.effects) effect(depth + 1, id);
}

void Printer::boards() {
    for (const Board& board : program_.boards) {
        line(0, "board {}: {} sites, {} directions", board.name, board.sites.size(), board.dir_count);
        for (const StepMap& step : board.steps) {
            const auto arrows = std::ranges::count_if(step.to, [](auto to) { return to >= 0; });
            line(1, "step {}: {} arrows{}", step.name, arrows, step.injective ? "" : ", not injective");
        }
        for (const SiteGroup& group : board.groups) line(1, "group {}: {} sites", group.name, group.sites.count());
    }
}

void Printer::states() {
    for (const StateVariable& s : program_.states) {
        std::vector<std::string> from;
        for (auto id : s.indices) from.push_back(type(id));
        const std::string arrow = from.empty() ? "" : fmt::format("{} -> ", fmt::join(from, ", "));
        line(0, "{} {}: {}{} at slot {}{}", s.local ? "local" : "state", s.name, arrow, type(s.value), s.first_slot,
             s.assigned ? "" : ", constant");
        if (std::ranges::any_of(s.initial, [](auto slot) { return slot != 0; }))
            line(1, "initial {}", fmt::join(s.initial, " "));
    }
    for (std::size_t i = 0; i < program_.keys.size(); ++i)
        line(0, "key{}: {}", i, key(program_.keys[static_cast<KeyId>(i)]));
}

std::string Printer::key(const HistoryKey& key) const {
    std::vector<std::string> parts;
    for (auto map : key.maps) parts.push_back(program_.states[map].name);
    for (auto part : key.parts) parts.push_back(expr(part));
    return fmt::format("{}", fmt::join(parts, ", "));
}

void Printer::functions() {
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
        const Function& f = program_.functions[static_cast<FunctionId>(i)];
        const std::string result = valid(f.body) ? type(program_.exprs[f.body].type) : "?";
        line(0, "function {}#{}({}): {}{}", f.name, i, vars(f.params), result, f.recursive ? ", recursive" : "");
        line(1, "{}", expr(f.body));
    }
}

void Printer::rules() {
    for (const Rule& rule : program_.rules) {
        line(0, "{} {}({}) codes {}..{}", rule.chance ? "chance" : "move", rule.name, vars(rule.params),
             rule.first_code, rule.first_code + rule.code_count);
        clauses(1, "when", rule.when);
        if (valid(rule.weight)) line(1, "weight {}", expr(rule.weight));
        for (const Block& b : rule.then) block(1, b);
        clauses(1, "ensure", rule.ensure);
    }
}

void Printer::turn() {
    if (program_.stuck_pass) line(0, "stuck pass");
    if (!program_.turn) return;
    constexpr std::string_view repeats[] = {"", "?", "*", "+"};
    line(0, "turn {}", fmt::join(program_.turn->alternatives, " else "));
    for (std::size_t i = 0; i < program_.turn->chains.size(); ++i) {
        const PlanChain& chain = program_.turn->chains[i];
        std::string text;
        for (const PlanStep& step : chain.steps) {
            if (step.may) text += " may";
            text += valid(step.rule) ? ' ' + program_.rules[step.rule].name
                                     : fmt::format(" ({})", fmt::join(step.group, " else "));
            text += repeats[static_cast<std::size_t>(step.repeat)];
        }
        line(1, "chain {}:{}", i, text);
        if (valid(chain.most)) line(2, "most {}", expr(chain.most));
        if (!chain.most_sum.empty()) line(2, "most sum {}", arguments(chain.most_sum));
    }
    if (program_.turn->by_steps) line(1, "by steps");
    if (program_.turn->by) line(1, "by {}", key(*program_.turn->by));
    for (const Block& b : program_.turn->then) block(1, b);
}

void Printer::ends() {
    for (const EndClause& end : program_.ends) {
        line(0, "end when {}", expr(end.condition));
        line(1, "payoffs {}", arguments(end.payoffs));
    }
    if (!program_.evals.empty()) line(0, "eval {}", arguments(program_.evals));
    for (std::size_t r = 0; r < program_.loud.size(); ++r)
        if (valid(program_.loud[r]))
            line(0, "loud {} when {}", program_.rules[static_cast<RuleId>(r)].name, expr(program_.loud[r]));
    if (program_.bound)
        line(0, "bound moves >= {}, payoff <= {}", expr(program_.bound->moves), expr(program_.bound->payoff));
}

void Printer::notations() {
    const auto text = [&](const std::vector<NotationPart>& parts) {
        std::string all;
        for (const NotationPart& part : parts) {
            const std::string shown = part.text + (valid(part.expr) ? '{' + expr(part.expr) + '}' : "");
            all += valid(part.when) ? "{if " + expr(part.when) + ": '" + shown + "'}" : shown;
        }
        return '"' + all + '"';
    };
    for (std::size_t i = 0; i < program_.notations.size(); ++i)
        for (const Notation& notation : program_.notations[i]) {
            line(0, "notation {} {}{}", program_.rules[static_cast<RuleId>(i)].name, text(notation.text),
                 notation.later ? " then " + text(*notation.later) : "");
            clauses(1, "when", notation.when);
        }
    if (program_.step_separator) line(0, "notation turn \"{}\"", *program_.step_separator);
    if (!program_.position.empty()) position();
}

void Printer::position() {
    using Part = PositionPart::Kind;
    std::string format;
    for (const PositionPart& part : program_.position) {
        switch (part.kind) {
        case Part::Text: format += part.text; break;
        case Part::State: format += '{' + program_.states[part.state].name + counts_word(part.counts) + '}'; break;
        case Part::Turn: format += "{turn}"; break;
        case Part::Last: format += "{last}"; break;
        case Part::Any: format += "{_ " + part.text + '}'; break;
        }
    }
    line(0, "position \"{}\"", format);
    for (const PositionPart& part : program_.position) {
        if (part.names.empty()) continue;
        std::vector<std::string> texts;
        for (const auto& [value, text] : part.names) texts.push_back(fmt::format("{} \"{}\"", value, text));
        line(1, "{} {}", part.kind == Part::State ? program_.states[part.state].name : "players",
             fmt::join(texts, ", "));
    }
}

void Printer::all() {
    line(0, "game {}", program_.title);
    line(0, "players {}", fmt::join(program_.players, ", "));
    if (!program_.teams.empty()) line(0, "teams {}", fmt::join(program_.teams, ", "));
    for (const Param& param : program_.params) line(0, "param {} = {}", param.name, param.value);
    for (std::size_t i = 0; i < program_.enums.size(); ++i)
        line(0, "type {} = {}", program_.enum_names[i], fmt::join(program_.enums[static_cast<EnumId>(i)], " | "));
    boards();
    states();
    functions();
    rules();
    turn();
    ends();
    notations();
    line(0, "{} slots, {} step codes{}", program_.slot_count, program_.code_count,
         program_.keeps_last ? ", keeps last" : "");
}

} // namespace

std::string type_text(const Program& program, TypeId id) {
    const Type& t = program.types[id];
    switch (t.kind) {
    case TypeKind::Bool: return "bool";
    case TypeKind::Int: return t.lo <= int_min && t.hi >= int_max ? "int" : fmt::format("{}..{}", t.lo, t.hi);
    case TypeKind::Real: return "real";
    case TypeKind::Enum: return program.enum_names[t.ref];
    case TypeKind::Player: return "player";
    case TypeKind::Site: return program.boards[static_cast<BoardId>(t.ref)].name;
    case TypeKind::Dir: return "dir";
    case TypeKind::Optional: return type_text(program, t.parts.front()) + "?";
    case TypeKind::Set: return "set " + type_text(program, t.parts.front());
    case TypeKind::Path: return "path";
    case TypeKind::None: return "none";
    case TypeKind::Tuple: break;
    }
    std::vector<std::string> parts;
    for (auto part : t.parts) parts.push_back(type_text(program, part));
    return fmt::format("({})", fmt::join(parts, ", "));
}

std::string print(const Program& program) {
    Printer printer(program);
    printer.all();
    return printer.take();
}

std::string print_rules(const Program& program) {
    Printer printer(program);
    printer.rules();
    return printer.take();
}

std::string print_expr(const Program& program, ExprId id) { return Printer(program).expr(id); }

} // namespace zug::ir

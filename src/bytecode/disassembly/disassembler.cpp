#include "bytecode/disassembly/disassembler.hpp"

#include "base/narrow.hpp"
#include "bytecode/disassembly/disassembler_names.hpp"
#include "bytecode/operand_kinds.hpp"
#include "ir/print.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <span>

namespace zug::run {
namespace {

class Disassembler {
public:
    explicit Disassembler(const Compiled& compiled)
        : compiled_(compiled), program_(*compiled.program), code_(compiled.code), names_(compiled) {}

    Disassembly all();

private:
    void name_routines();
    void name_rules();
    void name_can();
    void name(Entry entry, std::string text) {
        if (entry != no_entry) routines_.emplace(entry, std::move(text));
    }
    void find(const FindCode& code, const std::string& text);
    void give(const Compiled::Values& values, const std::string& text);
    void find_labels();
    void label(std::int64_t instr) { labels_.emplace(static_cast<std::size_t>(instr), 0); }
    Disassembly::Routine routine(const std::string& name, std::size_t begin, std::size_t end);
    Disassembly::Row row(std::size_t instr);
    std::string field(Operand operand, std::int64_t value, const Instr& instr);
    std::string question(const Question& question);
    std::string shape(const RecordShape& shape);
    static std::string shifts(const ShiftList& list);
    std::string drawing(const Drawing& drawing, bool in_memory);
    std::string labels(const std::vector<std::int64_t>& instrs);
    std::vector<std::string> tables() const;
    const std::string& player(std::size_t p) const { return program_.players[p]; }

    const Compiled& compiled_;
    const ir::Program& program_;
    const Bytecode& code_;
    RegisterNames names_;
    std::map<Entry, std::string> routines_;
    std::map<Entry, const FindCode*> found_;
    std::map<Entry, const Compiled::Values*> values_;
    std::map<std::size_t, std::size_t> labels_; // number by instruction
};

void Disassembler::find(const FindCode& code, const std::string& text) {
    name(code.entry, text);
    found_.emplace(code.entry, &code);
}

void Disassembler::give(const Compiled::Values& values, const std::string& text) {
    name(values.entry, text);
    values_.emplace(values.entry, &values);
}

void Disassembler::name_rules() {
    for (std::size_t r = 0; r < compiled_.rules.size(); ++r) {
        const std::string& rule = program_.rules[static_cast<ir::RuleId>(r)].name;
        const RuleCode& code = compiled_.rules[r];
        for (std::size_t p = 0; p < code.apply.size(); ++p)
            name(code.apply[p], fmt::format("effects of {} by {}", rule, player(p)));
        for (std::size_t p = 0; p < code.weight.size(); ++p)
            name(code.weight[p].entry, fmt::format("weight of {} before {}", rule, player(p)));
        for (std::size_t p = 0; p < code.loud.size(); ++p)
            name(code.loud[p].entry, fmt::format("whether {} by {} is loud", rule, player(p)));
        if (r < compiled_.steps.size())
            for (std::size_t p = 0; p < compiled_.steps[r].size(); ++p)
                find(compiled_.steps[r][p], fmt::format("steps {} of {}", rule, player(p)));
        for (std::size_t c = 0; c < compiled_.sums.size(); ++c)
            for (std::size_t p = 0; p < compiled_.sums[c][r].size(); ++p)
                name(compiled_.sums[c][r][p].entry,
                     fmt::format("what {} counts in chain {} of {}", rule, c + 1, player(p)));
    }
}

void Disassembler::name_can() {
    for (std::size_t k = 0; k < compiled_.can.size(); ++k) {
        const CanCode& code = compiled_.can[k];
        const std::string what = fmt::format("can {}, question {}", program_.rules[code.rule].name, k + 1);
        find(code.find, what + ", moves");
        name(code.trial, what + ", a trial");
    }
}

void Disassembler::name_routines() {
    const std::size_t players = program_.players.size();
    const auto each = [&](const auto& list, auto&& f) {
        for (std::size_t p = 0; p < list.size(); ++p) f(p, list[p]);
    };
    each(compiled_.moves, [&](std::size_t p, const FindCode& f) { find(f, "moves of " + player(p)); });
    each(compiled_.counts,
         [&](std::size_t p, const CountCode& c) { find(c.needs_check, "how many moves " + player(p) + " has"); });
    each(compiled_.loud, [&](std::size_t p, const FindCode& f) { find(f, "loud moves of " + player(p)); });
    each(compiled_.chances, [&](std::size_t p, const FindCode& f) { find(f, "chance before " + player(p)); });
    each(compiled_.ends, [&](std::size_t p, Entry e) { name(e, "end after " + player(p)); });
    each(compiled_.stuck_ends,
         [&](std::size_t p, Entry e) { name(e, fmt::format("end after {}, nobody can move", player(p))); });
    each(compiled_.play.entries, [&](std::size_t n, Entry e) {
        const bool keeps = program_.keeps_last;
        name(e, keeps ? fmt::format("random play: {} after {}", player(n / players), player(n % players))
                      : "random play: " + player(n));
    });
    each(compiled_.walk.first, [&](std::size_t p, Entry e) { name(e, "first move of " + player(p)); });
    each(compiled_.walk.next, [&](std::size_t p, Entry e) { name(e, "next move of " + player(p)); });
    name_rules();
    name_can();
    for (std::size_t c = 0; c < compiled_.most.size(); ++c)
        each(compiled_.most[c], [&](std::size_t p, const NumberCode& n) {
            name(n.entry, fmt::format("what is most in chain {} of {}", c + 1, player(p)));
        });
    each(compiled_.plan_then, [&](std::size_t p, Entry e) { name(e, "after the chain of " + player(p)); });
    each(compiled_.plan_by,
         [&](std::size_t p, const Compiled::Key& k) { name(k.entry, "what tells the chains apart of " + player(p)); });
    for (std::size_t c = 0; c < compiled_.payoffs.size(); ++c)
        each(compiled_.payoffs[c], [&](std::size_t p, const Compiled::Values& v) {
            give(v, fmt::format("payoffs of end {} after {}", c + 1, player(p)));
        });
    each(compiled_.evals, [&](std::size_t p, const Compiled::Values& v) { give(v, "eval after " + player(p)); });
    each(compiled_.bounds, [&](std::size_t p, const Compiled::Values& v) { give(v, "bound after " + player(p)); });
    for (std::size_t k = 0; k < compiled_.keys.size(); ++k)
        each(compiled_.keys[k], [&](std::size_t p, const Compiled::Key& key) {
            name(key.entry, fmt::format("history {} after {}", k + 1, player(p)));
        });
}

void Disassembler::find_labels() {
    for (const Instr& i : code_.instrs) {
        const OpSignature& s = signature_of(i.op);
        if (s.imm == Operand::Label) label(i.imm);
        if (s.c == Operand::Labels)
            for (std::int64_t target : code_.tables.words[i.c]) label(target);
    }
    for (const Drawing& drawing : code_.drawings)
        for (const Drawing::Part& part : drawing.parts) label(part.target);
    for (const RecordShape& shape : code_.shapes)
        if (shape.target != 0) label(shape.target);
    std::size_t number = 0;
    for (auto& [instr, n] : labels_) n = ++number;
}

std::string Disassembler::question(const Question& question) {
    switch (question.kind) {
    case Question::Kind::Stuck: return "whether nobody can move";
    case Question::Kind::Earlier: return fmt::format("how often history {} was so", question.key + 1);
    case Question::Kind::Can:
    case Question::Kind::Evaluate: break;
    }
    std::vector<std::string> vars;
    for (const auto& [var, reg] : std::span(question.vars).first(question.named))
        vars.push_back(fmt::format("{} = {}", program_.vars[var].name, names_.word(reg)));
    const std::string expr = ir::print_expr(program_, question.expr);
    return vars.empty() ? expr : fmt::format("{} with {}", expr, fmt::join(vars, ", "));
}

std::string Disassembler::shape(const RecordShape& shape) {
    std::vector<std::string> kept;
    for (Reg reg : shape.kept) kept.push_back(names_.reg(reg));
    return fmt::format("({})", fmt::join(kept, ", "));
}

std::string Disassembler::shifts(const ShiftList& list) {
    std::vector<std::string> shifts;
    for (const auto& s : list.shifts) shifts.push_back(fmt::format("{:+}", s.distance));
    return fmt::format("({}{})", fmt::join(shifts, ", "), list.masked ? "; masked" : "");
}

std::string Disassembler::drawing(const Drawing& drawing, bool in_memory) {
    std::vector<std::string> parts;
    for (const auto& part : drawing.parts)
        parts.push_back(fmt::format(
            "{}{} L{}", in_memory ? fmt::format("words {}", part.set) : names_.set(part.set, part.words, {}, false),
            part.weight != 0 ? " times " + names_.word(part.weight) : "", labels_.at(part.target)));
    return fmt::format("({})", fmt::join(parts, ", "));
}

std::string Disassembler::labels(const std::vector<std::int64_t>& instrs) {
    std::vector<std::string> targets;
    for (const std::int64_t target : instrs)
        targets.push_back(fmt::format("L{}", labels_.at(static_cast<std::size_t>(target))));
    return fmt::format("[{}]", fmt::join(targets, ", "));
}

std::string Disassembler::field(Operand operand, std::int64_t value, const Instr& instr) {
    const auto reg = [&] { return narrow<Reg>(value); };
    const OpSignature& signature = signature_of(instr.op);
    switch (operand) {
    case Operand::None: return "";
    case Operand::Word: return names_.word(reg());
    case Operand::Real: return names_.real(reg());
    case Operand::Set: {
        const auto bits = signature.imm == Operand::Bits ? std::optional(instr.imm) : std::nullopt;
        const bool to_scalar = signature.d == Operand::ToSet && names_.is_scalar(instr.d);
        return names_.set(reg(), instr.w, bits, to_scalar);
    }
    case Operand::Sets:
    case Operand::Words:
    case Operand::Bytes:
    case Operand::OnSets:
    case Operand::OnWords:
    case Operand::OnBytes: return names_.block(reg());
    case Operand::ToWord:
    case Operand::ToReal:
    case Operand::ToSet:
    case Operand::ToAnswer:
    case Operand::OnSet:
    case Operand::OnWord:
    case Operand::ToDrawn:
    case Operand::Drawn:
    case Operand::Generator: return names_.reg(reg());
    case Operand::WordTable: return fmt::format("table {}", value);
    case Operand::SetTable: return fmt::format("sets {}", value);
    case Operand::Rays: return fmt::format("rays {}", value);
    case Operand::Labels: return labels(code_.tables.words[static_cast<std::size_t>(value)]);
    case Operand::Shifts: return shifts(code_.tables.shifts[static_cast<std::size_t>(value)]);
    case Operand::CheckName: return code_.check_names[static_cast<std::size_t>(value)];
    case Operand::Shape: return shape(code_.shapes[static_cast<std::size_t>(value)]);
    case Operand::Question: return question(code_.questions[static_cast<std::size_t>(value)]);
    case Operand::Drawing:
        return drawing(code_.drawings[static_cast<std::size_t>(value)], signature.operation == Operation::TakeFirst);
    case Operand::Number:
    case Operand::Bits:
    case Operand::Result: return std::to_string(value);
    case Operand::Label: return fmt::format("L{}", labels_.at(static_cast<std::size_t>(value)));
    case Operand::Turn: return value == 1 ? "again" : "next";
    }
    return "";
}

Disassembly::Row Disassembler::row(std::size_t instr) {
    const Instr& i = code_.instrs[instr];
    const OpSignature& s = signature_of(i.op);
    const std::pair<std::string_view, std::pair<Operand, std::int64_t>> fields[] = {
        {"d", {s.d, i.d}}, {"a", {s.a, i.a}}, {"b", {s.b, i.b}}, {"c", {s.c, i.c}}, {"imm", {s.imm, i.imm}}};
    Disassembly::Row row{.instr = instr, .label = "", .op = std::string(s.name), .text = ""};
    if (const auto label = labels_.find(instr); label != labels_.end()) row.label = fmt::format("L{}", label->second);
    switch (s.width) {
    case OpWidth::Word: break;
    case OpWidth::One: row.op += "_1"; break;
    case OpWidth::Main: row.op += "_M"; break;
    case OpWidth::Any: row.op += fmt::format("_{}", i.w); break;
    }
    for (std::size_t at = 0; at < s.text.size();) {
        std::size_t end = at;
        while (end < s.text.size() && signature::is_letter(s.text[end])) ++end;
        const std::string_view word = s.text.substr(at, end - at);
        const auto* field_at = std::ranges::find(fields, word, [](const auto& f) { return f.first; });
        if (end == at)
            row.text += s.text[end++];
        else
            row.text += field_at != std::end(fields) ? field(field_at->second.first, field_at->second.second, i)
                                                     : std::string(word);
        at = end;
    }
    return row;
}

std::vector<std::string> Disassembler::tables() const {
    std::vector<std::string> result;
    const auto first = [](const auto& values) {
        std::vector<std::string> texts;
        for (std::size_t k = 0; k < std::min<std::size_t>(8, values.size()); ++k)
            texts.push_back(static_cast<std::int64_t>(values[k]) == ir::none
                                ? "none"
                                : std::to_string(static_cast<std::int64_t>(values[k])));
        return fmt::format("{}{}", fmt::join(texts, ", "), values.size() > 8 ? ", ..." : "");
    };
    for (std::size_t t = 0; t < code_.tables.words.size(); ++t)
        result.push_back(
            fmt::format("table {}: {} words: {}", t, code_.tables.words[t].size(), first(code_.tables.words[t])));
    for (std::size_t t = 0; t < code_.tables.sets.size(); ++t)
        result.push_back(fmt::format("sets {}: {} words", t, code_.tables.sets[t].size()));
    for (std::size_t t = 0; t < code_.tables.rays.size(); ++t)
        result.push_back(fmt::format("rays {}: {} directions", t, code_.tables.rays[t].count));
    return result;
}

Disassembly::Routine Disassembler::routine(const std::string& name, std::size_t begin, std::size_t end) {
    Disassembly::Routine result{name, {}, {}};
    names_.begin_routine();
    for (std::size_t i = begin; i < end; ++i) result.rows.push_back(row(i));
    if (const auto found = found_.find(static_cast<Entry>(begin)); found != found_.end())
        for (const MoveSetCode& c : found->second->move_sets)
            result.results.push_back(
                fmt::format("finds {} in {}", program_.rules[c.rule].name, names_.set(c.set, c.words, {}, false)));
    if (const auto values = values_.find(static_cast<Entry>(begin)); values != values_.end())
        for (std::size_t p = 0; p < program_.players.size(); ++p)
            result.results.push_back(fmt::format("gives {} to {}", names_.real(values->second->regs[p]), player(p)));
    return result;
}

Disassembly Disassembler::all() {
    name_routines();
    find_labels();
    Disassembly result;
    result.frame = names_.frame();
    result.state_words = compiled_.layout->state_words();
    result.frame_words = code_.temps_end;
    result.constants = names_.constants();
    for (auto at = routines_.begin(); at != routines_.end(); ++at) {
        const auto next = std::next(at);
        result.routines.push_back(
            routine(at->second, at->first, next == routines_.end() ? code_.instrs.size() : next->first));
    }
    result.tables = tables();
    return result;
}

} // namespace

Disassembly disassemble(const Compiled& compiled) { return Disassembler(compiled).all(); }

} // namespace zug::run

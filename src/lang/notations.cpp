// Notation: texts with expressions in braces, for the steps of rules.

#include "lang/checker.hpp"

#include "grammar/parse.hpp"

#include <algorithm>

namespace zug::lang {

// ---- templates

// What stands before each pair of braces, and the braces' inside; last the text after them. Read from the source, where
// `\{` and `{` still differ. After a brace without its partner: nothing.
std::vector<Checker::TemplatePiece> Checker::template_pieces(NodeId text) {
    const Span at = span(text); // quotes included
    const std::string& source = sources_.text(at.file);
    std::vector<TemplatePiece> pieces;
    TemplatePiece piece;
    for (std::uint32_t i = at.begin + 1; i + 1 < at.end; ++i) {
        if (source[i] == '\\' && i + 2 < at.end) {
            piece.text += source[++i] == 'n' ? '\n' : source[i];
        } else if (source[i] == '{') {
            std::uint32_t end = i + 1;
            for (int depth = 1; end + 1 < at.end; ++end) {
                depth += source[end] == '{' ? 1 : source[end] == '}' ? -1 : 0;
                if (depth == 0) break;
            }
            if (end + 1 >= at.end) {
                error(Message::TemplateBrace, {.file = at.file, .begin = i, .end = i + 1});
                return {};
            }
            piece.inside = {.file = at.file, .begin = i + 1, .end = end};
            pieces.push_back(std::move(piece));
            piece = {};
            i = end;
        } else {
            piece.text += source[i];
        }
    }
    if (!piece.text.empty() || pieces.empty()) pieces.push_back(std::move(piece));
    return pieces;
}

std::vector<ir::NotationPart> Checker::template_parts(NodeId text, const std::vector<Local>& names) {
    std::vector<ir::NotationPart> parts;
    for (auto& piece : template_pieces(text))
        parts.push_back({.text = std::move(piece.text),
                         .expr = piece.inside ? template_value(*piece.inside, names) : none_id<ExprId>});
    return parts;
}

ExprId Checker::template_value(Span inside, const std::vector<Local>& names) {
    extra_trees_.push_back(std::make_unique<syntax::Tree>());
    syntax::Tree& tree = *extra_trees_.back();
    const NodeId id = syntax::parse_expression(tree, sources_, inside.file, inside.begin, inside.end, *report_);
    if (!valid(id)) return none_id<ExprId>;
    const InTree scope(*this, &tree);
    for (const Local& local : names) push_local(local);
    Operand found = expr(id);
    forget_warnings();
    if (!found.ok()) return none_id<ExprId>;
    if (!valid(found.expr) && kind(found.type) == TypeKind::Tuple) found.expr = convert_tuple(found, found.type);
    if (valid(found.expr) && kind(found.type) != TypeKind::Path) return found.expr;
    mismatch(found.span, found, "a value to write");
    return none_id<ExprId>;
}

// A name that nothing but the notation uses is used.
void Checker::forget_warnings() {
    for (std::size_t i = first_local_; i < locals_.size(); ++i) {
        if (!locals_[i].used) continue;
        std::erase_if(warnings_, [&](const Warning& warning) {
            return warning.message == Message::UnusedName && warning.span == locals_[i].span;
        });
    }
}

// ---- rules

void Checker::check_notation(NodeId id) {
    const NodeId name = child(id, 0), text = child(id, 1), later = child(id, 2), when = child(id, 3);
    if (!valid(name) || !valid(text)) return;
    const auto rule = find_rule(node(name).text);
    if (!rule) {
        std::vector<std::string> names;
        for (const auto& r : program_.rules) names.push_back(r.name);
        const std::string fix = suggestion(node(name).text, names);
        if (!is_lost(node(name).text)) error(Message::UnknownRule, span(name), {node(name).text}, fix);
        return;
    }
    ir::Notation notation;
    std::vector<Local> names = names_before(*rule);
    if (valid(when)) notation.when = notation_conditions(when, names);
    notation.always = !valid(when);
    notation.text = template_parts(text, names);
    if (valid(later)) notation.later = template_parts(later, names);
    add_needed_names(*rule, notation);
    program_.notations.resize(program_.rules.size());
    auto& all = program_.notations[index(*rule)];
    if (notation.always && std::ranges::any_of(all, &ir::Notation::always))
        error(Message::DeclaredTwice, span(id), {"notation " + node(name).text},
              "several notations of a rule differ in their `when`");
    all.push_back(std::move(notation));
}

// The names of a rule that are known before the move: its parameters, and what `let` and the patterns of `when` give.
std::vector<Local> Checker::names_before(ir::RuleId id) {
    std::vector<VarId> known = program_.rules[id].params;
    for (const ir::Clause& clause : program_.rules[id].when)
        if (valid(clause.bind)) known.push_back(clause.bind);
    const auto is_known = [&](VarId var) { return std::ranges::find(known, var) != known.end(); };
    std::vector<Local> names;
    for (Local local : rules_[id].names) {
        if (valid(local.value.expr) && !std::ranges::all_of(builder_.facts(local.value.expr).free, is_known)) continue;
        local.warn = local.used = false;
        names.push_back(std::move(local));
    }
    return names;
}

// Conditions of a notation. The names that their patterns give are added.
std::vector<ir::Clause> Checker::notation_conditions(NodeId when, std::vector<Local>& names) {
    const InTree scope(*this, tree_);
    for (const Local& local : names) push_local(local);
    std::vector<ir::Clause> clauses;
    add_conditions(children(when), clauses);
    forget_warnings();
    names.assign(locals_.begin() + static_cast<std::ptrdiff_t>(first_local_), locals_.end());
    return clauses;
}

// Puts those names of the rule that the notation needs before its conditions.
void Checker::add_needed_names(ir::RuleId id, ir::Notation& notation) {
    std::set<VarId> needed;
    const auto note = [&](ExprId expr) {
        if (valid(expr)) needed.insert(builder_.facts(expr).free.begin(), builder_.facts(expr).free.end());
    };
    for (const ir::Clause& clause : notation.when) note(clause.expr);
    for (const ir::NotationPart& part : notation.text) note(part.expr);
    if (notation.later)
        for (const ir::NotationPart& part : *notation.later) note(part.expr);
    const auto& clauses = program_.rules[id].when;
    for (std::size_t i = clauses.size(); i-- > 0;) {
        if (!valid(clauses[i].bind) || !needed.contains(clauses[i].bind)) continue;
        note(clauses[i].expr);
        notation.when.insert(notation.when.begin(), clauses[i]);
    }
}

void Checker::check_step_separator(NodeId id) {
    if (program_.step_separator) error(Message::DeclaredTwice, span(id), {"notation turn"});
    program_.step_separator = node(id).text;
}

} // namespace zug::lang

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
        const Declaration* board = find(node(name).text);
        const std::string fix = board != nullptr && board->kind == DeclKind::Board
                                    ? "for the sites of a board: `notation " + node(name).text + "(c) \"...\"`"
                                    : suggestion(node(name).text, names);
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

// ---- sites

// `notation square(c) "{...}"`. The texts are put in place at the very end: until then sites have the names that the
// file's expressions use.
void Checker::check_site_notation(NodeId id) {
    const NodeId name = child(id, 0), parameter = child(id, 1), text = child(id, 2);
    if (!valid(name) || !valid(parameter) || !valid(text)) return;
    Declaration* board = notated_board(name);
    if (board == nullptr) return;
    resolve_board(*board);
    if (!valid(board->type)) return;
    const auto number = static_cast<ir::BoardId>(board->number);
    if (site_texts_.contains(number)) error(Message::DeclaredTwice, span(id), {"notation " + board->name});
    const VarId site = builder_.new_var(node(parameter).text, board->type);
    const Span at = span(parameter);
    const auto parts =
        template_parts(text, {{.name = node(parameter).text, .span = at, .value = value(builder_.var(site, at), at)}});
    if (!are_site_parts(parts)) return;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < program_.boards[number].sites.size(); ++i) {
        builder_.bind_value(site, ir::scalar_value(static_cast<std::int64_t>(i)));
        std::string all;
        for (const ir::NotationPart& part : parts) {
            all += part.text;
            if (!valid(part.expr)) continue;
            const std::int64_t found = builder_.evaluate(part.expr).scalar;
            if (found != ir::none) all += ir::value_text(program_, builder_.type(part.expr), found);
        }
        texts.push_back(std::move(all));
    }
    if (are_site_texts(texts, program_.boards[number], span(text))) site_texts_[number] = std::move(texts);
}

Declaration* Checker::notated_board(NodeId name) {
    const std::string& wanted = node(name).text;
    if (Declaration* d = find(wanted); d != nullptr && d->kind == DeclKind::Board) return d;
    std::vector<std::string> names;
    for (const auto* board : boards_) names.push_back(board->name);
    if (find_rule(wanted))
        error(Message::WrongKind, span(name), {wanted, "a rule", "a board"},
              "the parameters of the rule are known in the text");
    else if (find(wanted) != nullptr)
        error(Message::WrongKind, span(name), {wanted, "no board", "a board"});
    else if (!is_lost(wanted))
        error(Message::UnknownName, span(name), {wanted}, suggestion(wanted, names));
    return nullptr;
}

bool Checker::are_site_parts(const std::vector<ir::NotationPart>& parts) {
    const std::size_t errors = report_->error_count();
    for (const ir::NotationPart& part : parts) {
        if (!valid(part.expr)) continue;
        const auto& facts = builder_.facts(part.expr);
        if (facts.reads_state || facts.uses_me)
            error(Message::NotConstant, builder_[part.expr].span);
        else if (!is_scalar(builder_.type(part.expr)))
            error(Message::TypeHere, builder_[part.expr].span,
                  {type_text(builder_.type(part.expr)), "part of the text of a site"});
    }
    return report_->error_count() == errors;
}

bool Checker::are_site_texts(const std::vector<std::string>& texts, const ir::Board& board, Span at) {
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string& text = texts[i];
        if (text.empty() || text == "none" || text.find_first_of(" \t\r\n,:;={}()") != std::string::npos) {
            error(Message::SiteText, at, {text, board.sites[i].name});
            return false;
        }
        const auto [it, fresh] = seen.emplace(text, i);
        if (fresh) continue;
        error(Message::SiteTextTwice, at, {text, board.sites[it->second].name, board.sites[i].name});
        return false;
    }
    return true;
}

void Checker::place_site_texts() {
    for (auto& [board, texts] : site_texts_)
        for (std::size_t i = 0; i < texts.size(); ++i) program_.boards[board].sites[i].text = std::move(texts[i]);
}

void Checker::check_step_separator(NodeId id) {
    if (program_.step_separator) error(Message::DeclaredTwice, span(id), {"notation turn"});
    program_.step_separator = node(id).text;
}

} // namespace zug::lang

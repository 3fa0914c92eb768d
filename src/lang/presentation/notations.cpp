// Notation of moves and sites: texts with expressions in braces.

#include "lang/presentation/notations.hpp"

#include "lang/core/scopes.hpp"
#include "lang/presentation/templates.hpp"
#include "lang/resolve/boards.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/rules/clauses.hpp"
#include "lang/rules/rules.hpp"

#include <algorithm>

namespace zug::lang {

void Notations::check_notation(NodeId id) {
    const NodeId name = child(id, 0), text = child(id, 1), later = child(id, 2), when = child(id, 3);
    if (!valid(name) || !valid(text)) return;
    const auto rule = symbols_.find_rule(node(name).text);
    if (!rule) {
        const Declaration* board = symbols_.find(node(name).text);
        const std::string fix = board != nullptr && board->kind == DeclKind::Board
                                    ? "for the sites of a board: `notation " + node(name).text + "(c) \"...\"`"
                                    : symbols_.hint(node(name).text, {symbols_.rule_names(), "rules"});
        if (!symbols_.is_lost(node(name).text)) error(Message::UnknownRule, span(name), {node(name).text}, fix);
        return;
    }
    note_use(name, program_.rules[*rule].span);
    ir::Notation notation;
    std::vector<Local> names = rules_.names_before_move(*rule);
    if (valid(when)) notation.when = notation_conditions(when, names);
    notation.always = !valid(when);
    notation.text = templates_.template_parts(text, names);
    if (valid(later)) notation.later = templates_.template_parts(later, names);
    add_needed_names(*rule, notation);
    program_.notations.resize(program_.rules.size());
    auto& all = program_.notations[index(*rule)];
    if (notation.always && std::ranges::any_of(all, &ir::Notation::always))
        error(Message::DeclaredTwice, span(id), {"notation " + node(name).text},
              "several notations of a rule differ in their `when`");
    all.push_back(std::move(notation));
}

void Notations::add_set_notations() {
    for (std::uint32_t i = 0; i < program_.rules.size(); ++i) {
        const auto id = static_cast<ir::RuleId>(i);
        const RuleNode& rule = symbols_.rules()[id];
        if (rule.broken || std::ranges::none_of(rule.sets, [](TypeId set) { return valid(set); })) continue;
        program_.notations.resize(program_.rules.size());
        auto& all = program_.notations[i];
        if (!all.empty()) continue;
        const std::string& name = program_.rules[id].name;
        ir::Notation notation;
        for (std::size_t k = 0; k < rule.sets.size(); ++k)
            notation.text.push_back({.text = k == 0 ? name + " " : "-", .expr = rule.names[k].value.expr});
        all.push_back(notation);
        if (rule.sets.size() > 1) continue;
        const Span at = program_.rules[id].span;
        const ExprId nothing = builder_.negation(builder_.any(rule.names[0].value.expr, at), at);
        all.push_back({.when = {{.expr = nothing}}, .always = false, .text = {{.text = name + " none"}}, .later = {}});
    }
}

// The conditions of a notation. Adds the names that their patterns bind to `names`.
std::vector<ir::Clause> Notations::notation_conditions(NodeId when, std::vector<Local>& names) {
    const InTree scope(context_, context_.tree);
    for (const Local& local : names) push_local(local);
    std::vector<ir::Clause> clauses;
    clauses_.add_conditions(children(when), clauses);
    templates_.forget_warnings();
    names.assign(context_.locals.begin() + static_cast<std::ptrdiff_t>(context_.first_local), context_.locals.end());
    return clauses;
}

// Inserts the `let` clauses of the rule that the notation needs before its conditions.
void Notations::add_needed_names(ir::RuleId id, ir::Notation& notation) {
    std::set<VarId> needed;
    const auto note = [&](ExprId expr) {
        if (valid(expr)) needed.insert(builder_.facts(expr).free.begin(), builder_.facts(expr).free.end());
    };
    for (const ir::Clause& clause : notation.when) note(clause.expr);
    const auto note_parts = [&](const std::vector<ir::NotationPart>& parts) {
        for (const ir::NotationPart& part : parts) {
            note(part.when);
            note(part.expr);
        }
    };
    note_parts(notation.text);
    if (notation.later) note_parts(*notation.later);
    const auto& clauses = program_.rules[id].when;
    for (std::size_t i = clauses.size(); i-- > 0;) {
        if (!valid(clauses[i].bind) || !needed.contains(clauses[i].bind)) continue;
        note(clauses[i].expr);
        notation.when.insert(notation.when.begin(), clauses[i]);
    }
}

// `notation square(c) "{...}"`. The texts are set at the very end: until then sites have the names that the
// file's expressions use.
void Notations::check_site_notation(NodeId id) {
    const NodeId name = child(id, 0), parameter = child(id, 1), text = child(id, 2);
    if (!valid(name) || !valid(parameter) || !valid(text)) return;
    Declaration* board = notated_board(name);
    if (board == nullptr) return;
    boards_.resolve_board(*board);
    if (!valid(board->type)) return;
    const auto number = static_cast<ir::BoardId>(board->number);
    if (site_texts_.contains(number)) error(Message::DeclaredTwice, span(id), {"notation " + board->name});
    const VarId site = builder_.new_var(node(parameter).text, board->type);
    const Span at = span(parameter);
    const auto parts = templates_.template_parts(
        text, {{.name = node(parameter).text, .span = at, .value = value(builder_.var(site, at), at)}});
    if (!are_site_parts(parts) || context_.damaged) return; // of what is lost the texts lack parts
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < program_.boards[number].sites.size(); ++i) {
        builder_.bind_value(site, ir::scalar_value(static_cast<std::int64_t>(i)));
        std::string all;
        for (const ir::NotationPart& part : parts) {
            if (valid(part.when) && builder_.evaluate(part.when).scalar == 0) continue;
            all += part.text;
            if (!valid(part.expr)) continue;
            const std::int64_t found = builder_.evaluate(part.expr).scalar;
            if (found != ir::none) all += ir::value_text(program_, builder_.type(part.expr), found);
        }
        texts.push_back(std::move(all));
    }
    if (are_site_texts(texts, program_.boards[number], span(text))) site_texts_[number] = std::move(texts);
}

Declaration* Notations::notated_board(NodeId name) {
    const std::string& wanted = node(name).text;
    if (Declaration* d = symbols_.find(wanted); d != nullptr && d->kind == DeclKind::Board) {
        note_use(name, d->span);
        return d;
    }
    std::vector<std::string> names;
    for (const auto* board : symbols_.boards()) names.push_back(board->name);
    if (symbols_.find_rule(wanted))
        error(Message::WrongKind, span(name), {wanted, "a rule", "a board"},
              "the parameters of the rule are known in the text");
    else if (symbols_.find(wanted) != nullptr)
        error(Message::WrongKind, span(name), {wanted, "no board", "a board"});
    else
        symbols_.none_of(Message::UnknownName, wanted, span(name), {std::move(names), "boards"});
    return nullptr;
}

bool Notations::are_site_parts(const std::vector<ir::NotationPart>& parts) {
    const std::size_t errors = context_.report->error_count();
    const auto varies = [&](ExprId expr) {
        if (!valid(expr) || !(builder_.facts(expr).reads_state || builder_.facts(expr).uses_me)) return false;
        error(Message::NotConstant, builder_[expr].span);
        return true;
    };
    for (const ir::NotationPart& part : parts) {
        if (varies(part.when) || varies(part.expr) || !valid(part.expr)) continue;
        if (!is_scalar(builder_.type(part.expr)))
            error(Message::TypeHere, builder_[part.expr].span,
                  {type_text(builder_.type(part.expr)), "part of the text of a site"});
    }
    return context_.report->error_count() == errors;
}

bool Notations::are_site_texts(const std::vector<std::string>& texts, const ir::Board& board, Span at) {
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

void Notations::set_site_texts() {
    for (auto& [board, texts] : site_texts_)
        for (std::size_t i = 0; i < texts.size(); ++i) program_.boards[board].sites[i].text = std::move(texts[i]);
}

void Notations::check_step_separator(NodeId id) {
    if (program_.step_separator) error(Message::DeclaredTwice, span(id), {"notation turn"});
    program_.step_separator = node(id).text;
}

} // namespace zug::lang

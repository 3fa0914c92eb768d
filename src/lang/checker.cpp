// The order in which a game is checked.

#include "lang/checker.hpp"

#include "lang/core/scopes.hpp"
#include "lang/finish/derived_loud.hpp"
#include "lang/finish/eval_terms.hpp"
#include "lang/finish/passes.hpp"
#include "lang/presentation/inherited.hpp"

namespace zug::lang {

void Checker::check(const std::vector<SourceTree>& files, bool looks) {
    context_.damaged = context_.report->has_errors();
    try {
        assembly_.assemble(files);
        check_declarations();
        check_rules();
        check_game(looks);
        instances_.check_definitions();
        finish();
    } catch (const GiveUp&) {
        // Reported where it was thrown.
    } catch (const Exhausted&) {
        context_.report->add(Message::TooComplex, context_.last_step);
    }
    if (context_.report->has_errors()) return;
    for (auto& w : context_.warnings) context_.report->add(w.message, w.span, w.arguments, std::move(w.fix));
}

// Glyphs come before the initial values: rows of glyphs need their letters.
void Checker::check_declarations() {
    for (const auto& item : assembly_.items()) symbols_.collect(item);
    symbols_.break_redeclared();
    symbols_.find_single_members();
    symbols_.find_recursion();
    players_.resolve_players();
    parameters_.check_params();
    for (const auto& declaration : symbols_.declarations()) {
        if (declaration->kind != DeclKind::Alias && declaration->kind != DeclKind::Enum) continue;
        const InTree scope(context_, declaration->tree);
        types_.named_declaration(*declaration, declaration->span);
        declaration->used = true;
        // There is a set of its values, but of a type whose values are sets.
        if (valid(declaration->type) && context_.program.types.kind(declaration->type) != TypeKind::Set)
            name_values_.declared_value(*declaration, declaration->span);
    }
    for (auto* board : symbols_.boards()) boards_.resolve_board(*board);
    for (auto* state : symbols_.states()) states_.resolve_state(*state);
    states_.lay_out_states();
    initial_values_.allocate();
    glyphs_.check_glyphs();
    for (auto* state : symbols_.states()) initial_values_.check_initial(*state);
}

void Checker::check_rules() {
    const auto count = static_cast<std::uint32_t>(symbols_.rules().size());
    for (std::uint32_t i = 0; i < count; ++i) rules_.resolve_rule_parameters(static_cast<ir::RuleId>(i));
    for (std::uint32_t i = 0; i < count; ++i) rules_.check_rule(static_cast<ir::RuleId>(i));
}

// The declarations that need all others: turn, ends, evals, bounds, presentation, tests.
void Checker::check_game(bool looks) {
    if (const TreeNode& turn = symbols_.turn(); valid(turn.id)) {
        const InTree scope(context_, turn.tree);
        turn_plan_.check_turn(turn.id);
    }
    for (const auto& item : assembly_.items()) {
        const InTree scope(context_, item.tree);
        const Kind kind = (*item.tree)[item.id].kind;
        if (kind == Kind::StuckPass) context_.program.stuck_pass = true;
        if (kind == Kind::Eval) evaluations_.check_eval(item.id);
        if (kind == Kind::Bound) ends_.check_bound(item.id);
    }
    for (const auto& item : assembly_.own_first(Kind::End)) {
        const InTree scope(context_, item.tree);
        ends_.check_end(item.id);
    }
    check_presentation_items(looks);
    for (const auto& item : assembly_.own_first(Kind::Test)) {
        const InTree scope(context_, item.tree);
        file_tests_.check_test(item.id);
    }
}

void Checker::check_presentation_items(bool looks) {
    const auto all = [&](Kind kind, const std::function<void(NodeId)>& check) {
        for (const auto& item : assembly_.own_first(kind)) check_presentation(context_, assembly_, item, check);
    };
    all(Kind::Loud, [&](NodeId id) { loud_moves_.check_loud(id); });
    if (looks) all(Kind::Look, [&](NodeId id) { looks_.check_look(id); });
    all(Kind::Notation, [&](NodeId id) { notations_.check_notation(id); });
    all(Kind::NotationSites, [&](NodeId id) { notations_.check_site_notation(id); });
    notations_.add_set_notations();
    all(Kind::NotationTurn, [&](NodeId id) { notations_.check_step_separator(id); });
    for (const auto& item : assembly_.own_first(Kind::Position)) {
        const auto misfit =
            check_presentation(context_, assembly_, item, [&](NodeId id) { positions_.check_position(id); });
        ir::Program& program = context_.program;
        if (item.level < assembly_.top_level())
            program.inherited_position.where = diag::where(context_.sources, (*item.tree)[item.id].span);
        if (misfit)
            program.inherited_position.misfit = diag::where(context_.sources, misfit->span) + ": " + misfit->text;
    }
}

void Checker::finish() {
    finish_.check();
    if (context_.report->has_errors()) return;
    finish_.complete();
    find_loud();
    find_eval_terms(context_);
    positions_.check_position_last();
    notations_.set_site_texts();
    compact(context_.program);
}

// If the file names no loud moves, those that change material are.
void Checker::find_loud() {
    ir::Program& program = context_.program;
    try {
        if (program.loud.empty()) derive_loud(context_.builder, program);
    } catch (const Exhausted&) {
        program.loud.clear();
    }
    for (ExprId& loud : program.loud)
        if (valid(loud) && context_.builder.scalar(loud) == 0) loud = none_id<ExprId>;
}

} // namespace zug::lang

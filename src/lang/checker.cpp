// Diagnostics, and the order in which a game is checked.

#include "lang/checker.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

namespace zug::lang {

Checker::Checker(diag::Sources& sources, diag::Report& report, ir::Program& program, const Overrides& overrides)
    : sources_(sources), report_(&report), program_(program), overrides_(overrides), builder_(program) {}

// What goes wrong inside the prelude is told where the file uses it: nobody can mend the prelude.
void Checker::error(Message message, Span span, std::vector<std::string> arguments, std::string fix) {
    if (in_prelude()) {
        fmt::dynamic_format_arg_store<fmt::format_context> store;
        for (const auto& argument : arguments) store.push_back(argument);
        arguments = {prelude_name_, fmt::vformat(diag::info(message).text, store)};
        message = Message::VocabularyMisfit;
        span = prelude_use_;
        fix.clear();
    }
    if (!report_->add(message, span, arguments, std::move(fix))) throw GiveUp{};
}

// Warnings wait for the end: a file with errors has likelier troubles than a name that is never used.
void Checker::warn(Message message, Span span, std::vector<std::string> arguments, std::string fix) {
    const bool theirs = extended_files_.contains(span.file); // whoever extends the file can't mend it
    if (!in_prelude() && !generic_ && !silent_ && !theirs)
        warnings_.push_back({message, span, std::move(arguments), std::move(fix)});
}

void Checker::mismatch(Span span, const Operand& found, std::string_view expected, std::string fix) {
    if (found.ok()) error(Message::TypeMismatch, span, {found_text(found), std::string(expected)}, std::move(fix));
}

void Checker::give_up(Message message, Span span, std::vector<std::string> arguments) {
    report_->add(message, in_prelude() ? prelude_use_ : span, std::move(arguments));
    throw GiveUp{};
}

// Counts the work, so that definitions that call each other twice at every level end in a message, not in a wait.
void Checker::step(Span span) {
    last_step_ = in_prelude() ? prelude_use_ : span;
    if (++steps_ > max_steps) give_up(Message::TooComplex, span);
}

void Checker::check(const std::vector<SourceTree>& files) {
    damaged_ = report_->has_errors();
    try {
        assemble(files);
        for (const auto& item : items_) collect(item);
        find_recursion();
        resolve_players();
        check_params();
        for (auto& declaration : declarations_) {
            if (declaration->kind != DeclKind::Alias && declaration->kind != DeclKind::Enum) continue;
            const InTree scope(*this, declaration->tree);
            declared_value(*declaration, declaration->span);
        }
        for (auto* board : boards_) resolve_board(*board);
        for (auto* state : states_) resolve_state(*state);
        lay_out_states();
        check_glyphs();
        for (auto* state : states_) check_initial(*state);
        for (std::uint32_t i = 0; i < rules_.size(); ++i) resolve_rule_parameters(static_cast<ir::RuleId>(i));
        for (std::uint32_t i = 0; i < rules_.size(); ++i) check_rule(static_cast<ir::RuleId>(i));
        check_game();
        check_definitions();
        finish();
    } catch (const GiveUp&) {
        // Reported where it was thrown.
    } catch (const Exhausted&) {
        report_->add(Message::TooComplex, last_step_);
    }
    if (report_->has_errors()) return;
    for (auto& w : warnings_) report_->add(w.message, w.span, std::move(w.arguments), std::move(w.fix));
}

// The declarations that need all others: turn, ends, evals, faces, tests.
void Checker::check_game() {
    if (valid(turn_node_)) {
        const InTree scope(*this, turn_tree_);
        check_turn(turn_node_);
    }
    for (const auto& item : items_) {
        const InTree scope(*this, item.tree);
        if (node(item.id).kind == Kind::StuckPass) program_.stuck_pass = true;
        if (node(item.id).kind == Kind::Eval) check_eval(item.id);
    }
    for (const auto& item : own_first(Kind::End)) {
        const InTree scope(*this, item.tree);
        check_end(item.id);
    }
    for (const auto& item : own_first(Kind::Notation)) check_look(item, &Checker::check_notation);
    for (const auto& item : own_first(Kind::NotationSites)) check_look(item, &Checker::check_site_notation);
    for (const auto& item : own_first(Kind::NotationTurn)) check_look(item, &Checker::check_step_separator);
    for (const auto& item : own_first(Kind::Position)) check_look(item, &Checker::check_position);
    for (const auto& item : own_first(Kind::Test)) {
        const InTree scope(*this, item.tree);
        check_test(item.id);
    }
}

bool Checker::is_name(NodeId id, std::string_view text) const {
    return valid(id) && node(id).kind == Kind::Name && node(id).text == text;
}

Checker::Names::~Names() {
    for (std::size_t i = count_; i < checker_.locals_.size(); ++i) {
        const Local& local = checker_.locals_[i];
        if (local.warn && !local.used && !local.name.starts_with('_'))
            checker_.warn(Message::UnusedName, local.span, {local.name});
    }
    checker_.locals_.resize(count_);
}

} // namespace zug::lang

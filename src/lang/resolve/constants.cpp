// Parameters, players, and expressions that must be known when the file is read.

#include "lang/checker.hpp"

#include "grammar/parse.hpp"

#include <fmt/format.h>

namespace zug::lang {

std::optional<std::int64_t> Checker::constant_int(NodeId id) {
    if (!valid(id)) return {};
    const Operand found = as_integer(expr(id));
    if (!found.ok()) return {};
    const auto constant = builder_.scalar(found.expr);
    if (!constant) error(Message::NotConstant, span(id));
    return constant;
}

void Checker::check_params() {
    for (std::size_t i = 0; i < declarations_.size(); ++i)
        if (declarations_[i]->kind == DeclKind::Param) check_param(*declarations_[i]);
    std::vector<std::string> names;
    for (const auto& param : program_.params) names.push_back(param.name);
    for (const auto& [name, text] : overrides_) {
        const Declaration* d = find(name);
        if (d != nullptr && d->kind == DeclKind::Param) continue;
        const std::string fix = suggestion(name, names);
        const Span at = override_span(name, text);
        if (names.empty()) {
            error(Message::UnknownParam, at, {name}, "the game has no parameters");
        } else {
            error(Message::UnknownParam, at, {name},
                  fix.empty() ? fmt::format("its parameters are {}", fmt::join(names, ", ")) : fix);
        }
    }
}

// A file of its own for the text of one -D, so that a message about it has a place.
Span Checker::override_span(const std::string& name, const std::string& text) {
    const FileId file = sources_.add("-D " + name, text);
    return {.file = file, .begin = 0, .end = static_cast<std::uint32_t>(text.size())};
}

void Checker::check_param(Declaration& d) {
    if (d.phase == Declaration::Phase::Done) return;
    if (d.phase == Declaration::Phase::Busy) {
        error(Message::CyclicDefinition, d.span, {d.name});
        return;
    }
    d.phase = Declaration::Phase::Busy;
    const InTree scope(*this, d.tree);
    const NodeId type_node = child(d.node, 0);
    d.value = param_value(type_node, expr(child(d.node, 1)));
    if (d.value.ok()) default_texts_[d.name] = param_text(d.value);
    if (auto it = overrides_.find(d.name); it != overrides_.end()) {
        const Operand given = override_value(it->first, it->second);
        // After a wrong one the default goes on, so that it is the only complaint.
        if (d.value.ok() && given.ok())
            if (const Operand fitted = fitted_override(d, type_node, given); fitted.ok()) d.value = fitted;
    }
    d.phase = Declaration::Phase::Done;
    if (!d.value.ok()) return;
    program_.params.push_back({d.name, d.value.type, param_text(d.value)});
}

// The default, fitted to the type if one is given. What has a range keeps its own value as its type's only one.
Operand Checker::param_value(NodeId type_node, const Operand& found) {
    if (!found.ok()) return found;
    if (!valid(found.expr) || !builder_.is_constant(found.expr) || kind(found.type) == TypeKind::Set ||
        kind(found.type) == TypeKind::None) {
        error(Message::NotConstant, found.span);
        return poison(found.span);
    }
    if (!valid(type_node)) return found;
    if (node(type_node).kind == Kind::TypeValues) {
        for (NodeId choice : children(type_node)) {
            const Operand allowed = expr(choice);
            if (allowed.ok() && valid(allowed.expr) && builder_.same(allowed.expr, found.expr)) return found;
        }
        error(Message::ParamOutOfRange, found.span, {found_text(found)});
        return poison(found.span);
    }
    if (node(type_node).kind == Kind::TypeName && find(node(type_node).text) == nullptr &&
        (node(type_node).text == "int" || node(type_node).text == "real")) {
        if (node(type_node).text == "real") {
            const ExprId real = as_real(found);
            return valid(real) ? value(real, found.span) : poison(found.span);
        }
        return as_integer(found);
    }
    const TypeId type = this->type(type_node);
    if (!valid(type) || !valid(convert(found, type))) return poison(found.span);
    const auto scalar = builder_.scalar(found.expr);
    if (scalar && !types().ordinal(type, *scalar)) {
        error(Message::ParamOutOfRange, found.span, {found_text(found)});
        return poison(found.span);
    }
    return found;
}

Operand Checker::fitted_override(const Declaration& d, NodeId type_node, const Operand& given) {
    if (valid(type_node)) return param_value(type_node, given);
    if (kind(d.value.type) == TypeKind::Real) {
        const ExprId real = as_real(given);
        return valid(real) ? value(real, given.span) : poison(given.span);
    }
    if (kind(given.type) != kind(d.value.type) || !builder_.is_constant(given.expr)) {
        const bool number = kind(d.value.type) == TypeKind::Int;
        mismatch(given.span, given, number ? "a whole number" : type_text(d.value.type));
        return poison(given.span);
    }
    if (kind(given.type) != TypeKind::Int && given.type != d.value.type) {
        mismatch(given.span, given, type_text(d.value.type));
        return poison(given.span);
    }
    return given;
}

Operand Checker::override_value(const std::string& name, const std::string& text) {
    const Span at = override_span(name, text);
    extra_trees_.push_back(std::make_unique<syntax::Tree>());
    const NodeId id = syntax::parse_expression(*extra_trees_.back(), sources_, at.file, at.begin, at.end, *report_);
    const InTree scope(*this, extra_trees_.back().get());
    return valid(id) ? expr(id) : poison(at);
}

void Checker::resolve_players() {
    if (players_done_) return;
    players_done_ = true;
    if (!valid(players_node_)) {
        program_.players = {"?"}; // so that all else can be checked
        program_.player_type = types().player(1);
        if (!damaged_) error(Message::NoPlayers, whole_file_);
        return;
    }
    const InTree scope(*this, players_tree_);
    const auto names = children(players_node_).subspan(1);
    auto count = static_cast<std::int64_t>(names.size());
    if (const NodeId given = child(players_node_, 0); valid(given)) {
        const auto wanted = constant_int(given);
        if (wanted && (*wanted < 1 || *wanted > count)) {
            error(Message::PlayerCount, span(given), {std::to_string(*wanted), std::to_string(count)});
        } else if (wanted) {
            count = *wanted;
        }
    }
    if (count > static_cast<std::int64_t>(max_players)) {
        error(Message::TooManyPlayers, span(players_node_), {std::to_string(count), std::to_string(max_players)});
        count = static_cast<std::int64_t>(max_players);
    }
    for (NodeId name : names.first(static_cast<std::size_t>(count)))
        program_.players.push_back(valid(name) ? node(name).text : "?");
    if (program_.players.empty()) program_.players = {"?"}; // the parser has said why
    program_.player_type = types().player(static_cast<std::uint32_t>(program_.players.size()));
}

} // namespace zug::lang

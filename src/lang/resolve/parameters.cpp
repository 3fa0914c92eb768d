// Parameters: defaults, and values given with -D.

#include "lang/resolve/parameters.hpp"

#include "grammar/parse.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/resolve/types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

void Parameters::check_params() {
    for (std::size_t i = 0; i < symbols_.declarations().size(); ++i)
        if (symbols_.declarations()[i]->kind == DeclKind::Param) check_param(*symbols_.declarations()[i]);
    const std::vector<std::string> names = param_names();
    for (const auto& [name, text] : context_.overrides) {
        const Declaration* d = symbols_.find(name);
        if (d != nullptr && d->kind == DeclKind::Param) continue;
        const std::string fix = symbols_.suggestion(name, names);
        const Span at = override_span(name, text);
        if (names.empty()) {
            error(Message::UnknownParam, at, {name}, "the game has no parameters");
        } else {
            error(Message::UnknownParam, at, {name},
                  fix.empty() ? fmt::format("its parameters are {}", fmt::join(names, ", ")) : fix);
        }
    }
}

// Adds a source file for the text of one -D, so that a message about it has a location.
Span Parameters::override_span(const std::string& name, const std::string& text) {
    const FileId file = context_.sources.add("-D " + name, text);
    return {.file = file, .begin = 0, .end = static_cast<std::uint32_t>(text.size())};
}

void Parameters::check_param(Declaration& d) {
    if (d.phase == Declaration::Phase::Done || d.broken) return;
    if (d.phase == Declaration::Phase::Busy) {
        error(Message::CyclicDefinition, d.span, {d.name});
        return;
    }
    d.phase = Declaration::Phase::Busy;
    const InTree scope(context_, d.tree);
    const NodeId type_node = child(d.node, 0);
    d.value = param_value(type_node, constants_.expr(child(d.node, 1)));
    if (d.value.ok()) default_texts_[d.name] = param_text(d.value);
    if (auto it = context_.overrides.find(d.name); it != context_.overrides.end()) {
        // What is given may use the default, and a name that it doesn't know is not this one under way.
        if (d.value.ok()) d.phase = Declaration::Phase::Done;
        const Operand given = override_value(d, it->second);
        // After an invalid value the default is used, so that no further errors follow.
        if (d.value.ok() && given.ok())
            if (const Operand fitted = fitted_override(d, type_node, given); fitted.ok()) d.value = fitted;
    }
    d.phase = Declaration::Phase::Done;
    if (!d.value.ok()) return;
    program_.params.push_back({d.name, d.value.type, param_text(d.value)});
}

// The default, checked against the declared type, if there is one. An integer keeps the interval of its own value as
// its type.
Operand Parameters::param_value(NodeId type_node, const Operand& found) {
    if (!found.ok()) return found;
    if (kind(found.type) == TypeKind::Set || kind(found.type) == TypeKind::None || kind(found.type) == TypeKind::Path) {
        mismatch(found.span, found, "a number, a truth, or another single value", "`def` gives a name to a set");
        return poison(found.span);
    }
    if (!valid(found.expr) || !builder_.is_constant(found.expr)) {
        error(Message::NotConstant, found.span);
        return poison(found.span);
    }
    if (!valid(type_node)) return found;
    if (node(type_node).kind == Kind::TypeValues) {
        if (is_choice(child(type_node, 0), found)) return found;
        const Span choices = span(type_node);
        const std::string& text = context_.sources.text(choices.file);
        error(Message::ParamOutOfRange, found.span, {found_text(found)},
              "it is one of " + text.substr(choices.begin, choices.end - choices.begin));
        return poison(found.span);
    }
    if (node(type_node).kind == Kind::TypeName && symbols_.find(node(type_node).text) == nullptr &&
        (node(type_node).text == "int" || node(type_node).text == "real")) {
        if (node(type_node).text == "real") {
            const ExprId real = conversions_.as_real(found);
            return valid(real) ? value(real, found.span) : poison(found.span);
        }
        return conversions_.as_integer(found);
    }
    const TypeId type = types_.type(type_node);
    const ExprId fitted = valid(type) ? conversions_.convert(found, type) : none_id<ExprId>;
    if (!valid(fitted)) return poison(found.span);
    const auto scalar = builder_.scalar(fitted);
    if (scalar && !types().ordinal(type, *scalar)) {
        error(Message::ParamOutOfRange, found.span, {found_text(found)}, "it is " + type_text(type));
        return poison(found.span);
    }
    return found;
}

// Whether a constant is one of the values listed in the type of a parameter, which need not be of one type.
bool Parameters::is_choice(NodeId choices, const Operand& found) {
    if (!valid(choices)) return false;
    if (node(choices).kind == Kind::SetLiteral)
        return std::ranges::any_of(children(choices), [&](NodeId choice) { return is_choice(choice, found); });
    const Operand allowed = constants_.expr(choices);
    if (!allowed.ok() || !valid(allowed.expr)) return false;
    if (kind(allowed.type) != TypeKind::Set) return builder_.same(allowed.expr, found.expr);
    const ExprId member = conversions_.try_convert(found, types().optional(types().inner(allowed.type)));
    if (!valid(member)) return false;
    const ExprId among = builder_.make(Op::In, types().boolean(), {member, allowed.expr}, found.span);
    return builder_.scalar(among) == 1;
}

Operand Parameters::fitted_override(const Declaration& d, NodeId type_node, const Operand& given) {
    if (valid(type_node)) return param_value(type_node, given);
    if (kind(d.value.type) == TypeKind::Real) {
        const ExprId real = conversions_.as_real(given);
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

// An unknown name in place of a number or a truth is told as such: of the names of the language only another parameter
// may be meant.
Operand Parameters::override_value(const Declaration& d, const std::string& text) {
    const Span at = override_span(d.name, text);
    context_.extra_trees.push_back(std::make_unique<syntax::Tree>());
    const NodeId id = syntax::parse_expression(*context_.extra_trees.back(), context_.sources, at, *context_.report);
    const std::string wanted = d.value.ok() ? literal_text(d) : "";
    const InTree scope(context_, context_.extra_trees.back().get());
    if (!valid(id)) return poison(at);
    if (wanted.empty() || node(id).kind != Kind::Name) return constants_.expr(id);
    const std::string& name = node(id).text;
    const auto known = symbols_.known_names();
    if (std::ranges::find(known, name) != known.end()) return constants_.expr(id);
    error(Message::TypeMismatch, at, {"`" + name + "`", wanted}, symbols_.suggestion(name, param_names()));
    return poison(at);
}

// The numbers or truths that a parameter takes; empty: it takes other values.
std::string Parameters::literal_text(const Declaration& d) {
    const NodeId type = child(d.node, 0);
    if (kind(d.value.type) == TypeKind::Bool) return "`true` or `false`";
    if (kind(d.value.type) == TypeKind::Real) return "a number";
    if (kind(d.value.type) != TypeKind::Int) return "";
    return valid(type) && node(type).kind == Kind::TypeRange ? type_text(types_.type(type)) : "a whole number";
}

std::vector<std::string> Parameters::param_names() const {
    std::vector<std::string> names;
    for (const auto& declaration : symbols_.declarations())
        if (declaration->kind == DeclKind::Param) names.push_back(declaration->name);
    return names;
}

// The value of a parameter as text that parses to the same value.
std::string Parameters::param_text(const Operand& value) const {
    if (kind(value.type) == TypeKind::Real) return fmt::format("{}", builder_.number(value.expr).value_or(0));
    if (kind(value.type) == TypeKind::Bool) return builder_.scalar(value.expr) == 1 ? "true" : "false";
    return ir::value_text(program_, value.type, builder_.scalar(value.expr).value_or(0));
}

} // namespace zug::lang

// Reading the syntax tree, and types as people read them.

#include "lang/core/part.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace zug::lang {

namespace {

std::string interval_text(const ir::Type& t) {
    if (t.lo <= ir::int_min || t.hi >= ir::int_max || t.lo == t.hi) return "";
    return fmt::format(" {}..{}", t.lo, t.hi);
}

} // namespace

void CheckerPart::mismatch(Span span, const Operand& found, std::string_view expected, std::string fix) {
    if (!found.ok()) return;
    std::string wanted(expected);
    if (kind(found.type) == TypeKind::Real && wanted.starts_with("a number")) wanted.insert(1, " whole");
    error(Message::TypeMismatch, span, {found_text(found), std::move(wanted)}, std::move(fix));
}

bool CheckerPart::is_name(NodeId id, std::string_view text) const {
    return valid(id) && node(id).kind == Kind::Name && node(id).text == text;
}

void CheckerPart::push_local(Local local) {
    if (context_.index != nullptr && local.span.end > local.span.begin) {
        context_.index->add_local(local_name(local), local.value.ok() ? type_text(local.value.type) : "");
    }
    context_.push_local(std::move(local));
}

void CheckerPart::note_type(NodeId id, const Operand& found) {
    if (context_.index == nullptr || !found.ok()) return;
    const auto& n = node(id);
    if (n.kind == Kind::Name || n.kind == Kind::Call) context_.index->add_type(name_span(id), type_text(found.type));
}

void CheckerPart::push_binding(const Binding& binding, bool warn) {
    push_local({.name = binding.name, .span = binding.span, .value = binding.value, .warn = warn});
}

// The first occurrence of the name in the declaration as a whole word.
Span CheckerPart::name_span(NodeId id) const {
    const auto& n = node(id);
    const std::string_view text(context_.sources.text(n.span.file));
    const std::size_t at = find_word(text.substr(0, n.span.end), n.text, n.span.begin);
    if (at == text.npos) return n.span;
    const auto begin = static_cast<std::uint32_t>(at);
    return {.file = n.span.file, .begin = begin, .end = begin + static_cast<std::uint32_t>(n.text.size())};
}

TypeId CheckerPart::set_type(TypeId element, Span at) {
    const TypeKind k = kind(element);
    if (k == TypeKind::Optional || k == TypeKind::Set || k == TypeKind::Real || k == TypeKind::Path) {
        error(Message::SetOf, at, {type_noun(element)});
        return none_id<TypeId>;
    }
    if (types().cardinality(element) > max_set) {
        if (!context_.generic) error(Message::SetTooLarge, at, {type_text(element), std::to_string(max_set)});
        return none_id<TypeId>;
    }
    return types().set(element);
}

TypeId CheckerPart::bare(TypeId id) const {
    return valid(id) && kind(id) == TypeKind::Optional ? program_.types.inner(id) : id;
}

bool CheckerPart::is_scalar(TypeId id) const {
    const TypeKind k = kind(id);
    return k != TypeKind::Set && k != TypeKind::Path && k != TypeKind::Real && k != TypeKind::None;
}

bool CheckerPart::is_path_like(TypeId id) const {
    const TypeKind k = kind(id);
    if (k == TypeKind::Path) return true;
    const TypeId inner = k == TypeKind::Optional || k == TypeKind::Set ? program_.types.inner(id) : id;
    return kind(inner) == TypeKind::Dir;
}

namespace {

// `W^3.N`: the way to an offset along the directions of grids; empty: it leads nowhere.
std::string way_to(std::int64_t dx, std::int64_t dy) {
    std::string way;
    const auto go = [&](std::int64_t steps, std::string_view forth, std::string_view back) {
        if (steps == 0) return;
        way += (way.empty() ? "" : ".") + std::string(steps > 0 ? forth : back);
        if (std::abs(steps) > 1) way += "^" + std::to_string(std::abs(steps));
    };
    go(dx, "E", "W");
    go(dy, "N", "S");
    return way;
}

} // namespace

std::string CheckerPart::path_hint(const Operand& given) const {
    const TypeId one = kind(given.type) == TypeKind::Set ? program_.types.inner(given.type) : bare(given.type);
    if (kind(one) != TypeKind::Tuple) return {};
    const auto& parts = program_.types[one].parts;
    if (parts.size() != 2 || kind(parts[0]) != TypeKind::Int || kind(parts[1]) != TypeKind::Int) return {};
    const auto offset = valid(given.expr) ? builder_.scalar(given.expr) : std::nullopt;
    const bool known = offset && *offset != ir::none;
    const std::string way =
        known ? way_to(program_.types.project(one, *offset, 0), program_.types.project(one, *offset, 1)) : "";
    return "`c.(1, 2)` is the site at one offset, `c.offsets(1, 2)` are those at all eight; inside a path it is " +
           (way.empty() ? "written by directions, such as `E.N^2`" : "`" + way + "`");
}

ir::BoardId CheckerPart::board_of(TypeId id) const {
    const TypeKind k = kind(id);
    const TypeId inner = k == TypeKind::Optional || k == TypeKind::Set ? program_.types.inner(id) : id;
    return static_cast<ir::BoardId>(program_.types[inner].ref);
}

std::string CheckerPart::type_text(TypeId id) const {
    const ir::Type& t = program_.types[id];
    switch (t.kind) {
    case TypeKind::Bool: return "a truth";
    case TypeKind::Int: return interval_text(t).empty() ? "a number" : "a number of" + interval_text(t);
    case TypeKind::Real: return "a number";
    case TypeKind::Player: return "a player";
    case TypeKind::Enum:
    case TypeKind::Site: return "a " + type_noun(id);
    case TypeKind::Dir: return "a direction";
    case TypeKind::Path: return "a path";
    case TypeKind::None: return "none";
    case TypeKind::Optional: return type_text(t.parts[0]) + " or none";
    case TypeKind::Set:
        return kind(t.parts[0]) == TypeKind::None ? "the empty set" : "a set of " + type_noun(t.parts[0]);
    case TypeKind::Tuple: return "a tuple " + type_noun(id);
    }
    return "a value";
}

std::string CheckerPart::type_noun(TypeId id) const {
    const ir::Type& t = program_.types[id];
    switch (t.kind) {
    case TypeKind::Bool: return "truths";
    case TypeKind::Int: return "numbers" + interval_text(t);
    case TypeKind::Enum: return "`" + program_.enum_names[t.ref] + "`";
    case TypeKind::Player: return "players";
    case TypeKind::Site: return "`" + program_.boards[static_cast<ir::BoardId>(t.ref)].name + "`";
    case TypeKind::Dir: return "directions";
    case TypeKind::Optional: return type_noun(t.parts[0]) + " or none";
    case TypeKind::Tuple: {
        std::string text;
        for (TypeId part : t.parts) text += (text.empty() ? "(" : ", ") + type_noun(part);
        return text + ")";
    }
    default: return type_text(id);
    }
}

std::string CheckerPart::found_text(const Operand& operand) const {
    if (valid(operand.expr)) {
        const auto constant = builder_.scalar(operand.expr);
        const TypeKind k = kind(operand.type);
        if (constant && *constant != ir::none && k != TypeKind::Optional && k != TypeKind::None)
            return "`" + ir::value_text(program_, operand.type, *constant) + "`, " + type_text(operand.type);
    }
    return type_text(operand.type);
}

} // namespace zug::lang

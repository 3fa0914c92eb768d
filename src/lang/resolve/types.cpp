// Type expressions, and types as people read them.

#include "lang/checker.hpp"

#include <fmt/format.h>

namespace zug::lang {

namespace {

constexpr std::string_view generic_words[] = {"int", "real", "path"};

} // namespace

TypeId Checker::type(NodeId id) {
    if (!valid(id)) return none_id<TypeId>;
    const auto& n = node(id);
    switch (n.kind) {
    case Kind::TypeName: return named_type(id);
    case Kind::TypeRange: return range_type(id);
    case Kind::TypeOptional: {
        const TypeId inner = type(child(id, 0));
        if (!valid(inner)) return inner;
        if (kind(inner) == TypeKind::Set || kind(inner) == TypeKind::Optional) {
            error(Message::OptionalOf, n.span, {type_text(inner)});
            return none_id<TypeId>;
        }
        return types().optional(inner);
    }
    case Kind::TypeSet: {
        if (!valid(child(id, 0))) {
            const TypeId site = first_site(n.span);
            return valid(site) ? types().set(site) : site;
        }
        const TypeId element = type(child(id, 0));
        return valid(element) ? set_type(element, n.span) : element;
    }
    case Kind::TypeTuple: {
        std::vector<TypeId> parts;
        bool fine = true;
        for (NodeId part : children(id)) {
            const TypeId inner = type(part);
            fine &= valid(inner);
            if (valid(inner) && !is_scalar(inner)) {
                error(Message::TypeHere, span(part), {type_text(inner), "a part of a tuple"});
                fine = false;
            }
            parts.push_back(inner);
        }
        return fine ? types().tuple(std::move(parts)) : none_id<TypeId>;
    }
    case Kind::TypeValues:
    case Kind::TypeMap:
        error(Message::TypeHere, n.span, {n.kind == Kind::TypeMap ? "a map" : "a list of values", "a type here"});
        return none_id<TypeId>;
    default: return none_id<TypeId>;
    }
}

TypeId Checker::range_type(NodeId id) {
    const auto low = constant_int(child(id, 0));
    const auto high = constant_int(child(id, 1));
    if (!low || !high) return none_id<TypeId>;
    if (*low > *high) {
        error(Message::EmptyRange, span(id), {std::to_string(*low), std::to_string(*high)});
        return none_id<TypeId>;
    }
    return types().integer(*low, *high);
}

TypeId Checker::named_type(NodeId id) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    if (Declaration* d = find(name)) {
        if (d->kind == DeclKind::Alias || d->kind == DeclKind::Enum || d->kind == DeclKind::Board) {
            d->used = true;
            if (d->kind == DeclKind::Board) {
                resolve_board(*d);
            } else {
                named_declaration(*d, at);
            }
            return d->type;
        }
        error(Message::NotAType, at, {name});
        return none_id<TypeId>;
    }
    if (name == "bool") return types().boolean();
    if (name == "player") {
        resolve_players();
        return program_.players.empty() ? none_id<TypeId> : program_.player_type;
    }
    if (name == "site") return first_site(at);
    if (name == "dir") {
        const TypeId site = first_site(at);
        return valid(site) ? types().dir(board_of(site)) : site;
    }
    for (auto word : generic_words)
        if (name == word) {
            error(Message::GenericType, at, {name}, name == "int" ? "give its range, such as `0..100`" : "");
            return none_id<TypeId>;
        }
    std::vector<std::string> names{"bool", "player", "site", "dir"};
    for (const auto& d : declarations_)
        if (d->kind == DeclKind::Alias || d->kind == DeclKind::Enum || d->kind == DeclKind::Board)
            names.push_back(d->name);
    const std::string fix = suggestion(name, names);
    if (!is_lost(name)) error(Message::UnknownType, at, {name}, fix);
    return none_id<TypeId>;
}

void Checker::named_declaration(Declaration& d, Span at) {
    if (d.phase == Declaration::Phase::Done) return;
    if (d.phase == Declaration::Phase::Busy) {
        error(Message::CyclicDefinition, at, {d.name});
        return;
    }
    d.phase = Declaration::Phase::Busy;
    const InTree scope(*this, d.tree);
    if (d.kind == DeclKind::Alias) {
        d.type = type(child(d.node, 0));
    } else {
        std::vector<std::string> members;
        for (NodeId member : children(d.node))
            if (valid(member)) members.push_back(node(member).text);
        const auto id = program_.enums.push(members);
        program_.enum_names.push_back(d.name);
        types().set_enum_size(id, members.size());
        d.number = static_cast<std::uint32_t>(index(id));
        d.type = types().enumeration(id);
    }
    d.phase = Declaration::Phase::Done;
}

TypeId Checker::first_site(Span at) {
    if (boards_.empty()) {
        error(Message::NoBoard, at);
        return none_id<TypeId>;
    }
    resolve_board(*boards_.front());
    if (boards_.front()->phase == Declaration::Phase::Busy)
        error(Message::CyclicDefinition, at, {boards_.front()->name});
    return boards_.front()->type;
}

// The types of parameters of definitions: also `int`, `real`, `path` and `map`. The caller looks at path and map
// itself.
TypeId Checker::parameter_type(NodeId id, const Operand* argument) {
    if (!valid(id)) return none_id<TypeId>;
    const auto& n = node(id);
    if (n.kind == Kind::TypeName && find(n.text) == nullptr) {
        if (n.text == "int") {
            if (argument != nullptr && argument->ok() && kind(bare(argument->type)) == TypeKind::Int)
                return bare(argument->type);
            return types().integer(ir::int_min, ir::int_max);
        }
        if (n.text == "real") return types().real();
    }
    return type(id);
}

TypeId Checker::set_type(TypeId element, Span at) {
    const TypeKind k = kind(element);
    if (k == TypeKind::Optional || k == TypeKind::Set || k == TypeKind::Real || k == TypeKind::Path) {
        error(Message::SetOf, at, {type_noun(element)});
        return none_id<TypeId>;
    }
    if (types().cardinality(element) > max_set) {
        if (!generic_) error(Message::SetTooLarge, at, {type_text(element), std::to_string(max_set)});
        return none_id<TypeId>;
    }
    return types().set(element);
}

TypeId Checker::bare(TypeId id) const {
    return valid(id) && kind(id) == TypeKind::Optional ? program_.types.inner(id) : id;
}

bool Checker::is_scalar(TypeId id) const {
    const TypeKind k = kind(id);
    return k != TypeKind::Set && k != TypeKind::Path && k != TypeKind::Real && k != TypeKind::None;
}

namespace {

std::string interval_text(const ir::Type& t) {
    if (t.lo <= ir::int_min || t.hi >= ir::int_max || t.lo == t.hi) return "";
    return fmt::format(" {}..{}", t.lo, t.hi);
}

} // namespace

std::string Checker::type_text(TypeId id) const {
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

std::string Checker::type_noun(TypeId id) const {
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

std::string Checker::found_text(const Operand& operand) const {
    if (valid(operand.expr)) {
        const auto constant = builder_.scalar(operand.expr);
        const TypeKind k = kind(operand.type);
        if (constant && *constant != ir::none && k != TypeKind::Optional && k != TypeKind::None)
            return "`" + ir::value_text(program_, operand.type, *constant) + "`, " + type_text(operand.type);
    }
    return type_text(operand.type);
}

} // namespace zug::lang

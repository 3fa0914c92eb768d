// Type expressions.

#include "lang/resolve/types.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/boards.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/players.hpp"
#include "lang/resolve/shapes.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

namespace {

constexpr std::string_view generic_words[] = {"int", "real", "path"};

bool is_direction_set(std::string_view name) {
    return name == "ortho" || name == "diagonals" || name == "compass" || name == "axes";
}

} // namespace

TypeId Types::type(NodeId id) {
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
            const TypeId site = boards_.first_site(n.span);
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
        return fine ? tuple_type(std::move(parts), n.span) : none_id<TypeId>;
    }
    case Kind::TypeValues: return listed_as_other(id, "kind") ? none_id<TypeId> : subset_type(id, "");
    case Kind::TypeMap: error(Message::TypeHere, n.span, {"a map", "a type here"}); return none_id<TypeId>;
    default: return none_id<TypeId>;
    }
}

// Tuples of tuples grow fast: the limits bound what each use of the type costs, and make every tuple a number.
TypeId Types::tuple_type(std::vector<TypeId> parts, Span at) {
    constexpr std::size_t most_parts = 64;
    constexpr double most_values = ir::int_max;
    std::size_t scalars = 0;
    double values = 1;
    const auto count = [&](const auto& self, TypeId part) -> void {
        const ir::Type& of = types()[part];
        if (of.kind == TypeKind::Tuple || of.kind == TypeKind::Optional)
            for (const TypeId inner : of.parts) self(self, inner);
        else
            ++scalars;
    };
    for (const TypeId part : parts) {
        count(count, part);
        values *= static_cast<double>(types().cardinality(part));
    }
    if (scalars > most_parts)
        error(Message::TupleTooLarge, at, {std::to_string(scalars) + " parts", std::to_string(most_parts)});
    else if (values > most_values)
        error(Message::TupleTooLarge, at, {fmt::format("{:.3g} values", values), fmt::format("{:.3g}", most_values)});
    else
        return types().tuple(std::move(parts));
    return none_id<TypeId>;
}

TypeId Types::range_type(NodeId id) {
    const char* const fix = "a range that varies is no type but a set: `k in i..n`";
    const auto low = constants_.constant_int(child(id, 0), fix);
    const auto high = constants_.constant_int(child(id, 1), fix);
    if (!low || !high) return none_id<TypeId>;
    if (*low > *high) {
        error(Message::EmptyRange, span(id), {std::to_string(*low), std::to_string(*high)});
        return none_id<TypeId>;
    }
    return types().integer(*low, *high);
}

// `{Rook, Gold}`: a type of the members of a constant set. Of all values of a type, or numbers without a gap, it is
// that type itself.
TypeId Types::subset_type(NodeId id, std::string name) {
    const Span at = span(id);
    const Operand found = constants_.expr(child(id, 0));
    if (!found.ok()) return none_id<TypeId>;
    const bool set = kind(found.type) == TypeKind::Set;
    const TypeId element = set ? types().inner(found.type) : none_id<TypeId>;
    const TypeKind k = set ? kind(element) : TypeKind::None;
    if (k != TypeKind::Enum && k != TypeKind::Player && k != TypeKind::Dir && k != TypeKind::Int) {
        if (k == TypeKind::None && set)
            error(Message::SubsetSize, at, {"0", std::to_string(Subsets::max_values)});
        else
            error(Message::SubsetOf, at, {type_text(found.type)},
                  k == TypeKind::Site ? "`board ... where` leaves sites out, and `when c in ...` asks for some" : "");
        return none_id<TypeId>;
    }
    const auto members = builder_.set(found.expr);
    if (!members) {
        error(Message::NotConstant, at);
        return none_id<TypeId>;
    }
    std::vector<std::int64_t> values;
    for_each_bit(*members, [&](std::size_t i) { values.push_back(types().value(element, i)); });
    if (values.empty() || values.size() > Subsets::max_values) {
        error(Message::SubsetSize, at, {std::to_string(values.size()), std::to_string(Subsets::max_values)});
        return none_id<TypeId>;
    }
    const bool gapless = values.back() - values.front() + 1 == static_cast<std::int64_t>(values.size());
    if (k == TypeKind::Int && gapless) return types().integer(values.front(), values.back());
    if (k != TypeKind::Int && values.size() == types().cardinality(element)) return element;
    if (name.empty()) name = context_.sources.text(at.file).substr(at.begin, at.end - at.begin);
    return subsets_.make(name, k == TypeKind::Int ? types().integer(values.front(), values.back()) : element, values);
}

TypeId Types::named_type(NodeId id) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    if (Declaration* d = symbols_.find(name)) {
        note_use(id, d->span);
        if (d->kind == DeclKind::Alias || d->kind == DeclKind::Enum || d->kind == DeclKind::Board) {
            d->used = true;
            if (d->kind == DeclKind::Board) {
                boards_.resolve_board(*d);
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
        players_.resolve_players();
        return program_.players.empty() ? none_id<TypeId> : program_.player_type;
    }
    if (name == "site") return boards_.first_site(at);
    if (name == "dir") {
        const TypeId site = boards_.first_site(at);
        return valid(site) ? types().dir(board_of(site)) : site;
    }
    for (auto word : generic_words)
        if (name == word) {
            error(Message::GenericType, at, {name}, name == "int" ? "give its range, such as `0..100`" : "");
            return none_id<TypeId>;
        }
    if (is_direction_set(name) && constants_.is_known_value(name)) {
        error(Message::NotAType, at, {name}, fmt::format("the type of some directions is written `dir & {}`", name));
        return none_id<TypeId>;
    }
    std::vector<std::string> names{"bool", "player", "site", "dir"};
    for (const auto& d : symbols_.declarations())
        if (d->kind == DeclKind::Alias || d->kind == DeclKind::Enum || d->kind == DeclKind::Board)
            names.push_back(d->name);
    symbols_.none_of(Message::UnknownType, name, at, {std::move(names), "types"});
    return none_id<TypeId>;
}

// Whether the type is new names in braces or brackets, an enumeration as other languages write it. Says so. `name`: of
// the type, or one that it could have.
bool Types::listed_as_other(NodeId of, const std::string& name) {
    const bool values = node(of).kind == Kind::TypeValues;
    if (!values && node(of).kind != Kind::TypeTuple) return false;
    const NodeId list = values ? child(of, 0) : of;
    if (!valid(list) || (values && node(list).kind != Kind::SetLiteral) || children(list).size() < 2) return false;
    const std::vector<std::string> known = symbols_.known_names();
    std::string members;
    for (const NodeId member : children(list)) {
        const bool named = valid(member) && node(member).kind == (values ? Kind::Name : Kind::TypeName);
        if (!named || site_coordinates(node(member).text)) return false;
        // A direction is known once the boards are worked out, which asking for it does.
        const std::string& text = node(member).text;
        if (std::ranges::find(known, text) != known.end() || constants_.is_known_value(text)) return false;
        members += (members.empty() ? "" : " | ") + node(member).text;
    }
    error(Message::UnknownName, span(children(list)[0]), {node(children(list)[0]).text},
          fmt::format("an enumeration is written `type {} = {}`", name, members));
    symbols_.lose(span(of));
    return true;
}

void Types::named_declaration(Declaration& d, Span at) {
    if (d.phase == Declaration::Phase::Done || d.broken) return;
    if (d.phase == Declaration::Phase::Busy) {
        error(Message::CyclicDefinition, at, {d.name});
        return;
    }
    d.phase = Declaration::Phase::Busy;
    const InTree scope(context_, d.tree);
    if (d.kind == DeclKind::Alias) {
        const NodeId of = child(d.node, 0);
        if (!valid(of) || listed_as_other(of, d.name))
            d.type = none_id<TypeId>;
        else
            d.type = node(of).kind == Kind::TypeValues ? subset_type(of, d.name) : type(of);
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

// The type of a parameter of a definition, which can also be `int` or `real`. Callers handle `path` and `map`.
TypeId Types::parameter_type(NodeId id, const Operand* argument) {
    if (!valid(id)) return none_id<TypeId>;
    const auto& n = node(id);
    if (n.kind == Kind::TypeName && symbols_.find(n.text) == nullptr) {
        if (n.text == "int") {
            if (argument != nullptr && argument->ok() && kind(bare(argument->type)) == TypeKind::Int)
                return bare(argument->type);
            return types().integer(ir::int_min, ir::int_max);
        }
        if (n.text == "real") return types().real();
    }
    return type(id);
}

} // namespace zug::lang

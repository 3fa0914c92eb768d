#include "ir/types.hpp"

#include <algorithm>
#include <functional>

namespace zug::ir {

namespace {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

void set_at(std::vector<std::uint64_t>& sizes, std::size_t i, std::uint64_t size) {
    if (sizes.size() <= i) sizes.resize(i + 1, 0);
    sizes[i] = size;
}

std::uint64_t get_at(const std::vector<std::uint64_t>& sizes, std::size_t i) { return i < sizes.size() ? sizes[i] : 0; }

std::size_t hash_of(const Type& type) {
    std::size_t hash = static_cast<std::size_t>(type.kind);
    auto mix = [&](std::size_t word) { hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL + (hash >> 29); };
    mix(static_cast<std::size_t>(type.lo));
    mix(static_cast<std::size_t>(type.hi));
    mix(type.ref);
    for (auto part : type.parts) mix(index(part));
    return hash;
}

} // namespace

TypeTable::TypeTable() {
    bool_ = intern({.kind = TypeKind::Bool, .parts = {}});
    real_ = intern({.kind = TypeKind::Real, .parts = {}});
    none_ = intern({.kind = TypeKind::None, .parts = {}});
}

TypeId TypeTable::intern(Type type) {
    const auto hash = hash_of(type);
    auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (types_[it->second] == type) return it->second;
    const TypeId id = types_.push(std::move(type));
    by_hash_.emplace(hash, id);
    return id;
}

TypeId TypeTable::integer(std::int64_t lo, std::int64_t hi) {
    return intern({.kind = TypeKind::Int, .lo = lo, .hi = hi, .parts = {}});
}
TypeId TypeTable::site(BoardId board) {
    return intern({.kind = TypeKind::Site, .ref = static_cast<std::uint32_t>(board), .parts = {}});
}
TypeId TypeTable::dir(BoardId board) {
    return intern({.kind = TypeKind::Dir, .ref = static_cast<std::uint32_t>(board), .parts = {}});
}
TypeId TypeTable::path(BoardId board) {
    return intern({.kind = TypeKind::Path, .ref = static_cast<std::uint32_t>(board), .parts = {}});
}
TypeId TypeTable::player(std::uint32_t count) { return intern({.kind = TypeKind::Player, .ref = count, .parts = {}}); }
TypeId TypeTable::enumeration(EnumId id) {
    return intern({.kind = TypeKind::Enum, .ref = static_cast<std::uint32_t>(id), .parts = {}});
}
TypeId TypeTable::tuple(std::vector<TypeId> parts) {
    return intern({.kind = TypeKind::Tuple, .parts = std::move(parts)});
}
TypeId TypeTable::optional(TypeId inner) {
    if (kind(inner) == TypeKind::Optional) return inner;
    return intern({.kind = TypeKind::Optional, .parts = {inner}});
}
TypeId TypeTable::set(TypeId element) { return intern({.kind = TypeKind::Set, .parts = {element}}); }

TypeId TypeTable::inner(TypeId id) const {
    assert(!types_[id].parts.empty());
    return types_[id].parts.front();
}

std::uint64_t TypeTable::cardinality(TypeId id) const {
    const Type& type = types_[id];
    switch (type.kind) {
    case TypeKind::Bool: return 2;
    case TypeKind::Int: return type.hi < type.lo ? 0 : static_cast<std::uint64_t>(type.hi - type.lo) + 1;
    case TypeKind::Enum: return get_at(enum_sizes_, type.ref);
    case TypeKind::Player: return type.ref;
    case TypeKind::Site: return get_at(site_counts_, type.ref);
    case TypeKind::Dir: return get_at(dir_counts_, type.ref);
    case TypeKind::Tuple: {
        std::uint64_t product = 1;
        for (auto part : type.parts) product = saturating_product(product, cardinality(part));
        return product;
    }
    case TypeKind::Optional: {
        const auto inner = cardinality(type.parts.front());
        return inner == UINT64_MAX ? inner : inner + 1;
    }
    case TypeKind::None: return 1;
    case TypeKind::Real:
    case TypeKind::Set:
    case TypeKind::Path: return 0;
    }
    return 0;
}

void TypeTable::set_enum_size(EnumId id, std::uint64_t size) { set_at(enum_sizes_, index(id), size); }
void TypeTable::set_site_count(BoardId id, std::uint64_t size) { set_at(site_counts_, index(id), size); }
void TypeTable::set_dir_count(BoardId id, std::uint64_t size) { set_at(dir_counts_, index(id), size); }

std::optional<std::uint64_t> TypeTable::ordinal(TypeId id, std::int64_t value) const {
    const Type& type = types_[id];
    switch (type.kind) {
    case TypeKind::Int:
        if (value < type.lo || value > type.hi) return std::nullopt;
        return static_cast<std::uint64_t>(value - type.lo);
    case TypeKind::Optional: {
        if (value == none) return 0;
        const auto inner = ordinal(type.parts.front(), value);
        return inner ? std::optional(*inner + 1) : std::nullopt;
    }
    case TypeKind::None: return value == none ? std::optional<std::uint64_t>(0) : std::nullopt;
    default:
        if (value < 0 || static_cast<std::uint64_t>(value) >= cardinality(id)) return std::nullopt;
        return static_cast<std::uint64_t>(value);
    }
}

std::int64_t TypeTable::value(TypeId id, std::uint64_t ordinal) const {
    const Type& type = types_[id];
    switch (type.kind) {
    case TypeKind::Int: return type.lo + static_cast<std::int64_t>(ordinal);
    case TypeKind::Optional: return ordinal == 0 ? none : value(type.parts.front(), ordinal - 1);
    case TypeKind::None: return none;
    default: return static_cast<std::int64_t>(ordinal);
    }
}

std::int64_t TypeTable::project(TypeId tuple, std::int64_t value, std::size_t i) const {
    const auto& parts = types_[tuple].parts;
    auto code = static_cast<std::uint64_t>(value);
    for (std::size_t k = parts.size(); k-- > i + 1;) code /= cardinality(parts[k]);
    return this->value(parts[i], code % cardinality(parts[i]));
}

} // namespace zug::ir

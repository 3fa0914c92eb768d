#pragma once
// Types of the intermediate representation. Every scalar type has a known number of values, numbered from 0 (their
// ordinals).
//
// A scalar value is one int64_t:
//   Bool 0 or 1; Int the integer itself; Enum, Player, Site, Dir the index; Tuple the mixed-radix code of its parts'
//   ordinals (first part most significant); Optional the inner value, or `none`.
// Ordinals: Int value - lo; Optional 0 for none, else the inner ordinal + 1; all others the value itself.
// So a T is a T? without conversion, and equality of scalars is equality of int64_t.
// A set over a scalar type T is a bit set indexed by T's ordinals. A real is a double. A path is a relation on sites
// and never stored.

#include "base/id.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace zug::ir {

enum class TypeId : std::uint32_t {};
enum class BoardId : std::uint32_t {};
enum class EnumId : std::uint32_t {};

inline constexpr std::int64_t none = INT64_MIN;

// Bounds of an integer whose range is not known.
inline constexpr std::int64_t int_min = -(std::int64_t{1} << 40);
inline constexpr std::int64_t int_max = std::int64_t{1} << 40;

enum class TypeKind : std::uint8_t { Bool, Int, Real, Enum, Player, Site, Dir, Tuple, Optional, Set, Path, None };

struct Type {
    TypeKind kind = TypeKind::Bool;
    std::int64_t lo = 0, hi = 0; // Int
    std::uint32_t ref = 0;       // Enum: EnumId; Site, Dir, Path: BoardId; Player: the number of players
    std::vector<TypeId> parts;   // Tuple: its elements; Optional, Set: one

    friend bool operator==(const Type&, const Type&) = default;
};

// Interned types: equal types have equal ids.
class TypeTable {
public:
    TypeTable();
    TypeId intern(Type type);
    const Type& operator[](TypeId id) const { return types_[id]; }
    std::size_t size() const { return types_.size(); }

    TypeId boolean() const { return bool_; }
    TypeId real() const { return real_; }
    TypeId none_type() const { return none_; } // of the literal `none`
    TypeId integer(std::int64_t lo, std::int64_t hi);
    TypeId site(BoardId board);
    TypeId dir(BoardId board);
    TypeId path(BoardId board);
    TypeId player(std::uint32_t count);
    TypeId enumeration(EnumId id);
    TypeId tuple(std::vector<TypeId> parts);
    TypeId optional(TypeId inner); // of an optional: itself
    TypeId set(TypeId element);

    TypeKind kind(TypeId id) const { return types_[id].kind; }
    TypeId inner(TypeId id) const; // of Optional and Set

    // The number of values of a scalar type, saturating at UINT64_MAX; 0 for other types. Enum, Site and Dir counts are
    // set once by set_enum_size and the like, when they are declared.
    std::uint64_t cardinality(TypeId id) const;
    void set_enum_size(EnumId id, std::uint64_t size);
    void set_site_count(BoardId id, std::uint64_t size);
    void set_dir_count(BoardId id, std::uint64_t size);

    // Conversions between values and ordinals of a scalar type. ordinal() is empty for a value outside the type (`none`
    // of a type that isn't optional, an integer outside its range).
    std::optional<std::uint64_t> ordinal(TypeId id, std::int64_t value) const;
    std::int64_t value(TypeId id, std::uint64_t ordinal) const;

    // The i-th part of a tuple value.
    std::int64_t project(TypeId tuple, std::int64_t value, std::size_t i) const;

private:
    IdVector<TypeId, Type> types_;
    std::unordered_multimap<std::size_t, TypeId> by_hash_;
    std::vector<std::uint64_t> enum_sizes_, site_counts_, dir_counts_;
    TypeId bool_{}, real_{}, none_{};
};

} // namespace zug::ir

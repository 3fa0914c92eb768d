#pragma once
// A relabelling of sites, directions and members of types, and the permutation of positions that follows from it.

#include "game/symmetry/automorphisms.hpp"
#include "game/symmetry/symmetry.hpp"

#include <optional>
#include <span>
#include <vector>

namespace zug::game {

class Relabelling {
public:
    explicit Relabelling(const ir::Program& program)
        : program_(program), boards_(program.boards.size(), nullptr), exchanged_(none_id<ir::TypeId>) {}

    // The automorphism must outlive it.
    void set(std::size_t board, const Automorphism* automorphism) { boards_[board] = automorphism; }
    // Exchanges the members with these ordinals.
    void exchange(ir::TypeId type, std::uint32_t a, std::uint32_t b) {
        exchanged_ = type;
        a_ = a;
        b_ = b;
    }

    // Null: the identity.
    const Automorphism* of_board(std::uint32_t board) const { return boards_[board]; }
    // None: no type's.
    ir::TypeId exchanged() const { return exchanged_; }
    // Whether values of the type may have other images than themselves.
    bool changes(ir::TypeId type) const;
    // Whether they have images: directions may be mapped to what is no direction.
    bool maps(ir::TypeId type) const;
    // By ordinal. Only of types that it maps.
    std::uint32_t image(ir::TypeId type, std::uint32_t ordinal) const;

    // Of the variables that rules can change. Empty: a type has no images, or too many; or constants or what local
    // variables return to are not mapped to themselves.
    std::optional<Symmetry> symmetry() const;

private:
    using Images = std::vector<std::uint32_t>; // by ordinal; empty: the identity

    bool add(const ir::StateVariable& state, Symmetry& symmetry) const;
    std::optional<Images> images(std::span<const ir::TypeId> types) const;

    const ir::Program& program_;
    std::vector<const Automorphism*> boards_;
    ir::TypeId exchanged_;
    std::uint32_t a_ = 0, b_ = 0;
};

} // namespace zug::game

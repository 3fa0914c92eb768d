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
    explicit Relabelling(const ir::Program& program) : program_(program), boards_(program.boards.size(), nullptr) {}

    // The automorphism must outlive it.
    void set(std::size_t board, const Automorphism* automorphism) { boards_[board] = automorphism; }
    // Exchanges the members with these ordinals. Of players only where there are two.
    void exchange(ir::TypeId type, std::uint32_t a, std::uint32_t b) { exchanges_.push_back({type, a, b}); }

    // Null: the identity.
    const Automorphism* of_board(std::uint32_t board) const { return boards_[board]; }
    bool exchanges_only(ir::TypeKind kind) const;
    bool exchanges(ir::TypeId type) const { return exchange_of(type) != nullptr; }
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
    struct Exchange {
        ir::TypeId type{};
        std::uint32_t a = 0, b = 0;
    };

    // Null: none of the type.
    const Exchange* exchange_of(ir::TypeId type) const;

    bool add(const ir::StateVariable& state, Symmetry& symmetry) const;
    std::optional<Images> images(std::span<const ir::TypeId> types) const;

    const ir::Program& program_;
    std::vector<const Automorphism*> boards_;
    std::vector<Exchange> exchanges_; // each of another type
};

} // namespace zug::game

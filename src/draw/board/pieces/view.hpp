#pragma once
// A position as it is drawn: its values, their looks and their words.

#include "draw/board/pieces/look.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace zug::draw::board {

class View {
public:
    // Both must outlive the view. `slots`: in canonical form (ir/program.hpp).
    View(const ir::Program& program, std::span<const std::uint32_t> slots)
        : program_(program), slots_(slots), looks_(program) {}

    const ir::Program& program() const { return program_; }
    const Looks& looks() const { return looks_; }
    std::span<const std::uint32_t> slots() const { return slots_; }
    const ir::StateVariable& state(ir::StateId id) const { return program_.states[id]; }
    // The value of an entry of a variable that is no set; 0 is the entry of a variable without index.
    std::int64_t value(ir::StateId id, std::uint64_t entry) const;
    // As it is stored.
    std::uint32_t slot(ir::StateId id, std::uint64_t i) const { return slots_[state(id).first_slot + i]; }
    // The members of an entry of a set, as values.
    std::vector<std::int64_t> members(ir::StateId id, std::uint64_t entry) const;
    Look look(ir::StateId id, std::uint64_t entry) const { return looks_.of(state(id).value, value(id, entry)); }
    // Whether values of the type are playing cards: pairs of a suit and something else.
    bool is_card(ir::TypeId type) const;
    // A value in words; a suit is its sign: `White Pawn`, `e4`, `♠ A`; empty for none.
    std::string words(ir::TypeId type, std::int64_t value) const;
    std::string words(ir::StateId id, std::uint64_t entry) const { return words(state(id).value, value(id, entry)); }

private:
    const ir::Program& program_;
    std::span<const std::uint32_t> slots_;
    Looks looks_;
};

} // namespace zug::draw::board

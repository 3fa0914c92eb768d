#pragma once
// Positions as canonical slots (ir/program.hpp), read again and again: StateLayout::store() with all that does not
// depend on the position worked out once. What it costs grows with what the planes of maps hold, not with their sizes.

#include "bytecode/state_layout.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::run {

class SlotReader {
public:
    SlotReader(const ir::Program& program, const StateLayout& layout);

    // `words`: as StateLayout::store() takes them. `out` has Program::total_slots() elements.
    void read(const std::uint64_t* words, std::span<std::uint32_t> out) const;

private:
    // A word, or one of its bytes, that holds a scalar of some type.
    struct Scalar {
        Reg reg = 0;
        std::int8_t byte = -1; // of the word; -1: the whole
        std::uint32_t slot = 0;
        ir::TypeId type{};
        // Words from `base` on, so many, stand for the ordinals from `first` on, and others for 0; none: the type is
        // one of sites, whose words are in another order.
        std::int64_t base = 0;
        std::uint64_t count = 0;
        std::uint32_t first = 0;
    };
    Scalar scalar(Reg reg, std::uint32_t slot, ir::TypeId type) const;
    // A set of bits, each of which belongs to a slot.
    struct Plane {
        Reg reg = 0;
        std::uint16_t words = 1;
        std::uint32_t value = 1; // of the slots of the bits that are set
        std::uint32_t slots = 0; // where in slots_ the slot of the first bit is
    };
    void add(ir::StateId id);
    void add_set(const ir::StateVariable& variable, Reg reg, std::uint16_t words, std::uint32_t first_slot);
    std::uint32_t ordinal(const Scalar& scalar, std::int64_t word) const;

    const ir::Program& program_;
    const StateLayout& layout_;
    std::vector<std::uint32_t> start_; // what slots are where no plane or scalar says otherwise
    std::vector<Scalar> scalars_;
    std::vector<Plane> planes_;
    std::vector<std::uint32_t> slots_; // by bit
};

} // namespace zug::run

#pragma once
// The layout of a state in words, chosen from the types of the state variables.
//
// A set over the sites of a board has one bit for each site. On boards with coordinates it is bit y * stride + x, so
// that every direction is a shift. If it costs no further word, each row is padded by a column that is in no set: then
// shifts need no mask. A register holds a site as its bit number, and other scalars as ir/types.hpp defines them.

#include "bytecode/added_ranges.hpp"
#include "bytecode/bytecode.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::run {

struct BoardLayout {
    std::uint32_t bits = 0;
    std::uint16_t words = 1;
    std::vector<std::int32_t> bit_of_site;
    std::vector<std::int32_t> site_of_bit; // -1: padding
};

// The size of sets over one element type.
struct SetShape {
    std::uint32_t bits = 0;
    std::uint16_t words = 1;
    std::int32_t board = -1; // if the elements are sites
};

enum class Storage : std::uint8_t {
    Word,   // a scalar without indices: its value in one word
    Set,    // a set without indices
    Planes, // a map: for each ordinal of the value but 0, the set of entries that hold it
    Words,  // a map: a word for each entry
    Bytes,  // a map of small numbers: a byte for each entry, eight to a word from the low bits up
    Sets,   // a map to sets: a set for each entry
};

struct VariableLayout {
    Storage storage = Storage::Word;
    Reg reg = 0;
    // Words, Bytes, Sets: the number of entries, row-major over the bits of the index types.
    std::uint32_t slots = 1;
    std::uint32_t planes = 0; // Planes: cardinality of the value's type minus 1
    // Planes: the same order of entries. Those with the same indices but the last are a row. Where an index is a site
    // or a player, rows are filled up to whole words, so that each is words of a plane by itself. Else the map is a
    // matrix: its rows follow one another without a gap, so that steps in it are shifts of a plane. Rows of Bytes are
    // filled up to whole words, too.
    std::uint32_t rows = 1;
    std::uint32_t row_entries = 0; // Planes, Bytes: from one row to the next
    std::uint16_t row_words = 0;
    bool matrix = false;
    std::uint16_t set_words = 0; // of a plane, or of a set of Sets
    std::uint32_t words = 1;     // of the whole variable
};

class StateLayout {
public:
    explicit StateLayout(const ir::Program& program);
    // Takes the types of a copy of the program, which may have more.
    void know(const ir::TypeTable& types) { types_ = types; }

    const VariableLayout& variable(ir::StateId id) const { return variables_[id]; }
    // Which of a map's indices comes first in the numbers of its entries, which second and so on. As they are declared,
    // but a site behind indices of a few values: what holds at the sites of a board are words of their own then.
    const std::vector<std::size_t>& index_order(ir::StateId id) const { return orders_[id]; }
    const BoardLayout& board(ir::BoardId id) const { return boards_[id]; }
    SetShape shape(ir::TypeId element) const; // of sets of this scalar type
    std::uint16_t main_words() const { return main_words_; }

    Reg turn() const { return turn_; }
    Reg last() const { return last_; } // only if the program keeps it
    std::uint32_t state_words() const { return state_words_; }

    // Conversions between scalar values of the IR, register words (which differ from them for sites only), and bits of
    // sets.
    std::int64_t to_register(ir::TypeId type, std::int64_t value) const;
    std::int64_t from_register(ir::TypeId type, std::int64_t word) const;
    std::uint64_t bit(ir::TypeId type, std::int64_t value) const;        // of an IR value, in sets over the type
    std::int64_t value_of_bit(ir::TypeId type, std::uint64_t bit) const; // ir::none for padding
    std::vector<std::uint64_t> words(ir::TypeId element, const Bits& set) const;
    std::uint32_t index_radix(ir::TypeId index) const; // the number of bits of an index type
    // The radix of an index of the variable, in that order, in the numbers of its entries.
    std::uint32_t entry_radix(ir::StateId id, std::size_t index) const;
    // How many numbers of entries there are, those of padding among them.
    std::uint32_t entry_count(ir::StateId id) const;
    // Calls f(number in the layout, number in slot order) for every entry of an indexed variable.
    template <class F>
    void for_each_entry(ir::StateId id, F&& f) const;

    // A State (executor/executor.hpp) holds the words of the frame except the first, which is not used, with scalars
    // packed.
    std::uint32_t stored_words() const { return first_scalar_ - 1 + packed_words_; }
    void pack(const std::uint64_t* frame, std::uint64_t* stored) const;
    void unpack(const std::uint64_t* stored, std::uint64_t* frame) const;
    std::uint32_t stored_turn(const std::uint64_t* stored) const {
        return static_cast<std::uint32_t>(stored[first_scalar_ - 1] &
                                          ((std::uint64_t{1} << scalars_.front().bits) - 1));
    }

    // Conversions between canonical slots and the words of a frame.
    void load(std::span<const std::uint32_t> slots, std::uint64_t* words) const;
    void store(const std::uint64_t* words, std::vector<std::uint32_t>& slots) const;
    // The slots of a map from sites to scalars, by site.
    void read_map(const std::uint64_t* words, ir::StateId map, std::span<std::uint32_t> out) const;

private:
    // A scalar packed into a State: its ordinal, in some bits of a word.
    struct PackedScalar {
        Reg reg;
        std::uint16_t word; // index among the packed words
        std::uint8_t shift, bits;
        bool optional; // ordinal 0 is `none`
        std::int64_t low;
    };
    void lay_out_board(ir::BoardId id);
    void add_scalar(Reg reg, ir::TypeId type);
    void order_indices(const ir::StateVariable& variable);
    std::vector<std::vector<std::int64_t>> slot_steps(const std::vector<std::size_t>& order,
                                                      const std::vector<ir::TypeId>& indices) const;
    VariableLayout choose(ir::StateId id, const AddedRange& added) const;
    const ir::Program& program_;
    ir::TypeTable types_;
    IdVector<ir::BoardId, BoardLayout> boards_;
    IdVector<ir::StateId, VariableLayout> variables_;
    IdVector<ir::StateId, std::vector<std::size_t>> orders_;
    IdVector<ir::StateId, std::vector<ir::TypeId>> indices_; // in that order
    // By index in that order and bit, what the bit adds to the number of an entry in slot order; -1: it is padding.
    IdVector<ir::StateId, std::vector<std::vector<std::int64_t>>> slot_steps_;
    std::uint16_t main_words_ = 1;
    Reg turn_ = 0, last_ = 0;
    std::uint32_t state_words_ = 0;
    std::vector<PackedScalar> scalars_;                 // the first is the turn
    std::uint32_t first_scalar_ = 1, packed_words_ = 0; // the first register of a scalar; words of a State
};

template <class F>
void StateLayout::for_each_entry(ir::StateId id, F&& f) const {
    const std::vector<std::vector<std::int64_t>>& steps = slot_steps_[id];
    std::vector<std::uint32_t> bits(steps.size(), 0);
    for (;;) {
        std::uint32_t entry = 0;
        std::int64_t number = 0;
        bool real = true;
        for (std::size_t i = 0; i < bits.size(); ++i) {
            entry = entry * entry_radix(id, i) + bits[i];
            number += steps[i][bits[i]];
            real = real && steps[i][bits[i]] >= 0;
        }
        if (real) f(entry, static_cast<std::uint32_t>(number));
        std::size_t i = bits.size();
        while (i > 0 && ++bits[i - 1] == steps[i - 1].size()) bits[--i] = 0;
        if (i == 0) return;
    }
}

} // namespace zug::run

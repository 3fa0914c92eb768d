#pragma once
// How an executor's state lies in words, chosen from the types of the state variables.
//
// Sets over the sites of a board use one bit a site; on boards with coordinates the bit is y * stride + x, so that
// every direction is a shift. Where it costs no further word a row is padded by one column that is never in a set: then
// shifts need no mask. In registers a site is its bit number; other scalars are as in ir/types.hpp.

#include "bytecode/bytecode.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <vector>

namespace zug::run {

struct BoardLayout {
    std::uint32_t bits = 0;
    std::uint16_t words = 1;
    std::vector<std::int32_t> bit_of_site;
    std::vector<std::int32_t> site_of_bit; // -1: no site
};

// The bits of sets over one element type.
struct SetShape {
    std::uint32_t bits = 0;
    std::uint16_t words = 1;
    std::int32_t board = -1; // of a site type
};

enum class Storage : std::uint8_t {
    Word,   // a scalar without index: one word, the value itself
    Set,    // a set without index
    Planes, // one index: for each ordinal of the value but 0 the set of places that hold it
    Words,  // a word for each place
    Sets,   // a set for each place
};

struct VariableLayout {
    Storage storage = Storage::Word;
    Reg reg = 0;
    std::uint32_t places = 1; // Words, Sets: row-major over the index types' bits
    std::uint32_t planes = 0;
    std::uint16_t set_words = 0;
    std::uint32_t words = 1; // of the whole variable
};

class StateLayout {
public:
    explicit StateLayout(const ir::Program& program);

    const VariableLayout& variable(ir::StateId id) const { return variables_[id]; }
    const BoardLayout& board(ir::BoardId id) const { return boards_[id]; }
    SetShape shape(ir::TypeId element) const; // of sets of this scalar type
    std::uint16_t main_words() const { return main_words_; }

    Reg turn() const { return turn_; }
    Reg last() const { return last_; } // only if the program keeps it
    std::uint32_t state_words() const { return state_words_; }

    // Between scalar values of the core and register words (they differ for sites only), and bits of sets.
    std::int64_t to_register(ir::TypeId type, std::int64_t value) const;
    std::int64_t from_register(ir::TypeId type, std::int64_t word) const;
    std::uint64_t bit(ir::TypeId type, std::int64_t value) const;        // of a core value, in sets over the type
    std::int64_t value_of_bit(ir::TypeId type, std::uint64_t bit) const; // ir::none for a bit of padding
    std::vector<std::uint64_t> words(ir::TypeId element, const Bits& set) const;
    std::uint32_t place_bits(ir::TypeId index) const; // the radix of an index type in Words and Sets

    // A State holds the words of the frame but for the first, which is not used; scalars share words there.
    std::uint32_t stored_words() const { return small_first_ - 1 + packed_words_; }
    void pack(const std::uint64_t* frame, std::uint64_t* stored) const;
    void unpack(const std::uint64_t* stored, std::uint64_t* frame) const;
    std::uint32_t stored_turn(const std::uint64_t* stored) const {
        return static_cast<std::uint32_t>(stored[small_first_ - 1] & ((std::uint64_t{1} << smalls_.front().bits) - 1));
    }

    // Between canonical slots and the words of a frame.
    void load(std::span<const std::uint32_t> slots, std::uint64_t* words) const;
    void store(const std::uint64_t* words, std::vector<std::uint32_t>& slots) const;

private:
    // A scalar as it stands in a State: its ordinal, in some bits of a word.
    struct Small {
        Reg reg;
        std::uint16_t word; // of the packed ones
        std::uint8_t shift, bits;
        bool optional; // 0 is none
        std::int64_t low;
    };
    void lay_out_board(ir::BoardId id);
    void add_small(Reg reg, ir::TypeId type);
    // `added_to`: numbers that some rule adds to are kept as words.
    VariableLayout choose(const ir::StateVariable& variable, bool added_to) const;
    // Calls f(place in the layout, number of the place in slot order) for every place of an indexed variable.
    template <class F>
    void for_each_place(const ir::StateVariable& variable, F&& f) const;

    const ir::Program& program_;
    IdVector<ir::BoardId, BoardLayout> boards_;
    IdVector<ir::StateId, VariableLayout> variables_;
    std::uint16_t main_words_ = 1;
    Reg turn_ = 0, last_ = 0;
    std::uint32_t state_words_ = 0;
    std::vector<Small> smalls_; // the first is the turn
    std::uint32_t small_first_ = 1, packed_words_ = 0;
};

} // namespace zug::run

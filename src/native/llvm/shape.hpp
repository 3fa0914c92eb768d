#pragma once
// The shape of a routine: its basic blocks, and the storage of each of its registers.

#include "bytecode/operand_kinds.hpp"
#include "native/request.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace zug::codegen {

// Wider sets are kept in the frame, and gone through in loops: an SSA value for each of their words would be too many.
constexpr unsigned most_words_as_values = 16;
// Longer copies, such as those of whole states, are calls of memcpy or memmove.
constexpr unsigned most_words_copied_as_values = 24;

enum class Home : std::uint8_t {
    Constant, // initialised once
    Frame,    // in the frame: state, parameters, results, rows indexed at run time, what the executor reads
    Slot,     // local to the routine, used in several blocks: a stack slot
    Value,    // local to the routine and to one block, written before it is read: an SSA value
    Cached,   // a frame word that is kept in a stack slot from the entry to the return
};

class Shape {
public:
    // Of routines that jump to each other, as one.
    Shape(const native::Request& request, std::span<const run::RoutineInfo> routines);

    // The instructions [begin, end), in order of `begin`.
    struct Block {
        run::Entry begin, end;
    };
    const std::vector<Block>& blocks() const { return blocks_; }
    Home home(std::uint32_t reg) const;
    // A bound of a register in a slot that only draws write; 0: none.
    std::uint32_t drawn_below(std::uint32_t reg) const;
    // Registers of home Cached, and whether the routine writes them. Only the routines of random play have any, since
    // they run for long before they return.
    struct CachedWord {
        std::uint32_t reg;
        bool written;
    };
    const std::vector<CachedWord>& cached() const { return cached_; }

private:
    struct Use {
        std::size_t block = 0;
        bool several = false; // used in several blocks, or read before it is written
        bool written = false;
        bool framed = false;
        bool result = false;
        std::uint32_t drawn_below = 0;
        bool computed = false; // written by other operations than draws
    };
    void find_blocks(std::span<const run::RoutineInfo> routines);
    void find_homes(std::span<const run::RoutineInfo> routines);
    void use_drawing(std::size_t block, const run::Instr& i, const run::Drawing& drawing);
    void use_others(std::size_t block, const run::Instr& i);
    void use_operands(std::size_t block, const run::Instr& i, bool writes);
    void use(std::size_t block, std::uint32_t reg, std::uint32_t width, bool write);
    void frame(std::uint32_t reg, std::uint32_t width);
    void frame_question(std::uint32_t reg);
    void find_cached();

    const native::Request& request_;
    std::vector<Block> blocks_;
    std::unordered_map<std::uint32_t, Use> uses_;
    std::unordered_map<std::uint32_t, std::uint32_t> widths_; // by register: the largest set written to it
    std::uint32_t constants_begin_ = run::frame_words;
    bool caches_ = false;
    bool draws_ = false;
    bool own_state_ = false; // the routine loads the state from memory, so it is local
    std::vector<CachedWord> cached_;
};

// The instructions at which an instruction may continue, besides the next one.
std::vector<run::Entry> targets_of(const run::Bytecode& code, const run::Instr& i);

// Mov, Load or Store.
bool is_copy(const run::Instr& i);

// The number of consecutive registers that an operand of kind `o` of the instruction occupies.
std::uint32_t row_of(const run::Instr& i, run::Operand o);

} // namespace zug::codegen

#pragma once
// The shape of a routine: its basic blocks, and where each of its registers is kept.

#include "bytecode/operand_kinds.hpp"
#include "native/request.hpp"

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zug::codegen {

enum class Home : std::uint8_t {
    Constant, // never changes
    Frame,    // in the frame: state, parameters, results, what is indexed at run time or read by the executor
    Slot,     // the routine's own, used in several blocks
    Value,    // the routine's own, written before it is read, in one block
    Cached,   // a frame word that is kept in a slot from the entry to the way out
};

class Shape {
public:
    // Of routines that lead to each other, as one.
    Shape(const native::Request& request, std::span<const run::RoutineInfo> routines);

    // The instructions of each block, [begin, end), in order.
    struct Block {
        run::Entry begin, end;
    };
    const std::vector<Block>& blocks() const { return blocks_; }
    Home home(std::uint32_t reg) const;
    // Of a register in a slot that nothing but Draw writes: what it is below. 0: it is another.
    std::uint32_t drawn_below(std::uint32_t reg) const;
    // Registers of home Cached, and whether the routine changes them. Only random play is worth it, which stays in its
    // routine for long.
    struct CachedWord {
        std::uint32_t reg;
        bool written;
    };
    const std::vector<CachedWord>& cached() const { return cached_; }

private:
    struct Use {
        std::size_t block = 0;
        bool several = false; // blocks, or read before it is written
        bool written = false;
        bool framed = false;
        bool result = false;
        std::uint32_t drawn_below = 0;
        bool computed = false; // written by others than Draw
    };
    void find_blocks(std::span<const run::RoutineInfo> routines);
    void find_homes(std::span<const run::RoutineInfo> routines);
    void use_drawing(std::size_t block, const run::Instr& i, const run::Drawing& drawing);
    void use_others(std::size_t block, const run::Instr& i);
    void use_operands(std::size_t block, const run::Instr& i, bool writes);
    void use(std::size_t block, std::uint32_t reg, std::uint32_t width, bool write);
    void frame(std::uint32_t reg, std::uint32_t width);
    void frame_asked(std::uint32_t reg);
    void find_cached();

    const native::Request& request_;
    std::vector<Block> blocks_;
    std::unordered_map<std::uint32_t, Use> uses_;
    std::unordered_map<std::uint32_t, std::uint32_t> widths_; // of what is written to a register
    std::uint32_t constants_begin_ = run::frame_words;
    bool caches_ = false;
    bool draws_ = false;
    bool own_state_ = false; // the routine fetches the state from memory
    std::vector<CachedWord> cached_;
};

// Where an instruction may go on, besides the one behind it.
std::vector<run::Entry> targets_of(const run::Bytecode& code, const run::Instr& i);

// What an op does when it doesn't jump or leave is done on its way to the next.
bool is_op(const run::Instr& i, std::string_view name);

// The registers that field `o` of the instruction names: how many in a row.
std::uint32_t row_of(const run::Instr& i, run::Operand o);

} // namespace zug::codegen

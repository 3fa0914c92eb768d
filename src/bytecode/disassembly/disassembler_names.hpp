#pragma once
// The names of registers and the text of constants in a disassembly. For the disassembler's own files.

#include "bytecode/compiled_program.hpp"
#include "bytecode/disassembly/disassembler.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace zug::run {

class RegisterNames {
public:
    explicit RegisterNames(const Compiled& compiled);

    const std::vector<Disassembly::Part>& frame() const { return frame_; }
    std::size_t constants() const { return constants_.size(); }

    void begin_routine() { temporaries_.clear(); }
    bool is_constant(Reg reg) const { return constants_.contains(reg); }
    // The name of a register; temporaries are t1, t2, ... in the order in which a routine first names them.
    std::string reg(Reg reg);
    // The name of a whole row of registers: the variable, where reg() names its first plane.
    std::string block(Reg reg);
    // A register that is read, as a word or as a real: the value if it is a constant, else its name.
    std::string word(Reg reg);
    std::string real(Reg reg);
    // The same as a set of `bits` elements, if their number is known. `scalar`: it is copied to a register of a scalar.
    std::string set(Reg reg, std::uint16_t words, std::optional<std::int32_t> bits, bool scalar);
    bool is_scalar(Reg reg) const { return scalars_.contains(reg); }
    std::string draw(std::span<const std::uint64_t> words, std::optional<std::int32_t> bits) const;

private:
    void state();
    void variable(ir::StateId id);
    void add(Reg reg, std::uint32_t words, std::string name, std::string about, bool scalar);
    std::string draw_on(const ir::Board& board, const BoardLayout& layout, std::span<const std::uint64_t> words) const;

    const Compiled& compiled_;
    const ir::Program& program_;
    std::vector<Disassembly::Part> frame_;
    std::unordered_map<Reg, std::string> names_, blocks_;
    std::unordered_map<Reg, std::uint64_t> constants_;
    std::map<Reg, bool> scalars_;
    std::unordered_map<Reg, std::size_t> temporaries_; // numbers in the routine
};

} // namespace zug::run

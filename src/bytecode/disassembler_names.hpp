#pragma once
// What registers are called and constants look like. For the listing's own files.

#include "bytecode/compiled_program.hpp"
#include "bytecode/disassembler.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace zug::run {

class ListingNames {
public:
    explicit ListingNames(const Compiled& compiled);

    const std::vector<Disassembly::Part>& frame() const { return frame_; }
    std::size_t constants() const { return constants_.size(); }

    void begin_routine() { temporaries_.clear(); }
    bool is_constant(Reg reg) const { return constants_.contains(reg); }
    // A register by its name; one without is t1, t2, ... in the order in which a routine names them.
    std::string reg(Reg reg);
    // The same for all that begins there: the variable where reg() names its first plane.
    std::string block(Reg reg);
    // A register that is read: a constant's value.
    std::string word(Reg reg);
    std::string real(Reg reg);
    // `bits`: how many places the set has, if that is known. `scalar`: it goes where a word is kept.
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

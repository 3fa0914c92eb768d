#pragma once
// The byte code of a program as text for people: the layout of the frame, and the routines, instruction by instruction,
// with names for registers, constant sets described by their sites and labels for the targets of jumps.

#include "bytecode/compiled_program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace zug::run {

struct Disassembly {
    struct Part {
        Reg reg = 0;
        std::uint32_t words = 1;
        std::string name, about;
    };
    struct Row {
        std::size_t instr = 0;
        std::string label; // empty unless it is the target of a jump
        std::string op;    // the operation with its width: _1 one word, _M the main board's, else the number of words
        std::string text;
    };
    struct Routine {
        std::string name;
        std::vector<Row> rows;
        std::vector<std::string> results; // what the routine computes: sets of instances, numbers
    };
    std::vector<Part> frame; // the state first
    std::uint32_t state_words = 0, frame_words = 0;
    std::size_t constants = 0; // words of constants
    std::vector<Routine> routines;
    std::vector<std::string> tables;
};

Disassembly disassemble(const Compiled& compiled);

} // namespace zug::run

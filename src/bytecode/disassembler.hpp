#pragma once
// The byte code of a program as text for people: what lies where in the frame, and the routines, instruction by
// instruction, with names for registers, sets drawn over the board and jumps by labels.

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
        std::string label; // if something jumps here
        std::string op;    // with its width: _1 one word, _M the main board's, else the number
        std::string text;
    };
    struct Routine {
        std::string name;
        std::vector<Row> rows;
        std::vector<std::string> results; // what it leaves behind: sets of instances, numbers
    };
    std::vector<Part> frame; // the state first
    std::uint32_t state_words = 0, frame_words = 0;
    std::size_t constants = 0; // words
    std::vector<Routine> routines;
    std::vector<std::string> tables;
};

Disassembly list(const Compiled& compiled);

} // namespace zug::run

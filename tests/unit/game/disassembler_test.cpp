// The disassembly of every rule file: every routine and every instruction has its text.

#include "bytecode/disassembly/disassembler.hpp"
#include "bytecode/operand_kinds.hpp"
#include "compiler/compile.hpp"
#include "rule_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace zug::run {

TEST_CASE("every routine of every rule file has a name of its own, and every row its text") {
    for (const auto& file : game::rule_files()) {
        CAPTURE(file.name());
        const auto compiled = game::byte_code(game::load(file));
        if (!compiled) continue;
        const Disassembly disassembly = disassemble(*compiled);
        std::size_t rows = 0;
        std::set<std::string> names;
        for (const auto& routine : disassembly.routines) {
            CHECK_MESSAGE(names.insert(routine.name).second, routine.name);
            rows += routine.rows.size();
            for (const auto& row : routine.rows) CHECK(!row.text.empty());
        }
        CHECK(rows == compiled->code.instrs.size()); // the first routine begins at the beginning
        CHECK(disassembly.state_words == compiled->layout->state_words());
    }
}

TEST_CASE("jumps go to rows with a label") {
    const auto compiled = [] {
        std::string why;
        return compile(lang::load_file("rules/chess.zug").program, why);
    }();
    REQUIRE(compiled);
    std::set<std::size_t> labelled;
    for (const auto& routine : disassemble(*compiled).routines)
        for (const auto& row : routine.rows)
            if (!row.label.empty()) labelled.insert(row.instr);
    for (const Instr& instr : compiled->code.instrs)
        if (signature_of(instr.op).imm == Operand::Label) CHECK(labelled.contains(static_cast<std::size_t>(instr.imm)));
}

} // namespace zug::run

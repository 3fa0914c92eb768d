#pragma once
// The compiler's output for a game, and the work of its passes: `zug info --ir`, `--passes` and `--dump-after`.

#include "bytecode/disassembly/disassembler.hpp"
#include "cli/output.hpp"
#include "compiler/compile.hpp"
#include "lang/load.hpp"

#include <memory>
#include <string>
#include <vector>

namespace zug::cli {

struct CompileOptions {
    std::vector<std::string> without; // names of passes to switch off
    std::string dump_after;           // the name of a pass, or empty
    bool passes = false;              // print what each pass did and cost
    bool json = false;
};

// Why a pass can't be switched off, or isn't one; empty: it can.
std::string why_not_without(const std::string& name);
std::string why_no_pass(const std::string& name);

// Both compile the game, bypassing the cache, and return the exit code; a game without byte code is a failure.
// Prints the byte code.
int show_byte_code(const lang::Loaded& loaded, const CompileOptions& options);
// Prints what each pass did and its cost, or the output of the pass `dump_after`.
int show_passes(const lang::Loaded& loaded, const CompileOptions& options);

// The whole disassembly, each instruction with the line and column of its source.
void print(const run::Disassembly& disassembly, const lang::Loaded& loaded, const run::DebugInfo& debug_info);
Json json_of(const run::Disassembly& disassembly, const lang::Loaded& loaded, const run::DebugInfo& debug_info);

// Compiles with the given passes. Null: there is no byte code, and the reason has been printed.
std::unique_ptr<run::Compiled> compile_for(const lang::Loaded& loaded, run::Passes& passes, run::DebugInfo& debug_info);
run::PassOptions pass_options(const CompileOptions& options);

} // namespace zug::cli

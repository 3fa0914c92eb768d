#pragma once
// What the compiler makes of a game, and how: `zug info --ir`, `--passes` and `--dump-after`.

#include "bytecode/disassembler.hpp"
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

// Compile, bypassing the cache, print, and give the exit code: a game without byte code is a failure.
int show_byte_code(const lang::Loaded& loaded, const CompileOptions& options);
// What each pass did and cost, or what the pass of `dump_after` left.
int show_passes(const lang::Loaded& loaded, const CompileOptions& options);

// All of it, each instruction with the line and column of what it comes from.
void print(const run::Disassembly& disassembly, const lang::Loaded& loaded, const run::DebugInfo& debug_info);
Json json_of(const run::Disassembly& disassembly, const lang::Loaded& loaded, const run::DebugInfo& debug_info);

// A compilation with the passes that the options ask for; null: there is no byte code, and it has been said why.
std::unique_ptr<run::Compiled> compile_for(const lang::Loaded& loaded, run::Passes& passes, run::DebugInfo& debug_info);
run::PassOptions pass_options(const CompileOptions& options);

} // namespace zug::cli

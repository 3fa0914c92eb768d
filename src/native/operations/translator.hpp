#pragma once
// From byte code to LLVM's intermediate representation, one function a routine.

#include "native/llvm/routine.hpp"
#include "native/operations/operations.hpp"

#include <span>
#include <string>

namespace zug::codegen {

class Translator {
public:
    // Routines that jump to each other become one function, with a small one for each entry.
    Translator(ModuleTables& tables, std::span<const run::RoutineInfo> routines);
    // Adds functions of these names to the module; or none, with result false, if an operation or a width is not
    // supported.
    bool translate(std::span<const std::string> names);

private:
    bool instruction(const run::Instr& i, run::Entry at);

    Routine routine_;
    WideSetOps wide_;
    RayOps rays_;
    LaneOps lanes_;
    TableOps tables_;
    SetOps sets_;
    WordOps words_;
    CheckOps checks_;
    ByteOps bytes_;
    RecordOps records_;
    DrawOps draws_;
    ControlOps control_;
};

} // namespace zug::codegen

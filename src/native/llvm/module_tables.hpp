#pragma once
// What the routines of a module share: constant tables, and facts about the whole program.

#include "native/llvm/ray_lines.hpp"
#include "native/request.hpp"

#include <llvm/IR/Module.h>

#include <map>
#include <unordered_map>
#include <vector>

namespace zug::codegen {

// Instructions of the processor that the translator has another way without.
struct TargetFeatures {
    bool deposits = false; // bit deposit (BMI2)
    bool vectors = false;  // vectors of four words, each shifted by a distance of its own (AVX2)
};

class ModuleTables {
public:
    ModuleTables(llvm::Module& module, const native::Request& request, const TargetFeatures& features);

    const TargetFeatures& features() const { return features_; }
    const run::Bytecode& code() const { return request_.code; }
    const native::Request& request() const { return request_; }
    llvm::Module& module() { return module_; }
    // A private constant array. Equal contents share one.
    llvm::GlobalVariable* words(std::vector<std::uint64_t> words);
    std::uint64_t constant(std::uint32_t reg) const { return constants_.at(reg); }
    const std::unordered_map<std::uint32_t, std::uint64_t>& constants() const { return constants_; } // by register
    const RayLines& lines() const { return lines_; }
    // How many instructions of the program cast rays by this table.
    unsigned uses_of_rays(std::uint16_t table) const { return ray_uses_[table]; }

private:
    llvm::Module& module_;
    const native::Request& request_;
    std::map<std::vector<std::uint64_t>, llvm::GlobalVariable*> words_;
    std::unordered_map<std::uint32_t, std::uint64_t> constants_;
    std::vector<unsigned> ray_uses_; // by table
    RayLines lines_;
    TargetFeatures features_;
};

} // namespace zug::codegen

#include "native/llvm/module_tables.hpp"

#include "bytecode/operand_kinds.hpp"

#include <llvm/IR/Constants.h>

namespace zug::codegen {

ModuleTables::ModuleTables(llvm::Module& module, const native::Request& request, const TargetFeatures& features)
    : module_(module), request_(request), ray_uses_(request.code.tables.rays.size(), 0), lines_(request.code),
      features_(features) {
    for (const auto& [reg, word] : request.code.constants) constants_[reg] = word;
    for (const run::Instr& i : request.code.instrs)
        if (run::operation_of(i.op) == run::Operation::Rays) ++ray_uses_[i.c];
}

llvm::GlobalVariable* ModuleTables::words(std::vector<std::uint64_t> words) {
    const auto [it, fresh] = words_.try_emplace(std::move(words));
    if (!fresh) return it->second;
    auto* array = llvm::ConstantDataArray::get(module_.getContext(), llvm::ArrayRef<std::uint64_t>(it->first));
    it->second =
        new llvm::GlobalVariable(module_, array->getType(), true, llvm::GlobalValue::PrivateLinkage, array, "table");
    it->second->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return it->second;
}

} // namespace zug::codegen

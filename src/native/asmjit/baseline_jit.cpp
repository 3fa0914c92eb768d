#include "native/asmjit/baseline_jit.hpp"

#include "native/asmjit/baseline_function.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace zug::codegen {
namespace {

// The instructions that the code uses unconditionally.
bool has_required_features() {
    const auto& features = asmjit::CpuInfo::host().features().x86();
    return features.hasPOPCNT() && features.hasLZCNT() && features.hasBMI() && features.hasBMI2();
}

class Failure final : public asmjit::ErrorHandler {
public:
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { failed = true; }
    bool failed = false;
};

// Replaces what serves LLVM's optimiser only: a subtraction with an overflow flag, and empty inline assembly, which
// hides that two values are equal.
void simplify(llvm::CallInst& call) {
    if (call.isInlineAsm()) {
        if (!llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString().empty()) return;
        call.replaceAllUsesWith(call.getArgOperand(0));
    } else {
        if (call.getIntrinsicID() != llvm::Intrinsic::usub_with_overflow) return;
        llvm::IRBuilder<> b(&call);
        llvm::Value *const left = call.getArgOperand(0), *const right = call.getArgOperand(1);
        const std::array<llvm::Value*, 2> members = {b.CreateSub(left, right), b.CreateICmpULT(left, right)};
        for (llvm::User* user : llvm::make_early_inc_range(call.users())) {
            auto* const member = llvm::cast<llvm::ExtractValueInst>(user);
            member->replaceAllUsesWith(members[member->getIndices()[0]]);
            member->eraseFromParent();
        }
    }
    call.eraseFromParent();
}

void simplify(llvm::Module& module) {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Function& function : module)
        for (llvm::BasicBlock& block : function)
            for (llvm::Instruction& i : block)
                if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&i)) calls.push_back(call);
    for (llvm::CallInst* call : calls) simplify(*call);
}

// asmjit's register allocator takes time in proportion to the blocks of a function times its values. What it would
// spend seconds on stays byte code until LLVM's code is ready; the largest function of rules/ has a ninth of this.
bool is_too_large(const llvm::Function& function) {
    constexpr std::uint64_t most = std::uint64_t{1} << 28;
    std::uint64_t values = 0;
    for (const llvm::BasicBlock& block : function) values += block.size();
    return function.size() * values > most;
}

// The functions that are supported themselves, not too large, and call such functions only, in the order of the module.
std::vector<const llvm::Function*> supported_functions(const llvm::Module& module) {
    std::unordered_set<const llvm::Function*> fit;
    for (const llvm::Function& function : module)
        if (!function.isDeclaration() && !is_too_large(function) && is_baseline(function)) fit.insert(&function);
    const auto calls_others = [&](const llvm::Function* function) {
        for (const llvm::BasicBlock& block : *function)
            for (const llvm::Instruction& i : block)
                if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
                    if (const auto* callee = call->getCalledFunction())
                        if (!callee->isIntrinsic() && !fit.contains(callee)) return true;
        return false;
    };
    while (std::erase_if(fit, calls_others) > 0) {
    }
    std::vector<const llvm::Function*> result;
    for (const llvm::Function& function : module)
        if (fit.contains(&function)) result.push_back(&function);
    return result;
}

void add_data(BaselineModule& module) {
    module.out.align(asmjit::AlignMode::kData, 64);
    for (const auto& [table, label] : module.tables) {
        module.out.bind(label);
        // An array of zeros has an initialiser of another class, without data.
        if (const auto* words = llvm::dyn_cast<llvm::ConstantDataArray>(table->getInitializer())) {
            const llvm::StringRef bytes = words->getRawDataValues();
            module.out.embed(bytes.data(), bytes.size());
        } else {
            module.out.embedUInt64(0, llvm::cast<llvm::ArrayType>(table->getValueType())->getNumElements());
        }
    }
    constexpr std::array<std::uint64_t, native::import_names.size()> no_addresses{};
    module.out.bind(module.imports);
    module.out.embed(no_addresses.data(), sizeof no_addresses);
}

} // namespace

native::Image compile_baseline(llvm::Module& module, std::size_t routines) {
    native::Image image;
    image.offsets.assign(routines, native::no_code);
    if (!has_required_features()) return image;
    asmjit::CodeHolder code;
    code.init(asmjit::Environment::host());
    Failure failure;
    code.setErrorHandler(&failure);
    asmjit::x86::Compiler out(&code);
    BaselineModule baseline{.out = out, .functions = {}, .tables = {}, .imports = out.newLabel()};
    simplify(module);
    const auto functions = supported_functions(module);
    for (const llvm::Function* function : functions)
        baseline.functions[function] = out.newFunc(signature_of(function->getFunctionType()));
    for (const llvm::Function* function : functions) BaselineFunction(baseline, *function);
    add_data(baseline);
    out.finalize();
    code.flatten();
    code.resolveUnresolvedLinks();
    image.code.resize(code.codeSize());
    code.copyFlattenedData(image.code.data(), image.code.size());
    if (failure.failed || code.hasUnresolvedLinks() || !code.relocEntries().empty()) {
        image.code.clear();
        return image;
    }
    image.imports = static_cast<std::uint32_t>(code.labelOffset(baseline.imports));
    for (const llvm::Function* function : functions)
        if (function->hasExternalLinkage())
            image.offsets[std::stoul(function->getName().substr(1).str())] =
                static_cast<std::uint32_t>(code.labelOffset(baseline.functions.at(function)->label()));
    return image;
}

} // namespace zug::codegen

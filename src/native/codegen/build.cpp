#include "native/codegen/build.hpp"

#include "base/run_in_threads.hpp"
#include "native/asmjit/baseline_jit.hpp"
#include "native/codegen/link.hpp"
#include "native/operations/translator.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <unordered_map>

namespace zug::codegen {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// The pass that moves chains of word operations to AVX-512 mask registers is disabled: for chess it takes more than
// half of the time, and it changes no routine of any rule file: images are equal byte by byte.
void prepare_llvm() {
    const std::array words = {"zug-codegen", "-disable-x86-domain-reassignment"};
    llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data());
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
}

std::unique_ptr<llvm::TargetMachine> target_machine() {
    const std::string triple = llvm::sys::getProcessTriple();
    std::string error;
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr) return nullptr;
    std::string features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures())
        features += std::string(features.empty() ? "" : ",") + (feature.second ? "+" : "-") + feature.first().str();
    return std::unique_ptr<llvm::TargetMachine>(
        target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features, llvm::TargetOptions(),
                                    llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, true));
}

// The byte code is optimised already. What is left is to promote stack slots and to remove redundant values. A second
// round and dead store elimination were found to gain nothing.
void optimise(llvm::Module& module, llvm::TargetMachine& vm) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graphs;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(&vm);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::GVNPass());
    for (llvm::Function& function : module)
        if (!function.isDeclaration()) passes.run(function, functions);
}

// The numbers of routines that jump to each other.
using Group = std::vector<std::size_t>;

// The groups that one thread translates, and its result.
struct Part {
    std::vector<Group> groups;
    llvm::SmallVector<char, 0> object;
    std::string times;
};

void translate(const native::Request& request, std::span<const Group> groups, llvm::Module& module,
               const TargetFeatures& features) {
    ModuleTables tables(module, request, features);
    for (const Group& group : groups) {
        std::vector<run::RoutineInfo> routines;
        std::vector<std::string> names;
        for (const std::size_t r : group) {
            routines.push_back(request.code.routines[r]);
            names.push_back("r" + std::to_string(r));
        }
        Translator(tables, routines).translate(names);
    }
}

void build_part(const native::Request& request, const BuildOptions& options, Part& part) {
    const auto begin = Clock::now();
    const auto vm = target_machine();
    if (!vm) return;
    llvm::LLVMContext context;
    llvm::Module module("zug", context);
    module.setTargetTriple(vm->getTargetTriple().str());
    module.setDataLayout(vm->createDataLayout());
    const llvm::StringRef features = vm->getTargetFeatureString();
    translate(request, part.groups, module,
              {.deposits = features.contains("+bmi2"), .vectors = features.contains("+avx2")});
    const double translated = milliseconds_since(begin);
    optimise(module, *vm);
    const double optimised = milliseconds_since(begin);
    if (options.print_code) module.print(llvm::errs(), nullptr);
    llvm::raw_svector_ostream out(part.object);
    llvm::legacy::PassManager emit;
    if (vm->addPassesToEmitFile(emit, out, nullptr, llvm::CodeGenFileType::ObjectFile)) return;
    emit.run(module);
    const double emitted = milliseconds_since(begin);
    if (options.print_times)
        part.times = "translate " + std::to_string(translated) + " optimise " + std::to_string(optimised - translated) +
                     " emit " + std::to_string(emitted - optimised) + "\n";
}

struct Sized {
    Group group;
    std::size_t instrs = 0;
};

// A routine that jumps to the entry of another belongs to its group.
std::vector<Sized> groups_of(const native::Request& request) {
    const auto& routines = request.code.routines;
    std::unordered_map<run::Entry, std::size_t> by_entry;
    for (std::size_t r = 0; r < routines.size(); ++r) by_entry.emplace(routines[r].entry, r);
    std::vector<bool> done(routines.size(), false);
    std::vector<Sized> result;
    for (std::size_t r = 0; r < routines.size(); ++r) {
        if (done[r]) continue;
        const Shape shape(request, {&routines[r], 1});
        Sized& sized = result.emplace_back();
        sized.group.push_back(r);
        done[r] = true;
        for (const auto& block : shape.blocks()) {
            sized.instrs += block.end - block.begin;
            const auto other = by_entry.find(block.begin);
            if (other == by_entry.end() || done[other->second]) continue;
            sized.group.push_back(other->second);
            done[other->second] = true;
        }
    }
    return result;
}

// Splits the groups into parts with about the same number of instructions.
std::vector<Part> split(const native::Request& request, unsigned threads) {
    std::vector<Sized> groups = groups_of(request);
    std::ranges::stable_sort(groups, std::greater{}, &Sized::instrs);
    std::vector<Part> parts(std::max(threads, 1U));
    std::vector<std::size_t> loads(parts.size(), 0);
    for (Sized& sized : groups) {
        const auto least = std::ranges::min_element(loads);
        *least += sized.instrs + 8;
        parts[static_cast<std::size_t>(least - loads.begin())].groups.push_back(std::move(sized.group));
    }
    return parts;
}

} // namespace

native::Image build_baseline(const native::Request& request) {
#ifdef ZUG_ASMJIT
    llvm::LLVMContext context;
    llvm::Module module("zug", context);
    std::vector<Group> groups;
    for (Sized& sized : groups_of(request)) groups.push_back(std::move(sized.group));
    translate(request, groups, module, {.deposits = true, .vectors = false});
    return compile_baseline(module, request.code.routines.size());
#else
    native::Image image;
    image.offsets.assign(request.code.routines.size(), native::no_code);
    return image;
#endif
}

native::Image build(const native::Request& request, const BuildOptions& options) {
    prepare_llvm();
    std::vector<Part> parts = split(request, options.threads);
    run_in_threads(parts.size(), [&](std::size_t p) { build_part(request, options, parts[p]); });
    native::Image image;
    image.offsets.assign(request.code.routines.size(), native::no_code);
    Linker linker;
    for (const Part& part : parts) {
        if (options.print_times) llvm::errs() << part.times;
        const std::span bytes(reinterpret_cast<const std::uint8_t*>(part.object.data()), part.object.size());
        const auto found = [&](std::string_view name, std::uint32_t at) {
            image.offsets[std::stoul(std::string(name.substr(1)))] = at;
        };
        std::string why;
        if (!bytes.empty() && !linker.add(bytes, found, why)) {
            if (options.print_times) llvm::errs() << why << "\n";
            std::ranges::fill(image.offsets, native::no_code);
            break;
        }
    }
    linker.finish(image);
    return image;
}

} // namespace zug::codegen

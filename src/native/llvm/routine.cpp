#include "native/llvm/routine.hpp"

namespace zug::codegen {

Routine::Routine(ModuleTables& tables, std::span<const run::RoutineInfo> routines)
    : tables_(tables), routines_(routines), shape_(tables.request(), routines), b_(tables),
      registers_(b_, tables, shape_) {}

void Routine::begin(const std::string& name) {
    const bool single = routines_.size() == 1;
    llvm::SmallVector<llvm::Type*, 3> parameters{b_.getPtrTy(), b_.getPtrTy()};
    if (!single) parameters.push_back(b_.getInt32Ty());
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), parameters, false);
    auto* const function = llvm::Function::Create(
        type, single ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage, name, tables_.module());
    function->setDoesNotThrow();
    host_ = function->getArg(1);
    function->addParamAttr(0, llvm::Attribute::NoAlias);
    function->addParamAttr(0, llvm::Attribute::get(b_.getContext(), llvm::Attribute::Dereferenceable,
                                                   run::frame_words * sizeof(std::uint64_t)));
    function->addParamAttr(0, llvm::Attribute::getWithAlignment(b_.getContext(), llvm::Align(8)));
    b_.set_function(function);
    entry_ = b_.new_block("entry");
    registers_.begin_function(function->getArg(0), entry_);
    for (const auto& block : shape_.blocks()) blocks_[block.begin] = b_.new_block("");
}

void Routine::begin_block(const Shape::Block& block) {
    registers_.begin_block();
    b_.SetInsertPoint(blocks_.at(block.begin));
}

void Routine::end(std::span<const std::string> names) {
    add_exit();
    b_.SetInsertPoint(entry_);
    registers_.load_cached();
    if (routines_.size() == 1)
        b_.CreateBr(blocks_.at(routines_[0].entry));
    else
        add_entries(names);
}

void Routine::leave(std::int32_t result) {
    if (shape_.cached().empty()) {
        b_.CreateRet(b_.small(result));
        return;
    }
    if (exit_ == nullptr) exit_ = b_.new_block("exit");
    leaving_.emplace_back(result, b_.GetInsertBlock());
    b_.CreateBr(exit_);
}

void Routine::add_exit() {
    if (exit_ == nullptr) return;
    b_.SetInsertPoint(exit_);
    llvm::PHINode* const result = b_.CreatePHI(b_.getInt32Ty(), static_cast<unsigned>(leaving_.size()));
    for (const auto& [value, from] : leaving_) result->addIncoming(b_.small(value), from);
    registers_.store_cached();
    b_.CreateRet(result);
}

void Routine::add_entries(std::span<const std::string> names) {
    llvm::Function* const common = b_.function();
    common->setName("several");
    auto* choice = b_.CreateSwitch(common->getArg(2), blocks_.at(routines_[0].entry));
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy(), b_.getPtrTy()}, false);
    for (std::size_t r = 0; r < routines_.size(); ++r) {
        if (r > 0) choice->addCase(b_.getInt32(static_cast<std::uint32_t>(r)), blocks_.at(routines_[r].entry));
        auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, names[r], tables_.module());
        entry->setDoesNotThrow();
        llvm::IRBuilder<> b(llvm::BasicBlock::Create(b_.getContext(), "", entry));
        auto* call =
            b.CreateCall(common, {entry->getArg(0), entry->getArg(1), b.getInt32(static_cast<std::uint32_t>(r))});
        call->setTailCall();
        b.CreateRet(call);
    }
}

Value* Routine::records_word(RecordsMember member) {
    Value* const at = b_.CreateConstInBoundsGEP1_32(b_.getPtrTy(), host_, host_records);
    Value* const records = b_.CreateLoad(b_.getPtrTy(), at);
    return b_.CreateConstInBoundsGEP1_32(b_.getInt64Ty(), records, member);
}

Value* Routine::call_host(HostMember member, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<Value*, 4> all{host_};
    llvm::SmallVector<llvm::Type*, 4> types{b_.getPtrTy()};
    for (Value* v : arguments) {
        all.push_back(v);
        types.push_back(v->getType());
    }
    const bool uses_frame = member == host_ask || member == host_record || member == host_undraw;
    if (uses_frame) registers_.store_cached();
    Value* const at = b_.CreateConstInBoundsGEP1_32(b_.getPtrTy(), host_, member);
    const bool answers = member == host_take_record;
    auto* const type = llvm::FunctionType::get(answers ? b_.getInt32Ty() : b_.getVoidTy(), types, false);
    auto* const call = b_.CreateCall(type, b_.CreateLoad(b_.getPtrTy(), at), all);
    call->setDoesNotThrow();
    if (uses_frame) {
        registers_.forget_frame();
        registers_.load_cached();
    }
    return call;
}

} // namespace zug::codegen

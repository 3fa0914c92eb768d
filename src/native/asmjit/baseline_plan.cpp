#include "native/asmjit/baseline_plan.hpp"

#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <ranges>

namespace zug::codegen {

using llvm::Instruction;
using llvm::PatternMatch::m_AllOnes;
using llvm::PatternMatch::m_Not;
using llvm::PatternMatch::m_One;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::m_Zero;

BaselinePlan::BaselinePlan(const llvm::Function& function) {
    for (const llvm::BasicBlock& block : function) {
        int position = 0;
        for (const Instruction& i : block) positions_[&i] = position++;
        find_folded(block);
        find_slot_aliases(block);
        find_target_slots(block);
    }
}

bool BaselinePlan::is_local(const Instruction* i) {
    return !llvm::isa<llvm::PHINode>(i) && std::ranges::all_of(i->users(), [i](const llvm::User* user) {
        return llvm::cast<Instruction>(user)->getParent() == i->getParent() && !llvm::isa<llvm::PHINode>(user);
    });
}

bool is_one_less(const Instruction* i) {
    return (i->getOpcode() == Instruction::Sub && match(i->getOperand(1), m_One())) ||
           (i->getOpcode() == Instruction::Add && match(i->getOperand(1), m_AllOnes()));
}

namespace {

// Whether the user can take its condition from the processor's flags.
bool takes_flags(const Instruction* user, const Instruction* condition) {
    if (llvm::isa<llvm::BranchInst>(user)) return true;
    return llvm::isa<llvm::SelectInst>(user) && user->getOperand(0) == condition && !user->getType()->isIntegerTy(1);
}

bool is_address_of(const llvm::User* user, const Instruction* address) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getPointerOperand() == address;
    return llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::GetElementPtrInst>(user);
}

} // namespace

// In reverse, since whether a value can be folded depends on whether its users are.
void BaselinePlan::find_folded(const llvm::BasicBlock& block) {
    for (const Instruction& i : std::views::reverse(block))
        if (may_be_folded(&i)) folded_.insert(&i);
}

bool BaselinePlan::may_be_folded(const Instruction* i) const {
    // In another block an address can be computed only from an argument or a table: the registers of other bases may
    // have been reused by then.
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(i))
        return ((address->hasAllConstantIndices() && !llvm::isa<Instruction>(address->getPointerOperand())) ||
                is_local(i)) &&
               std::ranges::all_of(i->users(), [i](const llvm::User* user) { return is_address_of(user, i); });
    if (!i->hasOneUse() || !is_local(i)) return false;
    const auto* user = llvm::cast<Instruction>(*i->user_begin());
    const bool complement = match(i, m_Not(m_Value()));
    if (llvm::isa<llvm::ICmpInst>(i)) return takes_flags(user, i) || (match(user, m_Not(m_Value())) && is_folded(user));
    if (i->getType()->isIntegerTy(1)) return complement && takes_flags(user, i);
    if (complement) return user->getOpcode() == Instruction::And;
    if (i->getOpcode() == Instruction::And) {
        const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(user);
        return comparison != nullptr && comparison->isEquality() && match(user->getOperand(1), m_Zero()) &&
               is_folded(user);
    }
    const bool pair = user->getOpcode() == Instruction::And || user->getOpcode() == Instruction::Xor;
    return is_one_less(i) && pair && !is_folded(user) &&
           (user->getOperand(0) == i->getOperand(0) || user->getOperand(1) == i->getOperand(0));
}

// The position at which its code is emitted: its own, or that of its last user.
int BaselinePlan::emitted_at(const Instruction* i) const {
    int last = positions_.at(i);
    if (is_folded(i))
        for (const llvm::User* user : i->users()) last = std::max(last, emitted_at(llvm::cast<Instruction>(user)));
    return last;
}

void BaselinePlan::find_slot_aliases(const llvm::BasicBlock& block) {
    std::unordered_map<const llvm::Value*, int> next_stores;
    for (const Instruction& i : std::views::reverse(block)) {
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
            next_stores[store->getPointerOperand()] = positions_[&i];
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        if (load == nullptr || slot_of(load->getPointerOperand()) == nullptr || !is_local(load)) continue;
        int last = positions_[load];
        for (const llvm::User* user : load->users()) last = std::max(last, emitted_at(llvm::cast<Instruction>(user)));
        const auto next = next_stores.find(load->getPointerOperand());
        if (next == next_stores.end() || next->second >= last) last_reads_[load] = last;
    }
}

void BaselinePlan::find_target_slots(const llvm::BasicBlock& block) {
    std::unordered_map<const llvm::Value*, int> used; // by slot: the last position at which its old value is needed
    const auto use = [&](const llvm::Value* slot, int position) {
        const auto [it, fresh] = used.try_emplace(slot, position);
        if (!fresh) it->second = std::max(it->second, position);
    };
    for (const Instruction& i : block) {
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
            const auto last = last_reads_.find(load);
            use(load->getPointerOperand(), last == last_reads_.end() ? positions_[load] : last->second);
        }
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
        if (store == nullptr || slot_of(store->getPointerOperand()) == nullptr) continue;
        const auto* value = llvm::dyn_cast<Instruction>(store->getValueOperand());
        const llvm::AllocaInst* const slot = slot_of(store->getPointerOperand());
        if (value != nullptr && value->hasOneUse() && is_local(value) && !is_folded(value) && !is_slot_alias(value)) {
            const auto until = used.find(slot);
            if (until == used.end() || until->second <= positions_[value]) target_slots_[value] = slot;
        }
        use(slot, positions_[store]);
    }
}

const llvm::AllocaInst* BaselinePlan::target_slot(const Instruction* i) const {
    const auto it = target_slots_.find(i);
    return it == target_slots_.end() ? nullptr : it->second;
}

} // namespace zug::codegen

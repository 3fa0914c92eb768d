// Emission: instructions for the live nodes, and registers for their results.

#include "compiler/graph/value_graph.hpp"

#include "base/narrow.hpp"

#include <cassert>

namespace zug::run {
Opcode ValueGraph::opcode(Family family, std::uint16_t width) const {
    const int wide = width == 1 ? 0 : width == layout_.main_words() ? 1 : 2;
    switch (family) {
// clang-format off
#define SET_OP(name, ...) case Family::name: return static_cast<Opcode>(static_cast<int>(Opcode::name##_1) + wide);
#define WORD_OP(name, ...) case Family::name: return Opcode::name;
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
        // clang-format on
    default: assert(false); return Opcode::Return;
    }
}

std::size_t ValueGraph::emit(Family family, std::uint16_t width, const Fields& fields) {
    push({opcode(family, width), fields.d, fields.a, fields.b, fields.c, width, fields.imm});
    return code_.instrs.size() - 1;
}

// The instruction of a node whose inputs have registers: their own, or, for folding, those that the caller gave them.
Instr ValueGraph::instruction(const Node& node) {
    const auto reg = [&](std::size_t k) { return node.in[k] == no_node ? Reg{0} : nodes_[position(node.in[k])].reg; };
    const std::uint32_t extra = is_rays(node.family) ? ray_table(node.extra, node.op_width) : node.extra;
    const Reg c = node.in[2] != no_node ? reg(2) : saturated<Reg>(extra); // too large: overflow_ is set
    const std::int32_t imm = has_ray_number(node.family) ? static_cast<std::int32_t>(extra) : node.imm;
    return {opcode(node.family, node.op_width), node.reg, reg(0), reg(1), c, node.op_width, imm};
}

Reg ValueGraph::input(NodeRef n) {
    Node& node = nodes_[position(n)];
    if (node.family == Family::Constant && node.reg == 0) node.reg = constant_register(node.value);
    return node.reg;
}

void ValueGraph::emit(std::span<const NodeRef> roots) {
    jumps_.clear();
    set_registers_.begin(last_uses(roots));
    emit_region(0);
    for (NodeRef n : roots)
        if (n != no_node) input(n);
    set_registers_.end();
}

void ValueGraph::emit_region(std::uint32_t region) {
    // emit_loop may not add nodes, so the order stays as it is.
    for (NodeRef n : regions_[region].order) {
        if (nodes_[position(n)].live) emit_node(n);
        if (region == 0) set_registers_.advance();
    }
}

void ValueGraph::push(const Instr& instr) {
    code_.instrs.push_back(instr);
    if (debug_info_ == nullptr) return;
    debug_info_->origins.resize(code_.instrs.size());
    debug_info_->origins.back() = emitted_from_;
}

void ValueGraph::emit_node(NodeRef ref) {
    Node& node = nodes_[position(ref)];
    emitted_from_ = node.origin;
    for (NodeRef n : node.in)
        if (n != no_node) input(n);
    if (node.family == Family::CallHost) {
        auto& question = code_.questions[static_cast<std::size_t>(node.imm)];
        for (std::size_t k = 0; k < node.more.size(); ++k) question.vars[k].second = input(node.more[k]);
    }
    if (node.family == Family::EmitRecord) {
        auto& kept = code_.shapes[static_cast<std::size_t>(node.imm)].kept;
        kept.clear();
        for (NodeRef n : node.more) kept.push_back(input(n));
    }
    if (node.family == Family::Loop && loops_[node.extra].reduce == Reduce::Once) return emit_guarded(node);
    if (node.family == Family::Loop) return emit_loop(ref);
    if (node.effect && node.family == Family::Jump) {
        for (const auto& [branch, at] : jumps_)
            if (branch == static_cast<std::uint32_t>(node.imm)) patch(at);
        return;
    }
    if (!node.effect) node.reg = set_registers_.take(*this, node.width, set_registers_.last_use(position(ref)));
    push(instruction(node));
    if (node.effect && node.family == Family::JumpIfNot)
        jumps_.emplace_back(static_cast<std::uint32_t>(node.imm), code_.instrs.size() - 1);
}

void ValueGraph::emit_guarded(const Node& node) {
    const Loop loop = loops_[node.extra];
    const std::size_t leave = emit(Family::JumpIfNot, 1, {0, input(loop.domain)});
    emit_region(loop.region);
    patch(leave);
}

void ValueGraph::emit_loop(NodeRef ref) {
    Node& node = nodes_[position(ref)];
    const Loop loop = loops_[node.extra];
    if (loop.dropped) return;
    const bool repeat = loop.reduce == Reduce::Repeat, grow = loop.reduce == Reduce::Grow;
    const Reg acc =
        loop.init == no_node ? Reg{0} : set_registers_.take(*this, loop.width, set_registers_.last_use(position(ref)));
    if (loop.init != no_node) emit(Family::Mov, loop.width, {acc, input(loop.init)});
    node.reg = acc;
    Node& var = nodes_[position(loop.var)];
    var.reg = loop.by_new      ? set_registers_.take(*this, loop.width, set_registers_.position())
              : repeat || grow ? acc
                               : fresh(1);
    if (loop.by_new) emit(Family::Mov, loop.width, {var.reg, acc});
    std::uint16_t left_width = 1;
    Reg left = 0; // the remaining members of the domain, or the remaining number of rounds
    if (!grow) {
        left_width = nodes_[position(loop.domain)].width;
        left = set_registers_.take(*this, left_width, set_registers_.position());
        emit(Family::Mov, left_width, {left, input(loop.domain)});
    }
    // Paths lead from no site to none, and often no man can take the first hop: worth a jump on boards of several
    // words. Recursive sets start from a constant.
    const bool starts = grow && loop.width > 1 && !is_constant(loop.init);
    const std::size_t idle = starts ? emit(Family::JumpIfNone, loop.width, {0, acc}) : 0;
    const std::size_t top = code_.instrs.size();
    std::size_t leave = top;
    if (repeat) {
        const std::uint64_t zero = 0, one = 1;
        const Reg more = fresh(1);
        emit(Family::Lt, 1, {more, constant_register({&zero, 1}), left});
        leave = emit(Family::JumpIfNot, 1, {0, more});
        emit(Family::Sub, 1, {left, left, constant_register({&one, 1})});
    } else if (!grow) {
        leave = emit(Family::PopBitOrJump, left_width, {left, var.reg});
    }
    emit_region(loop.region);
    emitted_from_ = node.origin;
    if (loop.body != no_node) input(loop.body);
    if (loop.by_new) {
        emit(Family::AndNot, loop.width, {var.reg, nodes_[position(loop.body)].reg, acc});
        emit(Family::Or, loop.width, {acc, acc, var.reg});
        leave = emit(Family::JumpIfNone, loop.width, {0, var.reg});
    } else if (grow) {
        leave = emit(Family::GrowOrJump, loop.width, {acc, nodes_[position(loop.body)].reg});
    } else {
        emit_step(loop, acc);
    }
    const bool stops_early = loop.reduce == Reduce::Exists || loop.reduce == Reduce::All;
    std::size_t early = 0;
    if (stops_early) early = emit(loop.reduce == Reduce::Exists ? Family::JumpIf : Family::JumpIfNot, 1, {0, acc});
    emit(Family::Jump, 1, {0, 0, 0, 0, static_cast<std::int32_t>(top)});
    if (debug_info_ != nullptr) record_loop(loop, top);
    patch(leave);
    if (starts) patch(idle);
    if (stops_early) patch(early);
}

void ValueGraph::record_loop(const Loop& loop, std::size_t top) {
    using Kind = DebugInfo::Loop::Kind;
    const Kind kind = loop.reduce == Reduce::Grow     ? Kind::Grow
                      : loop.reduce == Reduce::Repeat ? Kind::Repeat
                                                      : Kind::Members;
    debug_info_->loops.push_back({kind, top, code_.instrs.size() - 1, loop.most});
}

void ValueGraph::emit_step(const Loop& loop, Reg acc) {
    const Reg body = loop.body == no_node ? Reg{0} : nodes_[position(loop.body)].reg;
    switch (loop.reduce) {
    case Reduce::Or:
    case Reduce::Exists: emit(Family::Or, loop.width, {acc, acc, body}); break;
    case Reduce::All: emit(Family::And, 1, {acc, acc, body}); break;
    case Reduce::Sum: emit(Family::Add, 1, {acc, acc, body}); break;
    case Reduce::SumReal: emit(Family::AddReal, 1, {acc, acc, body}); break;
    case Reduce::Min: emit(Family::Min, 1, {acc, acc, body}); break;
    case Reduce::Max: emit(Family::Max, 1, {acc, acc, body}); break;
    case Reduce::MinReal: emit(Family::MinReal, 1, {acc, acc, body}); break;
    case Reduce::MaxReal: emit(Family::MaxReal, 1, {acc, acc, body}); break;
    case Reduce::Members: {
        const std::size_t skip = emit(Family::JumpIfNot, 1, {0, body});
        emit(Family::BitOn, loop.width, {acc, nodes_[position(loop.var)].reg, 0, 0, loop.width * 64});
        patch(skip);
        break;
    }
    case Reduce::Repeat: emit(Family::Mov, loop.width, {acc, body}); break;
    case Reduce::Grow:
    case Reduce::Once:
    case Reduce::Effects: break;
    }
}

} // namespace zug::run

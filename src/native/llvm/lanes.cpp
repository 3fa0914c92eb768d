#include "native/llvm/lanes.hpp"

#include <algorithm>
#include <map>

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Opcode;

namespace {

constexpr unsigned min_lane_size = 4; // operations from which on a lane is worth packing into a vector

// The number of steps by a distance onto a mask after which everything has left the board; 64: not everything does.
std::int32_t longest_line(std::int32_t distance, std::uint64_t mask) {
    std::uint64_t there = ~std::uint64_t{0};
    std::int32_t steps = 0;
    for (; steps < 64 && there != 0; ++steps) there = (distance < 0 ? there >> -distance : there << distance) & mask;
    return steps;
}

} // namespace

std::vector<FillRound> fill_rounds(std::int32_t sites) {
    std::vector<FillRound> rounds;
    std::int32_t length = 1;
    for (std::int32_t reached = 1; reached < sites; reached += length) {
        const bool doubled = !rounds.empty() && sites - reached > length;
        if (doubled) length *= 2;
        rounds.push_back({length, doubled});
    }
    return rounds;
}

Lanes::Lanes(const run::Bytecode& code, const Shape& shape, const Constants& constants, const Shape::Block& block)
    : code_(code), shape_(shape), constants_(constants) {
    for (Entry at = block.begin; at < block.end; ++at) {
        const Instr& i = code.instrs[at];
        if (i.op == Opcode::CallHost) return;
        const run::OpSignature& s = run::signature_of(i.op);
        const std::array<std::pair<run::Operand, run::Reg>, 4> fields = {
            {{s.d, i.d}, {s.a, i.a}, {s.b, i.b}, {s.c, i.c}}};
        for (const auto& [operand, reg] : fields) {
            if (!run::is_register(operand)) continue;
            for (std::uint32_t k = 0; k < row_of(i, operand); ++k) {
                if (run::writes(operand)) writes_[reg + k].push_back(at);
                if (run::reads(operand)) reads_[reg + k].push_back(at);
            }
        }
    }
    for (Entry at = block.begin; at < block.end; ++at)
        if (code.instrs[at].op == Opcode::Or_1) find_union(at);
}

const Lanes::Union* Lanes::union_at(Entry at) const {
    const auto it = unions_.find(at);
    return it == unions_.end() ? nullptr : &it->second;
}

// Stores a lane, with its form and size computed from those of its inputs.
const Lane* Lanes::keep(Lane lane) {
    std::vector<std::string> forms;
    for (const Lane* in : lane.in) {
        forms.push_back(in->form);
        lane.size += in->size;
        lane.changes = lane.changes || in->changes;
    }
    const char way = lane.distance < 0 ? '-' : '+';
    switch (lane.kind) {
    case Lane::Kind::Word: lane.form = "w" + std::to_string(lane.reg); break;
    case Lane::Kind::And: lane.form = "&"; break;
    case Lane::Kind::Shift: lane.form = std::string("s") + way; break;
    case Lane::Kind::Flood: lane.form = std::string("f") + way; break;
    case Lane::Kind::Held: lane.form = "h"; break;
    case Lane::Kind::Ray:
        lane.form = std::string("r") + way + std::to_string(lane.reg) + "," + std::to_string(lane.through);
        break;
    }
    lane.form += "(";
    for (const std::string& form : forms) lane.form += form + ",";
    lane.form += ")";
    all_.push_back(std::make_unique<const Lane>(std::move(lane)));
    return all_.back().get();
}

// The value of a register at the instruction that reads it.
const Lane* Lanes::lane(std::uint32_t reg, Entry read_at) {
    const auto writes = writes_.find(reg);
    const bool own = shape_.home(reg) == Home::Value || shape_.home(reg) == Home::Slot;
    const bool once = writes != writes_.end() && writes->second.size() == 1 && own && writes->second[0] < read_at;
    // Writes behind the union do not matter.
    const bool same = once || writes == writes_.end() || writes->second[0] >= root_;
    const auto it = known_.find(reg);
    if (same && it != known_.end()) return it->second;
    const Lane* result = once ? lane_of(code_.instrs[writes->second[0]], writes->second[0]) : nullptr;
    if (result == nullptr) {
        Lane word;
        word.reg = reg;
        word.changes = !same;
        result = keep(std::move(word));
    }
    if (same) known_[reg] = result;
    return result;
}

const Lane* Lanes::shifted(std::uint32_t reg, std::int32_t distance, Entry at) {
    Lane result(Lane::Kind::Shift, {lane(reg, at)});
    result.distance = distance;
    return keep(std::move(result));
}

// The intersection, with constants merged into one mask and the other inputs sorted, so that equal computations have
// equal forms.
const Lane* Lanes::all_of(std::initializer_list<const Lane*> parts) {
    Lane result(Lane::Kind::And, {});
    for (const Lane* part : parts) {
        if (part->kind == Lane::Kind::And) {
            result.mask &= part->mask;
            result.in.insert(result.in.end(), part->in.begin(), part->in.end());
        } else if (const auto constant = constants_.find(part->reg);
                   part->kind == Lane::Kind::Word && constant != constants_.end()) {
            result.mask &= constant->second;
        } else {
            result.in.push_back(part);
        }
    }
    std::ranges::stable_sort(result.in, {}, &Lane::form);
    return keep(std::move(result));
}

// A set that has members exactly if the truth in a register holds; null: none is known.
const Lane* Lanes::truth(std::uint32_t reg, Entry read_at) {
    const auto writes = writes_.find(reg);
    if (writes == writes_.end() || writes->second.size() != 1 || writes->second[0] > read_at) return nullptr;
    const Entry at = writes->second[0];
    const Instr& i = code_.instrs[at];
    if (i.op == Opcode::Any_1) return lane(i.a, at);
    if (i.op == Opcode::AnyAnd_1) return all_of({lane(i.a, at), lane(i.b, at)});
    return nullptr;
}

// Null: the instruction is not decomposed.
const Lane* Lanes::lane_of(const Instr& i, Entry at) {
    switch (i.op) {
    case Opcode::And_1: return all_of({lane(i.a, at), lane(i.b, at)});
    case Opcode::ShlAnd_1: return all_of({shifted(i.a, i.imm, at), lane(i.b, at)});
    case Opcode::ShrAnd_1: return all_of({shifted(i.a, -i.imm, at), lane(i.b, at)});
    case Opcode::FloodFrom_1: {
        const run::ShiftList& list = code_.tables.shifts[i.c];
        if (list.shifts.size() != 1) return nullptr;
        const std::int32_t distance = list.shifts[0].distance;
        const std::uint64_t mask = constants_.at(list.shifts[0].mask);
        const std::int32_t steps = longest_line(distance, mask);
        if (steps >= 64) return nullptr;
        Lane result(Lane::Kind::Flood, {lane(i.a, at), lane(i.b, at)});
        result.distance = distance;
        result.steps = steps;
        result.mask = mask;
        return keep(std::move(result));
    }
    case Opcode::Bcast_1: {
        const Lane* const condition = truth(i.a, at);
        if (condition == nullptr) return nullptr;
        return keep(Lane(Lane::Kind::Held, {condition, lane(i.b, at)}));
    }
    case Opcode::Rays_1: {
        const run::RayTable& rays = code_.tables.rays[i.c];
        const Lane* const from = lane(i.a, at);
        const Lane* const through = lane(i.b, at);
        if (rays.count != 1 || from->kind != Lane::Kind::Word || through->kind != Lane::Kind::Word) return nullptr;
        Lane result(Lane::Kind::Ray, {from, through});
        result.reg = i.a;
        result.through = i.b;
        result.distance = rays.up > 0 ? 1 : -1;
        result.rays = &rays;
        return keep(std::move(result));
    }
    default: return nullptr;
    }
}

void Lanes::gather(std::uint32_t reg, std::vector<std::uint32_t>& leaves) const {
    const auto writes = writes_.find(reg);
    const auto reads = reads_.find(reg);
    if (shape_.home(reg) == Home::Value && writes != writes_.end() && writes->second.size() == 1 &&
        reads->second.size() == 1) {
        const Instr& i = code_.instrs[writes->second[0]];
        if (i.op == Opcode::Or_1 && i.d == reg) {
            gather(i.a, leaves);
            gather(i.b, leaves);
            return;
        }
    }
    leaves.push_back(reg);
}

void Lanes::find_union(Entry at) {
    const Instr& i = code_.instrs[at];
    const auto reads = reads_.find(i.d);
    if (reads != reads_.end() && reads->second.size() == 1 && code_.instrs[reads->second[0]].op == Opcode::Or_1) return;
    root_ = at;
    known_.clear();
    std::vector<std::uint32_t> leaves;
    gather(i.a, leaves);
    gather(i.b, leaves);
    std::map<std::string, std::vector<std::pair<const Lane*, std::uint32_t>>> by_form;
    Union result;
    for (const std::uint32_t reg : leaves) {
        const Lane* const made = lane(reg, at);
        if (made->changes) return;
        if (made->size >= min_lane_size)
            by_form[made->form].emplace_back(made, reg);
        else
            result.others.push_back(reg);
    }
    for (const auto& [form, lanes] : by_form) {
        std::size_t k = 0;
        for (; lanes.size() - k >= 3; k = std::min(k + 4, lanes.size())) {
            Four& four = result.fours.emplace_back();
            for (std::size_t n = 0; n < 4; ++n) four[n] = lanes[std::min(k + n, lanes.size() - 1)].first;
        }
        for (; k < lanes.size(); ++k) result.others.push_back(lanes[k].second);
    }
    if (!result.fours.empty()) unions_.emplace(at, std::move(result));
}

} // namespace zug::codegen

#include "native/llvm/shape.hpp"

#include "bytecode/byte_rows.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Opcode;
using run::Operand;
using run::Operation;

namespace {

bool is(const Instr& i, Operation operation) { return run::operation_of(i.op) == operation; }

bool is_draw(const Instr& i) { return is(i, Operation::Draw) || is(i, Operation::TakeFirst); }

std::array<std::pair<Operand, run::Reg>, 4> fields(const Instr& i) {
    const run::OpSignature& s = run::signature_of(i.op);
    return {{{s.d, i.d}, {s.a, i.a}, {s.b, i.b}, {s.c, i.c}}};
}

bool ends_block(const Instr& i) {
    const run::OpSignature& s = run::signature_of(i.op);
    return s.imm == Operand::Label || s.imm == Operand::Result || s.c == Operand::Labels || is_draw(i);
}

bool falls_through(Opcode op) { return op != Opcode::Jump && op != Opcode::Return && op != Opcode::Dispatch; }

// These write their results on some of the edges out of the block only.
bool writes_on_edges(const Instr& i) {
    return is(i, Operation::PopBitOrJump) || is(i, Operation::CountDown) || is_draw(i);
}

// In words. Longer states stay in the frame.
constexpr std::uint32_t most_cached_state = 24;

// Rows of registers. All but planes are indexed at run time.
bool is_row(Operand o) {
    return o == Operand::Sets || o == Operand::OnSets || o == Operand::Words || o == Operand::OnWords ||
           o == Operand::Bytes || o == Operand::OnBytes;
}

// Whether the instruction goes through the words of this operand in memory.
bool is_in_memory(const Instr& i, Operand o) {
    const bool set = o == Operand::Set || o == Operand::ToSet || o == Operand::OnSet || is_row(o);
    return set && i.w > (is_copy(i) ? most_words_copied_as_values : most_words_as_values);
}

} // namespace

bool is_copy(const Instr& i) { return is(i, Operation::Mov) || is(i, Operation::Load) || is(i, Operation::Store); }

std::uint32_t row_of(const Instr& i, Operand o) {
    switch (o) {
    case Operand::Set:
    case Operand::ToSet:
    case Operand::OnSet: return i.w;
    case Operand::Sets:
    case Operand::OnSets: return static_cast<std::uint32_t>(i.imm) * i.w;
    case Operand::Words:
    case Operand::OnWords: return static_cast<std::uint32_t>(i.imm);
    case Operand::Bytes:
    case Operand::OnBytes: return run::bytes_to_words(static_cast<std::uint64_t>(i.imm));
    case Operand::ToDrawn:
    case Operand::Drawn: return 2;
    case Operand::Generator: return 4;
    default: return 1;
    }
}

std::vector<Entry> targets_of(const run::Bytecode& code, const Instr& i) {
    const run::OpSignature& s = run::signature_of(i.op);
    std::vector<Entry> result;
    if (s.imm == Operand::Label) result.push_back(static_cast<Entry>(i.imm));
    if (s.c == Operand::Labels)
        for (const std::int64_t target : code.tables.words[i.c]) result.push_back(static_cast<Entry>(target));
    if (is_draw(i)) {
        const run::Drawing& drawing = code.drawings[static_cast<std::size_t>(i.imm)];
        for (const auto& part : drawing.parts) result.push_back(part.target);
        for (std::uint32_t s = drawing.first_shape; s < drawing.last_shape; ++s)
            result.push_back(code.shapes[s].target);
    }
    return result;
}

Shape::Shape(const native::Request& request, std::span<const run::RoutineInfo> routines) : request_(request) {
    for (const auto& [reg, word] : request.code.constants)
        constants_begin_ = std::min<std::uint32_t>(constants_begin_, reg);
    find_blocks(routines);
    find_homes(routines);
}

void Shape::find_blocks(std::span<const run::RoutineInfo> routines) {
    const auto& instrs = request_.code.instrs;
    std::set<Entry> starts;
    std::vector<Entry> open;
    for (const run::RoutineInfo& routine : routines)
        if (starts.insert(routine.entry).second) open.push_back(routine.entry);
    std::set<Entry> seen;
    while (!open.empty()) {
        Entry at = open.back();
        open.pop_back();
        for (; seen.insert(at).second; ++at) {
            if (!ends_block(instrs[at])) continue;
            std::vector<Entry> next = targets_of(request_.code, instrs[at]);
            if (falls_through(instrs[at].op)) next.push_back(at + 1);
            for (Entry e : next)
                if (starts.insert(e).second || !seen.contains(e)) open.push_back(e);
            break;
        }
    }
    for (auto it = starts.begin(); it != starts.end(); ++it) {
        const Entry limit = std::next(it) == starts.end() ? static_cast<Entry>(instrs.size()) : *std::next(it);
        Entry end = *it;
        while (end < limit && !ends_block(instrs[end])) ++end;
        blocks_.push_back({*it, end < limit ? end + 1 : limit});
    }
}

void Shape::use(std::size_t block, std::uint32_t reg, std::uint32_t width, bool write) {
    for (std::uint32_t k = 0; k < width; ++k) {
        const auto [it, fresh] = uses_.try_emplace(reg + k);
        Use& use = it->second;
        if (fresh) use.block = block;
        use.several = use.several || use.block != block || (!write && !use.written);
        use.written = use.written || write;
    }
    if (write) widths_[reg] = std::max(widths_[reg], width);
}

void Shape::frame(std::uint32_t reg, std::uint32_t width) {
    for (std::uint32_t k = 0; k < width; ++k) uses_[reg + k].framed = true;
}

// A register that the executor reads to answer a question, as wide as the widest value written to it.
void Shape::frame_question(std::uint32_t reg) {
    const auto known = widths_.find(reg);
    frame(reg, known == widths_.end() ? 1 : known->second);
}

void Shape::use_operands(std::size_t block, const Instr& i, bool writes) {
    for (const auto& [operand, reg] : fields(i)) {
        if (!run::is_register(operand) || !(writes ? run::writes(operand) : run::reads(operand))) continue;
        use(block, reg, row_of(i, operand), writes);
        if (writes && !is_draw(i))
            for (std::uint32_t k = 0; k < row_of(i, operand); ++k) uses_[reg + k].computed = true;
        const bool planes = is(i, Operation::PlaneGet) || is(i, Operation::PlanePut) || is(i, Operation::PlaneFill);
        const bool row = is_row(operand) && !((caches_ || own_state_) && planes);
        if (row || is_in_memory(i, operand)) frame(reg, row_of(i, operand));
    }
}

void Shape::use_drawing(std::size_t block, const Instr& i, const run::Drawing& drawing) {
    const auto drawn = [&](std::uint32_t reg, std::uint32_t bits) {
        uses_[reg].drawn_below = std::max(uses_[reg].drawn_below, bits);
    };
    for (const auto& part : drawing.parts) {
        if (is(i, Operation::Draw)) use(block, part.set, part.words, false); // TakeFirst has them in memory
        if (part.weight != 0) use(block, part.weight, 1, false);
        drawn(i.d + 1U, part.bits);
        for (const auto& given : part.given) {
            use(blocks_.size(), given.reg, 1, true); // on an edge
            drawn(given.reg, given.bits);
        }
    }
    if (drawing.records()) frame(i.d, 2); // host_take_record writes these
}

// Registers that an instruction names indirectly, by a table.
void Shape::use_others(std::size_t block, const Instr& i) {
    const auto& code = request_.code;
    if (is_draw(i)) use_drawing(block, i, code.drawings[static_cast<std::size_t>(i.imm)]);
    if (is(i, Operation::Undraw)) {
        for (const auto& part : code.drawings[static_cast<std::size_t>(i.imm)].parts) frame(part.set, part.words);
        frame(i.d, 2);
    }
    if (is(i, Operation::EmitRecord))
        for (const run::Reg kept : code.shapes[static_cast<std::size_t>(i.imm)].kept) {
            use(block, kept, 1, false);
            if (draws_) frame(kept, 1); // host_take_record restores it
        }
    if (i.op == Opcode::CallHost) {
        frame(i.d, 1);
        for (const auto& [var, reg] : code.questions[static_cast<std::size_t>(i.imm)].vars) frame_question(reg);
    }
}

void Shape::find_homes(std::span<const run::RoutineInfo> routines) {
    const auto& code = request_.code;
    for (const Block& block : blocks_)
        for (Entry at = block.begin; at < block.end; ++at) {
            caches_ = caches_ || is(code.instrs[at], Operation::CountDown);
            draws_ = draws_ || is_draw(code.instrs[at]);
            own_state_ = own_state_ || is(code.instrs[at], Operation::Load);
        }
    caches_ = caches_ && !own_state_ && request_.state_words <= most_cached_state;
    own_state_ = own_state_ && request_.state_words <= most_cached_state;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (Entry at = blocks_[b].begin; at < blocks_[b].end; ++at) {
            const Instr& i = code.instrs[at];
            use_operands(b, i, false);
            use_operands(writes_on_edges(i) ? blocks_.size() : b, i, true);
        }
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (Entry at = blocks_[b].begin; at < blocks_[b].end; ++at) use_others(b, code.instrs[at]);
    for (const run::RoutineInfo& routine : routines)
        for (const auto& [reg, width] : routine.results)
            for (std::uint32_t k = 0; k < width; ++k) uses_[reg + k].result = true;
    for (const run::RoutineInfo& routine : routines)
        for (const auto reg : routine.seldom) frame(reg, 1);
    uses_[code.turned_reg].result = true;
    find_cached();
}

void Shape::find_cached() {
    if (!caches_) return;
    for (const auto& [reg, use] : uses_)
        if (home(reg) == Home::Cached) cached_.push_back({reg, use.written});
    std::ranges::sort(cached_, {}, &CachedWord::reg);
}

std::uint32_t Shape::drawn_below(std::uint32_t reg) const {
    const auto it = uses_.find(reg);
    if (it == uses_.end() || it->second.computed) return 0;
    const Home home = this->home(reg);
    return home == Home::Slot || home == Home::Cached ? it->second.drawn_below : 0;
}

Home Shape::home(std::uint32_t reg) const {
    if (reg >= constants_begin_) return Home::Constant;
    const auto it = uses_.find(reg);
    if (it == uses_.end() || it->second.framed) return Home::Frame;
    // A register that the routine never writes is a parameter.
    if (!it->second.written) return Home::Frame;
    const bool outside = reg < request_.state_words && !own_state_;
    if (outside || it->second.result) return caches_ ? Home::Cached : Home::Frame;
    return it->second.several ? Home::Slot : Home::Value;
}

} // namespace zug::codegen

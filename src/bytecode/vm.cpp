#include "bytecode/vm.hpp"

#include "bytecode/profile.hpp"
#include "bytecode/vm_draw_ops.hpp"
#include "bytecode/vm_set_ops.hpp"
#include "bytecode/vm_spatial_ops.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {
namespace {

// All operations on sets of K words; K = 0: of Instr::w words.
template <int K>
struct Sets : SetOps<K>, SpatialOps<K>, DrawOps<K> {};

inline std::int64_t as_int(Word w) { return static_cast<std::int64_t>(w); }
inline double as_real(Word w) { return std::bit_cast<double>(w); }

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    if (b == 0) return 0;
    const std::int64_t q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

// Without a branch per word, so that the compiler compares several at once.
inline bool within(const Word* words, std::int32_t count, std::int64_t low, std::int64_t high) {
    bool outside = false;
    for (std::int32_t k = 0; k < count; ++k) outside |= as_int(words[k]) < low || as_int(words[k]) > high;
    return !outside;
}

// Reports each instruction to the profile; or does nothing.
template <bool Counting>
struct Counter {
    explicit Counter(const Bytecode&) {}
    void begin(std::ptrdiff_t) {}
};
template <>
struct Counter<true> {
    Profile& profile;
    explicit Counter(const Bytecode& code) : profile(*code.profile) {}
    ~Counter() { profile.leave(); }
    void begin(std::ptrdiff_t instr) { profile.begin(static_cast<std::size_t>(instr)); }
};

template <int W, bool Counting = false>
std::int32_t run(const Bytecode& code, Entry entry, Word* f, Host& host) {
    const Instr* const base = code.instrs.data();
    const Tables& tables = code.tables;
    const Instr* next = base + entry;
    [[maybe_unused]] Counter<Counting> counter(code);
    for (;;) {
        counter.begin(next - base);
        const Instr& i = *next++;
        switch (i.op) {
// A set operation in its three widths; S is Sets<K> of the width.
#define IN_WIDTHS(name, ...)                                                                                           \
    case Opcode::name##_1: {                                                                                           \
        using S [[maybe_unused]] = Sets<1>;                                                                            \
        __VA_ARGS__;                                                                                                   \
        break;                                                                                                         \
    }                                                                                                                  \
    case Opcode::name##_M: {                                                                                           \
        using S [[maybe_unused]] = Sets<W>;                                                                            \
        __VA_ARGS__;                                                                                                   \
        break;                                                                                                         \
    }                                                                                                                  \
    case Opcode::name##_N: {                                                                                           \
        using S [[maybe_unused]] = Sets<0>;                                                                            \
        __VA_ARGS__;                                                                                                   \
        break;                                                                                                         \
    }
            IN_WIDTHS(Mov, S::mov(f, i))
            IN_WIDTHS(And, S::each(f, i, [](Word a, Word b) { return a & b; }))
            IN_WIDTHS(Or, S::each(f, i, [](Word a, Word b) { return a | b; }))
            IN_WIDTHS(AndNot, S::each(f, i, [](Word a, Word b) { return a & ~b; }))
            IN_WIDTHS(ShlAnd, S::shl_and(f, i))
            IN_WIDTHS(ShrAnd, S::shr_and(f, i))
            IN_WIDTHS(Runs, S::runs(f, i, tables))
            IN_WIDTHS(FloodTo, S::template flood<false>(f, i, tables))
            IN_WIDTHS(FloodFrom, S::template flood<true>(f, i, tables))
            IN_WIDTHS(Rays, S::rays(f, i, tables))
            IN_WIDTHS(Between, S::between(f, i, tables))
            IN_WIDTHS(Image, S::image(f, i, tables))
            IN_WIDTHS(Gather, S::gather(f, i, tables.words[i.c].data(), i.imm))
            IN_WIDTHS(GatherAt, if (f[i.b] < tables.words[i.c].size() / static_cast<Word>(i.imm)) S::gather(
                                    f, i, tables.words[i.c].data() + f[i.b] * static_cast<Word>(i.imm), i.imm);
                      else S::clear(f, i))
            IN_WIDTHS(Bcast, S::bcast(f, i))
            IN_WIDTHS(Select, S::select(f, i))
            IN_WIDTHS(Bit, S::bit(f, i))
            IN_WIDTHS(SetTable, S::set_table(f, i, tables))
            IN_WIDTHS(WordsAbove, S::words_above(f, i))
            IN_WIDTHS(BytesAbove, S::above_in_bytes(f, i))
            IN_WIDTHS(SetAt, S::set_at(f, i))
            IN_WIDTHS(Any, f[i.d] = S::any(f, i))
            IN_WIDTHS(AnyAnd, f[i.d] = S::any_and(f, i))
            IN_WIDTHS(ReturnIfAny, if (S::any(f, i)) return i.imm)
            IN_WIDTHS(ReturnIfNone, if (!S::any(f, i)) return i.imm)
            IN_WIDTHS(Count, f[i.d] = S::count(f, i))
            IN_WIDTHS(CountRays, f[i.d] = S::count_rays(f, i, tables))
            IN_WIDTHS(CountImage, f[i.d] = S::count_image(f, i, tables))
            IN_WIDTHS(EqSet, f[i.d] = S::equal(f, i))
            IN_WIDTHS(Test, f[i.d] = has(f + i.b, as_int(f[i.a]), i.imm))
            IN_WIDTHS(OnlyMember, f[i.d] = S::only_member(f, i))
            IN_WIDTHS(FirstMember, f[i.d] = S::first_member(f, i))
            IN_WIDTHS(LastMember, f[i.d] = S::last_member(f, i))
            IN_WIDTHS(PlaneGet, f[i.d] = S::plane_get(f, i, tables))
            IN_WIDTHS(Draw, if (const auto target = S::draw(f, i, code, host.records)) next = base + target)
            IN_WIDTHS(Undraw, undraw(f, i, code, host.records))
            IN_WIDTHS(Load, S::load_words(f, i))
            IN_WIDTHS(Store, S::store_words(f, i))
            IN_WIDTHS(TakeFirst, if (const auto target = S::take_first(f, i, code, host.records)) next = base + target)
            IN_WIDTHS(JumpIfAny, if (S::any(f, i)) next = base + i.imm)
            IN_WIDTHS(JumpIfNone, if (!S::any(f, i)) next = base + i.imm)
            IN_WIDTHS(EmitRecord, S::emit_record(f, i, code.shapes[static_cast<std::size_t>(i.imm)], host.records))
            IN_WIDTHS(PopBitOrJump, if (!S::pop_bit(f, i)) next = base + i.imm)
            IN_WIDTHS(GrowOrJump, if (!S::grow(f, i)) next = base + i.imm)
            IN_WIDTHS(BitOn, if (f[i.a] < static_cast<Word>(i.imm)) put(f + i.d, as_int(f[i.a])))
            IN_WIDTHS(BitOff, if (f[i.a] < static_cast<Word>(i.imm)) drop(f + i.d, as_int(f[i.a])))
            IN_WIDTHS(PlanePut, S::plane_put(f, i))
            IN_WIDTHS(PlaneFill, S::plane_fill(f, i))
            IN_WIDTHS(PutSetAt, S::put_set_at(f, i))
            IN_WIDTHS(
                CheckAndSet, if (f[i.a] < static_cast<Word>(i.imm)) {
                    if (has(f + i.d, as_int(f[i.a]), i.imm)) {
                        host.check_failed(Host::CheckFailure::DoubleAssign, i.b, as_int(f[i.a]));
                        return faulted;
                    }
                    put(f + i.d, as_int(f[i.a]));
                })
            IN_WIDTHS(
                CheckAndSetAll, if (S::check_and_set_all(f, i)) {
                    host.check_failed(Host::CheckFailure::DoubleAssign, i.b, 0);
                    return faulted;
                })
#undef IN_WIDTHS
        case Opcode::Add: f[i.d] = f[i.a] + f[i.b]; break;
        case Opcode::Sub: f[i.d] = f[i.a] - f[i.b]; break;
        case Opcode::Mul: f[i.d] = f[i.a] * f[i.b]; break;
        case Opcode::Div: f[i.d] = static_cast<Word>(floor_div(as_int(f[i.a]), as_int(f[i.b]))); break;
        case Opcode::Mod: {
            const std::int64_t a = as_int(f[i.a]), b = as_int(f[i.b]);
            f[i.d] = static_cast<Word>(b == 0 ? 0 : a - floor_div(a, b) * b);
            break;
        }
        case Opcode::Neg: f[i.d] = 0 - f[i.a]; break;
        case Opcode::Min: f[i.d] = static_cast<Word>(std::min(as_int(f[i.a]), as_int(f[i.b]))); break;
        case Opcode::Max: f[i.d] = static_cast<Word>(std::max(as_int(f[i.a]), as_int(f[i.b]))); break;
        case Opcode::Eq: f[i.d] = f[i.a] == f[i.b]; break;
        case Opcode::Lt: f[i.d] = as_int(f[i.a]) < as_int(f[i.b]); break;
        case Opcode::Not: f[i.d] = f[i.a] ^ 1; break;
#define REAL(name, expr)                                                                                               \
    case Opcode::name: {                                                                                               \
        const double a = as_real(f[i.a]), b = as_real(f[i.b]);                                                         \
        f[i.d] = std::bit_cast<Word>(expr);                                                                            \
        break;                                                                                                         \
    }
            REAL(AddReal, a + b)
            REAL(SubReal, a - b)
            REAL(MulReal, a * b)
            REAL(DivReal, a / b)
            REAL(MinReal, std::min(a, b))
            REAL(MaxReal, std::max(a, b))
#undef REAL
        case Opcode::NegReal: f[i.d] = std::bit_cast<Word>(-as_real(f[i.a])); break;
        case Opcode::EqReal: f[i.d] = as_real(f[i.a]) == as_real(f[i.b]); break;
        case Opcode::LtReal: f[i.d] = as_real(f[i.a]) < as_real(f[i.b]); break;
        case Opcode::ToReal: f[i.d] = std::bit_cast<Word>(static_cast<double>(as_int(f[i.a]))); break;
        case Opcode::WordTable: {
            const auto& table = tables.words[i.c];
            const Word row = f[i.a] - static_cast<Word>(static_cast<std::int64_t>(i.imm));
            f[i.d] = static_cast<Word>(row < table.size() ? table[row] : ir::none);
            break;
        }
        case Opcode::WordAt: f[i.d] = f[f[i.b] < static_cast<Word>(i.imm) ? i.a + f[i.b] : i.c]; break;
        case Opcode::ByteAt:
            f[i.d] = f[i.b] < static_cast<Word>(i.imm) ? static_cast<Word>(byte_at(f + i.a, f[i.b])) : f[i.c];
            break;
        case Opcode::Jump: next = base + i.imm; break;
        case Opcode::JumpIf:
            if (f[i.a] != 0) next = base + i.imm;
            break;
        case Opcode::JumpIfNot:
            if (f[i.a] == 0) next = base + i.imm;
            break;
        case Opcode::Return: return i.imm;
        case Opcode::ReturnIf:
            if (f[i.a] != 0) return i.imm;
            break;
        case Opcode::Dispatch: next = base + tables.words[i.c][f[i.a]]; break;
        case Opcode::CountDown:
            if (f[i.d] == 0) return i.imm;
            --f[i.d];
            break;
        case Opcode::PutAt:
            if (f[i.a] < static_cast<Word>(i.imm)) f[i.d + f[i.a]] = f[i.b];
            break;
        case Opcode::AddAt:
            if (f[i.a] < static_cast<Word>(i.imm)) f[i.d + f[i.a]] += f[i.b];
            break;
        case Opcode::PutByteAt:
            if (f[i.a] < static_cast<Word>(i.imm)) set_byte(f + i.d, f[i.a], as_int(f[i.b]));
            break;
        case Opcode::AddByteAt:
            if (f[i.a] < static_cast<Word>(i.imm))
                set_byte(f + i.d, f[i.a], clamped_to_byte(byte_at(f + i.d, f[i.a]) + as_int(f[i.b])));
            break;
        case Opcode::CheckDistinct:
            if (f[i.a] == f[i.b] && f[i.a] < static_cast<Word>(i.imm)) {
                host.check_failed(Host::CheckFailure::DoubleAssign, i.c, as_int(f[i.a]));
                return faulted;
            }
            break;
        case Opcode::CheckRangeOrNone:
            if (as_int(f[i.a]) == ir::none) break;
            [[fallthrough]];
        case Opcode::CheckRange:
            if (as_int(f[i.a]) < as_int(f[i.b]) || as_int(f[i.a]) > as_int(f[i.c])) {
                host.check_failed(Host::CheckFailure::OutOfRange, i.imm, as_int(f[i.a]));
                return faulted;
            }
            break;
        case Opcode::CheckRow:
            if (within(f + i.a, i.imm, as_int(f[i.b]), as_int(f[i.c]))) break;
            for (std::int32_t k = 0; k < i.imm; ++k)
                if (as_int(f[i.a + k]) < as_int(f[i.b]) || as_int(f[i.a + k]) > as_int(f[i.c])) {
                    host.check_failed(Host::CheckFailure::OutOfRange, i.d, as_int(f[i.a + k]));
                    return faulted;
                }
            break;
        case Opcode::CheckBytes:
            for (std::int32_t k = 0; k < i.imm; k += 8) {
                const Word word = f[i.a + k / 8];
                const Word outside =
                    bytes_above(word, as_int(f[i.c])) | (~bytes_above(word, as_int(f[i.b]) - 1) & 0xFF);
                if (outside == 0) continue;
                host.check_failed(Host::CheckFailure::OutOfRange, i.d,
                                  byte_at(&word, static_cast<Word>(std::countr_zero(outside))));
                return faulted;
            }
            break;
        case Opcode::SetTurn:
            if (as_int(f[i.a]) == ir::none) break;
            if (f[code.turned_reg] != 0) {
                host.check_failed(Host::CheckFailure::DoubleTurn, 0, 0);
                return faulted;
            }
            f[code.turned_reg] = static_cast<Word>(i.imm);
            f[code.turn_reg] = f[i.a];
            break;
        case Opcode::ClearRecords: host.records.clear(); break;
        case Opcode::CallHost: host.ask(code.questions[static_cast<std::size_t>(i.imm)], f, i.d); break;
        case Opcode::SetBetweenMoves: host.set_between_moves(i.imm != 0); break;
        case Opcode::RecordTurn: host.record(static_cast<std::uint32_t>(i.imm)); break;
        default: __builtin_unreachable();
        }
    }
}

} // namespace

void Records::grow(std::size_t by) {
    // Beyond 128 MB there are more moves than a position may have: the executor sees the flag. Until then the routine
    // goes on with what fits.
    constexpr std::size_t most_words = std::size_t{1} << 24;
    auto used = static_cast<std::size_t>(next - words.get());
    if (used + by > most_words) {
        overflow = true;
        clear();
        if (by <= static_cast<std::size_t>(limit - next)) return;
        used = 0;
    }
    const std::size_t room = std::max<std::size_t>(2 * (used + by), 256);
    auto larger = std::make_unique<std::uint64_t[]>(room);
    std::copy(words.get(), next, larger.get());
    words = std::move(larger);
    next = words.get() + used;
    limit = words.get() + room;
}

VirtualMachine vm_for(std::uint16_t words) {
    switch (words) {
    case 1: return run<1>;
    case 2: return run<2>;
    case 3: return run<3>;
    case 4: return run<4>;
    case 5: return run<5>;
    case 6: return run<6>;
    case 8: return run<8>;
    default: return run<0>;
    }
}

VirtualMachine counting_vm_for(std::uint16_t words) {
    switch (words) {
    case 1: return run<1, true>;
    case 2: return run<2, true>;
    default: return run<0, true>;
    }
}

} // namespace zug::run

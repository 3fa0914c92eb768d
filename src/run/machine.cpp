#include "run/machine.hpp"

#include "ir/types.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace zug::run {
namespace {

using Word = std::uint64_t;

// The width of an instruction: a constant where K > 0, else its w field.
template <int K>
inline unsigned width(const Instr& i) {
    return K > 0 ? static_cast<unsigned>(K) : i.w;
}

inline bool has(const Word* set, std::int64_t i, std::int32_t bits) {
    return static_cast<Word>(i) < static_cast<Word>(bits) && (set[i >> 6] >> (i & 63) & 1) != 0;
}
inline void put(Word* set, std::int64_t i) { set[i >> 6] |= Word{1} << (i & 63); }
inline void drop(Word* set, std::int64_t i) { set[i >> 6] &= ~(Word{1} << (i & 63)); }

// Word k of a set shifted by `n` bits towards higher (n > 0) numbers.
template <int K>
inline Word shifted_left(const Word* a, unsigned k, unsigned n) {
    if constexpr (K == 1) return a[0] << n;
    const unsigned skip = n >> 6, bits = n & 63;
    if (k < skip) return 0;
    const Word low = a[k - skip] << bits;
    return bits != 0 && k > skip ? low | a[k - skip - 1] >> (64 - bits) : low;
}
template <int K>
inline Word shifted_right(const Word* a, unsigned k, unsigned n, unsigned w) {
    if constexpr (K == 1) return a[0] >> n;
    const unsigned skip = n >> 6, bits = n & 63;
    if (k + skip >= w) return 0;
    const Word low = a[k + skip] >> bits;
    return bits != 0 && k + skip + 1 < w ? low | a[k + skip + 1] << (64 - bits) : low;
}
template <int K>
inline Word shifted(const Word* a, unsigned k, std::int32_t n, unsigned w) {
    return n >= 0 ? shifted_left<K>(a, k, static_cast<unsigned>(n))
                  : shifted_right<K>(a, k, static_cast<unsigned>(-n), w);
}

// Sets wider than this don't occur: boards have at most 4096 sites; other element types are refused beyond it.
constexpr unsigned max_words = 1024;

// The operations below take the frame and the instruction; K as in width().
template <int K>
struct Sets {
    static void mov(Word* f, const Instr& i) {
        if constexpr (K == 1) {
            f[i.d] = f[i.a];
        } else {
            std::memmove(f + i.d, f + i.a, width<K>(i) * sizeof(Word));
        }
    }
    template <class Op>
    static void each(Word* f, const Instr& i, Op op) {
        for (unsigned k = 0; k < width<K>(i); ++k) f[i.d + k] = op(f[i.a + k], f[i.b + k]);
    }
    // d may be a: shifts up run from the highest word down, shifts down from the lowest up.
    static void shl_and(Word* f, const Instr& i) {
        for (unsigned k = width<K>(i); k-- > 0;)
            f[i.d + k] = shifted_left<K>(f + i.a, k, static_cast<unsigned>(i.imm)) & f[i.b + k];
    }
    static void shr_and(Word* f, const Instr& i) {
        const unsigned w = width<K>(i);
        for (unsigned k = 0; k < w; ++k)
            f[i.d + k] = shifted_right<K>(f + i.a, k, static_cast<unsigned>(i.imm), w) & f[i.b + k];
    }
    static void shl_and_acc(Word* f, const Instr& i) {
        for (unsigned k = width<K>(i); k-- > 0;)
            f[i.d + k] |= shifted_left<K>(f + i.a, k, static_cast<unsigned>(i.imm)) & f[i.b + k];
    }
    static void shr_and_acc(Word* f, const Instr& i) {
        const unsigned w = width<K>(i);
        for (unsigned k = 0; k < w; ++k)
            f[i.d + k] |= shifted_right<K>(f + i.a, k, static_cast<unsigned>(i.imm), w) & f[i.b + k];
    }
    static void runs(Word* f, const Instr& i, const Tables& tables) {
        const unsigned w = width<K>(i);
        Word x[K > 0 ? K : max_words], y[K > 0 ? K : max_words], found[K > 0 ? K : max_words] = {};
        for (const std::int64_t distance : tables.words[i.c]) {
            for (unsigned k = 0; k < w; ++k) x[k] = f[i.a + k];
            // Runs of `length` shifted by as many as fit into what is left: a doubling.
            for (std::int32_t length = 1; length < i.imm;) {
                const std::int32_t step = std::min(length, i.imm - length);
                const auto n = static_cast<std::int32_t>(distance) * step;
                for (unsigned k = 0; k < w; ++k) y[k] = x[k] & shifted<K>(x, k, n, w);
                for (unsigned k = 0; k < w; ++k) x[k] = y[k];
                length += step;
            }
            for (unsigned k = 0; k < w; ++k) found[k] |= x[k];
        }
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = found[k];
    }
    // From: steps leave from places of b (and land within the mask); to: steps land on places of b.
    template <bool From>
    static void flood(Word* f, const Instr& i, const Tables& tables) {
        const ShiftList& list = tables.shifts[i.c];
        const unsigned w = width<K>(i);
        Word all[K > 0 ? K : max_words], source[K > 0 ? K : max_words];
        for (unsigned k = 0; k < w; ++k) all[k] = f[i.a + k];
        for (bool grown = true; grown;) {
            for (unsigned k = 0; k < w; ++k) source[k] = From ? all[k] & f[i.b + k] : all[k];
            Word change = 0;
            for (const auto& shift : list.shifts) {
                for (unsigned k = 0; k < w; ++k) {
                    Word reached = shifted<K>(source, k, shift.distance, w) & (From ? f[shift.mask + k] : f[i.b + k]);
                    if (!From && list.masked) reached &= f[shift.mask + k];
                    change |= reached & ~all[k];
                    all[k] |= reached;
                }
            }
            grown = change != 0;
        }
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = all[k];
    }
    static void gather(Word* f, const Instr& i, const std::int64_t* table, std::int32_t bits) {
        const unsigned w = width<K>(i);
        Word out[K > 0 ? K : max_words] = {};
        for (std::int32_t v = 0; v < bits; ++v)
            if (table[v] >= 0 && has(f + i.a, table[v], bits)) put(out, v);
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = out[k];
    }
    static void bcast(Word* f, const Instr& i) {
        const Word mask = f[i.a] != 0 ? ~Word{0} : 0;
        for (unsigned k = 0; k < width<K>(i); ++k) f[i.d + k] = f[i.b + k] & mask;
    }
    static void select(Word* f, const Instr& i) {
        const Reg from = f[i.c] != 0 ? i.a : i.b;
        for (unsigned k = 0; k < width<K>(i); ++k) f[i.d + k] = f[from + k];
    }
    static void clear(Word* f, const Instr& i) {
        for (unsigned k = 0; k < width<K>(i); ++k) f[i.d + k] = 0;
    }
    static void bit(Word* f, const Instr& i) {
        const Word v = f[i.a];
        clear(f, i);
        if (v < static_cast<Word>(i.imm)) put(f + i.d, static_cast<std::int64_t>(v));
    }
    static void set_table(Word* f, const Instr& i, const Tables& tables) {
        const auto& rows = tables.sets[i.c];
        const unsigned w = width<K>(i);
        const Word row = f[i.a] - static_cast<Word>(static_cast<std::int64_t>(i.imm));
        if (row >= rows.size() / w) return clear(f, i);
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = rows[row * w + k];
    }
    static void set_at(Word* f, const Instr& i) {
        const unsigned w = width<K>(i);
        const Word row = f[i.b];
        if (row >= static_cast<Word>(i.imm)) return clear(f, i);
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = f[i.a + row * w + k];
    }
    static bool any(const Word* f, const Instr& i) {
        Word all = 0;
        for (unsigned k = 0; k < width<K>(i); ++k) all |= f[i.a + k];
        return all != 0;
    }
    static bool any_and(const Word* f, const Instr& i) {
        Word all = 0;
        for (unsigned k = 0; k < width<K>(i); ++k) all |= f[i.a + k] & f[i.b + k];
        return all != 0;
    }
    static Word count(const Word* f, const Instr& i) {
        int total = 0;
        for (unsigned k = 0; k < width<K>(i); ++k) total += std::popcount(f[i.a + k]);
        return static_cast<Word>(total);
    }
    static bool equal(const Word* f, const Instr& i) {
        Word differing = 0;
        for (unsigned k = 0; k < width<K>(i); ++k) differing |= f[i.a + k] ^ f[i.b + k];
        return differing == 0;
    }
    static Word the(const Word* f, const Instr& i) {
        Word found = static_cast<Word>(ir::none);
        for (unsigned k = 0; k < width<K>(i); ++k) {
            const Word word = f[i.a + k];
            if (word == 0) continue;
            if ((word & (word - 1)) != 0 || found != static_cast<Word>(ir::none)) return static_cast<Word>(ir::none);
            found = k * 64 + static_cast<unsigned>(std::countr_zero(word));
        }
        return found;
    }
    static Word plane(const Word* f, const Instr& i, const Tables& tables) {
        const unsigned w = width<K>(i);
        const auto& values = tables.words[i.c];
        const Word v = f[i.a];
        if (v < w * 64)
            for (std::int32_t p = 0; p < i.imm; ++p)
                if ((f[i.b + static_cast<unsigned>(p) * w + (v >> 6)] >> (v & 63) & 1) != 0)
                    return static_cast<Word>(values[static_cast<std::size_t>(p) + 1]);
        return static_cast<Word>(values[0]);
    }
    static bool next_bit(Word* f, const Instr& i) {
        for (unsigned k = 0; k < width<K>(i); ++k) {
            Word& word = f[i.d + k];
            if (word == 0) continue;
            f[i.a] = k * 64 + static_cast<unsigned>(std::countr_zero(word));
            word &= word - 1;
            return true;
        }
        return false;
    }
    static bool grow(Word* f, const Instr& i) {
        Word fresh = 0;
        for (unsigned k = 0; k < width<K>(i); ++k) {
            fresh |= f[i.a + k] & ~f[i.d + k];
            f[i.d + k] |= f[i.a + k];
        }
        return fresh != 0;
    }
    static void plane_put(Word* f, const Instr& i) {
        const unsigned w = width<K>(i);
        const Word v = f[i.a];
        if (v >= w * 64) return;
        for (unsigned p = 0; p < static_cast<unsigned>(i.imm); ++p) drop(f + i.d + p * w, static_cast<std::int64_t>(v));
        if (f[i.b] != 0) put(f + i.d + (f[i.b] - 1) * w, static_cast<std::int64_t>(v));
    }
    static void plane_fill(Word* f, const Instr& i) {
        const unsigned w = width<K>(i);
        const Word chosen = f[i.b];
        for (unsigned p = 0; p < static_cast<unsigned>(i.imm); ++p)
            for (unsigned k = 0; k < w; ++k) {
                Word& word = f[i.d + p * w + k];
                word = p + 1 == chosen ? word | f[i.a + k] : word & ~f[i.a + k];
            }
    }
    static bool touch_all(Word* f, const Instr& i) {
        Word met = 0;
        for (unsigned k = 0; k < width<K>(i); ++k) {
            met |= f[i.d + k] & f[i.a + k];
            f[i.d + k] |= f[i.a + k];
        }
        return met != 0;
    }
};

inline std::int64_t as_int(Word w) { return static_cast<std::int64_t>(w); }
inline double as_real(Word w) { return std::bit_cast<double>(w); }

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    if (b == 0) return 0;
    const std::int64_t q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

template <int W>
std::int32_t run(const Code& code, Entry entry, Word* f, Host& host) {
    const Instr* const base = code.instrs.data();
    const Tables& tables = code.tables;
    const Instr* next = base + entry;
    for (;;) {
        const Instr& i = *next++;
        switch (i.op) {
// A set operation in its three widths; S is Sets<width>.
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
            IN_WIDTHS(ShlAndAcc, S::shl_and_acc(f, i))
            IN_WIDTHS(ShrAndAcc, S::shr_and_acc(f, i))
            IN_WIDTHS(Runs, S::runs(f, i, tables))
            IN_WIDTHS(FloodTo, S::template flood<false>(f, i, tables))
            IN_WIDTHS(FloodFrom, S::template flood<true>(f, i, tables))
            IN_WIDTHS(Gather, S::gather(f, i, tables.words[i.c].data(), i.imm))
            IN_WIDTHS(GatherAt, if (f[i.b] < tables.words[i.c].size() / static_cast<Word>(i.imm)) S::gather(
                                    f, i, tables.words[i.c].data() + f[i.b] * static_cast<Word>(i.imm), i.imm);
                      else S::clear(f, i))
            IN_WIDTHS(Bcast, S::bcast(f, i))
            IN_WIDTHS(Select, S::select(f, i))
            IN_WIDTHS(Bit, S::bit(f, i))
            IN_WIDTHS(SetTable, S::set_table(f, i, tables))
            IN_WIDTHS(SetAt, S::set_at(f, i))
            IN_WIDTHS(Any, f[i.d] = S::any(f, i))
            IN_WIDTHS(AnyAnd, f[i.d] = S::any_and(f, i))
            IN_WIDTHS(ReturnIfAny, if (S::any(f, i)) return i.imm)
            IN_WIDTHS(ReturnIfNone, if (!S::any(f, i)) return i.imm)
            IN_WIDTHS(Count, f[i.d] = S::count(f, i))
            IN_WIDTHS(EqSet, f[i.d] = S::equal(f, i))
            IN_WIDTHS(Test, f[i.d] = has(f + i.b, as_int(f[i.a]), i.imm))
            IN_WIDTHS(The, f[i.d] = S::the(f, i))
            IN_WIDTHS(Plane, f[i.d] = S::plane(f, i, tables))
            IN_WIDTHS(NextBit, if (!S::next_bit(f, i)) next = base + i.imm)
            IN_WIDTHS(GrowOrJump, if (!S::grow(f, i)) next = base + i.imm)
            IN_WIDTHS(BitOn, if (f[i.a] < static_cast<Word>(i.imm)) put(f + i.d, as_int(f[i.a])))
            IN_WIDTHS(BitOff, if (f[i.a] < static_cast<Word>(i.imm)) drop(f + i.d, as_int(f[i.a])))
            IN_WIDTHS(PlanePut, S::plane_put(f, i))
            IN_WIDTHS(PlaneFill, S::plane_fill(f, i))
            IN_WIDTHS(
                Touch, if (f[i.a] < static_cast<Word>(i.imm)) {
                    if (has(f + i.d, as_int(f[i.a]), i.imm)) {
                        host.trouble(Host::Trouble::DoubleAssign, i.b, as_int(f[i.a]));
                        return troubled;
                    }
                    put(f + i.d, as_int(f[i.a]));
                })
            IN_WIDTHS(
                TouchAll, if (S::touch_all(f, i)) {
                    host.trouble(Host::Trouble::DoubleAssign, i.b, 0);
                    return troubled;
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
            REAL(DivReal, b == 0 ? 0.0 : a / b)
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
        case Opcode::PutAt:
            if (f[i.a] < static_cast<Word>(i.imm)) f[i.d + f[i.a]] = f[i.b];
            break;
        case Opcode::AddAt:
            if (f[i.a] < static_cast<Word>(i.imm)) f[i.d + f[i.a]] += f[i.b];
            break;
        case Opcode::CheckDistinct:
            if (f[i.a] == f[i.b] && f[i.a] < static_cast<Word>(i.imm)) {
                host.trouble(Host::Trouble::DoubleAssign, i.c, as_int(f[i.a]));
                return troubled;
            }
            break;
        case Opcode::CheckRangeOrNone:
            if (as_int(f[i.a]) == ir::none) break;
            [[fallthrough]];
        case Opcode::CheckRange:
            if (as_int(f[i.a]) < as_int(f[i.b]) || as_int(f[i.a]) > as_int(f[i.c])) {
                host.trouble(Host::Trouble::OutOfRange, i.imm, as_int(f[i.a]));
                return troubled;
            }
            break;
        case Opcode::CheckRow:
            for (std::int32_t k = 0; k < i.imm; ++k)
                if (as_int(f[i.a + k]) < as_int(f[i.b]) || as_int(f[i.a + k]) > as_int(f[i.c])) {
                    host.trouble(Host::Trouble::OutOfRange, i.d, as_int(f[i.a + k]));
                    return troubled;
                }
            break;
        case Opcode::TurnTo:
            if (f[code.turned_reg] != 0) {
                host.trouble(Host::Trouble::DoubleTurn, 0, 0);
                return troubled;
            }
            f[code.turned_reg] = static_cast<Word>(i.imm);
            f[code.turn_reg] = f[i.a];
            break;
        case Opcode::Emit: host.emit(code.emits[static_cast<std::size_t>(i.imm)], f); break;
        case Opcode::Ask: host.ask(code.questions[static_cast<std::size_t>(i.imm)], f, i.d); break;
        default: __builtin_unreachable();
        }
    }
}

} // namespace

Machine machine_for(std::uint16_t words) {
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

} // namespace zug::run

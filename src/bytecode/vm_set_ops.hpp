#pragma once
// Operations on sets that work word by word, or on single members.

#include "bytecode/byte_rows.hpp"
#include "bytecode/vm_words.hpp"
#include "ir/types.hpp"

#include <bit>
#include <cstring>

namespace zug::run {

// Each takes the frame and the instruction; K as in width().
template <int K>
struct SetOps {
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
    // d may be a, so shifts up proceed from the highest word down, and shifts down from the lowest up.
    static void shl_and(Word* f, const Instr& i) {
        if (K > 1 && i.imm < 64) {
            for (auto k = static_cast<unsigned>(K - 1); k > 0; --k)
                f[i.d + k] = (f[i.a + k] << i.imm | f[i.a + k - 1] >> (64 - i.imm)) & f[i.b + k];
            f[i.d] = f[i.a] << i.imm & f[i.b];
            return;
        }
        for (unsigned k = width<K>(i); k-- > 0;)
            f[i.d + k] = shifted_left<K>(f + i.a, k, static_cast<unsigned>(i.imm)) & f[i.b + k];
    }
    static void shr_and(Word* f, const Instr& i) {
        const unsigned w = width<K>(i);
        if (K > 1 && i.imm < 64) {
            for (unsigned k = 0; k + 1 < w; ++k)
                f[i.d + k] = (f[i.a + k] >> i.imm | f[i.a + k + 1] << (64 - i.imm)) & f[i.b + k];
            f[i.d + w - 1] = f[i.a + w - 1] >> i.imm & f[i.b + w - 1];
            return;
        }
        for (unsigned k = 0; k < w; ++k)
            f[i.d + k] = shifted_right<K>(f + i.a, k, static_cast<unsigned>(i.imm), w) & f[i.b + k];
    }
    static void words_above(Word* f, const Instr& i) {
        const auto bound = static_cast<std::int64_t>(f[i.b]);
        Word out[K > 0 ? K : max_words] = {};
        for (std::int32_t v = 0; v < i.imm; ++v)
            out[v / 64] |= Word{static_cast<std::int64_t>(f[i.a + v]) > bound} << (v % 64);
        for (unsigned k = 0; k < width<K>(i); ++k) f[i.d + k] = out[k];
    }
    static void above_in_bytes(Word* f, const Instr& i) {
        const auto bound = static_cast<std::int64_t>(f[i.b]);
        Word out[K > 0 ? K : max_words] = {};
        for (std::int32_t v = 0; v < i.imm; v += 8) out[v / 64] |= bytes_above(f[i.a + v / 8], bound) << (v % 64);
        if (i.imm % 64 != 0) out[i.imm / 64] &= (Word{1} << (i.imm % 64)) - 1;
        for (unsigned k = 0; k < width<K>(i); ++k) f[i.d + k] = out[k];
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
    static void put_set_at(Word* f, const Instr& i) {
        const unsigned w = width<K>(i);
        const Word row = f[i.a];
        if (row >= static_cast<Word>(i.imm)) return;
        for (unsigned k = 0; k < w; ++k) f[i.d + row * w + k] = f[i.b + k];
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
    static Word only_member(const Word* f, const Instr& i) {
        Word found = static_cast<Word>(ir::none);
        for (unsigned k = 0; k < width<K>(i); ++k) {
            const Word word = f[i.a + k];
            if (word == 0) continue;
            if ((word & (word - 1)) != 0 || found != static_cast<Word>(ir::none)) return static_cast<Word>(ir::none);
            found = k * 64 + static_cast<unsigned>(std::countr_zero(word));
        }
        return found;
    }
    static Word first_member(const Word* f, const Instr& i) {
        for (unsigned k = 0; k < width<K>(i); ++k)
            if (f[i.a + k] != 0) return k * 64 + static_cast<unsigned>(std::countr_zero(f[i.a + k]));
        return static_cast<Word>(ir::none);
    }
    static Word last_member(const Word* f, const Instr& i) {
        for (unsigned k = width<K>(i); k-- > 0;)
            if (f[i.a + k] != 0) return k * 64 + 63 - static_cast<unsigned>(std::countl_zero(f[i.a + k]));
        return static_cast<Word>(ir::none);
    }
    static Word plane_get(const Word* f, const Instr& i, const Tables& tables) {
        const unsigned w = width<K>(i);
        const auto& values = tables.words[i.c];
        const Word v = f[i.a];
        if (v < w * 64)
            for (std::int32_t p = 0; p < i.imm; ++p)
                if ((f[i.b + static_cast<unsigned>(p) * w + (v >> 6)] >> (v & 63) & 1) != 0)
                    return static_cast<Word>(values[static_cast<std::size_t>(p) + 1]);
        return static_cast<Word>(values[0]);
    }
    // False: d was empty.
    static bool pop_bit(Word* f, const Instr& i) {
        for (unsigned k = 0; k < width<K>(i); ++k) {
            Word& word = f[i.d + k];
            if (word == 0) continue;
            f[i.a] = k * 64 + static_cast<unsigned>(std::countr_zero(word));
            word &= word - 1;
            return true;
        }
        return false;
    }
    // Whether a had members that d had not.
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
    // Whether d and a had members in common.
    static bool check_and_set_all(Word* f, const Instr& i) {
        Word met = 0;
        for (unsigned k = 0; k < width<K>(i); ++k) {
            met |= f[i.d + k] & f[i.a + k];
            f[i.d + k] |= f[i.a + k];
        }
        return met != 0;
    }
    [[gnu::noinline]] static void load_words(Word* f, const Instr& i) {
        copy_block(f + i.d, reinterpret_cast<const Word*>(f[i.a]) + i.imm, width<K>(i));
    }
    [[gnu::noinline]] static void store_words(const Word* f, const Instr& i) {
        copy_block(reinterpret_cast<Word*>(f[i.b]) + i.imm, f + i.a, width<K>(i));
    }
};

} // namespace zug::run

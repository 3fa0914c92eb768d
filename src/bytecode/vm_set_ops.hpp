#pragma once
// The operations on sets, for the machine's loop only. Each is a template over the width in words: K > 0 fixes it, 0
// takes it from the instruction.

#include "base/nth_bit.hpp"
#include "base/random.hpp"
#include "bytecode/bytecode.hpp"
#include "bytecode/vm.hpp"
#include "ir/types.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace zug::run {

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

inline void undraw(Word* f, const Instr& i, const Bytecode& code, Records& records) {
    const Drawing& drawing = code.drawings[static_cast<std::size_t>(i.imm)];
    const auto member = static_cast<std::int64_t>(f[i.d + 1]);
    if (f[i.d] < from_record) return drop(f + drawing.parts[f[i.d] - drawing.first].set, member);
    Word* const record = records.words.get() + (f[i.d] - from_record);
    drop(record + 1 + code.shapes[static_cast<std::uint32_t>(*record)].kept.size(), member);
    *record -= Word{1} << 32;
    --records.total;
}

// Member `number`, counted from 0, of all sets in the records: its record, and where it is in the set.
struct RecordMember {
    Word* record;
    std::uint32_t bit;
};

inline RecordMember record_member(const Records& records, const std::vector<RecordShape>& shapes,
                                  std::uint32_t number) {
    Word* record = records.words.get();
    const RecordShape* shape = &shapes[static_cast<std::uint32_t>(*record)];
    while (number >= *record >> 32) {
        number -= static_cast<std::uint32_t>(*record >> 32);
        record += 1 + shape->kept.size() + shape->words;
        shape = &shapes[static_cast<std::uint32_t>(*record)];
    }
    const Word* word = record + 1 + shape->kept.size();
    std::uint32_t first = 0;
    for (; number >= static_cast<std::uint32_t>(std::popcount(*word)); ++word, first += 64)
        number -= static_cast<std::uint32_t>(std::popcount(*word));
    return {record, first + nth_bit(*word, number)};
}

// Few words are copied one by one, as they have just been written: a processor that loads several at once waits until
// they are in its cache. A compiler would make it several at once, but for `volatile`.
[[gnu::noinline]] inline void copy_words(Word* to, const Word* from, unsigned n) {
    constexpr unsigned few = 12;
    if (n > few) {
        std::memcpy(to, from, n * sizeof(Word));
    } else {
        for (unsigned k = 0; k < n; ++k) to[k] = static_cast<const volatile Word&>(from[k]);
    }
}

// Takes the first member out of the records: where to go on with it, its record's kept registers filled in; 0: there is
// none.
inline std::uint32_t take_record(Word* f, const Instr& i, const Bytecode& code, Records& records) {
    for (;;) {
        Word* const record = records.words.get() + records.taken;
        if (record == records.next) return 0;
        const RecordShape& shape = code.shapes[static_cast<std::uint32_t>(*record)];
        Word* const set = record + 1 + shape.kept.size();
        for (unsigned k = 0; k < shape.words; ++k) {
            if (set[k] == 0) continue;
            f[i.d] = from_record + records.taken;
            f[i.d + 1] = k * 64 + static_cast<unsigned>(std::countr_zero(set[k]));
            set[k] &= set[k] - 1;
            for (std::size_t n = 0; n < shape.kept.size(); ++n) f[shape.kept[n]] = record[1 + n];
            return shape.target;
        }
        records.taken += 1 + shape.kept.size() + shape.words;
    }
}

// A whole set shifted by `n` bits. In steps from neighbour to neighbour n is less than a word, which is the short way.
template <int K>
inline void shift_words(Word* out, const Word* in, std::int32_t n, unsigned w) {
    if constexpr (K == 1) {
        out[0] = n >= 0 ? in[0] << n : in[0] >> -n;
    } else if (n > 0 && n < 64) {
        out[0] = in[0] << n;
        for (unsigned k = 1; k < w; ++k) out[k] = in[k] << n | in[k - 1] >> (64 - n);
    } else if (n < 0 && n > -64) {
        for (unsigned k = 0; k + 1 < w; ++k) out[k] = in[k] >> -n | in[k + 1] << (64 + n);
        out[w - 1] = in[w - 1] >> -n;
    } else {
        for (unsigned k = 0; k < w; ++k) out[k] = shifted<K>(in, k, n, w);
    }
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
        if (K > 1 && i.imm < 64) {
            for (unsigned k = K - 1; k > 0; --k)
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
    static void runs(Word* f, const Instr& i, const Tables& tables) {
        const unsigned w = width<K>(i);
        Word x[K > 0 ? K : max_words], y[K > 0 ? K : max_words], found[K > 0 ? K : max_words] = {};
        for (const std::int64_t distance : tables.words[i.c]) {
            for (unsigned k = 0; k < w; ++k) x[k] = f[i.a + k];
            // Runs of `length` shifted by as many as fit into what is left: a doubling.
            for (std::int32_t length = 1; length < i.imm;) {
                const std::int32_t step = std::min(length, i.imm - length);
                const auto n = static_cast<std::int32_t>(distance) * step;
                shift_words<K>(y, x, n, w);
                for (unsigned k = 0; k < w; ++k) x[k] &= y[k];
                length += step;
            }
            for (unsigned k = 0; k < w; ++k) found[k] |= x[k];
        }
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = found[k];
    }
    static Word fill_up(Word reached, Word free, std::int32_t n, std::uint32_t doublings) {
        for (; doublings > 0; --doublings, n *= 2) {
            reached |= free & reached << n;
            free &= free << n;
        }
        return reached;
    }
    static Word fill_down(Word reached, Word free, std::int32_t n, std::uint32_t doublings) {
        for (; doublings > 0; --doublings, n *= 2) {
            reached |= free & reached >> n;
            free &= free >> n;
        }
        return reached;
    }
    // A flood in one direction, by doubling: what is reached in n steps over free places reaches n further where 2n lie
    // free in a row (a Kogge-Stone prefix; see "Fill Algorithms" in the Chess Programming Wiki). The number of
    // doublings is the board's, so that nothing has to be tested.
    template <bool From>
    static void fill(Word* f, const Instr& i, const ShiftList& list) {
        const auto& shift = list.shifts[0];
        if constexpr (K == 1) {
            const Word free = From || list.masked ? f[i.b] & f[shift.mask] : f[i.b];
            const Word start = From ? f[i.a] & f[i.b] : f[i.a];
            const Word reached = shift.distance > 0 ? fill_up(start, free, shift.distance, list.doublings)
                                                    : fill_down(start, free, -shift.distance, list.doublings);
            if (!From)
                f[i.d] = reached;
            else
                f[i.d] = f[i.a] | ((shift.distance > 0 ? reached << shift.distance : reached >> -shift.distance) &
                                   f[shift.mask]);
            return;
        }
        const unsigned w = width<K>(i);
        constexpr unsigned size = K > 0 ? K : max_words;
        Word reached[size] = {}, free[size], moved[size]; // GCC 12 takes the first for uninitialized
        for (unsigned k = 0; k < w; ++k) {
            reached[k] = From ? f[i.a + k] & f[i.b + k] : f[i.a + k];
            free[k] = From || list.masked ? f[i.b + k] & f[shift.mask + k] : f[i.b + k];
        }
        std::int32_t n = shift.distance;
        for (std::uint32_t round = 0; round < list.doublings; ++round, n *= 2) {
            shift_words<K>(moved, reached, n, w);
            for (unsigned k = 0; k < w; ++k) reached[k] |= free[k] & moved[k];
            if (round + 1 == list.doublings) break;
            shift_words<K>(moved, free, n, w);
            for (unsigned k = 0; k < w; ++k) free[k] &= moved[k];
        }
        if (From) {
            shift_words<K>(moved, reached, shift.distance, w);
            for (unsigned k = 0; k < w; ++k) reached[k] = f[i.a + k] | (moved[k] & f[shift.mask + k]);
        }
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = reached[k];
    }
    // From: steps leave from places of b (and land within the mask); to: steps land on places of b.
    template <bool From>
    static void flood(Word* f, const Instr& i, const Tables& tables) {
        const ShiftList& list = tables.shifts[i.c];
        if (list.shifts.size() == 1) return fill<From>(f, i, list);
        const unsigned w = width<K>(i);
        constexpr unsigned size = K > 0 ? K : max_words;
        Word all[size], within[size], source[size], moved[size];
        for (unsigned k = 0; k < w; ++k) {
            all[k] = f[i.a + k];
            within[k] = f[i.b + k];
        }
        for (bool grown = true; grown;) {
            Word change = 0;
            // Each direction goes on from what those before it have reached.
            for (const auto& shift : list.shifts) {
                for (unsigned k = 0; k < w; ++k) source[k] = From ? all[k] & within[k] : all[k];
                shift_words<K>(moved, source, shift.distance, w);
                for (unsigned k = 0; k < w; ++k) {
                    Word reached = moved[k] & (From ? f[shift.mask + k] : within[k]);
                    if (!From && list.masked) reached &= f[shift.mask + k];
                    change |= reached & ~all[k];
                    all[k] |= reached;
                }
            }
            grown = change != 0;
        }
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = all[k];
    }
    template <class F>
    static void each_member(const Word* set, unsigned w, F&& use) {
        for (unsigned k = 0; k < w; ++k)
            for (Word word = set[k]; word != 0; word &= word - 1)
                use(k * 64 + static_cast<unsigned>(std::countr_zero(word)));
    }
    // What lies beyond the nearest obstacle is masked out: in ascending order that is the lowest bit of the obstacles,
    // in descending order the highest.
    template <class F>
    static void ray_up(const Word* row, const Word* through, unsigned w, F&& put) { // put(k, word k of the ray)
        for (unsigned k = 0; k < w; ++k) {
            const Word obstacles = row[k] & ~through[k];
            put(k, row[k] & (obstacles ^ (obstacles - 1)));
            if (K != 1 && obstacles != 0) break;
        }
    }
    template <class F>
    static void ray_down(const Word* row, const Word* through, unsigned w, F&& put) {
        for (unsigned k = w; k-- > 0;) {
            const Word obstacles = row[k] & ~through[k];
            put(k, row[k] & (~Word{0} << (63 - std::countl_zero(obstacles | 1))));
            if (K != 1 && obstacles != 0) break;
        }
    }
    template <class F>
    static void each_ray(Word* f, const Instr& i, const RayTable& table, F&& put) {
        const unsigned w = width<K>(i);
        const Word* const through = f + i.b;
        each_member(f + i.a, w, [&](unsigned from) {
            const Word* row = table.rows.data() + std::size_t{from} * table.count * w;
            for (unsigned d = 0; d < table.up; ++d, row += w) ray_up(row, through, w, put);
            for (unsigned d = table.up; d < table.count; ++d, row += w) ray_down(row, through, w, put);
        });
    }
    // Places in sight from which a target is in sight the same way. Most directions have no target at all.
    [[gnu::noinline]] static void between(Word* f, const Instr& i, const Tables& tables) {
        const RayTable& table = tables.rays[static_cast<std::size_t>(i.imm)];
        const unsigned w = width<K>(i);
        const Word *const through = f + i.b, *const targets = f + i.c;
        Word out[K > 0 ? K : max_words] = {};
        const auto row_of = [&](std::size_t from, unsigned d) {
            return table.rows.data() + (from * table.count + d) * w;
        };
        const auto look = [&](const Word* row, unsigned d, auto&& put) {
            d < table.up ? ray_up(row, through, w, put) : ray_down(row, through, w, put);
        };
        each_member(f + i.a, w, [&](unsigned from) {
            for (unsigned d = 0; d < table.count; ++d) {
                const Word* const row = row_of(from, d);
                Word aligned = 0;
                for (unsigned k = 0; k < w; ++k) aligned |= row[k] & targets[k];
                if (aligned == 0) continue;
                Word seen[K > 0 ? K : max_words] = {};
                look(row, d, [&](unsigned k, Word ray) { seen[k] = ray; });
                each_member(seen, w, [&](unsigned place) {
                    bool met = false;
                    look(row_of(place, d), d, [&](unsigned k, Word ray) { met = met || (ray & targets[k]) != 0; });
                    if (met) put(out, static_cast<std::int64_t>(place));
                });
            }
        });
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = out[k];
    }
    [[gnu::noinline]] static Word count_image(Word* f, const Instr& i, const Tables& tables) {
        const Word* const rows = tables.sets[i.c].data();
        const unsigned w = width<K>(i);
        Word total = 0;
        each_member(f + i.a, w, [&](unsigned from) {
            for (unsigned k = 0; k < w; ++k)
                total += static_cast<Word>(std::popcount(rows[std::size_t{from} * w + k] & f[i.b + k]));
        });
        return total;
    }
    static void rays(Word* f, const Instr& i, const Tables& tables) {
        Word out[K > 0 ? K : max_words] = {};
        each_ray(f, i, tables.rays[i.c], [&](unsigned k, Word ray) { out[k] |= ray; });
        for (unsigned k = 0; k < width<K>(i); ++k) f[i.d + k] = out[k];
    }
    [[gnu::noinline]] static Word count_rays(Word* f, const Instr& i, const Tables& tables) {
        Word total = 0;
        each_ray(f, i, tables.rays[static_cast<std::size_t>(i.imm)],
                 [&](unsigned k, Word ray) { total += static_cast<Word>(std::popcount(ray & f[i.c + k])); });
        return total;
    }
    static void image(Word* f, const Instr& i, const Tables& tables) {
        const Word* const rows = tables.sets[i.c].data();
        const unsigned w = width<K>(i);
        Word out[K > 0 ? K : max_words] = {};
        each_member(f + i.a, w, [&](unsigned from) {
            for (unsigned k = 0; k < w; ++k) out[k] |= rows[std::size_t{from} * w + k];
        });
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = out[k];
    }
    static void gather(Word* f, const Instr& i, const std::int64_t* table, std::int32_t bits) {
        const unsigned w = width<K>(i);
        Word out[K > 0 ? K : max_words] = {};
        for (std::int32_t v = 0; v < bits; ++v)
            if (table[v] >= 0 && has(f + i.a, table[v], bits)) put(out, v);
        for (unsigned k = 0; k < w; ++k) f[i.d + k] = out[k];
    }
    static void above(Word* f, const Instr& i) {
        const auto bound = static_cast<std::int64_t>(f[i.b]);
        Word out[K > 0 ? K : max_words] = {};
        for (std::int32_t v = 0; v < i.imm; ++v)
            out[v / 64] |= Word{static_cast<std::int64_t>(f[i.a + v]) > bound} << (v % 64);
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
    static void emit(const Word* f, const Instr& i, const RecordShape& shape, Records& records) {
        const Word members = count(f, i);
        if (members == 0) return;
        const unsigned w = width<K>(i);
        const std::size_t length = 1 + shape.kept.size() + w;
        if (static_cast<std::size_t>(records.limit - records.next) < length) records.grow(length);
        Word* to = records.next;
        *to++ = static_cast<Word>(i.imm) | members << 32;
        for (const Reg kept : shape.kept) *to++ = f[kept];
        for (unsigned k = 0; k < w; ++k) *to++ = f[i.a + k];
        records.next = to;
        records.total += members;
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
    // The member of that number of a set, and what goes with it. The instruction to go on with.
    static std::uint32_t go_on(Word* f, const Instr& i, const Drawing& drawing, std::size_t p, Word member) {
        const auto& part = drawing.parts[p];
        f[i.d] = drawing.first + p;
        f[i.d + 1] = member;
        for (const auto& given : part.given)
            f[given.reg] = (given.from_member ? member : 0) + static_cast<Word>(given.number);
        return part.target;
    }
    // The instruction to go on with; 0: there is nothing to draw. The two ways to draw are kept apart, and out of the
    // loop that runs byte code, so that the short one saves no registers for the long one.
    [[gnu::noinline]] static std::uint32_t draw_one(Word* f, const Instr& i, const Drawing& drawing) {
        const Word word = f[drawing.parts.front().set];
        if (word == 0) return 0;
        const auto members = static_cast<std::uint32_t>(std::popcount(word));
        return go_on(f, i, drawing, 0, nth_bit(word, Random::below(f + i.a, members)));
    }
    [[gnu::always_inline]] static std::uint32_t draw(Word* f, const Instr& i, const Bytecode& code,
                                                     const Records& records) {
        const Drawing& drawing = code.drawings[static_cast<std::size_t>(i.imm)];
        if (K == 1 && drawing.parts.size() == 1 && !drawing.records()) return draw_one(f, i, drawing);
        return draw_any(f, i, drawing, code, records);
    }
    [[gnu::noinline]] static std::uint32_t draw_any(Word* f, const Instr& i, const Drawing& drawing,
                                                    const Bytecode& code, const Records& records) {
        auto total = static_cast<unsigned>(drawing.records() ? records.total : 0);
        for (const auto& part : drawing.parts) {
            unsigned here = 0;
            for (unsigned k = 0; k < words_of(part); ++k) here += static_cast<unsigned>(std::popcount(f[part.set + k]));
            total += part.weight == 0 ? here : here * static_cast<unsigned>(f[part.weight]);
        }
        if (total == 0) return 0;
        unsigned number = Random::below(f + i.a, total);
        for (std::size_t p = 0; p < drawing.parts.size(); ++p) {
            const auto& part = drawing.parts[p];
            for (unsigned k = 0; k < words_of(part); ++k) {
                const Word word = f[part.set + k];
                const unsigned each = part.weight == 0 ? 1 : static_cast<unsigned>(f[part.weight]);
                const unsigned here = static_cast<unsigned>(std::popcount(word)) * each;
                if (number < here)
                    return go_on(f, i, drawing, p, k * 64 + nth_bit(word, part.weight == 0 ? number : number / each));
                number -= here;
            }
        }
        return draw_record(f, i, code, records, number);
    }
    static std::uint32_t draw_record(Word* f, const Instr& i, const Bytecode& code, const Records& records,
                                     unsigned number) {
        const RecordMember member = record_member(records, code.shapes, number);
        const RecordShape& shape = code.shapes[static_cast<std::uint32_t>(*member.record)];
        f[i.d] = from_record + static_cast<Word>(member.record - records.words.get());
        f[i.d + 1] = member.bit;
        for (std::size_t k = 0; k < shape.kept.size(); ++k) f[shape.kept[k]] = member.record[1 + k];
        return shape.target;
    }
    [[gnu::noinline]] static void load_words(Word* f, const Instr& i) {
        copy_words(f + i.d, reinterpret_cast<const Word*>(f[i.a]) + i.imm, width<K>(i));
    }
    [[gnu::noinline]] static void store_words(const Word* f, const Instr& i) {
        copy_words(reinterpret_cast<Word*>(f[i.b]) + i.imm, f + i.a, width<K>(i));
    }
    // The instruction to go on with; 0: nothing is left.
    [[gnu::noinline]] static std::uint32_t take(Word* f, const Instr& i, const Bytecode& code, Records& records) {
        const Drawing& drawing = code.drawings[static_cast<std::size_t>(i.imm)];
        Word* const memory = reinterpret_cast<Word*>(f[i.a]);
        for (std::size_t p = 0; p < drawing.parts.size(); ++p) {
            const auto& part = drawing.parts[p];
            for (unsigned k = 0; k < words_of(part); ++k) {
                Word& word = memory[part.set + k];
                if (word == 0) continue;
                const unsigned member = k * 64 + static_cast<unsigned>(std::countr_zero(word));
                word &= word - 1;
                return go_on(f, i, drawing, p, member);
            }
        }
        return drawing.records() ? take_record(f, i, code, records) : 0;
    }
    // Where an opcode fixes the width, all sets of the drawing have it.
    static unsigned words_of(const Drawing::Part& part) { return K > 0 ? static_cast<unsigned>(K) : part.words; }
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

} // namespace zug::run

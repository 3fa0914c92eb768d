#pragma once
// Operations that follow the directions of a board: runs, floods, rays, and images under tables.

#include "bytecode/vm_words.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

// K as in width().
template <int K>
struct SpatialOps {
    static void runs(Word* f, const Instr& i, const Tables& tables) {
        const unsigned w = width<K>(i);
        Word x[K > 0 ? K : max_words], y[K > 0 ? K : max_words], found[K > 0 ? K : max_words] = {};
        for (const std::int64_t distance : tables.words[i.c]) {
            for (unsigned k = 0; k < w; ++k) x[k] = f[i.a + k];
            // x holds the ends of runs of `length`. Each step at most doubles the length.
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
    // A flood in one direction, by doubling: what was reached in n steps over free sites reaches n sites further where
    // 2n sites in a row are free (a Kogge-Stone prefix; see "Fill Algorithms" in the Chess Programming Wiki). The
    // number of doublings is that of the board's longest line, so no test for a fixpoint is needed.
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
    // From: steps leave from sites of b, and land within the shift's mask. Otherwise: steps land on sites of b.
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
            // Each direction continues from what the directions before it have reached in this round.
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
    // Sites beyond the nearest obstacle are masked out. That is the lowest bit of the obstacles in an ascending
    // direction, the highest in a descending one.
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
    // Sites in sight from which a target is in sight in the same direction. Directions without any target, which are
    // most, are skipped first.
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
                each_member(seen, w, [&](unsigned site) {
                    bool met = false;
                    look(row_of(site, d), d, [&](unsigned k, Word ray) { met = met || (ray & targets[k]) != 0; });
                    if (met) put(out, static_cast<std::int64_t>(site));
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
};

} // namespace zug::run

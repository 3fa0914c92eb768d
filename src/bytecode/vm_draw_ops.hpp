#pragma once
// Records, and choosing a member of sets and records: the operations that need more than the frame.

#include "base/nth_bit.hpp"
#include "base/random.hpp"
#include "bytecode/vm.hpp"
#include "bytecode/vm_set_ops.hpp"
#include "bytecode/vm_words.hpp"

#include <bit>

namespace zug::run {

// Removes the member that was drawn last from its set or record.
inline void undraw(Word* f, const Instr& i, const Bytecode& code, Records& records) {
    const Drawing& drawing = code.drawings[static_cast<std::size_t>(i.imm)];
    const auto member = static_cast<std::int64_t>(f[i.d + 1]);
    if (f[i.d] < from_record) return drop(f + drawing.parts[f[i.d] - drawing.first].set, member);
    Word* const record = records.words.get() + (f[i.d] - from_record);
    drop(record + 1 + code.shapes[static_cast<std::uint32_t>(*record)].kept.size(), member);
    *record -= Word{1} << 32;
    --records.total;
}

// A member of a record's set.
struct RecordMember {
    Word* record;
    std::uint32_t bit;
};

// Member `number`, counted from 0, of the sets of all records taken together.
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

// Removes the first member from the records and restores the registers that its record keeps. Returns the instruction
// to continue at; 0: no member is left.
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

// K as in width().
template <int K>
struct DrawOps {
    static void emit_record(const Word* f, const Instr& i, const RecordShape& shape, Records& records) {
        const Word members = SetOps<K>::count(f, i);
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
    // Assigns a member of set p of a drawing and the registers given with it. Returns the instruction to continue at.
    static std::uint32_t go_on(Word* f, const Instr& i, const Drawing& drawing, std::size_t p, Word member) {
        const auto& part = drawing.parts[p];
        f[i.d] = drawing.first + p;
        f[i.d + 1] = member;
        for (const auto& given : part.given)
            f[given.reg] = (given.from_member ? member : 0) + static_cast<Word>(given.number);
        return part.target;
    }
    // Returns the instruction to continue at; 0: there is nothing to draw. The common case, a single set of one word,
    // has a function of its own, out of line, so that it need not save the registers that the general one uses.
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
    // Returns the instruction to continue at; 0: no member is left.
    [[gnu::noinline]] static std::uint32_t take_first(Word* f, const Instr& i, const Bytecode& code, Records& records) {
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
    // If the opcode fixes the width, all sets of the drawing have it.
    static unsigned words_of(const Drawing::Part& part) { return K > 0 ? static_cast<unsigned>(K) : part.words; }
};

} // namespace zug::run

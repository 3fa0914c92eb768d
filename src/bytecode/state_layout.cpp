#include "bytecode/state_layout.hpp"

#include "base/copy_words.hpp"
#include "base/narrow.hpp"
#include "bytecode/byte_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace zug::run {
namespace {

std::uint16_t words_for(std::uint64_t bits) {
    return narrow<std::uint16_t>(std::max<std::uint64_t>(1, (bits + 63) / 64));
}

} // namespace

StateLayout::StateLayout(const ir::Program& program) : program_(program), types_(program.types) {
    for (std::size_t b = 0; b < program.boards.size(); ++b) {
        boards_.push({});
        lay_out_board(static_cast<ir::BoardId>(b));
    }
    if (!boards_.empty()) main_words_ = boards_[ir::BoardId{}].words;
    // Word 0 is unused, so that register 0, the default of instruction fields, never names a value by accident. A state
    // with more words than there are registers is not compiled.
    std::uint32_t next = 1;
    const IdVector<ir::StateId, AddedRange> added = added_ranges(program);
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        order_indices(program.states[static_cast<ir::StateId>(s)]);
        VariableLayout layout = choose(static_cast<ir::StateId>(s), added[static_cast<ir::StateId>(s)]);
        if (layout.words == 0 || layout.storage != Storage::Word) {
            layout.reg = saturated<Reg>(next);
            next += layout.words;
        }
        variables_.push(layout);
    }
    first_scalar_ = next;
    turn_ = saturated<Reg>(next++);
    add_scalar(turn_, program.player_type);
    if (program.keeps_last) {
        last_ = saturated<Reg>(next++);
        add_scalar(last_, program.player_type);
    }
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        VariableLayout& layout = variables_[static_cast<ir::StateId>(s)];
        if (layout.words == 0 || layout.storage != Storage::Word) continue;
        layout.reg = saturated<Reg>(next++);
        add_scalar(layout.reg, program.states[static_cast<ir::StateId>(s)].value);
    }
    state_words_ = next;
}

void StateLayout::add_scalar(Reg reg, ir::TypeId type) {
    const bool optional = types_.kind(type) == ir::TypeKind::Optional;
    const ir::TypeId inner = optional ? types_.inner(type) : type;
    const ir::Type& t = types_[inner];
    const std::uint64_t values = t.kind == ir::TypeKind::Site ? shape(inner).bits : types_.cardinality(inner);
    const auto bits = static_cast<std::uint32_t>(std::bit_width(values - 1 + (optional ? 1 : 0)));
    std::uint32_t shift = scalars_.empty() ? 0U : scalars_.back().shift + 0U + scalars_.back().bits;
    // One of no bits needs a word with a bit left, too: numbers can't be shifted by 64.
    if (scalars_.empty() || shift + std::max(bits, 1U) > 64) {
        shift = 0;
        ++packed_words_;
    }
    scalars_.push_back({reg, saturated<std::uint16_t>(packed_words_ - 1), narrow<std::uint8_t>(shift),
                        narrow<std::uint8_t>(bits), optional, t.kind == ir::TypeKind::Int ? t.lo : 0});
}

void StateLayout::pack(const std::uint64_t* frame, std::uint64_t* stored) const {
    copy_words(frame + 1, first_scalar_ - 1, stored);
    std::uint64_t* const packed = stored + first_scalar_ - 1;
    std::uint64_t word = 0;
    std::uint16_t at = 0; // each word is written once, since a load right after partial stores would stall
    for (const PackedScalar& s : scalars_) {
        if (s.word != at) {
            packed[at] = std::exchange(word, 0);
            at = s.word;
        }
        const auto value = static_cast<std::int64_t>(frame[s.reg]);
        if (s.optional && value == ir::none) continue;
        word |= static_cast<std::uint64_t>(value - s.low + (s.optional ? 1 : 0)) << s.shift;
    }
    packed[at] = word;
}

void StateLayout::unpack(const std::uint64_t* stored, std::uint64_t* frame) const {
    copy_words(stored, first_scalar_ - 1, frame + 1);
    const std::uint64_t* const packed = stored + first_scalar_ - 1;
    for (const PackedScalar& s : scalars_) {
        const std::uint64_t ordinal = packed[s.word] >> s.shift & ((std::uint64_t{1} << s.bits) - 1);
        const auto value = static_cast<std::int64_t>(ordinal) + s.low - (s.optional ? 1 : 0);
        frame[s.reg] = static_cast<std::uint64_t>(s.optional && ordinal == 0 ? ir::none : value);
    }
}

void StateLayout::lay_out_board(ir::BoardId id) {
    const ir::Board& board = program_.boards[id];
    BoardLayout& layout = boards_[id];
    const bool grid = board.shape == ir::BoardShape::Grid || board.shape == ir::BoardShape::Rhombus ||
                      board.shape == ir::BoardShape::Hexagon;
    std::uint32_t stride = 0;
    if (grid) {
        const auto width = static_cast<std::uint32_t>(board.width), height = static_cast<std::uint32_t>(board.height);
        const std::uint32_t padded = (width + 1) * (height - 1) + width;
        stride = words_for(padded) == words_for(std::uint64_t{width} * height) ? width + 1 : width;
    }
    for (std::size_t s = 0; s < board.sites.size(); ++s) {
        const ir::Site& site = board.sites[s];
        const std::uint32_t bit =
            grid ? static_cast<std::uint32_t>(site.y - 1) * stride + static_cast<std::uint32_t>(site.x - 1)
                 : static_cast<std::uint32_t>(s);
        layout.bit_of_site.push_back(static_cast<std::int32_t>(bit));
        layout.bits = std::max(layout.bits, bit + 1);
    }
    layout.site_of_bit.assign(layout.bits, -1);
    for (std::size_t s = 0; s < board.sites.size(); ++s)
        layout.site_of_bit[static_cast<std::size_t>(layout.bit_of_site[s])] = static_cast<std::int32_t>(s);
    layout.words = words_for(layout.bits);
}

SetShape StateLayout::shape(ir::TypeId element) const {
    const ir::Type& type = types_[element];
    if (type.kind == ir::TypeKind::Site) {
        const BoardLayout& board = boards_[static_cast<ir::BoardId>(type.ref)];
        return {board.bits, board.words, static_cast<std::int32_t>(type.ref)};
    }
    const std::uint64_t bits = types_.cardinality(element);
    return {narrow<std::uint32_t>(bits), words_for(bits), -1};
}

std::uint32_t StateLayout::index_radix(ir::TypeId index) const { return shape(index).bits; }

namespace {

bool is_matrix(const ir::TypeTable& types, const std::vector<ir::TypeId>& indices) {
    return indices.size() > 1 && std::ranges::all_of(indices, [&](ir::TypeId index) {
               return types.kind(index) == ir::TypeKind::Int || types.kind(index) == ir::TypeKind::Enum;
           });
}

} // namespace

// Planes of several rows are not longer than this, nor than an entry a word.
constexpr std::uint64_t most_row_words = 4096;

namespace {

// So few numbers are read and changed faster as words.
constexpr std::uint32_t most_kept_as_words = 4;

// Whether numbers of the type are kept in bytes. A sum that leaves a byte's range stays at its end: where all that a
// block adds has one sign, the total is then out of the type's range as well, which is a fault.
bool fits_bytes(const ir::Type& type, const AddedRange& added) {
    constexpr auto low = std::int64_t{INT8_MIN};
    constexpr auto high = std::int64_t{INT8_MAX};
    if (type.kind != ir::TypeKind::Int || type.lo <= low || type.hi >= high) return false;
    return added.least == 0 || added.most == 0 || (type.lo + added.least >= low && type.hi + added.most <= high);
}

} // namespace

VariableLayout StateLayout::choose(ir::StateId id, const AddedRange& added) const {
    const ir::StateVariable& variable = program_.states[id];
    const std::vector<ir::TypeId>& indices = indices_[id];
    VariableLayout layout;
    if (!variable.assigned) { // a constant table: its reads are folded, so the state need not hold it
        layout.words = 0;
        return layout;
    }
    const bool is_set = types_.kind(variable.value) == ir::TypeKind::Set;
    if (is_set) layout.set_words = shape(types_.inner(variable.value)).words;
    if (indices.empty()) {
        layout.storage = is_set ? Storage::Set : Storage::Word;
        layout.words = is_set ? layout.set_words : 1;
        return layout;
    }
    for (ir::TypeId index : indices) layout.slots *= index_radix(index);
    if (is_set) {
        layout.storage = Storage::Sets;
        layout.words = layout.slots * layout.set_words;
        return layout;
    }
    const std::uint64_t values = types_.cardinality(variable.value);
    const bool number = types_.kind(variable.value) == ir::TypeKind::Int;
    const SetShape row = shape(indices.back());
    const std::uint64_t rows = layout.slots / row.bits, words = (values - 1) * rows * row.words;
    const bool small = words <= layout.slots && words <= most_row_words;
    const bool fits = indices.size() > 1 ? small : row.board >= 0 || (small && !number);
    if (fits && !added.any && values <= (number ? 8U : 40U)) {
        layout.storage = Storage::Planes;
        layout.planes = static_cast<std::uint32_t>(values - 1);
        layout.rows = static_cast<std::uint32_t>(rows);
        layout.matrix = is_matrix(types_, indices) && row.words == 1;
        layout.row_entries = layout.matrix ? row.bits : 64U * row.words;
        layout.row_words = row.words;
        layout.set_words = layout.matrix ? words_for(layout.slots) : narrow<std::uint16_t>(rows * row.words);
        layout.words = layout.planes * layout.set_words;
        return layout;
    }
    if (layout.slots > most_kept_as_words && fits_bytes(types_[variable.value], added)) {
        layout.storage = Storage::Bytes;
        layout.rows = static_cast<std::uint32_t>(rows);
        layout.row_words = bytes_to_words(row.bits);
        layout.row_entries = rows > 1 ? 8U * layout.row_words : row.bits;
        layout.slots = layout.rows * layout.row_entries;
        layout.words = layout.rows * layout.row_words;
        return layout;
    }
    layout.storage = Storage::Words;
    layout.words = layout.slots;
    return layout;
}

std::int64_t StateLayout::to_register(ir::TypeId type, std::int64_t value) const {
    if (value == ir::none) return value;
    const ir::Type& t = types_[type];
    if (t.kind == ir::TypeKind::Optional) return to_register(t.parts[0], value);
    if (t.kind != ir::TypeKind::Site) return value;
    return boards_[static_cast<ir::BoardId>(t.ref)].bit_of_site[static_cast<std::size_t>(value)];
}

std::int64_t StateLayout::from_register(ir::TypeId type, std::int64_t word) const {
    if (word == ir::none) return word;
    const ir::Type& t = types_[type];
    if (t.kind == ir::TypeKind::Optional) return from_register(t.parts[0], word);
    if (t.kind != ir::TypeKind::Site) return word;
    return boards_[static_cast<ir::BoardId>(t.ref)].site_of_bit[static_cast<std::size_t>(word)];
}

std::uint64_t StateLayout::bit(ir::TypeId type, std::int64_t value) const {
    if (types_.kind(type) == ir::TypeKind::Site) return static_cast<std::uint64_t>(to_register(type, value));
    return *types_.ordinal(type, value);
}

std::int64_t StateLayout::value_of_bit(ir::TypeId type, std::uint64_t bit) const {
    const ir::Type& t = types_[type];
    if (t.kind == ir::TypeKind::Site) {
        const std::int32_t site = boards_[static_cast<ir::BoardId>(t.ref)].site_of_bit[bit];
        return site < 0 ? ir::none : site;
    }
    return types_.value(type, bit);
}

std::vector<std::uint64_t> StateLayout::words(ir::TypeId element, const Bits& set) const {
    std::vector<std::uint64_t> result(shape(element).words, 0);
    for_each_bit(set, [&](std::size_t ordinal) {
        const std::uint64_t b = bit(element, types_.value(element, ordinal));
        result[b / 64] |= std::uint64_t{1} << (b % 64);
    });
    return result;
}

namespace {

struct SetAccess {
    const StateLayout& layout;
    ir::TypeId element;
    std::uint64_t count;

    void load(std::span<const std::uint32_t> slots, std::uint64_t* words, const ir::TypeTable& types) const {
        for (std::uint64_t o = 0; o < count; ++o) {
            const std::uint64_t b = layout.bit(element, types.value(element, o));
            if (slots[o] != 0) words[b / 64] |= std::uint64_t{1} << (b % 64);
        }
    }
    void store(const std::uint64_t* words, std::uint32_t* slots, const ir::TypeTable& types) const {
        for (std::uint64_t o = 0; o < count; ++o) {
            const std::uint64_t b = layout.bit(element, types.value(element, o));
            slots[o] = static_cast<std::uint32_t>(words[b / 64] >> (b % 64) & 1);
        }
    }
};

// What an entry of a map in Words or Bytes holds.
std::int64_t entry_word(const VariableLayout& at, const std::uint64_t* base, std::uint32_t entry) {
    return at.storage == Storage::Bytes ? byte_at(base, entry) : static_cast<std::int64_t>(base[entry]);
}

} // namespace

void StateLayout::load(std::span<const std::uint32_t> slots, std::uint64_t* words) const {
    std::fill(words, words + state_words_, 0);
    for (std::size_t s = 0; s < program_.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& variable = program_.states[id];
        if (!variable.assigned) continue;
        const VariableLayout& at = variables_[id];
        const auto own = slots.subspan(variable.first_slot, variable.initial.size());
        std::uint64_t* const base = words + at.reg;
        const auto word = [&](std::uint32_t slot) {
            return static_cast<std::uint64_t>(to_register(variable.value, types_.value(variable.value, slot)));
        };
        if (at.storage == Storage::Word) {
            base[0] = word(own[0]);
        } else if (at.storage == Storage::Set || at.storage == Storage::Sets) {
            const SetAccess access{*this, types_.inner(variable.value),
                                   types_.cardinality(types_.inner(variable.value))};
            if (at.storage == Storage::Set)
                access.load(own, base, types_);
            else
                for_each_entry(id, [&](std::uint32_t entry, std::uint32_t number) {
                    access.load(own.subspan(number * access.count, access.count), base + entry * at.set_words, types_);
                });
        } else {
            for_each_entry(id, [&](std::uint32_t entry, std::uint32_t number) {
                if (at.storage == Storage::Words)
                    base[entry] = word(own[number]);
                else if (at.storage == Storage::Bytes)
                    set_byte(base, entry, static_cast<std::int64_t>(word(own[number])));
                else if (own[number] != 0)
                    base[(own[number] - 1) * at.set_words + entry / 64] |= std::uint64_t{1} << (entry % 64);
            });
        }
    }
    words[turn_] = slots[program_.slot_count];
    if (program_.keeps_last) words[last_] = slots[program_.slot_count + 1];
}

void StateLayout::store(const std::uint64_t* words, std::vector<std::uint32_t>& slots) const {
    slots.assign(program_.total_slots(), 0);
    for (std::size_t s = 0; s < program_.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& variable = program_.states[id];
        std::uint32_t* const own = slots.data() + variable.first_slot;
        if (!variable.assigned) {
            std::copy(variable.initial.begin(), variable.initial.end(), own);
            continue;
        }
        const VariableLayout& at = variables_[id];
        const std::uint64_t* const base = words + at.reg;
        const auto slot = [&](std::int64_t word) {
            const std::int64_t value = from_register(variable.value, word);
            return static_cast<std::uint32_t>(types_.ordinal(variable.value, value).value_or(0));
        };
        if (at.storage == Storage::Word) {
            own[0] = slot(static_cast<std::int64_t>(base[0]));
        } else if (at.storage == Storage::Set || at.storage == Storage::Sets) {
            const SetAccess access{*this, types_.inner(variable.value),
                                   types_.cardinality(types_.inner(variable.value))};
            if (at.storage == Storage::Set)
                access.store(base, own, types_);
            else
                for_each_entry(id, [&](std::uint32_t entry, std::uint32_t number) {
                    access.store(base + entry * at.set_words, own + number * access.count, types_);
                });
        } else {
            for_each_entry(id, [&](std::uint32_t entry, std::uint32_t number) {
                if (at.storage != Storage::Planes) {
                    own[number] = slot(entry_word(at, base, entry));
                    return;
                }
                for (std::uint32_t p = 0; p < at.planes; ++p)
                    if ((base[p * at.set_words + entry / 64] >> (entry % 64) & 1) != 0) own[number] = p + 1;
            });
        }
    }
    slots[program_.slot_count] = static_cast<std::uint32_t>(words[turn_]);
    if (program_.keeps_last) slots[program_.slot_count + 1] = static_cast<std::uint32_t>(words[last_]);
}

void StateLayout::read_map(const std::uint64_t* words, ir::StateId map, std::span<std::uint32_t> out) const {
    const ir::StateVariable& variable = program_.states[map];
    if (!variable.assigned) {
        std::copy_n(variable.initial.begin(), out.size(), out.begin());
        return;
    }
    const VariableLayout& at = variables_[map];
    const BoardLayout& board = boards_[static_cast<ir::BoardId>(types_[variable.indices[0]].ref)];
    const std::uint64_t* const base = words + at.reg;
    const ir::Type& type = types_[variable.value];
    if (at.storage != Storage::Planes) {
        for (std::size_t site = 0; site < out.size(); ++site) {
            const std::int64_t word = entry_word(at, base, static_cast<std::uint32_t>(board.bit_of_site[site]));
            out[site] = static_cast<std::uint32_t>(
                type.kind == ir::TypeKind::Int
                    ? static_cast<std::uint64_t>(word - type.lo)
                    : types_.ordinal(variable.value, from_register(variable.value, word)).value_or(0));
        }
        return;
    }
    std::ranges::fill(out, 0U);
    for (std::uint32_t p = 0; p < at.planes; ++p)
        for (std::uint32_t w = 0; w < at.set_words; ++w)
            for (std::uint64_t rest = base[p * at.set_words + w]; rest != 0; rest &= rest - 1) {
                const std::uint32_t bit = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
                out[static_cast<std::size_t>(board.site_of_bit[bit])] = p + 1;
            }
}

} // namespace zug::run

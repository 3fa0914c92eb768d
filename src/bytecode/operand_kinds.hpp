#pragma once
// What each field of an instruction is: for whoever reads byte code without running it (the disassembler, a
// translator).

#include "bytecode/bytecode.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace zug::run {

enum class Operand : std::uint8_t {
    None, // not used
    // Registers. A set is Instr::w words; Sets and Words are imm sets or words in a row.
    Word,
    Real,
    Set,
    Sets,
    Words,
    ToWord,
    ToReal,
    ToSet,
    ToAnswer, // as wide as the value of the question's expression
    OnSet,    // On...: read and written
    OnSets,
    OnWords,
    OnWord,
    ToDrawn,   // two words: the number of a case, and a member of its set
    Drawn,     // the same, read
    Generator, // four words
    // Numbers of entries: of Tables, of Code::places, Code::shapes (whose registers are read) and Code::questions (the
    // same)
    WordTable,
    SetTable,
    Shifts,
    Rays,
    Place,
    Shape,
    Question,
    Labels,  // of Tables::words: instructions
    Drawing, // of Code::drawings, whose sets are read, and whose registers that are given are written
    // Plain numbers
    Number,
    Bits,   // how many places the set has
    Label,  // an instruction
    Result, // of the routine
    Turn,   // 1 again, 2 next; Code::turn_reg and turned_reg are read and written
};

constexpr bool is_register(Operand o) { return o > Operand::None && o < Operand::WordTable; }
constexpr bool reads(Operand o) {
    return is_register(o) && o != Operand::ToDrawn && (o < Operand::ToWord || o > Operand::ToAnswer);
}
constexpr bool writes(Operand o) { return is_register(o) && o != Operand::Drawn && o >= Operand::ToWord; }

enum class OpWidth : std::uint8_t { Word, One, Main, Any }; // not on sets, or in how many words (see code_ops.def)

struct OpSignature {
    std::string_view name; // without the width
    OpWidth width = OpWidth::Word;
    std::string_view text; // what it does, the fields named d, a, b, c and imm (Bits may go without saying)
    Operand d = Operand::None, a = Operand::None, b = Operand::None, c = Operand::None, imm = Operand::None;
};

namespace signature {

struct Fields {
    Operand d = Operand::None, a = Operand::None, b = Operand::None, c = Operand::None, imm = Operand::None;
};

// In the order of Opcode: a row for each width.
inline constexpr auto table = [] {
    using enum Operand;
    constexpr auto row = [](std::string_view name, OpWidth width, std::string_view text, Fields f) {
        return OpSignature{name, width, text, f.d, f.a, f.b, f.c, f.imm};
    };
    return std::to_array<OpSignature>({
// clang-format off
#define WORD_OP(name, text, ...) row(#name, OpWidth::Word, text, Fields{__VA_ARGS__}),
#define SET_OP(name, text, ...) row(#name, OpWidth::One, text, Fields{__VA_ARGS__}), \
    row(#name, OpWidth::Main, text, Fields{__VA_ARGS__}), row(#name, OpWidth::Any, text, Fields{__VA_ARGS__}),
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
        // clang-format on
    });
}();

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Where the text names the field, as a word of its own, from `from` on; npos: nowhere.
constexpr std::size_t find(std::string_view text, std::string_view field, std::size_t from = 0) {
    for (std::size_t at = text.find(field, from); at != std::string_view::npos; at = text.find(field, at + 1))
        if ((at == 0 || !is_letter(text[at - 1])) &&
            (at + field.size() == text.size() || !is_letter(text[at + field.size()])))
            return at;
    return std::string_view::npos;
}

constexpr bool names_its_fields(const OpSignature& s) {
    const auto named = [&](std::string_view field) { return find(s.text, field) != std::string_view::npos; };
    return named("d") == (s.d != Operand::None) && named("a") == (s.a != Operand::None) &&
           named("b") == (s.b != Operand::None) && named("c") == (s.c != Operand::None) &&
           (named("imm") == (s.imm != Operand::None) || s.imm == Operand::Bits);
}

constexpr bool all_named() {
    for (const OpSignature& s : table)
        if (!names_its_fields(s)) return false;
    return true;
}
static_assert(all_named(), "some op's text names a field that it doesn't use, or leaves one out that it does");

} // namespace signature

constexpr const OpSignature& signature_of(Opcode op) { return signature::table[static_cast<std::size_t>(op)]; }

} // namespace zug::run

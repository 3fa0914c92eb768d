#pragma once
// What each field of an instruction means, for those that read byte code without running it: the disassembler, the
// compiler, the translators to machine code.

#include "bytecode/bytecode.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace zug::run {

enum class Operand : std::uint8_t {
    None, // not used
    // Registers. A set is Instr::w words; Sets, Words and Bytes are imm consecutive sets, words or bytes. To...:
    // written, On...: read and written, others: read.
    Word,
    Real,
    Set,
    Sets,
    Words,
    Bytes,
    ToWord,
    ToReal,
    ToSet,
    ToAnswer, // as wide as the value of the question's expression
    OnSet,
    OnSets,
    OnWords,
    OnBytes,
    OnWord,
    ToDrawn,   // two words: the number of a set of a drawing, and a member of it
    Drawn,     // the same
    Generator, // four words, the state of base/random.hpp
    // Indices: into Tables; Bytecode::check_names; Bytecode::shapes, whose registers are read; Bytecode::questions,
    // whose registers are read.
    WordTable,
    SetTable,
    Shifts,
    Rays,
    CheckName,
    Shape,
    Question,
    Labels,  // into Tables::words, whose entries are instructions
    Drawing, // into Bytecode::drawings, whose sets are read and whose given registers are written
    // Numbers.
    Number,
    Bits,   // the size of the set's universe
    Label,  // an instruction
    Result, // of the routine
    Turn,   // 1 again, 2 next; Bytecode::turn_reg and turned_reg are read and written
};

constexpr bool is_register(Operand o) { return o > Operand::None && o < Operand::WordTable; }
constexpr bool reads(Operand o) {
    return is_register(o) && o != Operand::ToDrawn && (o < Operand::ToWord || o > Operand::ToAnswer);
}
constexpr bool writes(Operand o) { return is_register(o) && o != Operand::Drawn && o >= Operand::ToWord; }

// Word: not an operation on sets. Else the width of the sets: _1, _M, _N of opcodes.def.
enum class OpWidth : std::uint8_t { Word, One, Main, Any };

struct OpSignature {
    std::string_view name; // without the width
    Operation operation{};
    OpWidth width = OpWidth::Word;
    std::string_view text; // names each field that is used: d, a, b, c, imm (imm may be left out if it is Bits)
    Operand d = Operand::None, a = Operand::None, b = Operand::None, c = Operand::None, imm = Operand::None;
};

namespace signature {

struct Fields {
    Operand d = Operand::None, a = Operand::None, b = Operand::None, c = Operand::None, imm = Operand::None;
};

// By Opcode.
inline constexpr auto table = [] {
    using enum Operand;
    constexpr auto row = [](std::string_view name, Operation operation, OpWidth width, std::string_view text,
                            const Fields& f) {
        return OpSignature{name, operation, width, text, f.d, f.a, f.b, f.c, f.imm};
    };
    return std::to_array<OpSignature>({
// clang-format off
#define WORD_OP(name, text, ...) row(#name, Operation::name, OpWidth::Word, text, Fields{__VA_ARGS__}),
#define SET_OP(name, text, ...) \
    row(#name, Operation::name, OpWidth::One, text, Fields{__VA_ARGS__}), \
    row(#name, Operation::name, OpWidth::Main, text, Fields{__VA_ARGS__}), \
    row(#name, Operation::name, OpWidth::Any, text, Fields{__VA_ARGS__}),
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
        // clang-format on
    });
}();

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The position of `field` in the text as a word of its own, at `from` or behind; npos if there is none.
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
static_assert(all_named(), "the text of an operation must name the fields that it uses, and no others");

} // namespace signature

constexpr const OpSignature& signature_of(Opcode op) { return signature::table[static_cast<std::size_t>(op)]; }
constexpr Operation operation_of(Opcode op) { return signature_of(op).operation; }

} // namespace zug::run

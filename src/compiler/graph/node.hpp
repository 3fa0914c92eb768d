#pragma once
// The nodes of a value graph: how they are named, and what they do.

#include <cstdint>

namespace zug::run {

enum class NodeRef : std::uint32_t {};
inline constexpr NodeRef no_node = static_cast<NodeRef>(UINT32_MAX);
inline constexpr std::int64_t undefined = INT64_MIN + 1; // an entry of a table that is never read
constexpr std::size_t position(NodeRef n) { return static_cast<std::size_t>(n); } // in a vector by node

// Operations, before a width is chosen (bytecode/opcodes.def), and the nodes that are no instruction.
enum class Family : std::uint8_t {
#define SET_OP(name, ...) name,
#define WORD_OP(name, ...) name,
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
    Constant, // words in the constant pool
    RegRead,  // the words of a fixed register: of the state, or a parameter
    LoopVar,  // set by its loop
    Loop,     // a reduction over a loop
    Carry,    // the value that a Grow or Repeat loop hands from round to round
};

enum class Reduce : std::uint8_t {
    Or,
    Sum,
    SumReal,
    Min,
    Max,
    MinReal,
    MaxReal,
    Exists,
    All,
    Members,
    Once, // no loop: the body, if the domain, a truth, holds
    Grow,
    Repeat,
    Effects
};

} // namespace zug::run

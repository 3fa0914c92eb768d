// The live part of a value graph as text, for `--dump-after`.

#include "compiler/graph/value_graph.hpp"

#include <array>

namespace zug::run {
namespace {

constexpr std::string_view family_names[] = {
#define SET_OP(name, ...) #name,
#define WORD_OP(name, ...) #name,
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
    "Constant", "RegRead", "LoopVar", "Loop", "Carry",
};

constexpr std::string_view reduce_names[] = {"Or",     "Sum", "SumReal", "Min",  "Max",  "MinReal", "MaxReal",
                                             "Exists", "All", "Members", "Once", "Grow", "Repeat",  "Effects"};

std::string hexadecimal(std::uint64_t word) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    do text.insert(text.begin(), digits[word & 15]);
    while ((word >>= 4) != 0);
    return "0x" + text;
}

} // namespace

// A node as an operand: constants and registers by what they are, all others by number.
std::string ValueGraph::name_of(NodeRef n) const {
    if (n == no_node) return "-";
    const Node& node = (*this)[n];
    if (node.family == Family::RegRead) return "r" + std::to_string(node.extra);
    if (node.family != Family::Constant) return "%" + std::to_string(position(n));
    if (node.width == 1 && node.extra == 0 && node.value[0] + 4096 < 8192)
        return std::to_string(static_cast<std::int64_t>(node.value[0]));
    std::string text = node.extra == 1 ? "all" : "{";
    if (node.extra == 1) return text;
    for (std::size_t k = node.value.size(); k-- > 0;) text += hexadecimal(node.value[k]) + (k > 0 ? " " : "}");
    return text;
}

// One line a node, in the order of emission, the bodies of loops and guards indented.
void ValueGraph::print_region(std::uint32_t region, const std::string& indent, std::string& out) const {
    for (const NodeRef n : regions_[region].order) {
        const Node& node = (*this)[n];
        if (!node.live) continue;
        out += indent;
        if (!node.effect) out += name_of(n) + " = ";
        out += family_names[static_cast<std::size_t>(node.family)];
        if (node.family == Family::Loop) {
            const Loop& loop = loops_[node.extra];
            out += " " + std::string(reduce_names[static_cast<std::size_t>(loop.reduce)]) +
                   (loop.dropped ? " dropped" : "") + " over " + name_of(loop.domain);
            if (loop.var != no_node) out += " by " + name_of(loop.var);
            if (loop.init != no_node) out += " from " + name_of(loop.init);
            if (loop.body != no_node) out += " body " + name_of(loop.body);
            out += "\n";
            print_region(loop.region, indent + "  ", out);
            continue;
        }
        if (node.op_width != 1) out += "/" + std::to_string(node.op_width);
        if (node.effect && node.reg != 0) out += " r" + std::to_string(node.reg);
        for (const NodeRef in : node.in)
            if (in != no_node) out += " " + name_of(in);
        for (const NodeRef in : node.more) out += " " + name_of(in);
        if (node.imm != 0) out += " #" + std::to_string(node.imm);
        if (node.extra != 0) out += " @" + std::to_string(node.extra);
        if (node.width == 1 && !node.effect && node.low != INT64_MIN && node.high != INT64_MAX)
            out += "  [" + std::to_string(node.low) + ", " + std::to_string(node.high) + "]";
        out += "\n";
    }
}

std::string ValueGraph::text() const {
    std::string out;
    print_region(0, "  ", out);
    return out;
}

} // namespace zug::run

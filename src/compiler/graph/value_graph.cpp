// Making nodes: leaves, hash-consed pure nodes, effects; and the region that each belongs to.

#include "compiler/graph/value_graph.hpp"

#include "base/narrow.hpp"
#include "bytecode/vm_words.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>

namespace zug::run {
namespace {

constexpr bool is_set_family(Family family) {
    switch (family) {
#define SET_OP(name, ...) case Family::name:
#define WORD_OP(name, ...)
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
        return true;
    default: return false;
    }
}

// Whether the result is a word: of all word operations, and of some on sets.
constexpr bool gives_word(Family family) {
    switch (family) {
    case Family::Any:
    case Family::AnyAnd:
    case Family::Count:
    case Family::CountRays:
    case Family::CountImage:
    case Family::EqSet:
    case Family::Test:
    case Family::OnlyMember:
    case Family::FirstMember:
    case Family::LastMember:
    case Family::PlaneGet: return true;
    default: return !is_set_family(family);
    }
}

// Whether the node is computed by instructions, and so has a position in the order of its region.
constexpr bool is_ordered(Family family) {
    return family != Family::Constant && family != Family::RegRead && family != Family::LoopVar &&
           family != Family::Carry;
}

std::string bytes(std::span<const std::uint64_t> words) {
    return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
}

} // namespace

std::size_t ValueGraph::KeyHash::operator()(const Key& k) const {
    std::uint64_t h = static_cast<std::uint64_t>(k.family) | std::uint64_t{k.op_width} << 8;
    for (NodeRef n : k.in) h = (h ^ static_cast<std::uint64_t>(n)) * 0x9E3779B97F4A7C15ULL;
    h = (h ^ static_cast<std::uint32_t>(k.imm)) * 0x9E3779B97F4A7C15ULL;
    return (h ^ k.extra) * 0xBF58476D1CE4E5B9ULL >> 7;
}

ValueGraph::ValueGraph(Bytecode& code, const StateLayout& layout, VirtualMachine vm, Passes& passes)
    : code_(code), layout_(layout), vm_(vm), passes_(passes), next_reg_(layout.state_words()),
      scratch_(frame_words, 0) {
    begin();
}

void ValueGraph::begin() {
    nodes_.clear();
    loops_.clear();
    regions_.assign(1, {});
    current_ = 0;
    known_.clear();
    constant_nodes_.clear();
    maps_.clear();
    unequal_.clear();
    ++epoch_;
}

Reg ValueGraph::fresh(std::uint16_t width) {
    if (next_reg_ + width > constant_floor_) {
        overflow_ = true;
        return 0;
    }
    const auto reg = zug::narrow<Reg>(next_reg_);
    next_reg_ += width;
    return reg;
}

Reg ValueGraph::constant_register(std::span<const std::uint64_t> words) {
    const std::string key = bytes(words);
    if (const auto found = constants_.find(key); found != constants_.end()) return found->second;
    if (next_reg_ + words.size() > constant_floor_) {
        overflow_ = true;
        return 0;
    }
    constant_floor_ -= static_cast<std::uint32_t>(words.size());
    const auto reg = zug::narrow<Reg>(constant_floor_);
    for (std::size_t k = 0; k < words.size(); ++k) {
        code_.constants.emplace_back(zug::narrow<Reg>(reg + k), words[k]);
        scratch_[reg + k] = words[k];
    }
    constants_.emplace(key, reg);
    return reg;
}

// Adds a node to the graph: an effect to the current region, any other node to the outermost region in which its inputs
// are computed.
NodeRef ValueGraph::add(Node node) {
    ++built_;
    node.origin = origin_;
    node.region = node.effect                   ? current_
                  : node.family == Family::Loop ? region_of_loop(loops_[node.extra])
                                                : region_of(node);
    const auto ref = static_cast<NodeRef>(nodes_.size());
    if (is_ordered(node.family)) regions_[node.region].order.push_back(ref);
    nodes_.push_back(std::move(node));
    return ref;
}

// The innermost open region that keeps its pure nodes; 0, the routine, if there is none.
std::uint32_t ValueGraph::innermost_guard() const {
    std::uint32_t region = current_;
    while (region != 0 && !regions_[region].keeps) region = regions_[region].parent;
    return region;
}

// The deepest of the regions of its inputs, but not outside of the innermost guard.
std::uint32_t ValueGraph::region_of(const Node& node) const {
    std::uint32_t deepest = 0;
    if (is_ordered(node.family)) deepest = innermost_guard();
    for (NodeRef n : node.in)
        if (n != no_node && regions_[nodes_[position(n)].region].depth > regions_[deepest].depth)
            deepest = nodes_[position(n)].region;
    for (NodeRef n : node.more)
        if (regions_[nodes_[position(n)].region].depth > regions_[deepest].depth) deepest = nodes_[position(n)].region;
    return deepest;
}

bool ValueGraph::visible(NodeRef n) const { return regions_[nodes_[position(n)].region].open; }

NodeRef ValueGraph::word(std::int64_t value) { return set({static_cast<std::uint64_t>(value)}); }
NodeRef ValueGraph::real(double value) { return set({std::bit_cast<std::uint64_t>(value)}); }

NodeRef ValueGraph::set(std::vector<std::uint64_t> words, bool universe) {
    const std::string key = bytes(words) + (universe ? "u" : "");
    if (const auto found = constant_nodes_.find(key); found != constant_nodes_.end()) return found->second;
    Node node;
    node.family = Family::Constant;
    node.width = node.op_width = zug::narrow<std::uint16_t>(words.size());
    node.extra = universe ? 1 : 0;
    if (words.size() == 1) node.low = node.high = static_cast<std::int64_t>(words[0]);
    node.value = std::move(words);
    const NodeRef ref = add(std::move(node));
    constant_nodes_.emplace(key, ref);
    return ref;
}

NodeRef ValueGraph::read(Reg reg, std::uint16_t width) {
    const Key key{Family::RegRead, width, {no_node, no_node, no_node}, static_cast<std::int32_t>(epoch_), reg};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    Node node;
    node.family = Family::RegRead;
    node.width = node.op_width = width;
    node.extra = reg;
    node.reg = reg;
    node.imm = static_cast<std::int32_t>(epoch_);
    const NodeRef ref = add(std::move(node));
    known_.emplace(key, ref);
    return ref;
}

// Epoch 0 is that of no routine (begin() counts up), so such a read is the same node in every epoch.
NodeRef ValueGraph::fixed(Reg reg, std::uint16_t width) {
    const std::uint32_t epoch = std::exchange(epoch_, 0);
    const NodeRef ref = read(reg, width);
    epoch_ = epoch;
    return ref;
}

bool ValueGraph::is_empty(NodeRef n) const {
    const Node& node = nodes_[position(n)];
    return node.family == Family::Constant &&
           std::all_of(node.value.begin(), node.value.end(), [](std::uint64_t w) { return w == 0; });
}

std::span<const ValueGraph::NodeRewrite> ValueGraph::node_rewrites() {
    static constexpr NodeRewrite table[] = {
#define PASS(...)
#define GRAPH_PASS(...)
#define GRAPH_REWRITE(id, name, stage, need, needs, establishes, changes, function) {Pass::id, &ValueGraph::function},
#include "compiler/passes.def"
    };
    return table;
}

// The node that is equal to one with this key, if it may be used in the current region; else no_node.
NodeRef ValueGraph::visible_equal(const Key& key) {
    const Passes::Timer timer(passes_, Pass::CommonSubexpressions);
    const auto found = known_.find(key);
    if (found == known_.end() || !visible(found->second)) return no_node;
    passes_.changed(Pass::CommonSubexpressions);
    return found->second;
}

NodeRef ValueGraph::make(Family family, std::uint16_t op_width, std::array<NodeRef, 3> in, std::int32_t imm,
                         std::uint32_t extra) {
    const Key key{family, op_width, in, imm, extra};
    const bool shares = passes_.on(Pass::CommonSubexpressions);
    if (shares)
        if (const NodeRef equal = visible_equal(key); equal != no_node) return equal;
    if (extra > UINT16_MAX) overflow_ = true;
    Node node;
    node.family = family;
    node.op_width = op_width;
    node.width = gives_word(family) ? std::uint16_t{1} : op_width;
    node.in = in;
    node.imm = imm;
    node.extra = extra;
    NodeRef ref = no_node;
    for (const NodeRewrite& rewrite : node_rewrites()) {
        if (!passes_.on(rewrite.pass)) continue;
        const Passes::Timer timer(passes_, rewrite.pass);
        ref = (this->*rewrite.apply)(node);
        if (ref == no_node) continue;
        passes_.changed(rewrite.pass);
        break;
    }
    if (ref == no_node) ref = add(std::move(node));
    if (shares) known_.insert_or_assign(key, ref);
    return ref;
}

NodeRef ValueGraph::ask(std::uint32_t question, std::uint16_t w, std::vector<NodeRef> vars, NodeRef inside) {
    Node node;
    node.family = Family::CallHost;
    node.in[0] = inside;
    node.width = w;
    node.imm = static_cast<std::int32_t>(question);
    node.more = std::move(vars);
    return add(std::move(node));
}

void ValueGraph::effect(Family family, std::uint16_t op_width, Reg target, std::array<NodeRef, 3> in,
                        Immediate immediate) {
    Node node;
    node.family = family;
    node.op_width = op_width;
    node.in = in;
    node.imm = immediate.imm;
    node.extra = immediate.extra;
    node.effect = true;
    node.reg = target;
    add(std::move(node));
}

// Whether a set has members is tested by the instruction that returns.
void ValueGraph::return_if(NodeRef truth, std::int32_t result) {
    const Node n = (*this)[truth];
    if (is_constant(truth) && constant_word(truth) == 0) return;
    if (n.family == Family::Any) return effect(Family::ReturnIfAny, n.op_width, 0, {n.in[0], no_node, no_node}, result);
    if (n.family == Family::Not && (*this)[n.in[0]].family == Family::Any) {
        const Node any = (*this)[n.in[0]];
        return effect(Family::ReturnIfNone, any.op_width, 0, {any.in[0], no_node, no_node}, result);
    }
    effect(Family::ReturnIf, 1, 0, {truth, no_node, no_node}, result);
}

void ValueGraph::emit_record(std::uint32_t shape, NodeRef set, std::vector<NodeRef> kept) {
    Node node;
    node.family = Family::EmitRecord;
    node.op_width = width(set);
    node.in = {set, no_node, no_node};
    node.imm = static_cast<std::int32_t>(shape);
    node.effect = true;
    node.more = std::move(kept);
    add(std::move(node));
}

void ValueGraph::open_branch(NodeRef truth) {
    open_branches_.push_back(++branch_count_);
    effect(Family::JumpIfNot, 1, 0, {truth, no_node, no_node}, static_cast<std::int32_t>(branch_count_));
}

// A Jump node without inputs marks the end of a branch. It emits no instruction.
void ValueGraph::close_branch() {
    effect(Family::Jump, 1, 0, {no_node, no_node, no_node}, static_cast<std::int32_t>(open_branches_.back()));
    open_branches_.pop_back();
}

} // namespace zug::run

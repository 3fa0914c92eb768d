#include "compiler/graph/value_graph.hpp"

#include "bytecode/vm_set_ops.hpp"

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

// Set operations whose result is a word.
constexpr bool gives_word(Family family) {
    switch (family) {
    case Family::Any:
    case Family::AnyAnd:
    case Family::Count:
    case Family::CountRays:
    case Family::CountImage:
    case Family::EqSet:
    case Family::Test:
    case Family::The:
    case Family::Plane: return true;
    default: return !is_set_family(family);
    }
}

// Whether a node stands for instructions of its own.
constexpr bool is_ordered(Family family) {
    return family != Family::Constant && family != Family::Place && family != Family::LoopVar &&
           family != Family::Carry;
}

constexpr std::size_t position(NodeRef n) { return static_cast<std::size_t>(n); }

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

ValueGraph::ValueGraph(Bytecode& code, const StateLayout& layout, VirtualMachine vm)
    : code_(code), layout_(layout), vm_(vm), next_reg_(layout.state_words()), scratch_(frame_words, 0) {
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
    const auto reg = static_cast<Reg>(next_reg_);
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
    const auto reg = static_cast<Reg>(constant_floor_);
    for (std::size_t k = 0; k < words.size(); ++k) {
        code_.constants.emplace_back(static_cast<Reg>(reg + k), words[k]);
        scratch_[reg + k] = words[k];
    }
    constants_.emplace(key, reg);
    return reg;
}

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

std::uint32_t ValueGraph::innermost_guard() const {
    std::uint32_t region = current_;
    while (region != 0 && !regions_[region].keeps) region = regions_[region].parent;
    return region;
}

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
    node.width = node.op_width = static_cast<std::uint16_t>(words.size());
    node.extra = universe ? 1 : 0;
    if (words.size() == 1) node.low = node.high = static_cast<std::int64_t>(words[0]);
    node.value = std::move(words);
    const NodeRef ref = add(std::move(node));
    constant_nodes_.emplace(key, ref);
    return ref;
}

NodeRef ValueGraph::place(Reg reg, std::uint16_t width) {
    const Key key{Family::Place, width, {no_node, no_node, no_node}, static_cast<std::int32_t>(epoch_), reg};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    Node node;
    node.family = Family::Place;
    node.width = node.op_width = width;
    node.extra = reg;
    node.reg = reg;
    node.imm = static_cast<std::int32_t>(epoch_);
    const NodeRef ref = add(std::move(node));
    known_.emplace(key, ref);
    return ref;
}

NodeRef ValueGraph::fixed(Reg reg, std::uint16_t width) {
    const std::uint32_t epoch = std::exchange(epoch_, 0);
    const NodeRef ref = place(reg, width);
    epoch_ = epoch;
    return ref;
}

bool ValueGraph::is_empty(NodeRef n) const {
    const Node& node = nodes_[position(n)];
    return node.family == Family::Constant &&
           std::all_of(node.value.begin(), node.value.end(), [](std::uint64_t w) { return w == 0; });
}

NodeRef ValueGraph::make(Family family, std::uint16_t op_width, std::array<NodeRef, 3> in, std::int32_t imm,
                         std::uint32_t extra) {
    const Key key{family, op_width, in, imm, extra};
    if (const auto found = known_.find(key); found != known_.end())
        if (regions_[nodes_[position(found->second)].region].open) return found->second;
    if (extra > UINT16_MAX) overflow_ = true;
    Node node;
    node.family = family;
    node.op_width = op_width;
    node.width = gives_word(family) ? std::uint16_t{1} : op_width;
    node.in = in;
    node.imm = imm;
    node.extra = extra;
    bool constant = family != Family::Ask;
    for (NodeRef n : in) constant = constant && (n == no_node || is_constant(n));
    NodeRef ref = constant ? fold(node) : decided(node);
    if (ref == no_node) {
        find_bounds(node);
        find_inside(node);
        ref = add(std::move(node));
    }
    known_.insert_or_assign(key, ref);
    return ref;
}

// Runs the one instruction on a frame of constants.
NodeRef ValueGraph::fold(const Node& node) {
    Node ready = node;
    Instr instr = instruction(ready);
    std::array<Reg*, 3> fields{&instr.a, &instr.b, &instr.c};
    Reg next = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        if (node.in[k] == no_node) continue;
        const auto& value = nodes_[position(node.in[k])].value;
        std::copy(value.begin(), value.end(), scratch_.begin() + next);
        *fields[k] = next;
        next = static_cast<Reg>(next + value.size());
    }
    instr.d = next;
    const auto entry = static_cast<Entry>(code_.instrs.size());
    code_.instrs.push_back(instr);
    code_.instrs.push_back({.op = Opcode::Return});
    run_scratch(entry);
    code_.instrs.resize(entry);
    const auto begin = scratch_.begin() + next;
    return set(std::vector<std::uint64_t>(begin, begin + node.width));
}

// Runs what works out constants.
void ValueGraph::run_scratch(Entry entry) {
    struct NoHost final : Host {
        void ask(const Question&, std::uint64_t*, Reg) override { assert(false); }
        void settle(bool) override { assert(false); }
        void record(std::uint32_t) override { assert(false); }
        void check_failed(CheckFailure, std::int32_t, std::int64_t) override { assert(false); }
    } host;
    vm_(code_, entry, scratch_.data(), host);
}

NodeRef ValueGraph::ask(std::uint32_t question, std::uint16_t w, std::vector<NodeRef> vars, NodeRef inside) {
    Node node;
    node.family = Family::Ask;
    node.in[0] = inside;
    node.width = w;
    node.imm = static_cast<std::int32_t>(question);
    node.more = std::move(vars);
    return add(std::move(node));
}

ValueGraph::OpenLoop ValueGraph::open_loop(Reduce reduce, NodeRef domain, std::uint16_t width, NodeRef init) {
    const auto region = static_cast<std::uint32_t>(regions_.size());
    regions_.push_back({current_, regions_[current_].depth + 1, true, {}});
    current_ = region;
    const bool carried = reduce == Reduce::Grow || reduce == Reduce::Repeat;
    Node var;
    var.family = carried ? Family::Carry : Family::LoopVar;
    var.width = var.op_width = carried ? width : std::uint16_t{1};
    const NodeRef ref = add(std::move(var));
    nodes_[position(ref)].region = region;
    loops_.push_back({reduce, domain, ref, init, no_node, region, width});
    return {static_cast<std::uint32_t>(loops_.size() - 1), ref};
}

NodeRef ValueGraph::close_loop(const OpenLoop& open, NodeRef body) {
    Loop& loop = loops_[open.loop];
    loop.body = body;
    regions_[loop.region].open = false;
    current_ = regions_[loop.region].parent;
    Node node;
    node.family = Family::Loop;
    node.width = node.op_width = loop.width;
    node.extra = open.loop;
    node.effect = loop.reduce == Reduce::Effects || loop.reduce == Reduce::Once;
    return add(std::move(node));
}

ValueGraph::OpenLoop ValueGraph::open_guard(NodeRef truth) {
    const OpenLoop open = open_loop(Reduce::Once, truth, 1, no_node);
    regions_[current_].keeps = true;
    return open;
}

// The innermost region that a loop needs: of its domain, its start and whatever its body takes from outside.
std::uint32_t ValueGraph::region_of_loop(const Loop& loop) const {
    std::uint32_t deepest = innermost_guard();
    const auto need = [&](NodeRef n) {
        if (n == no_node) return;
        // A node of this loop or of one within it: those regions are closed, but not by what lies further out.
        const std::uint32_t region = nodes_[position(n)].region;
        if (regions_[region].open && regions_[region].depth > regions_[deepest].depth) deepest = region;
    };
    const auto scan = [&](const auto& self, const Loop& inner) -> void {
        need(inner.domain);
        need(inner.init);
        need(inner.body);
        for (NodeRef n : regions_[inner.region].order) {
            for (NodeRef in : nodes_[position(n)].in) need(in);
            for (NodeRef in : nodes_[position(n)].more) need(in);
            if (nodes_[position(n)].family == Family::Loop) self(self, loops_[nodes_[position(n)].extra]);
        }
    };
    scan(scan, loop);
    return deepest;
}

void ValueGraph::effect(Family family, std::uint16_t op_width, Reg target, std::array<NodeRef, 3> in, std::int32_t imm,
                        std::uint32_t extra) {
    Node node;
    node.family = family;
    node.op_width = op_width;
    node.in = in;
    node.imm = imm;
    node.extra = extra;
    node.effect = true;
    node.reg = target;
    add(std::move(node));
}

NodeRef ValueGraph::gather(NodeRef set, std::vector<std::int64_t> table) {
    const std::uint16_t words = width(set);
    const auto bits = static_cast<std::int32_t>(table.size());
    // From the members, each a row of words, rather than to all places, unless the rows are long.
    if (words > 2) return make(Family::Gather, words, {set, no_node, no_node}, bits, add_words(std::move(table)));
    std::vector<std::uint64_t> rows(std::size_t{words} * 64 * words, 0);
    for (std::size_t to = 0; to < table.size(); ++to)
        if (table[to] >= 0)
            rows[static_cast<std::size_t>(table[to]) * words + to / 64] |= std::uint64_t{1} << (to % 64);
    return make(Family::Image, words, {set, no_node, no_node}, 0, add_sets(std::move(rows)));
}

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
    node.family = Family::Emit;
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

// A Jump node without inputs marks where a branch ends; it emits nothing.
void ValueGraph::close_branch() {
    effect(Family::Jump, 1, 0, {no_node, no_node, no_node}, static_cast<std::int32_t>(open_branches_.back()));
    open_branches_.pop_back();
}

bool ValueGraph::within(NodeRef set, NodeRef other) const {
    if (set == other) return true;
    const Node& n = (*this)[set];
    if (n.map != 0 && n.map == (*this)[other].map) return (n.values & ~(*this)[other].values) == 0;
    switch (n.family) {
    case Family::And: return within(n.in[0], other) || within(n.in[1], other);
    case Family::AndNot: return within(n.in[0], other);
    case Family::ShlAnd:
    case Family::ShrAnd: return within(n.in[1], other);
    default: return false;
    }
}

bool ValueGraph::differ(NodeRef a, NodeRef b) const {
    // A word as another one and a constant.
    const auto parts = [&](NodeRef n) {
        const Node& node = (*this)[n];
        if (node.family == Family::Constant) return std::pair{no_node, constant_word(n)};
        if (node.family == Family::Add && is_constant(node.in[1]))
            return std::pair{node.in[0], constant_word(node.in[1])};
        return std::pair{n, std::int64_t{0}};
    };
    for (const auto& [x, y] : unequal_)
        if ((x == a && y == b) || (x == b && y == a)) return true;
    const auto [base_a, off_a] = parts(a);
    const auto [base_b, off_b] = parts(b);
    return base_a == base_b && off_a != off_b;
}

// Whether a set is known to have nothing in common with `other`: some part of it takes `other` away.
bool ValueGraph::excludes(NodeRef set, NodeRef other) const {
    const Node& n = (*this)[set];
    if (n.map != 0 && n.map == (*this)[other].map) return (n.values & (*this)[other].values) == 0;
    if (n.family == Family::AndNot) return n.in[1] == other || excludes(n.in[0], other);
    if (n.family == Family::And) return excludes(n.in[0], other) || excludes(n.in[1], other);
    return false;
}

std::uint32_t ValueGraph::add_words(std::vector<std::int64_t> table) {
    auto& all = code_.tables.words;
    for (std::size_t t = 0; t < all.size(); ++t)
        if (all[t] == table) return static_cast<std::uint32_t>(t);
    all.push_back(std::move(table));
    return static_cast<std::uint32_t>(all.size() - 1);
}

std::uint32_t ValueGraph::add_sets(std::vector<std::uint64_t> rows) {
    auto& all = code_.tables.sets;
    for (std::size_t t = 0; t < all.size(); ++t)
        if (all[t] == rows) return static_cast<std::uint32_t>(t);
    all.push_back(std::move(rows));
    return static_cast<std::uint32_t>(all.size() - 1);
}

namespace {

// The longest walk by the shift that always lands on the mask has so many steps; n doublings reach 2^n - 1.
std::uint32_t doublings_of(std::int32_t distance, std::vector<std::uint64_t> mask) {
    std::vector<std::uint64_t> landed = mask, next(mask.size());
    std::uint32_t steps = 0;
    while (std::ranges::any_of(landed, [](std::uint64_t w) { return w != 0; })) {
        ++steps;
        shift_words<0>(next.data(), landed.data(), distance, static_cast<unsigned>(mask.size()));
        for (std::size_t k = 0; k < mask.size(); ++k) landed[k] = next[k] & mask[k];
    }
    return static_cast<std::uint32_t>(std::bit_width(steps));
}

} // namespace

NodeRef ValueGraph::ahead(NodeRef flood) {
    const ShiftList list = code_.tables.shifts[(*this)[flood].extra];
    const std::uint16_t words = width(flood);
    NodeRef result = set(std::vector<std::uint64_t>(words, 0));
    for (const auto& [distance, mask] : list.shifts) {
        std::vector<std::uint64_t> landing(words, ~std::uint64_t{0});
        if (list.masked) std::copy_n(scratch_.begin() + mask, words, landing.begin());
        result = or_(result, shift_and(flood, distance, set(std::move(landing))));
    }
    return result;
}

std::uint32_t ValueGraph::add_shifts(std::vector<std::pair<std::int32_t, std::vector<std::uint64_t>>> shifts,
                                     bool masked) {
    ShiftList list;
    list.masked = masked;
    for (const auto& [distance, mask] : shifts) list.shifts.push_back({distance, constant_register(mask)});
    if (shifts.size() == 1) list.doublings = doublings_of(shifts[0].first, shifts[0].second);
    auto& all = code_.tables.shifts;
    const auto same = [&](const ShiftList& other) {
        return other.masked == masked &&
               std::equal(other.shifts.begin(), other.shifts.end(), list.shifts.begin(), list.shifts.end(),
                          [](const auto& x, const auto& y) { return x.distance == y.distance && x.mask == y.mask; });
    };
    for (std::size_t t = 0; t < all.size(); ++t)
        if (same(all[t])) return static_cast<std::uint32_t>(t);
    all.push_back(std::move(list));
    return static_cast<std::uint32_t>(all.size() - 1);
}

} // namespace zug::run

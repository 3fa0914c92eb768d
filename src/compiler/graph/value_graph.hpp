#pragma once
// The value graph of a routine: an intermediate representation between the rules and byte code. Lowering builds it from
// the leaves up, and finish() emits it.
//
// A Node is a value: a word, or a set of `width` words. Pure nodes are hash-consed: equal ones are the same node, and
// each new one is rewritten before it is added (the passes of the stage Construction in compiler/passes.def). Nodes
// live in regions, one for the body of the routine and one for each loop or guard. A pure node goes to the innermost
// region that one of its inputs needs, so loop-invariant values are computed outside loops. Effects (changes of the
// state, returns, reports) are nodes too, never shared, and keep their order. finish() runs the passes of the stage
// Finishing, the last of which emits the instructions of the live nodes.
//
// Reads of state words are keyed by an epoch: after a block of changes, new_epoch() makes later reads new values.
// Within an epoch the caller must read all that it needs before it changes anything (or read a snapshot).
//
// Cost: a hash lookup and a constant number of rewritings a node; the passes over a routine are linear in its nodes,
// except for sinking, which is linear for each conjunction that a routine returns by.

#include "bytecode/bytecode.hpp"
#include "bytecode/debug_info.hpp"
#include "bytecode/state_layout.hpp"
#include "bytecode/vm.hpp"
#include "compiler/graph/node.hpp"
#include "compiler/graph/set_registers.hpp"
#include "compiler/passes.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace zug::run {

class ValueGraph {
public:
    ValueGraph(Bytecode& code, const StateLayout& layout, VirtualMachine vm, Passes& passes);

    // Which passes are switched on, and their statistics.
    Passes& passes() const { return passes_; }

    struct Node {
        Family family{};
        std::uint16_t width = 1;    // of the result
        std::uint16_t op_width = 1; // of the sets worked on
        std::array<NodeRef, 3> in{no_node, no_node, no_node};
        std::int32_t imm = 0;
        std::uint32_t extra = 0; // the number of a table, loop or register; of a Constant: 1 for a universe
        std::uint32_t region = 0;
        bool effect = false;
        bool live = false;
        Origin origin;
        Reg reg = 0;
        std::int64_t low = INT64_MIN, high = INT64_MAX; // of a word: its range, both ends included
        std::vector<std::uint64_t> value;               // of a Constant
        std::vector<std::uint64_t> superset;            // of a set: a constant superset; empty: none is known
        // Of a union of planes of a map: the number of the map, from 1, and the values of the planes, as bits by
        // ordinal.
        std::uint32_t map = 0;
        std::uint64_t values = 0;
        std::vector<NodeRef> more; // Ask: the values of the question's variables
    };
    const Node& operator[](NodeRef n) const { return nodes_[static_cast<std::size_t>(n)]; }

    // A routine: begin(), build, finish(roots) -> entry. Nodes don't outlive their routine.
    void begin();
    // Emits what the roots and effects need, and a Return of `result`. Roots get registers: reg_of().
    Entry finish(std::span<const NodeRef> roots, std::int32_t result);
    Opcode opcode(Family family, std::uint16_t width) const; // for sets of this width
    Reg reg_of(NodeRef n) const { return (*this)[n].reg; }

    // -- leaves
    NodeRef word(std::int64_t value);
    NodeRef real(double value);
    // `universe`: it contains all members of the type, and so every set over the type.
    NodeRef set(std::vector<std::uint64_t> words, bool universe = false);
    NodeRef read(Reg reg, std::uint16_t width);  // state words, read in the current epoch
    NodeRef fixed(Reg reg, std::uint16_t width); // a register that does not change during the routine
    void new_epoch() { ++epoch_; }
    void bound(NodeRef n, std::int64_t low, std::int64_t high); // narrows a word's range, for nodes made from then on
    std::uint64_t stamp() const { return epoch_; } // a node that was memoised under another stamp must not be used

    // -- debug info, if requested: the part of the rule file that a node comes from
    void keep_debug_info(DebugInfo* debug_info) { debug_info_ = debug_info; }
    DebugInfo* debug_info() const { return debug_info_; } // or null
    const Origin& origin() const { return origin_; }
    // Nodes that are built from now on belong to this part of the program...
    void enter(Origin::Part part, std::size_t number) {
        origin_ = {.span = {}, .part = part, .number = static_cast<std::uint32_t>(number)};
    }
    // ...and, during the lifetime of a From, come from this location in the file.
    class From {
    public:
        From(ValueGraph& graph, const Span& span) : graph_(graph), outer_(graph.origin_.span) {
            graph.set_source_location(span);
        }
        ~From() { graph_.origin_.span = outer_; }
        From(const From&) = delete;
        From& operator=(const From&) = delete;

    private:
        ValueGraph& graph_;
        Span outer_;
    };

    // Declares that these sets are the planes of a map for the ordinals 1, 2, ...: disjoint subsets of `universe`, the
    // rest of which is the plane of ordinal 0.
    void are_planes(std::span<const NodeRef> planes, NodeRef universe);

    bool at_top() const { return current_ == 0; } // no loop or guard is open
    bool visible(NodeRef n) const;                // may be used in the current region
    bool is_before_loop(NodeRef n, NodeRef variable) const { return lies_around((*this)[variable].region, n); }
    bool is_constant(NodeRef n) const { return (*this)[n].family == Family::Constant; }
    std::int64_t constant_word(NodeRef n) const { return static_cast<std::int64_t>((*this)[n].value[0]); }
    bool is_empty(NodeRef n) const; // a constant without bits
    bool is_universe(NodeRef n) const { return is_constant(n) && (*this)[n].extra == 1; }
    std::uint16_t width(NodeRef n) const { return (*this)[n].width; }

    // -- pure operations, simplified and folded where possible. op_width: words of the sets worked on.
    NodeRef make(Family family, std::uint16_t op_width, std::array<NodeRef, 3> in, std::int32_t imm = 0,
                 std::uint32_t extra = 0);
    NodeRef op(Family family, NodeRef a, NodeRef b = no_node) { return make(family, 1, {a, b, no_node}); }
    NodeRef and_(NodeRef a, NodeRef b);
    NodeRef or_(NodeRef a, NodeRef b);
    NodeRef and_not(NodeRef a, NodeRef b);
    NodeRef not_(NodeRef truth);
    NodeRef both(NodeRef a, NodeRef b); // of two truths
    NodeRef either(NodeRef a, NodeRef b);
    NodeRef copy(NodeRef n);                             // keeps the value of a state word that is about to change
    bool known_subset(NodeRef set, NodeRef other) const; // `set` is a subset of `other`
    bool known_unequal(NodeRef a, NodeRef b) const;      // of words
    void assume_unequal(NodeRef a, NodeRef b) { unequal_.emplace_back(a, b); }
    bool known_disjoint(NodeRef set, NodeRef other) const;
    bool known_moved(NodeRef site, NodeRef from) const; // read from a table at `from`, and no entry is its own index
    NodeRef any(NodeRef set);
    NodeRef count(NodeRef set) { return make(Family::Count, width(set), {set, no_node, no_node}); }
    NodeRef bcast(NodeRef truth, NodeRef set);
    NodeRef select(NodeRef truth, NodeRef yes, NodeRef no); // words or sets
    // (a shifted by n) & b
    NodeRef shift_and(NodeRef a, std::int32_t n, NodeRef b);
    // {v | table[v] is in the set}, where -1 is in no set.
    NodeRef gather(NodeRef set, std::vector<std::int64_t> table);

    // A question that the executor answers at this point of the routine; `vars` in the order of the question's
    // variables. `inside`: the variable of a loop that the question must not be moved out of.
    NodeRef ask(std::uint32_t question, std::uint16_t width, std::vector<NodeRef> vars, NodeRef inside);

    // -- loops. The body is built between open and close.
    struct OpenLoop {
        std::uint32_t loop;
        NodeRef var; // the bit number; for Grow and Repeat the carried set
    };
    OpenLoop open_loop(Reduce reduce, NodeRef domain, std::uint16_t width, NodeRef init);
    NodeRef close_loop(const OpenLoop& open, NodeRef body);
    // Nodes that are built between these are computed only where `truth` holds, even if they are loop-invariant.
    OpenLoop open_guard(NodeRef truth);
    void close_guard(const OpenLoop& open) { close_loop(open, no_node); }
    void keep_inside(const OpenLoop& open) { regions_[loops_[open.loop].region].keeps = true; } // of any loop
    void grow_by_new(const OpenLoop& open); // a Grow loop whose body is of a union what it is of its parts
    // For debug info: a bound of the number of members of the domain.
    void at_most(const OpenLoop& open, std::uint64_t n) { loops_[open.loop].most = static_cast<std::uint32_t>(n); }

    // -- changes, in order, in the current region
    struct Immediate { // converts from a number: the first field
        Immediate(std::int32_t imm = 0, std::uint32_t extra = 0) : imm(imm), extra(extra) {}
        std::int32_t imm;
        std::uint32_t extra;
    };
    void effect(Family family, std::uint16_t width, Reg target, std::array<NodeRef, 3> in, Immediate immediate = {});
    void return_if(NodeRef truth, std::int32_t result);
    void emit_record(std::uint32_t shape, NodeRef set, std::vector<NodeRef> kept);
    // Effects that are built between these are executed only where `truth` holds.
    void open_branch(NodeRef truth);
    void close_branch();
    Reg fresh(std::uint16_t width); // registers that only the caller writes

    // The squares visible from the members of `from` in the direction of a step table, which must be straight (see
    // straight()): each ray runs through members of `through` up to and including the first square that is none.
    NodeRef rays(NodeRef from, NodeRef through, const std::vector<std::int64_t>& step);
    NodeRef rays_back(NodeRef rays, NodeRef targets); // that run back from `targets` through the same squares
    // The sum, over the iterations of a loop, of the size of a set that depends on the loop's member, without the loop:
    // `count`, taken over the members `from` of the domain (for all others the set is empty). Supported for sets made
    // of rays from the loop's member or of its row of a table; no_node: the set is another, or is under a condition.
    struct Counted {
        NodeRef count = no_node, from = no_node;
    };
    Counted count_outside(const OpenLoop& open, NodeRef set);
    // Before a loop is closed: replaces its domain by a smaller one, or removes the loop.
    void narrow(const OpenLoop& open, NodeRef domain) { loops_[open.loop].domain = domain; }
    void drop(const OpenLoop& open) { loops_[open.loop].dropped = true; }
    // For a node of rays: the squares between its sources and `targets`, per direction (a square counts only if the
    // same direction leads from a source to it and from it on to a target).
    NodeRef squares_between(NodeRef rays, NodeRef targets);
    // For a node of an image (the union of the table rows of a set's members): the members whose rows meet `targets`.
    NodeRef preimage(NodeRef image, NodeRef targets);
    NodeRef frontier(NodeRef flood); // the squares one step from those that a flood reaches, enterable or not
    // Whether the bit numbers along the steps of the table only ascend, or only descend, from any square.
    static bool straight(const std::vector<std::int64_t>& step);

    // Tables that instructions refer to by number; equal ones are added once.
    std::uint32_t add_words(std::vector<std::int64_t> table);
    Reg word_table(std::vector<std::int64_t> table); // its number, for an instruction that is written by hand
    std::uint32_t add_sets(std::vector<std::uint64_t> rows);
    std::uint32_t add_shifts(std::vector<std::pair<std::int32_t, std::vector<std::uint64_t>>> shifts, bool masked);
    Reg constant_register(std::span<const std::uint64_t> words);

    std::size_t built() const { return built_; } // nodes added so far in all routines: the caller limits them
    bool overflow() const { return overflow_; }  // the frame or a table is too small, or loops last too long: no code

private:
    struct Map {
        std::uint64_t values = 0; // all of the map's
        NodeRef universe = no_node;
        std::vector<NodeRef> unions; // of planes, built so far
    };
    std::vector<Map> maps_;
    NodeRef union_of_planes(std::uint32_t map, std::uint64_t values);
    NodeRef planes_of(NodeRef a, NodeRef b, std::uint64_t (*values)(std::uint64_t, std::uint64_t));

    // -- rewriting while nodes are built. Each returns a node of the same value, or no_node.
    struct NodeRewrite { // a pass that is applied to each new node
        Pass pass;
        NodeRef (ValueGraph::*apply)(Node& node);
    };
    static std::span<const NodeRewrite> node_rewrites();
    NodeRef fold(Node& node);
    NodeRef narrow_by_range(Node& node);
    NodeRef note_superset(Node& node); // only notes it: returns no_node
    NodeRef index_of_entries(Node& node);
    // A law of one operation, and the pass that it belongs to. The tables of laws are in simplify.cpp.
    struct Law {
        Pass pass;
        NodeRef (ValueGraph::*apply)(NodeRef a, NodeRef b);
    };
    NodeRef rewrite(std::span<const Law> laws, NodeRef a, NodeRef b = no_node);
    NodeRef and_identity(NodeRef a, NodeRef b);
    NodeRef and_planes(NodeRef a, NodeRef b);
    NodeRef and_broadcast(NodeRef a, NodeRef b);
    NodeRef and_complement(NodeRef a, NodeRef b);
    NodeRef and_bounded(NodeRef a, NodeRef b);
    NodeRef and_constants(NodeRef a, NodeRef b);
    NodeRef and_shifts(NodeRef a, NodeRef b);
    NodeRef and_run(NodeRef a, NodeRef b);
    NodeRef and_shift_mask(NodeRef a, NodeRef b);
    NodeRef or_identity(NodeRef a, NodeRef b);
    NodeRef or_planes(NodeRef a, NodeRef b);
    NodeRef or_runs(NodeRef a, NodeRef b);
    NodeRef or_universe(NodeRef a, NodeRef b);
    NodeRef or_bounded(NodeRef a, NodeRef b);
    NodeRef or_factored(NodeRef a, NodeRef b);
    NodeRef or_shifts_back(NodeRef a, NodeRef b);
    NodeRef minus_empty(NodeRef a, NodeRef b);
    NodeRef minus_planes(NodeRef a, NodeRef b);
    NodeRef minus_broadcast(NodeRef a, NodeRef b);
    NodeRef minus_whole(NodeRef a, NodeRef b);
    NodeRef minus_bounded(NodeRef a, NodeRef b);
    NodeRef minus_shift_mask(NodeRef a, NodeRef b);
    NodeRef either_any(NodeRef a, NodeRef b);
    NodeRef either_test(NodeRef a, NodeRef b);
    NodeRef any_of_and(NodeRef set, NodeRef);
    NodeRef any_by_table(NodeRef set, NodeRef);

    // -- passes over a complete graph
    struct GraphPass {
        Pass pass;
        void (ValueGraph::*run)(std::span<const NodeRef> roots);
    };
    static std::span<const GraphPass> graph_passes();
    void run(const GraphPass& pass, std::span<const NodeRef> roots, Entry entry);
    std::uint64_t count_live(std::span<const NodeRef> roots);
    std::string text() const; // of the live nodes (print.cpp)
    std::string name_of(NodeRef n) const;
    void print_region(std::uint32_t region, const std::string& indent, std::string& out) const;
    // Aborts with a message that names the pass if an invariant of the graph is broken (verify.cpp).
    void verify(std::span<const NodeRef> roots, Pass after);
    struct Verifier;
    std::vector<NodeRef> effects_in_order() const;
    std::vector<NodeRef> effects_before_; // the effects before the passes that are verified
    struct Loop {
        Reduce reduce{};
        NodeRef domain = no_node, var = no_node, init = no_node, body = no_node;
        std::uint32_t region = 0;
        std::uint16_t width = 1;
        std::uint32_t most = 0; // a bound of the number of iterations; 0: not known
        bool dropped = false;   // of a loop of effects: it has been removed
        bool by_new = false;    // Grow: the body is computed of what the last round has added
    };
    struct Region {
        std::uint32_t parent = 0;
        std::uint32_t depth = 0;
        bool open = true;
        std::vector<NodeRef> order;
        bool keeps = false; // pure nodes stay inside
        double cost = 0;    // of the loops inside, at most, in words computed
    };
    struct Key {
        Family family;
        std::uint16_t op_width;
        std::array<NodeRef, 3> in;
        std::int32_t imm;
        std::uint32_t extra;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& k) const;
    };

    NodeRef visible_equal(const Key& key);
    NodeRef add(Node node);
    void set_source_location(const Span& span) {
        if (debug_info_ != nullptr && span.end != 0 && span.file != debug_info_->library) origin_.span = span;
    }
    void push(const Instr& instr);
    void record_loop(const Loop& loop, std::size_t top);
    bool is_number_or_none(NodeRef n, std::int64_t count) const;
    NodeRef decided(const Node& node); // the constant that the ranges of its inputs imply; no_node: they do not
    void find_bounds(Node& node) const;
    const std::vector<std::uint64_t>& superset(NodeRef n) const; // of a constant: itself; empty: none is known
    bool is_bounded_by(NodeRef set, NodeRef constant) const;
    std::uint32_t region_of(const Node& node) const;
    std::uint32_t innermost_guard() const;
    std::uint32_t region_of_loop(const Loop& loop) const;
    void mark(NodeRef n);
    struct Reaching; // the decomposition of a set by count_outside
    bool decompose(const Loop& loop, NodeRef set, Reaching& out);
    bool decompose_condition(const Loop& loop, NodeRef truth, Reaching& out);
    bool lies_around(std::uint32_t region, NodeRef n) const;
    static bool is_rays(Family family) { return family == Family::Rays || has_ray_number(family); }
    static bool has_ray_number(Family family) { return family == Family::CountRays || family == Family::Between; }
    void mark_loop(std::uint32_t loop);
    // live_values.cpp: marks the nodes that roots and effects need; mark_all leaves out those that one effect needs
    // only through one of its inputs.
    struct Exception {
        NodeRef effect = no_node, input = no_node;
    };
    void mark_live(std::span<const NodeRef> roots) { mark_all(roots, {}); }
    void mark_all(std::span<const NodeRef> roots, const Exception& exception);
    std::vector<std::size_t> last_uses(std::span<const NodeRef> roots) const; // by node
    // hoist_guards.cpp
    struct Sighting;
    std::optional<Sighting> sighting(NodeRef condition) const;
    NodeRef common_need(std::size_t begin, std::size_t end);
    bool changes_state(NodeRef effect) const;
    void hoist_common_guards(std::span<const NodeRef> roots);
    std::size_t guard_together(std::span<const NodeRef> roots, std::size_t begin, std::size_t end);
    // sink_conditions.cpp
    void sink_conditions(std::span<const NodeRef> roots);
    bool sink(std::span<const NodeRef> roots, std::size_t at);
    // emit.cpp
    void emit(std::span<const NodeRef> roots);
    void emit_region(std::uint32_t region);
    void emit_node(NodeRef ref);
    void emit_loop(NodeRef ref);
    void emit_guarded(const Node& node);
    void emit_step(const Loop& loop, Reg acc);
    Reg input(NodeRef n);
    struct Fields {
        Reg d = 0, a = 0, b = 0, c = 0;
        std::int32_t imm = 0;
    };
    std::size_t emit(Family family, std::uint16_t width, const Fields& fields); // the number of the instruction
    void patch(std::size_t instr) { code_.instrs[instr].imm = static_cast<std::int32_t>(code_.instrs.size()); }
    Instr instruction(const Node& node);
    void run_scratch(Entry entry);
    NodeRef looked_up(NodeRef set);
    bool gather_small(NodeRef n, NodeRef& word, std::vector<NodeRef>& order) const;
    NodeRef merge_rays(NodeRef a, NodeRef b); // no_node: they are not rays from the same squares
    std::uint32_t ray_list(std::vector<std::uint32_t> steps);
    std::uint32_t ray_table(std::uint32_t list, std::uint16_t width);

    Bytecode& code_;
    const StateLayout& layout_;
    VirtualMachine vm_;
    Passes& passes_;
    DebugInfo* debug_info_ = nullptr;
    Origin origin_;       // of what is built
    Origin emitted_from_; // of what is emitted
    std::vector<Node> nodes_;
    std::vector<Loop> loops_;
    std::vector<Region> regions_;
    std::uint32_t current_ = 0, branch_count_ = 0, epoch_ = 0;
    std::unordered_map<Key, NodeRef, KeyHash> known_;
    std::unordered_map<std::string, Reg> constants_;
    std::unordered_map<std::string, NodeRef> constant_nodes_;
    std::vector<std::pair<std::uint32_t, std::size_t>> jumps_; // branch, instruction to patch
    std::vector<std::uint32_t> open_branches_;
    std::vector<std::pair<NodeRef, NodeRef>> unequal_;
    // Of rays, Node::extra is the number of a list of step tables, whose RayTable is made when the rays are emitted.
    std::vector<std::vector<std::int64_t>> ray_steps_;
    std::vector<std::vector<std::uint32_t>> ray_lists_;
    std::vector<std::int64_t> ray_tables_; // by list: number in Tables::rays, or -1
    std::uint32_t next_reg_, constant_floor_ = frame_words;
    SetRegisters set_registers_;
    std::vector<std::uint64_t> scratch_;
    std::size_t built_ = 0;
    bool overflow_ = false;
};

} // namespace zug::run

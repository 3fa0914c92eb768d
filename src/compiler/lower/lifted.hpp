#pragma once
// Lifted values: what an expression is for each value of one variable (see lowering.hpp).

#include "compiler/lower/context.hpp"
#include "executor/hash.hpp"

#include <optional>
#include <vector>

namespace zug::run {

// Hashes keys that are hashes themselves.
struct WordsHashBucket {
    std::size_t operator()(const WordsHash& key) const { return static_cast<std::size_t>(key[0]); }
};

// The variable that is lifted: sets and tables of a lifted result are indexed by the bits of its type.
struct Lift {
    SetShape shape;
    NodeRef universe = no_node;
    std::vector<std::uint64_t> real; // the bits that are a value of the type
    bool entries = false;            // of several variables: the bits are the entries of a matrix (EntryLift)
    NodeRef within = no_node;        // only what is found for these values is used; no_node: for all

    // Leaves the other values out.
    template <class F>
    void keep(ValueGraph& graph, F&& is_kept) {
        const std::vector<std::uint64_t> before = real;
        for (std::size_t b = 0; b < shape.bits; ++b)
            if (is_real(b) && !is_kept(b)) real[b / 64] &= ~(std::uint64_t{1} << (b % 64));
        if (real != before) universe = graph.set(std::vector(real));
    }
    // Of the values in a set only, besides.
    Lift narrowed(ValueGraph& graph, NodeRef set) const {
        Lift result = *this;
        result.within = within == no_node ? set : graph.and_(within, set);
        return result;
    }
    bool is_real(std::size_t bit) const { return (real[bit / 64] >> (bit % 64) & 1) != 0; }
};

// Several variables that are lifted together, since a matrix can be read by them.
struct EntryLift {
    Lift lift;
    std::vector<std::vector<std::int64_t>> values; // by variable, by bit
};

// A scalar that depends on the lifted variable.
struct LiftedScalar {
    enum class Kind : std::uint8_t { Table, Word, Map };
    Kind kind = Kind::Table;
    std::vector<std::int64_t> table; // Table: the values; Map: the bit that is read (undefined: none)
    NodeRef word = no_node;          // Word: the same for all
    ir::StateId state{};             // Map: a variable stored as planes
    // Map, if the variable has several indices: the row that is read, or which one, where that depends on the lifted
    // variable, too.
    NodeRef row = no_node;
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> values; // Map: by ordinal of the variable's value
};

// A candidate for the value of a variable: a table over the lifted variable, and the values of that for which it
// counts.
struct Candidate {
    std::vector<std::int64_t> table;
    NodeRef guard = no_node;
};

// Moves of a rule as a set: for each bit of `set`, a move, whose parameters are given in the form of registers.
struct MoveSet {
    NodeRef set = no_node;
    std::vector<std::vector<std::int64_t>> params; // by parameter, by bit
    std::optional<Assumption> assumed;             // it holds for all of them
    Lift lift;                                     // whose bits the set has
};

} // namespace zug::run

#pragma once
// Lifting: evaluates an expression for all values v of one variable at once. A truth becomes the set of the values for
// which it holds, a scalar becomes a LiftedScalar (context.hpp). A set that depends on v is a relation, which is not
// built: for which v it meets another set or contains a scalar, and the union over v, are computed by images and
// preimages.
//
// no_node or false: the expression cannot be lifted. The nodes that the attempt has left cost nothing.

#include "compiler/lower/lowering_part.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace zug::run {

struct StaticRows;
struct StaticValues;

// The values of a table plus a number, where that is one of the type, which is of numbers; elsewhere undefined.
std::vector<std::int64_t> sums_within(std::vector<std::int64_t> table, std::int64_t number, const ir::Type& type);

// The values that a Table or Map has for some value of the lifted variable, ascending.
std::vector<std::int64_t> distinct_values(const LiftedScalar& scalar);

class SetLifter : private LoweringPart {
public:
    // Sets of bits by a distance.
    using Runs = std::map<std::int64_t, std::vector<std::uint64_t>>;

    explicit SetLifter(Lowering& lowering) : LoweringPart(lowering) {}

    // {v | e(v)}
    NodeRef lift_truth(ir::ExprId e, const Context& in, const Lift& lift) {
        return lowering_.tried(e, [&] {
            NodeRef found = find_truth(e, in, lift);
            if (found == no_node) found = static_truth(e, in, lift);
            return found != no_node ? found : truth_value_by_value(e, in, lift);
        });
    }
    bool lift_scalar(ir::ExprId e, const Context& in, const Lift& lift, LiftedScalar& out) {
        return lowering_.tried(e, [&] { return find_scalar(e, in, lift, out); });
    }
    // {v | set(v) meets target}
    NodeRef lift_meets(ir::ExprId set, const Context& in, NodeRef target, const Lift& lift) {
        return lowering_.tried(set, [&] {
            const NodeRef found = find_meets(set, in, target, lift);
            return found != no_node ? found : meets_value_by_value(set, in, target, lift);
        });
    }
    // Whether all, or any, of the parts hold. A part that is known now decides for some values, for which the others
    // then don't matter: so reads beyond the edge of a matrix, which another part excludes, don't make of a shift a
    // permutation.
    NodeRef lift_undecided(bool all, std::span<const ir::ExprId> parts, const Context& in, const Lift& lift);
    // {v | table[v] in set(v)}
    NodeRef lift_member(const std::vector<std::int64_t>& table, ir::ExprId set, const Context& in, const Lift& lift);
    // The union of set(v) over v in `over`.
    NodeRef lift_union(ir::ExprId set, const Context& in, NodeRef over, const Lift& lift) {
        return lowering_.tried(set, [&] {
            const NodeRef found = find_union(set, in, over, lift);
            return found != no_node ? found : union_value_by_value(set, in, over, lift);
        });
    }
    // The sites that a scalar is for v in `over`, if it is one.
    NodeRef lift_sites(ir::ExprId site, const Context& in, NodeRef over, const Lift& lift);
    // The entries of a matrix that indices mean for the entries in `over`, if these are theirs.
    NodeRef lift_entry_numbers(ir::StateId matrix, std::span<const ir::ExprId> indices, const Context& in, NodeRef over,
                               const Lift& lift);
    // Calls f for each value of a map that one of the expressions reads at the lifted variable, with a context in which
    // it is assumed and the members of `over` at which it stands; or once, if they read none. False: some f was.
    bool for_each_value(std::span<const ir::ExprId> list, const Context& in, NodeRef over, const Lift& lift,
                        const std::function<bool(const Context&, NodeRef)>& f);
    // Calls f for each value that a scalar can have, with those of the lifted variable for which it is that. False:
    // some f was, or it can't be lifted.
    bool for_each_case(ir::ExprId e, const Context& in, const Lift& lift,
                       const std::function<bool(NodeRef, NodeRef)>& f);
    // {v | a(v) < b(v)} of numbers, or {v | a(v) = b(v)}, where one side is a scalar that a map keeps as a word and the
    // other is the same for all v.
    NodeRef lift_number(const Scoped& a, const Scoped& b, bool equal, const Lift& lift);
    // A set that depends on the values of names only, and all of them are known, as a row of a table. no_node: it has
    // none, or is constant.
    NodeRef static_set(const Scoped& e);
    // The sum of whole numbers over v in `over`, where there are few of them, each by conditions that can be lifted, or
    // they depend on what a map holds at v only.
    NodeRef lift_sum(ir::ExprId body, const Context& in, NodeRef over, const Lift& lift);
    // {v | given[v] in set}; -1: nowhere.
    NodeRef preimage(const std::vector<std::int64_t>& given, NodeRef set, const SetShape& of, const Lift& lift);
    // {v | holds(bit of v)}, known now.
    template <class Holds>
    NodeRef constant_where(const Lift& lift, Holds holds) {
        std::vector<std::uint64_t> members(lift.shape.words, 0);
        for (std::size_t b = 0; b < lift.shape.bits; ++b) members[b / 64] |= std::uint64_t{holds(b)} << (b % 64);
        return constant(std::move(members), lift);
    }
    // {v | scalar(v) = value}, of a Map.
    NodeRef map_equals(const LiftedScalar& scalar, std::int64_t value, const Context& in, const Lift& lift);
    // Sets of at most so many members are unrolled inside a lifted expression.
    std::size_t inner_unroll(ir::TypeId type) const { return std::max<std::size_t>(16, lowering_.unroll_limit(type)); }
    // For each value of a binder's type, if they are few: where it is in the binder's domain, and the context with it.
    // False: they are many, or f says so. Of a larger type, for a few candidates that depend on the lifted variable.
    bool each_member(const Scoped& binder, const Lift& lift, const std::function<bool(NodeRef, const Context&)>& f);

private:
    // lift.cpp: truths
    NodeRef find_truth(ir::ExprId e, const Context& in, const Lift& lift);
    NodeRef lift_junction(const Scoped& e, const Lift& lift);
    NodeRef lift_if(const Scoped& e, const Lift& lift);
    NodeRef lift_is_none(const Scoped& e, const Lift& lift);
    NodeRef lift_in(const Scoped& e, const Lift& lift);
    NodeRef lift_case_in(const Scoped& scalar, const Scoped& set, const Lift& lift);
    NodeRef lift_name(const Scoped& e, const Lift& lift);
    NodeRef lift_truth_kept(const Scoped& e, const Lift& lift);
    NodeRef lift_can(const Scoped& e, const Lift& lift);
    NodeRef union_of_rows(const Scoped& set, NodeRef over, const Lift& lift);
    std::vector<std::uint64_t> rows_of_map(const Scoped& read, const Lift& lift);
    std::vector<std::uint64_t> chosen_rows(const Scoped& set, const Lift& lift);
    NodeRef union_of_unions(const Scoped& set, NodeRef over, const Lift& lift);
    NodeRef join_unions(const Scoped& set, NodeRef over, const Lift& lift);
    NodeRef lift_recursive(const Scoped& e, const Lift& lift);
    std::vector<std::int64_t> entry_numbers(ir::StateId matrix, std::span<const ir::ExprId> indices, const Context& in,
                                            const Lift& lift);
    NodeRef lift_binder(const Scoped& e, const Lift& lift);
    struct IndexRead {
        ir::StateId matrix{};
        std::size_t index = 0;
    };
    NodeRef lift_by_difference(const Scoped& e, const Lift& lift);
    std::optional<IndexRead> read_by(ir::ExprId e, ir::VarId var, const Context& in, const Lift& lift);
    NodeRef lift_unrolled(const Scoped& e, const std::vector<std::uint64_t>& bits, NodeRef domain, const Lift& lift);
    // lift_comparisons.cpp
    NodeRef lift_equal(const Scoped& a, const Scoped& b, const Lift& lift);
    NodeRef lift_equal_sets(const Scoped& e, const Lift& lift);
    bool lift_at_least(const Scoped& counted, std::optional<std::int64_t> known, const Lift& lift,
                       std::vector<NodeRef>& at_least);
    bool sum_at_least(const Scoped& sum, std::optional<std::int64_t> known, const Lift& lift,
                      std::vector<NodeRef>& at_least);
    bool counts_members(const Scoped& e);
    bool sum_of_truths(const Scoped& e, NodeRef where, const Lift& lift, std::vector<NodeRef>& out);
    NodeRef exactly_so_many(const std::vector<NodeRef>& at_least, std::size_t k);
    NodeRef lift_count(const Scoped& a, const Scoped& b, bool equal, const Lift& lift);
    NodeRef equal_scalars(const LiftedScalar& x, const LiftedScalar& y, const Context& in, const Lift& lift);
    NodeRef equal_where(const LiftedScalar& y, std::int64_t value, NodeRef where, const Context& in, const Lift& lift);
    NodeRef lift_by_identity(const LiftedScalar& x, NodeRef word, const Lift& lift);
    NodeRef lift_by_row(const std::vector<std::int64_t>& table, NodeRef word, const Lift& lift);
    NodeRef lift_less(const Scoped& a, const Scoped& b, const Lift& lift);
    NodeRef less_scalars(const LiftedScalar& x, const LiftedScalar& y, const Context& in, const Lift& lift);
    NodeRef where_equal(const LiftedScalar& scalar, std::int64_t value, const Context& in, const Lift& lift);
    // lift_sets.cpp: relations
    bool each_candidate(const Scoped& binder, const Lift& lift, const std::function<bool(NodeRef, const Context&)>& f);
    NodeRef find_meets(ir::ExprId set, const Context& in, NodeRef target, const Lift& lift);
    NodeRef meets_single(const Scoped& set, NodeRef target, const Lift& lift);
    NodeRef meets_if(const Scoped& set, NodeRef target, const Lift& lift);
    bool costs_more_than_a_loop(const std::vector<Candidate>& list, const Lift& lift) const;
    NodeRef meets_candidates(const Scoped& set, NodeRef target, const Lift& lift);
    NodeRef member_of_image(const std::vector<std::int64_t>& table, const Scoped& set, const Lift& lift);
    NodeRef member_of_candidates(const std::vector<std::int64_t>& table, const Scoped& set, const Lift& lift);
    NodeRef find_union(ir::ExprId set, const Context& in, NodeRef over, const Lift& lift);
    NodeRef union_of_single(const Scoped& set, NodeRef over, const Lift& lift);
    NodeRef union_by_parts(const Scoped& set, NodeRef over, const Lift& lift);
    std::vector<std::int64_t> to_bits(ir::TypeId type, std::vector<std::int64_t> table) const;
    std::vector<std::int64_t> index_bits(ir::TypeId type, std::vector<std::int64_t> table) const;
    bool same(ir::ExprId a, ir::ExprId b) const;
    bool implies_some(ir::ExprId condition, ir::ExprId set) const;
    bool is_uniform(const Scoped& e, std::size_t i) { return !depends(program_.argument(e.expr, i), e.in); }
    // lift_pairs.cpp
    struct Pair;
    NodeRef lift_pairs(const Scoped& binder, NodeRef target, bool holds, const Lift& lift);
    NodeRef union_of_pairs(const Scoped& those, NodeRef over, const Lift& lift);
    bool depends_on(bool w, ir::ExprId e, const Context& in, const Pair& pair);
    NodeRef met(NodeRef target, const Pair& pair);
    NodeRef related(const Scoped& unresolved, NodeRef target, bool holds, const Pair& pair);
    NodeRef related_by_all(const Scoped& e, NodeRef target, bool holds, const Pair& pair);
    NodeRef related_by_any(const Scoped& e, NodeRef target, bool holds, const Pair& pair);
    NodeRef related_by_case(const Scoped& e, NodeRef target, bool holds, const Pair& pair);
    NodeRef related_by_set(const Scoped& e, NodeRef target, const Pair& pair);
    NodeRef related_by_meeting(const Scoped& e, NodeRef target, const Pair& pair);
    NodeRef related_by_equality(const Scoped& e, NodeRef target, const Pair& pair);
    bool is_other(const Scoped& e, const Pair& pair);
    NodeRef valued_in(const Scoped& e, ir::TypeId type, NodeRef target, const Pair& pair);
    // lift_cases.cpp
    using Cases = std::map<std::int64_t, NodeRef>;
    bool lift_cases(ir::ExprId e, const Context& in, const Lift& lift, Cases& out);
    void add_case(std::int64_t number, NodeRef set, Cases& out);
    bool count_cases(const Scoped& e, const Lift& lift, Cases& out);
    NodeRef sum_of_parts(const Scoped& e, NodeRef over, const Lift& lift);
    bool scalar_cases(const LiftedScalar& scalar, const Context& in, const Lift& lift, Cases& out);
    bool extreme_cases(const Scoped& e, const Lift& lift, Cases& out);
    NodeRef compare_cases(const Scoped& a, const Scoped& b, bool equal, const Lift& lift);
    bool repeated_cases(const Scoped& path, const Lift& lift, Cases& cases);
    NodeRef repeat_once(NodeRef set, const Scoped& power);
    NodeRef union_of_repeated(const Scoped& image, NodeRef over, const Lift& lift);
    NodeRef meets_repeated(const Scoped& image, NodeRef target, const Lift& lift);
    NodeRef lift_stored_there(const Scoped& map, const Scoped& other, const Lift& lift);
    // lift_scalars.cpp
    NodeRef constant(std::vector<std::uint64_t> members, const Lift& lift);
    bool find_scalar(ir::ExprId e, const Context& in, const Lift& lift, LiftedScalar& out);
    bool uniform_scalar(NodeRef value, const Lift& lift, LiftedScalar& out);
    bool map_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out);
    bool lift_row(const Scoped& read, const Lift& lift, LiftedScalar& out);
    NodeRef map_equals_by_row(const LiftedScalar& scalar, std::int64_t value, const Context& in, const Lift& lift);
    bool part_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out);
    bool member_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out);
    bool folded_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out);
    bool lift_table(ir::ExprId e, const Context& in, const Lift& lift, std::vector<std::int64_t>& out);
    NodeRef shifted_preimage(const std::vector<std::int64_t>& table, NodeRef set, NodeRef domain, bool same_board,
                             const Lift& lift);
    NodeRef preimage_by_distance(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift);
    NodeRef shifted_runs(const Runs& runs, NodeRef set);
    NodeRef preimage_of_runs(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift);
    NodeRef run_in_word(NodeRef set, std::int64_t above, std::uint64_t bits);
    NodeRef preimage_by_value(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift);
    // lift_static.cpp
    struct StaticNames;
    bool bind_static(const Scoped& e, const StaticRows& rows, const Lift* lift, StaticNames& out);
    NodeRef static_row(const StaticRows& rows, const StaticNames& names);
    NodeRef static_truth(ir::ExprId e, const Context& in, const Lift& lift);
    const StaticValues* static_values(const Scoped& e, const Lift& lift, std::vector<std::uint64_t>& matter);
    NodeRef known_truth(const Scoped& e, const Lift& lift);
    bool known_numbers(const Scoped& e, const Lift& lift, std::vector<std::int64_t>& out);
    NodeRef static_meets(const Scoped& e, NodeRef target, const Lift& lift);
    // By combination of the values that do not depend on the lifted variable: the union of the rows, the values of that
    // variable whose rows have members, and for each member the values whose rows have it.
    struct Transposed {
        std::size_t combinations = 1;
        std::vector<std::uint64_t> any = {}, some = {}, by_member = {};
    };
    std::optional<Transposed> transposed(const StaticRows& rows, const StaticNames& names, std::uint32_t members,
                                         const Lift& lift);
    static std::optional<std::size_t> row_at(const StaticRows& rows, const StaticNames& names, std::size_t combination,
                                             std::size_t bit);
    // lift_maps.cpp
    struct ReadAtLifted;
    std::optional<ReadAtLifted> read_at_lifted(ir::ExprId e, const Context& in, const Lift& lift, int depth);
    struct Joined {
        Family by;
        NodeRef none; // what nothing gives
    };
    template <class F>
    NodeRef value_by_value(ir::ExprId e, const Context& in, const Lift& lift, Joined joined, F&& f);
    NodeRef truth_value_by_value(ir::ExprId e, const Context& in, const Lift& lift);
    NodeRef sum_value_by_value(ir::ExprId body, const Context& in, NodeRef over, const Lift& lift);
    NodeRef meets_value_by_value(ir::ExprId set, const Context& in, NodeRef target, const Lift& lift);
    NodeRef union_value_by_value(ir::ExprId set, const Context& in, NodeRef over, const Lift& lift);
    NodeRef lift_by_value(ir::ExprId e, const Context& in, const Lift& lift);
    struct ByValue;
    bool truth_by_value(ir::ExprId e, const Context& in, ByValue& known, std::vector<bool>& truth);
    bool compare_by_value(const Scoped& e, ByValue& known, std::vector<bool>& truth);
    NodeRef padding(ir::TypeId type);
    struct Row;
    bool find_row(const Scoped& read, Row& out);
    NodeRef lift_stored_none(const Scoped& map, const Lift& lift);
    NodeRef lift_above(ir::ExprId map, const Context& in, NodeRef bound, const Lift& lift);

    static constexpr int most_nested_unions = 5; // of which each lifts the one inside twice
    int nested_unions_ = 0;
};

} // namespace zug::run

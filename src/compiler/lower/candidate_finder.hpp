#pragma once
// A set that depends on the lifted variable, as finitely many candidates: each is a table that gives a member for every
// value of the variable, and a guard, the values for which it is one. So the values of a move's parameter are
// enumerated.
//
// Steps from a site give one candidate for each direction, a slide gives one for each direction and distance. Sets with
// more than 600 candidates are refused, and so are those for which no bound is known at compile time.

#include "compiler/lower/lowering_part.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <optional>
#include <vector>

namespace zug::run {

class CandidateFinder : private LoweringPart {
public:
    using Candidates = std::vector<Candidate>;

    explicit CandidateFinder(Lowering& lowering) : LoweringPart(lowering) {}

    // Adds the candidates of the set. False: no way was found, and `out` holds some of them only. Answers are kept for
    // the epoch of the graph, since the same set is asked for with each value of another parameter.
    bool find(ir::ExprId set, const Context& in, const Lift& lift, Candidates& out);

    // The image of a candidate along a path, or (back) its preimage.
    struct Walk {
        Context in;
        const Lift& lift;
        bool back = false;
    };
    bool follow(const Candidate& from, ir::ExprId path, const Walk& walk, Candidates& out);

    // Makes candidates disjoint: no value is offered twice for the same value of the lifted variable.
    void disjoin(Candidates& list, const Lift& lift);
    // Leaves out what a set of numbers holds besides the values of the parameter's type.
    void drop_foreign(ir::TypeId type, Candidates& list, const Lift& lift);

private:
    bool search(ir::ExprId set, const Context& in, const Lift& lift, Candidates& out);
    bool enumerate(ir::ExprId set, const Context& in, const Lift& lift, Candidates& out);
    bool of_constant(const Scoped& set, const Lift& lift, Candidates& out);
    bool of_single(const Scoped& set, const Lift& lift, Candidates& out);
    bool of_map_value(const LiftedScalar& scalar, const Context& in, const Lift& lift, Candidates& out);
    bool of_image(const Scoped& set, const Lift& lift, Candidates& out);
    bool of_intersection(const Scoped& set, const Lift& lift, Candidates& out);
    bool of_if(const Scoped& set, const Lift& lift, Candidates& out);
    bool of_union_over(const Scoped& set, const Lift& lift, Candidates& out);
    bool of_set_of(const Scoped& set, const Lift& lift, Candidates& out);
    bool filtered(const Scoped& kept, ir::ExprId filter, bool without, const Lift& lift, Candidates& out);
    void add(Candidate candidate, Candidates& out);
    Context bind_candidate(ir::VarId var, const Candidate& candidate, const Context& in);
    // candidate_paths.cpp
    bool follow_constant(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out);
    void follow_step(const Candidate& from, const std::vector<std::int64_t>& step, const Lift& lift, Candidates& out);
    bool follow_each(const Candidates& from, ir::ExprId path, const Walk& walk, Candidates& out);
    bool follow_seq(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out);
    bool follow_into(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out);
    bool follow_if(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out);
    bool keeps_value(const Scoped& path, const Lift& lift);
    bool follow_equals(const Candidate& from, const Candidate& first, const Lift& lift, Candidates& out);
    bool follow_repeats(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out);
    std::optional<std::int64_t> constant_number(ir::ExprId e, const Context& in);
    bool keep_members(const Candidate& candidate, ir::ExprId set, const Walk& walk, Candidates& out);

    bool hash_of(ir::ExprId e, const Context& in, bool values, WordsHasher& hasher);
    bool too_large(const Candidates& list);

    // What find() found in this epoch, or that it found no way.
    boost::unordered_flat_map<WordsHash, std::optional<Candidates>, WordsHashBucket> known_;
    boost::unordered_flat_set<WordsHash, WordsHashBucket> too_large_; // sets with too many candidates, by sort
    bool is_too_large_ = false;                                       // what is searched now
    std::uint64_t stamp_ = 0;                                         // of the epoch that known_ is about
};

} // namespace zug::run

#pragma once
// The moves of a rule as sets: one parameter is lifted, or several by which a matrix can be read, and for each choice
// of the others there is a set of the values of that parameter for which the rule's conditions hold.

#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/lowering_part.hpp"

#include <optional>
#include <vector>

namespace zug::run {

class MoveSetFinder : private LoweringPart {
public:
    explicit MoveSetFinder(Lowering& lowering) : LoweringPart(lowering) {}

    // Adds the sets of a rule's moves. Parameters that the context binds are given. False: some condition cannot be
    // lifted, or there are more sets than the query allows; `out` then holds some of them.
    bool find(const ir::Rule& rule, const Context& in, const MoveSetQuery& query, std::vector<MoveSet>& out);
    // The moves of a set, found without given parameters, that satisfy a condition on the parameters; no_node: it
    // cannot be lifted.
    NodeRef those_where(const ir::Rule& rule, const MoveSet& found, ir::ExprId condition, const Context& in);

    // The site that the others are looked for from, of the parameters that are sites and not given: one that no clause
    // looks for from another of them, as `t in f.d` does t from f, the first such about which a clause says something
    // by itself; else the first. The number of parameters if there is none.
    std::size_t leading_site(const ir::Rule& rule, const Context& in) const;
    // Whether the expression names the variable, also by names that the rule's clauses bind.
    bool names(const ir::Rule& rule, ir::ExprId e, ir::VarId var) const;

private:
    struct Search;
    struct PartialMoveSet; // with some of the parameters chosen
    // The parameter that is lifted: the leading site, rather one that is the column of a map's entries than their row;
    // else the one with the most values; the number of parameters if there is none.
    struct Lifted {
        std::size_t param;
        std::uint64_t values; // of its type; UINT64_MAX: it is a site
    };
    Lifted lifted_parameter(const ir::Rule& rule, const Context& in) const;
    bool is_column(const ir::Rule& rule, std::size_t param) const;
    std::size_t times_named(ir::ExprId e, ir::VarId var) const;
    bool lift_together(Search& search, PartialMoveSet& partial);
    bool choose_way(Search& search, const PartialMoveSet& partial);
    std::optional<std::size_t> index_like(const Search& search, const PartialMoveSet& partial, std::size_t param) const;
    CandidateFinder::Candidates differences(const Search& search, std::size_t param, const ir::Type& type);
    bool apply_clauses(Search& search, PartialMoveSet& partial);
    bool choose_next(Search& search, PartialMoveSet partial);
    bool choose(Search& search, const PartialMoveSet& partial, std::size_t param, CandidateFinder::Candidates list);
    enum class Found : std::uint8_t { Yes, No, Nothing };
    Found choose_by_clause(Search& search, const PartialMoveSet& partial);
    Found choose_by_type(Search& search, const PartialMoveSet& partial);
    Context bind_values(ir::VarId var, const std::vector<std::int64_t>& table, const Context& in);
};

} // namespace zug::run

#pragma once
// What is said of the sites a number of steps away: `at[c.d^(k + 1)] = me and all j in 1..k: at[c.d^j] = foe`. It is
// about a walk: k steps over sites that pass one test, and then some more to a site that passes another. As a path it
// is followed once, while the numbers would be tried one by one.

#include "compiler/analysis/substitution.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace zug::run {

// The sites that are `number` steps away, each step along `step`, from one: `the` of an image.
struct NumberedSite {
    ir::ExprId from, step, number; // number: none_id is 1
};

// For k from `low` to `high`: the sites 1 to k + passed of the walk pass a test, and the site k + reached another.
struct NumberedRun {
    ir::ExprId from = none_id<ir::ExprId>, step = none_id<ir::ExprId>;
    std::int64_t low = 0, high = 0, passed = 0, reached = 0;
    ir::TypeId numbers{};                         // a type that has all of k + passed
    ir::VarId site{};                             // the name that the tests are about
    ir::ExprId test_passed = none_id<ir::ExprId>; // none_id: `reached` alone is tested
    std::vector<ir::ExprId> tests_reached = {};   // none: only those passed are tested
    std::vector<ir::ExprId> others = {};          // what is said besides, without k
};

class NumberedRuns : public ExpressionBuilder {
public:
    explicit NumberedRuns(ir::Program& program) : ExpressionBuilder(program) {}

    // What the conjunction says of a walk for the numbers k of the domain; nothing: something else.
    std::optional<NumberedRun> find(ir::VarId k, ir::ExprId domain, const std::vector<ir::ExprId>& said);
    // Whether a test of the site reached does not hold for `none`, so that all sites before it are on the board.
    bool reaches_site(const NumberedRun& run) const;
    // Whether no site passes both tests, so that for a walk there is one k at most.
    bool is_unique(const NumberedRun& run) const;
    // The sites passed, for all k at once or, if a site is reached, on the way to it; those reached; none_id: no path
    // says it.
    ir::ExprId passed_sites(const NumberedRun& run);
    ir::ExprId reached_sites(const NumberedRun& run);
    // Whether the walk reaches a site for some k.
    ir::ExprId some_reached(const NumberedRun& run);

    std::optional<NumberedSite> numbered_site(ir::ExprId e) const;
    // The least and greatest number of a set of consecutive ones.
    std::optional<std::pair<std::int64_t, std::int64_t>> bounds(ir::ExprId domain) const;
    // c, if the number is the variable plus c.
    std::optional<std::int64_t> distance_from(ir::ExprId number, ir::VarId var) const;
    bool along(const NumberedSite& site, const NumberedRun& run) const;
    // The most steps that a walk has on the board; nothing: it may come round to where it was.
    std::optional<std::int64_t> longest(ir::ExprId step) const;

private:
    struct About { // a walk, and the distances from the variable at which its sites are named
        NumberedRun* run;
        ir::VarId var;
        std::optional<std::int64_t> distance;
        std::vector<ir::VarId> bound = {}; // within the expression, by what has been entered of it
    };

    bool add_passed(ir::ExprId part, ir::VarId k, NumberedRun& run);
    // The expression with the site's name for the sites of the walk at one distance from a variable; none_id: the
    // variable is named in another way.
    ir::ExprId about_site(ir::ExprId e, About& about);
    bool is_false_at_none(ir::ExprId test, ir::VarId site) const;
    bool exclude(ir::ExprId a, ir::ExprId b) const;
    bool differ(ir::ExprId a, ir::ExprId b) const;
    ir::ExprId those(const NumberedRun& run, const std::vector<ir::ExprId>& tests);
    ir::ExprId passing(const NumberedRun& run, std::int64_t low);
    ir::ExprId image(const NumberedRun& run, ir::ExprId path);
};

// Exists over the numbers becomes a question about a path. Returns how many.
std::uint64_t follow_numbered_steps(ir::Program& program);

} // namespace zug::run

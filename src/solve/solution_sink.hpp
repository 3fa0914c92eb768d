#pragma once
// Receives solved tiers, last tier first, while the solution is under way.

#include "solve/encoding/tier_potential.hpp"
#include "solve/expectation/expected_values.hpp"
#include "solve/retrograde/backward_induction.hpp"

namespace zug::solve {

struct Solution;

struct Frame {
    const TierPotential& potential;
    const game::SymmetryGroup& symmetries;
    const archive::Bytes& combinations; // packed_combinations.hpp
    const Outcomes& outcomes;
    Ties ties;
    Key start;
    const ExpectedValues* expected = nullptr; // with chance
};

class SolutionSink {
public:
    virtual ~SolutionSink() = default;
    // `saved`: what save() returned for the checkpoint that is resumed, or null. The error `unreadable`
    // (enumeration/space.hpp): what was received before is no longer there.
    virtual tl::expected<void, Error> begin(const Frame& frame, const archive::Bytes* saved) = 0;
    // The results of a tier from block `first_block` on, in the order of its keys.
    virtual tl::expected<void, Error> keep(const Tier& tier, std::size_t first_block,
                                           std::span<const Result> results) = 0;
    // The same in games with chance, as for a ValueSink (expectation.hpp); end() then gets an empty histogram.
    virtual tl::expected<void, Error> keep_expected(const Tier& tier, std::size_t first_block,
                                                    ExpectedValues::Columns values) = 0;
    // Writes everything received so far to disk, where it stays, and returns what begin() needs to resume from here.
    virtual tl::expected<archive::Bytes, Error> save() = 0;
    virtual tl::expected<void, Error> end(const Solution& solution, const Histogram& histogram) = 0;
};

} // namespace zug::solve

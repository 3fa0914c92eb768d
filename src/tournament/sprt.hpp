#pragma once
// The sequential probability ratio test between two strengths of a player, in Elo over its opponent.
//
// It goes on as long as the logarithm of the likelihood ratio of "it is elo1 stronger" (H1) to "it is elo0 stronger"
// (H0) stays between two bounds, which follow from the error probabilities (Wald, "Sequential tests of statistical
// hypotheses", 1945): alpha to accept H1 where H0 holds, beta to accept H0 where H1 holds. A strength between the two
// takes the longest.
//
// The distribution of a block's score (blocks.hpp) is not known beyond its mean, so under each hypothesis the most
// likely one with that mean is taken: the generalised test (Li, Liu and Ying, "Generalized sequential probability ratio
// test for separate families of hypotheses", 2014), as for engine tests on pairs of games (Van den Bergh, "A practical
// introduction to the GSPRT", 2018). The Elo scale is the logistic one.

#include "base/error.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace zug::tournament {

struct SprtOptions {
    double elo0 = 0, elo1 = 10;
    double alpha = 0.05, beta = 0.05;
};

// `0,10` or `0,10,0.05,0.05`: elo0 < elo1, then alpha and beta between 0 and 0.5.
tl::expected<SprtOptions, Error> parse_sprt(std::string_view text);

struct SprtBounds {
    double accept_h0 = 0, accept_h1 = 0;
};
SprtBounds sprt_bounds(const SprtOptions& options);

// The expected score of a player that is so much stronger, between 0 and 1.
double expected_score(double elo);

// The logarithm of the likelihood ratio of elo1 to elo0. counts[k] blocks scored k / (counts.size() - 1); there are at
// least two scores. A score that did not occur counts as a thousandth of a block, or a hypothesis could be impossible.
// Cost: about a hundred passes over the counts.
double log_likelihood_ratio(std::span<const std::uint64_t> counts, double elo0, double elo1);

enum class SprtDecision : std::uint8_t { None, AcceptH0, AcceptH1 };
SprtDecision sprt_decision(double llr, const SprtBounds& bounds);

} // namespace zug::tournament

#pragma once
// The sequences of rules that a turn can be made of, where a turn plan repeats no step without bound.

#include "ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace zug::run {

struct Absence;

// Steps in order. A turn is of this variant where all of its `absent` hold.
struct TurnVariant {
    std::vector<ir::RuleId> steps;
    std::vector<Absence> absent;
    // What the plan says of the first step leaves a choice between variants that begin with different rules, or with
    // none: other variants may be possible in the same position.
    bool may_differ = false;
};

// After `at` steps no turn, or part of one, of these variants is possible.
struct Absence {
    std::size_t at = 0;
    std::vector<TurnVariant> ways;
};

struct TurnVariants {
    std::vector<TurnVariant> all; // two that begin with different rules exclude each other unless one may_differ
    // Some alternatives repeat steps, or compare chains (`most`): their turns are no variants. Where one of those is
    // possible, none of these is, nor where no turn is.
    bool partial = false;
    std::vector<ir::RuleId> others; // the rules of those alternatives
};

// The variants of the plan's turns. nullopt: not even those of some alternatives can be told, or there are too many.
std::optional<TurnVariants> turn_variants(const ir::TurnPlan& plan);

} // namespace zug::run

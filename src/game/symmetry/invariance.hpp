#pragma once
// Whether a relabelling is a symmetry of a game by the form of its rules: a proof, where samples only refute.
//
// Most operations of the intermediate representation commute with every relabelling of sites, directions and members of
// enumerations, whatever they read: they compare values, collect them and follow relations, but know none by name. So a
// relabelling is a symmetry of the rules if every expression that decides what happens consists of such operations, and
// of constants, sets and relations that it maps to themselves. (The argument is the one by which permutations of values
// in a specification are found to be symmetries: C. N. Ip, D. L. Dill, Better Verification Through Symmetry, 1996.)
//
// Two kinds of expressions are looked at as a whole: those without variables, which are computed; and the question
// whether there is a run of sites along one of several directions, which may be asked from either end of the run.
//
// The answer may be no although the relabelling is a symmetry.

#include "game/symmetry/relabelling.hpp"

namespace zug::game {

bool keeps_rules(const ir::Program& program, const Relabelling& relabelling);

} // namespace zug::game

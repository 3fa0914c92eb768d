#include "compiler/normalise/normalise.hpp"

#include "compiler/geometry/counted_runs.hpp"
#include "compiler/geometry/lines_between.hpp"
#include "compiler/geometry/numbered_run.hpp"
#include "compiler/geometry/ray_assignments.hpp"
#include "compiler/geometry/static_quantifiers.hpp"
#include "compiler/geometry/static_relations.hpp"
#include "compiler/normalise/asked_instances.hpp"
#include "compiler/normalise/compared_extremes.hpp"
#include "compiler/normalise/deferred_conditions.hpp"
#include "compiler/normalise/memberships.hpp"
#include "compiler/normalise/named_reads.hpp"
#include "compiler/normalise/set_assignments.hpp"
#include "compiler/recursion/mutual_recursion.hpp"
#include "compiler/recursion/recursive_arguments.hpp"
#include "compiler/recursion/recursive_closures.hpp"
#include "compiler/recursion/recursive_families.hpp"
#include "compiler/recursion/recursive_numbers.hpp"
#include "compiler/recursion/recursive_truths.hpp"

namespace zug::run {
namespace {

void run_pass(ir::Program& program, Passes& passes, Pass pass, std::uint64_t (*apply)(ir::Program&)) {
    if (!passes.on(pass)) return;
    const Passes::Timer timer(passes, pass);
    ++passes[pass].runs;
    passes.changed(pass, apply(program));
}

} // namespace

void normalise_questions(ir::Program& program, Passes& passes) {
    run_pass(program, passes, Pass::AskedInstances, ask_for_any_instance);
}

void normalise(ir::Program& program, Passes& passes) {
    const auto run = [&](Pass pass, std::uint64_t (*apply)(ir::Program&)) { run_pass(program, passes, pass, apply); };
    run(Pass::MutualRecursion, write_out_mutual_recursion);
    run(Pass::RecursiveNumbers, unroll_recursive_numbers);
    run(Pass::RecursiveTruths, collect_recursive_truths);
    run(Pass::WrittenOutNames, write_out_names);
    run(Pass::DistinctMembers, count_distinct_members);
    run(Pass::ComparedExtremes, compare_each);
    run(Pass::Memberships, narrow_domains);
    run(Pass::NumberedSteps, follow_numbered_steps);
    run(Pass::NamedReads, name_reads);
    run(Pass::StaticRelations, relate_by_paths);
    run(Pass::Memberships, narrow_domains); // a relation that is a path is a membership, too
    run(Pass::StaticQuantifiers, meet_static_sets);
    run(Pass::LinesBetween, follow_lines_between);
    run(Pass::CountedRuns, follow_counted_runs);
    run(Pass::RecursiveClosures, close_recursions);
    run(Pass::RecursiveArguments, collect_recursive_arguments);
    run(Pass::RecursiveFamilies, grow_recursive_families);
    run(Pass::RecursiveClosures, close_recursions); // sets of arguments may be what a path leads to
    run(Pass::RayAssignments, assign_along_rays);
    run(Pass::SetAssignments, assign_by_sets);
    run(Pass::DeferredConditions, ask_cheap_conditions_first);
    run(Pass::DeferredConditions, defer_conditions);
}

ir::Program for_proofs(const ir::Program& program, const PassOptions& options) {
    ir::Program copy = program;
    Passes uncounted(options);
    run_pass(copy, uncounted, Pass::WrittenOutNames, write_out_names);
    run_pass(copy, uncounted, Pass::Memberships, narrow_domains);
    return copy;
}

} // namespace zug::run

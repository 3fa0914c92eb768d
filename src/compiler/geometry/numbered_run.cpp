#include "compiler/geometry/numbered_run.hpp"

#include <algorithm>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

constexpr std::int64_t most_further = 4; // steps after those passed

} // namespace

std::optional<NumberedSite> NumberedRuns::numbered_site(ExprId e) const {
    if (program_.exprs[e].op != Op::The) return std::nullopt;
    const ExprId image = program_.argument(e, 0);
    if (program_.exprs[image].op != Op::Image) return std::nullopt;
    const ExprId one = program_.argument(image, 0);
    if (program_.exprs[one].op != Op::Single) return std::nullopt;
    NumberedSite result{program_.argument(one, 0), program_.argument(image, 1), none_id<ExprId>};
    if (program_.exprs[result.step].op == Op::Power) {
        const ExprId power = result.step;
        result.step = program_.argument(power, 0);
        result.number = program_.argument(power, 1);
        if (!alike(program_, result.number, program_.argument(power, 2))) return std::nullopt;
    }
    return program_.exprs[result.step].op == Op::Step ? std::optional(result) : std::nullopt;
}

std::optional<std::pair<std::int64_t, std::int64_t>> NumberedRuns::bounds(ExprId domain) const {
    const ir::Expr& x = program_.exprs[domain];
    const ir::TypeId element = program_.types.inner(x.type);
    if (program_.types.kind(element) != TypeKind::Int) return std::nullopt;
    const ir::Type& type = program_.types[element];
    if (x.op == Op::Universe) return std::pair(type.lo, type.hi);
    if (x.op == Op::IntRange) {
        const ir::Expr &low = program_.exprs[program_.argument(domain, 0)],
                       &high = program_.exprs[program_.argument(domain, 1)];
        if (low.op != Op::Const || high.op != Op::Const) return std::nullopt;
        return std::pair(std::max(low.imm, type.lo), std::min(high.imm, type.hi));
    }
    if (x.op != Op::SetConst) return std::nullopt;
    const Bits& members = program_.set_consts[static_cast<ir::SetConstId>(x.imm)];
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (members.test(i)) values.push_back(program_.types.value(element, i));
    const bool gapless =
        !values.empty() && values.back() - values.front() + 1 == static_cast<std::int64_t>(values.size());
    return gapless ? std::optional(std::pair(values.front(), values.back())) : std::nullopt;
}

std::optional<std::int64_t> NumberedRuns::distance_from(ExprId number, VarId var) const {
    if (!valid(number)) return std::nullopt;
    if (is_name(program_, number, var)) return 0;
    const ir::Expr& x = program_.exprs[number];
    if (x.op != Op::Add && x.op != Op::Sub) return std::nullopt;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const ir::Expr& other = program_.exprs[program_.argument(number, 1 - i)];
        if (!is_name(program_, program_.argument(number, i), var) || other.op != Op::Const) continue;
        if (x.op == Op::Add) return other.imm;
        if (i == 0) return -other.imm;
    }
    return std::nullopt;
}

bool NumberedRuns::along(const NumberedSite& site, const NumberedRun& run) const {
    return alike(program_, site.from, run.from) && alike(program_, site.step, run.step);
}

std::optional<std::int64_t> NumberedRuns::longest(ExprId step) const {
    const auto board = static_cast<ir::BoardId>(program_.types[program_.exprs[step].type].ref);
    const ir::Board& of = program_.boards[board];
    const auto sites = static_cast<std::int64_t>(of.sites.size());
    std::int64_t most = 0;
    for (std::uint32_t d = 0; d < of.dir_count; ++d)
        for (std::int64_t begin = 0; begin < sites; ++begin) {
            std::int64_t at = begin, steps = -1;
            for (; at >= 0 && steps < sites; ++steps)
                at = of.steps[static_cast<ir::StepId>(d)].to[static_cast<std::size_t>(at)];
            if (steps >= sites) return std::nullopt;
            most = std::max(most, steps);
        }
    return most;
}

// -- what a conjunction says

std::optional<NumberedRun> NumberedRuns::find(VarId k, ExprId domain, const std::vector<ExprId>& said) {
    const auto numbers = bounds(domain);
    if (!numbers) return std::nullopt;
    NumberedRun run;
    std::tie(run.low, run.high) = *numbers;
    std::vector<ExprId> rest;
    for (const ExprId part : said) {
        if (!names(program_, part, k))
            run.others.push_back(part);
        else if (valid(run.test_passed) || !add_passed(part, k, run))
            rest.push_back(part);
    }
    if (!valid(run.test_passed) || !longest(run.step)) return std::nullopt;
    About about{&run, k, std::nullopt};
    for (const ExprId part : rest) {
        run.tests_reached.push_back(about_site(part, about));
        if (!valid(run.tests_reached.back())) return std::nullopt;
    }
    run.reached = about.distance.value_or(run.passed);
    const std::int64_t further = run.reached - run.passed;
    if (further < 0 || further > most_further || run.low + run.passed < 0) return std::nullopt;
    return run;
}

// `all j in 1..k + passed: test`, or that there is no j for which its opposite holds.
bool NumberedRuns::add_passed(ExprId part, VarId k, NumberedRun& run) {
    const bool no = program_.exprs[part].op == Op::Not;
    const ExprId all = no ? program_.argument(part, 0) : part;
    if (program_.exprs[all].op != (no ? Op::Exists : Op::ForAll)) return false;
    const auto j = static_cast<VarId>(program_.exprs[all].imm);
    const ExprId range = program_.argument(all, 0), body = program_.argument(all, 1);
    if (program_.exprs[range].op != Op::IntRange || names(program_, body, k)) return false;
    const ir::Expr& low = program_.exprs[program_.argument(range, 0)];
    const ExprId high = program_.argument(range, 1);
    const auto passed = distance_from(high, k);
    // All numbers of the range must be of the type that it is a set of.
    const ir::Type& type = program_.types[program_.types.inner(program_.exprs[range].type)];
    if (low.op != Op::Const || low.imm != 1 || !passed || type.lo > 1 || type.hi < run.high + *passed) return false;
    NumberedRun found = run;
    found.site = program_.vars.push({"site", {}});
    About about{&found, j, 0};
    ExprId test = about_site(body, about);
    if (!valid(test) || !valid(found.step)) return false;
    if (no) test = not_(test);
    found.passed = *passed;
    found.numbers = program_.exprs[high].type;
    found.test_passed = test;
    run = found;
    return true;
}

ExprId NumberedRuns::about_site(ExprId e, About& about) {
    if (!names(program_, e, about.var)) return e;
    if (const auto site = numbered_site(e)) {
        const auto distance = distance_from(site->number, about.var);
        NumberedRun& run = *about.run;
        const auto is_named = [&](VarId v) { return names(program_, site->from, v) || names(program_, site->step, v); };
        if (!distance || is_named(about.var) || std::ranges::any_of(about.bound, is_named)) return none_id<ExprId>;
        if (!valid(run.step)) {
            run.from = site->from;
            run.step = site->step;
            program_.vars[run.site].type =
                program_.types.inner(program_.exprs[program_.argument(program_.argument(e, 0), 0)].type);
        }
        if (!along(*site, run) || (about.distance && *about.distance != *distance)) return none_id<ExprId>;
        about.distance = distance;
        return make(Op::Var, program_.vars[run.site].type, static_cast<std::int64_t>(index(run.site)), {},
                    program_.exprs[e].span);
    }
    std::vector<ExprId> args = arguments(e);
    if (args.empty()) return none_id<ExprId>;
    const bool binds = ir::binds_variable(program_.exprs[e].op);
    if (binds) about.bound.push_back(static_cast<VarId>(program_.exprs[e].imm));
    for (ExprId& a : args)
        if (a = about_site(a, about); !valid(a)) return none_id<ExprId>;
    if (binds) about.bound.pop_back();
    return remake(e, args);
}

// -- what tests imply

bool NumberedRuns::is_false_at_none(ExprId test, VarId site) const {
    const ir::Expr& x = program_.exprs[test];
    const auto is_none_there = [&](ExprId e) {
        const ir::Expr& of = program_.exprs[e];
        if (of.op == Op::MapGet)
            return program_.types.kind(of.type) == TypeKind::Optional &&
                   std::ranges::any_of(program_.arguments(e), [&](ExprId i) { return is_name(program_, i, site); });
        return is_name(program_, e, site);
    };
    switch (x.op) {
    case Op::And:
        return std::ranges::any_of(program_.arguments(test), [&](ExprId a) { return is_false_at_none(a, site); });
    case Op::In: return is_none_there(program_.argument(test, 0));
    case Op::Eq:
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            const ExprId other = program_.argument(test, 1 - i);
            if (is_none_there(program_.argument(test, i)) && !names(program_, other, site) &&
                program_.types.kind(program_.exprs[other].type) != TypeKind::Optional &&
                program_.types.kind(program_.exprs[other].type) != TypeKind::None)
                return true;
        }
        return false;
    default: return false;
    }
}

bool NumberedRuns::reaches_site(const NumberedRun& run) const {
    return std::ranges::any_of(run.tests_reached, [&](ExprId test) { return is_false_at_none(test, run.site); });
}

bool NumberedRuns::is_unique(const NumberedRun& run) const {
    if (run.reached != run.passed + 1) return false;
    const std::vector<ExprId> passed = parts(program_, run.test_passed, Op::And);
    return std::ranges::any_of(run.tests_reached, [&](ExprId a) {
        return std::ranges::any_of(passed, [&](ExprId b) { return exclude(a, b); });
    });
}

// Of two tests what one value is: whether they can't hold both.
bool NumberedRuns::exclude(ExprId a, ExprId b) const {
    const Op of_a = program_.exprs[a].op, of_b = program_.exprs[b].op;
    if (of_a == Op::Not) return alike(program_, program_.argument(a, 0), b);
    if (of_b == Op::Not) return alike(program_, program_.argument(b, 0), a);
    if (of_a == Op::IsNone && of_b == Op::Eq) return exclude(b, a);
    if (of_a != Op::Eq) return false;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const ExprId value = program_.argument(a, i), is = program_.argument(a, 1 - i);
        if (of_b == Op::IsNone && alike(program_, value, program_.argument(b, 0)) &&
            program_.types.kind(program_.exprs[is].type) != TypeKind::Optional)
            return true;
        if (of_b != Op::Eq) continue;
        for (const std::size_t j : {std::size_t{0}, std::size_t{1}})
            if (alike(program_, value, program_.argument(b, j)) && differ(is, program_.argument(b, 1 - j))) return true;
    }
    return false;
}

bool NumberedRuns::differ(ExprId a, ExprId b) const {
    const ir::Expr &x = program_.exprs[a], &y = program_.exprs[b];
    if (x.op == Op::Const && y.op == Op::Const) return x.imm != y.imm;
    const auto is_next = [&](ExprId e, ExprId of) {
        const Op op = program_.exprs[e].op;
        return (op == Op::NextPlayer || op == Op::PrevPlayer) && program_.player_count() > 1 &&
               alike(program_, program_.argument(e, 0), of);
    };
    const bool some =
        program_.types.kind(x.type) == TypeKind::Player && program_.types.kind(y.type) == TypeKind::Player;
    return some && (is_next(a, b) || is_next(b, a));
}

// -- as paths

ExprId NumberedRuns::those(const NumberedRun& run, const std::vector<ExprId>& tests) {
    const Span span = program_.exprs[tests[0]].span;
    const ir::TypeId sites = program_.types.set(program_.vars[run.site].type);
    const ExprId all = make(Op::Universe, sites, 0, {}, span);
    return make(Op::SetOf, sites, static_cast<std::int64_t>(index(run.site)), {all, junction(Op::And, tests, span)},
                span);
}

// The steps over the sites passed, from `low` of them up. none_id: it takes a number that no type has.
ExprId NumberedRuns::passing(const NumberedRun& run, std::int64_t low) {
    const Span span = program_.exprs[run.test_passed].span;
    const ir::TypeId path = program_.exprs[run.step].type;
    const ExprId over = make(Op::Into, path, 0, {run.step, those(run, {run.test_passed})}, span);
    const std::int64_t high = run.high + run.passed;
    const std::int64_t most = *longest(run.step) - (run.reached - run.passed);
    // 0 and 1 as truths: the layout of the state knows no type that the checker has not made.
    if (high >= most && low <= 1) return make(Op::Closure, path, 0, {over, truth(low == 1, span)}, span);
    const ir::Type& numbers = program_.types[run.numbers];
    if (low < numbers.lo || high > numbers.hi) return none_id<ExprId>;
    return make(Op::Power, path, 0, {over, constant(run.numbers, low, span), constant(run.numbers, high, span)}, span);
}

ExprId NumberedRuns::image(const NumberedRun& run, ExprId path) {
    if (!valid(path)) return path;
    const Span span = program_.exprs[run.test_passed].span;
    const ir::TypeId sites = program_.types.set(program_.vars[run.site].type);
    return make(Op::Image, sites, 0, {make(Op::Single, sites, 0, {run.from}, span), path}, span);
}

ExprId NumberedRuns::passed_sites(const NumberedRun& run) {
    return image(run, passing(run, run.tests_reached.empty() ? run.low + run.passed : 1));
}

ExprId NumberedRuns::reached_sites(const NumberedRun& run) {
    const Span span = program_.exprs[run.test_passed].span;
    const ir::TypeId type = program_.exprs[run.step].type;
    ExprId path = passing(run, run.low + run.passed);
    if (!valid(path)) return path;
    for (std::int64_t k = run.passed; k < run.reached; ++k) {
        const bool last = k + 1 == run.reached && !run.tests_reached.empty();
        const ExprId step = last ? make(Op::Into, type, 0, {run.step, those(run, run.tests_reached)}, span) : run.step;
        path = make(Op::Seq, type, 0, {path, step}, span);
    }
    const ExprId sites = image(run, path);
    if (run.reached > run.passed || run.tests_reached.empty()) return sites;
    return make(Op::Inter, program_.exprs[sites].type, 0, {sites, those(run, run.tests_reached)}, span);
}

// Where one test says which site is reached, whether that is one of them.
ExprId NumberedRuns::some_reached(const NumberedRun& run) {
    const Span span = program_.exprs[run.test_passed].span;
    for (std::size_t t = 0; t < run.tests_reached.size(); ++t) {
        const ExprId test = run.tests_reached[t];
        if (program_.exprs[test].op != Op::Eq) continue;
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            const ExprId site = program_.argument(test, 1 - i);
            if (!is_name(program_, program_.argument(test, i), run.site) || names(program_, site, run.site)) continue;
            NumberedRun without = run;
            without.tests_reached.erase(without.tests_reached.begin() + static_cast<std::ptrdiff_t>(t));
            const ExprId sites = reached_sites(without);
            return valid(sites) ? make(Op::In, program_.types.boolean(), 0, {site, sites}, span) : sites;
        }
    }
    const ExprId sites = reached_sites(run);
    return valid(sites) ? make(Op::Any, program_.types.boolean(), 0, {sites}, span) : sites;
}

namespace {

class NumberedSteps {
public:
    explicit NumberedSteps(ir::Program& program) : program_(program), runs_(program) {}

    // Quantifiers inside that do not depend on the number are put outside.
    bool replace(ExprId e) {
        if (program_.exprs[e].op != Op::Exists) return false;
        const auto k = static_cast<VarId>(program_.exprs[e].imm);
        const ExprId domain = program_.argument(e, 0);
        std::vector<ExprId> inside;
        ExprId body = program_.argument(e, 1);
        while (program_.exprs[body].op == Op::Exists && !names(program_, program_.argument(body, 0), k)) {
            inside.push_back(body);
            body = program_.argument(body, 1);
        }
        const auto run = runs_.find(k, domain, parts(program_, body, Op::And));
        if (!run || !runs_.reaches_site(*run)) return false;
        std::vector<ExprId> said = run->others;
        said.push_back(runs_.some_reached(*run));
        if (!valid(said.back())) return false;
        ExprId result = runs_.junction(Op::And, said, program_.exprs[e].span);
        for (auto binder = inside.rbegin(); binder != inside.rend(); ++binder) {
            const ir::Expr of = program_.exprs[*binder];
            result = runs_.make(Op::Exists, of.type, of.imm, {program_.argument(*binder, 0), result}, of.span);
        }
        program_.exprs[e] = program_.exprs[result];
        return true;
    }

private:
    ir::Program& program_;
    NumberedRuns runs_;
};

} // namespace

std::uint64_t follow_numbered_steps(ir::Program& program) {
    NumberedSteps steps(program);
    return replace_each(program, [&](ExprId e) { return steps.replace(e); });
}

} // namespace zug::run

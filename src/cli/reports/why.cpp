#include "cli/reports/why.hpp"

#include "cli/interrupt.hpp"
#include "compiler/compile.hpp"
#include "diag/diagnostic.hpp"
#include "interpreter/profile_report.hpp"

#include <algorithm>
#include <cmath>

namespace zug::cli {

namespace {

using run::Origin;

constexpr std::size_t most_locations = 12; // in the text; the JSON has all of them
constexpr double least_share = 0.01;

// Why an operation is not lifted to all values at once, and what to write instead.
struct Reason {
    ir::Op op;
    std::string_view text;
};
constexpr Reason reasons[] = {
    {ir::Op::MapGet, "a map of numbers, or one with several indices, is read slot by slot"},
    {ir::Op::Count, "a count that differs from value to value is taken one by one; `some` and `no` are not"},
    {ir::Op::SetOf, "a set by a condition, of members that differ from value to value, is made for each by itself"},
    {ir::Op::UnionOver, "a union that differs from value to value is made for each by itself"},
    {ir::Op::SumOver, "a sum that differs from value to value is taken one by one"},
    {ir::Op::MinOver, "a least value that differs from value to value is looked for one by one"},
    {ir::Op::MaxOver, "a greatest value that differs from value to value is looked for one by one"},
    {ir::Op::Image, "where a path leads from a set that differs from value to value is followed for each by itself"},
    {ir::Op::Closure, "a path without end that differs from value to value is followed for each by itself"},
    {ir::Op::Call, "a definition that uses itself is worked out for each value by itself; a path with `*` is not"},
    {ir::Op::Can, "`can` of a rule with `ensure`, or with values that are not given, is asked move by move"},
    {ir::Op::The, "`the` of a set that differs from value to value is looked up one by one; `in` is not"},
};

std::string part_text(const ir::Program& program, const Origin& origin) {
    const auto rule = [&] { return program.rules[static_cast<ir::RuleId>(origin.number)].name; };
    switch (origin.part) {
    case Origin::Part::When: return fmt::format("`{}`: where it is possible", rule());
    case Origin::Part::Then: return fmt::format("`{}`: its effects", rule());
    case Origin::Part::Ensure: return fmt::format("`{}`: ensure", rule());
    case Origin::Part::Weight: return fmt::format("`{}`: its weight", rule());
    case Origin::Part::End: return fmt::format("end clause {}", origin.number + 1);
    case Origin::Part::Payoff: return fmt::format("payoffs of end clause {}", origin.number + 1);
    case Origin::Part::Eval: return "eval";
    case Origin::Part::Bound: return "bound";
    case Origin::Part::Key: return "earlier positions";
    case Origin::Part::Turn: return "turn";
    case Origin::Part::None: break;
    }
    return "drawing a move, and the way to the next";
}

// Why a part of an expression is not lifted.
std::string_view reason_of(const run::DebugInfo::Refusal& refusal) {
    const auto* known = std::ranges::find(reasons, refusal.because->op, &Reason::op);
    return refusal.too_large            ? "this can be met in too many ways to keep a set for each"
           : known != std::end(reasons) ? known->text
                                        : "this is worked out for each value by itself";
}

class Report {
public:
    Report(const lang::Loaded& loaded, const run::Explanation& explanation)
        : program_(explanation.program ? *explanation.program : *loaded.program), sources_(loaded.sources),
          found_(explanation) {}

    void print() const;
    Json json() const;

private:
    std::string part_text(const Origin& origin) const { return cli::part_text(program_, origin); }
    void location(double share, const std::string& text, const Origin& origin) const;
    void why(const Origin& origin) const;
    void parts() const;
    void turns() const;
    void ops() const;
    void loops() const;
    void questions() const;
    void locations() const;
    Json location_json(const Origin& origin) const;

    const ir::Program& program_;
    const diag::Sources& sources_;
    const run::Explanation& found_;
};

std::string times_text(double times) {
    return times >= 100    ? grouped(static_cast<std::uint64_t>(std::llround(times)))
           : times >= 9.95 ? fmt::format("{:.0f}", times)
                           : fmt::format("{:.2g}", times);
}

// Prints a share of the time, a line about it, and a location in the file.
void Report::location(double share, const std::string& text, const Origin& origin) const {
    say("{:4.0f} % {}; {}\n", share * 100, part_text(origin), text);
    if (origin.span.end == 0) return;
    say("       {}\n{}\n", diag::where(sources_, origin.span), diag::excerpt(sources_, origin.span));
}

// Prints the part of the expression there that could not be lifted.
void Report::why(const Origin& origin) const {
    const auto* refusal = found_.refusal(origin);
    if (refusal == nullptr) return;
    if (!refusal->because) {
        if (refusal->too_large) say("       there would be too many sets of moves to keep one for each combination\n");
        return;
    }
    const Span& span = refusal->because->span;
    say("       {}\n", reason_of(*refusal));
    if (span.end != 0 && span != origin.span)
        say("       {}\n{}\n", diag::where(sources_, span), diag::excerpt(sources_, span));
}

void Report::parts() const {
    say("\nShare of the time, instructions a ply\n");
    const auto row = [](double share, double instructions, const std::string& name) {
        say("{:4.0f} % {:>9}  {}\n", share * 100, times_text(instructions), name);
    };
    for (const auto& cost : found_.parts)
        if (cost.share >= least_share / 2) row(cost.share, cost.instructions, part_text(cost.origin));
    row(found_.outside, 0, "outside of the byte code: lists of moves, chains of steps, history");
}

// Why the turns of a program are chains and not compound moves (compiler/compound_moves.hpp). Empty: there are none.
std::string_view why_chains(const ir::Program& program) {
    if (!program.turn) return {};
    const auto& chains = program.turn->chains;
    const auto compares = [](const ir::PlanChain& chain) { return valid(chain.most) || !chain.most_sum.empty(); };
    const auto repeats = [](const ir::PlanChain& chain) {
        return std::ranges::any_of(chain.steps, [](const ir::PlanStep& step) {
            return step.repeat == ir::PlanStep::Repeat::Star || step.repeat == ir::PlanStep::Repeat::Plus;
        });
    };
    if (std::ranges::any_of(chains, compares)) return "`most` compares them";
    if (std::ranges::any_of(chains, repeats)) return "steps are repeated";
    if (std::ranges::any_of(program.exprs, [](const ir::Expr& x) { return x.op == ir::Op::Can; }))
        return "the rules ask `can` of a step";
    return program.turn->by_steps ? "the conditions and effects of the steps can't be those of one move"
                                  : "it is not known that different steps lead to different positions";
}

void Report::turns() const {
    if (const std::string_view why = why_chains(program_); !why.empty())
        say("\nTurns are chains of steps, made one by one and compared, and not moves with the parameters of all "
            "steps:\n"
            "       {}\n",
            why);
}

void Report::ops() const {
    std::string rows;
    for (const auto& op : found_.ops)
        if (op.share >= 3 * least_share)
            rows += fmt::format("{:4.0f} % {:>9}  {}\n", op.share * 100, times_text(op.times), op.name);
    if (!rows.empty()) say("\nOperations of the byte code: share of the time, times a ply\n{}", rows);
}

std::string loop_text(const run::LoopCost& loop) {
    const auto rounds = fmt::format("{} rounds, {} times a ply", times_text(loop.rounds), times_text(loop.entries));
    const auto inner =
        loop.depth > 1 ? fmt::format(", inside {} other{}", loop.depth - 1, loop.depth > 2 ? "s" : "") : "";
    switch (loop.kind) {
    case run::DebugInfo::Loop::Kind::Members:
        return loop.most == 0 ? fmt::format("a loop over a set: {}{}", rounds, inner)
                              : fmt::format("a loop over up to {} values: {}{}", loop.most, rounds, inner);
    case run::DebugInfo::Loop::Kind::Grow:
        return fmt::format("a loop until nothing new is reached: {}{}", rounds, inner);
    case run::DebugInfo::Loop::Kind::Repeat: return fmt::format("a loop of a number of steps: {}{}", rounds, inner);
    }
    return "";
}

void Report::loops() const {
    const auto shown = [](const run::LoopCost& loop) { return loop.share >= least_share; };
    if (std::ranges::none_of(found_.loops, shown)) return;
    say("\nLoops, with all that is done in them\n");
    for (const auto& loop : found_.loops)
        if (shown(loop)) {
            location(loop.share, loop_text(loop), loop.origin);
            why(loop.origin);
        }
}

std::string question_text(const run::QuestionCost& question) {
    const auto times = fmt::format("{} times a ply", times_text(question.times));
    switch (question.kind) {
    case run::Question::Kind::Stuck: return "looks for moves: " + times;
    case run::Question::Kind::Earlier: return "looks at earlier positions: " + times;
    case run::Question::Kind::Can: return "tries moves: " + times;
    case run::Question::Kind::Evaluate: return "asks the reference evaluator: " + times;
    }
    return "";
}

void Report::questions() const {
    if (found_.questions.empty()) return;
    say("\nWhat has no byte code and is asked while the game is played\n");
    for (const auto& question : found_.questions) {
        location(question.share, question_text(question), question.origin);
        why(question.origin);
    }
}

void Report::locations() const {
    if (found_.locations.empty() || found_.locations.front().share < least_share) return;
    say("\nLocations in the rules, each without the expressions inside it\n");
    std::size_t shown = 0;
    for (const auto& cost : found_.locations) {
        if (cost.share < least_share || ++shown > most_locations) break;
        location(cost.share, fmt::format("{} instructions a ply", times_text(cost.instructions)), cost.origin);
    }
}

void Report::print() const {
    say("{}\n", program_.title);
    if (!found_.compiled) {
        say("has no byte code: {} can't be compiled, so the reference executor plays it as a whole\n", found_.why_not);
        if (const Span& span = found_.debug_info.failed; span.end != 0)
            say("       {}\n{}\n", diag::where(sources_, span), diag::excerpt(sources_, span));
        return;
    }
    say("{} random games of {:.1f} plies\n", grouped(found_.playouts),
        static_cast<double>(found_.plies) / static_cast<double>(std::max<std::uint64_t>(1, found_.playouts)));
    parts();
    turns();
    ops();
    loops();
    questions();
    locations();
}

Json Report::location_json(const Origin& origin) const {
    Json json = {{"part", part_text(origin)}};
    if (origin.span.end != 0) json["location"] = diag::where(sources_, origin.span);
    if (const auto* refusal = found_.refusal(origin); refusal != nullptr && refusal->because)
        json["because"] = diag::where(sources_, refusal->because->span);
    return json;
}

Json Report::json() const {
    if (!found_.compiled) return {{"title", program_.title}, {"compiled", false}, {"why", found_.why_not}};
    const auto costs = [&](const std::vector<run::Cost>& list) {
        Json all = Json::array();
        for (const auto& cost : list) {
            Json row = location_json(cost.origin);
            row["share"] = cost.share;
            row["instructions"] = cost.instructions;
            all.push_back(std::move(row));
        }
        return all;
    };
    Json ops = Json::array(), loops = Json::array(), questions = Json::array();
    for (const auto& op : found_.ops) ops.push_back({{"name", op.name}, {"share", op.share}, {"times", op.times}});
    for (const auto& loop : found_.loops) {
        static constexpr const char* kinds[] = {"members", "grow", "repeat"};
        Json row = location_json(loop.origin);
        row.update({{"kind", kinds[static_cast<std::size_t>(loop.kind)]},
                    {"most", loop.most},
                    {"depth", loop.depth},
                    {"entries", loop.entries},
                    {"rounds", loop.rounds},
                    {"share", loop.share}});
        loops.push_back(std::move(row));
    }
    for (const auto& question : found_.questions) {
        static constexpr const char* kinds[] = {"stuck", "earlier", "evaluate"};
        Json row = location_json(question.origin);
        row.update({{"kind", kinds[static_cast<std::size_t>(question.kind)]},
                    {"times", question.times},
                    {"share", question.share}});
        questions.push_back(std::move(row));
    }
    return {{"title", program_.title},
            {"compiled", true},
            {"chains", why_chains(program_)},
            {"playouts", found_.playouts},
            {"plies", found_.plies},
            {"outside", found_.outside},
            {"parts", costs(found_.parts)},
            {"ops", ops},
            {"loops", loops},
            {"questions", questions},
            {"locations", costs(found_.locations)}};
}

// The prelude, which every file imports. What it defines is attributed to the location that uses it.
FileId library_of(const diag::Sources& sources) {
    for (std::size_t f = 0; f < sources.size(); ++f)
        if (sources.name(static_cast<FileId>(f)) == "prelude.zug") return static_cast<FileId>(f);
    return none_id<FileId>;
}

} // namespace

std::vector<WithoutCode> without_code(const lang::Loaded& loaded) {
    run::Explanation found;
    found.debug_info.library = library_of(loaded.sources);
    const auto compiled = run::compile(loaded.program, found.why_not, &found.debug_info);
    if (!compiled)
        return {{found.debug_info.failed,
                 fmt::format("{} can't be compiled; the reference evaluator plays the whole game", found.why_not)}};
    std::vector<WithoutCode> result;
    const auto& code = compiled->code;
    for (std::size_t i = 0; i < code.instrs.size(); ++i) {
        if (code.instrs[i].op != run::Opcode::CallHost) continue;
        if (code.questions[static_cast<std::size_t>(code.instrs[i].imm)].kind != run::Question::Kind::Evaluate)
            continue;
        const Origin& origin = found.debug_info.origins[i];
        if (std::ranges::find(result, origin.span, &WithoutCode::span) != result.end()) continue;
        std::string text =
            part_text(*compiled->program, origin) + "; the reference evaluator is asked while it is played";
        const auto* refusal = found.refusal(origin);
        if (refusal != nullptr && refusal->because) text += fmt::format(": {}", reason_of(*refusal));
        result.push_back({origin.span, std::move(text)});
    }
    return result;
}

int why_slow(const lang::Loaded& loaded, const WhyOptions& options) {
    const run::Explanation explanation = run::explain(loaded.program, {.library = library_of(loaded.sources),
                                                                       .seconds = options.seconds,
                                                                       .seed = options.seed,
                                                                       .stop = [] { return interrupted().load(); }});
    const Report report(loaded, explanation);
    if (options.json)
        print_json(report.json());
    else
        report.print();
    return interrupted() ? exit_interrupted : exit_fine;
}

} // namespace zug::cli

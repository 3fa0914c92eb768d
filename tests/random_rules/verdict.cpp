#include "tests/random_rules/verdict.hpp"

#include "compiler/compile.hpp"
#include "lang/load.hpp"
#include "tests/random_rules/child.hpp"
#include "tests/random_rules/duel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace zug::random_rules {

namespace {

#ifdef ZUG_SANITIZED
constexpr unsigned most_seconds = 200;
#else
constexpr unsigned most_seconds = 20;
#endif

// The diagnostics that a well-typed file may get: those that depend on values.
constexpr std::string_view allowed_refusals[] = {"[assigned-twice]",          "[turn-twice]",       "[out-of-range]",
                                                 "[index-outside]",           "[division-by-zero]", "[negative-weight]",
                                                 "[number-may-be-too-large]", "[not-among]"};

void judge_refusal(const lang::Loaded& loaded, Verdict& verdict) {
    verdict.kind = Verdict::Kind::Refused;
    std::istringstream in(diag::render(loaded.sources, loaded.report));
    for (std::string line; std::getline(in, line);) {
        if (line.find(": error: ") == std::string::npos) continue;
        const std::string slug = line.substr(line.rfind('['));
        if (std::ranges::find(allowed_refusals, slug) != std::end(allowed_refusals)) continue;
        verdict.kind = Verdict::Kind::RefusedWrongly;
        verdict.what = slug;
        verdict.text += line + "\n";
    }
}

Verdict judge_here(const std::string& text, std::uint64_t seed) {
    Verdict verdict;
    const auto loaded = lang::load_text("random.zug", text);
    if (!loaded.program) {
        judge_refusal(loaded, verdict);
        return verdict;
    }
    const auto compiled = run::compile(loaded.program, verdict.why);
    if (compiled) verdict.why.clear();
    verdict.compound = compiled && compiled->compound;
    Duel duel(loaded.program, seed, {});
    if (const auto found = duel.play()) {
        verdict.kind = Verdict::Kind::Different;
        verdict.what = found->kind;
        verdict.text = found->text;
        verdict.position = found->position;
        verdict.line = found->line;
    }
    const run::ReferenceUse use = duel.reference_use();
    verdict.questions = use.questions.size();
    for (const auto& question : use.questions) verdict.asked += question.asked;
    verdict.other_asked = use.legality + use.faults;
    verdict.positions = duel.positions();
    verdict.faults = duel.faults();
    verdict.symmetries = duel.symmetries();
    return verdict;
}

// Through the pipe from the child.
constexpr char separator = '\x1f';

std::string packed(const Verdict& v) {
    const std::string texts = fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}", separator, static_cast<int>(v.kind),
                                          v.what, v.text, v.position, v.line, v.why);
    return texts + fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}{7}", separator, v.questions, v.asked,
                               v.other_asked, v.positions, v.faults, v.symmetries, v.compound ? 1 : 0);
}

Verdict unpacked(const std::string& text) {
    std::vector<std::string> fields;
    std::istringstream in(text);
    for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
    return {.kind = static_cast<Verdict::Kind>(std::stoi(fields.at(0))),
            .what = fields.at(1),
            .text = fields.at(2),
            .position = fields.at(3),
            .line = fields.at(4),
            .why = fields.at(5),
            .questions = std::stoull(fields.at(6)),
            .asked = std::stoull(fields.at(7)),
            .other_asked = std::stoull(fields.at(8)),
            .positions = std::stoull(fields.at(9)),
            .faults = std::stoull(fields.at(10)),
            .symmetries = std::stoull(fields.at(11)),
            .compound = fields.at(12) == "1"};
}

} // namespace

Verdict judge(const std::string& text, std::uint64_t seed) {
    const Answer answer = in_child([&] { return packed(judge_here(text, seed)); }, most_seconds);
    if (answer.fine) return unpacked(answer.text);
    Verdict verdict;
    verdict.kind = Verdict::Kind::Crashed;
    verdict.what = verdict.text = answer.text;
    return verdict;
}

} // namespace zug::random_rules

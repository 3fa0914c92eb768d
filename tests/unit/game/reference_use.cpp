#include "tests/unit/game/reference_use.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace zug::game {
namespace {

// The text of a construct, blanks and line ends as single blanks.
std::string text_of(const diag::Sources& sources, Span span) {
    std::istringstream in(sources.text(span.file).substr(span.begin, span.end - span.begin));
    std::string text;
    for (std::string word; in >> word;) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string row_of(const ReferenceUses::Construct& construct) { return construct.first + "\t" + construct.second; }

std::set<ReferenceUses::Construct> table() {
    std::set<ReferenceUses::Construct> rows;
    std::ifstream in(std::filesystem::path(ZUG_SOURCE_DIR) / "tests/unit/game/reference_use.tsv");
    std::string line;
    std::getline(in, line); // header
    while (std::getline(in, line)) {
        const auto fields = fields_of(line, '\t');
        REQUIRE_MESSAGE(fields.size() == 3, "not a row of three fields: " << line);
        rows.emplace(fields[0], fields[1]);
    }
    return rows;
}

} // namespace

void ReferenceUses::add(const RuleFile& file, const diag::Sources& sources, const run::ReferenceUse& use) {
    const std::string game = file.path.stem().string();
    if (use.whole) asked_.emplace(Construct(game, "*"), 0);
    for (const auto& question : use.questions) {
        const std::string in = std::filesystem::path(sources.name(question.span.file)).stem().string();
        asked_[{in, text_of(sources, question.span)}] += question.asked;
    }
    faults_[game] += use.faults;
    legality_[game] += use.legality;
}

void ReferenceUses::check_against_table() const {
    const std::set<Construct> rows = table();
    for (const auto& [construct, times] : asked_) {
        const std::string row = row_of(construct);
        CHECK_MESSAGE(rows.contains(construct),
                      "left to the reference evaluator, which reference_use.tsv does not list: " << row);
        if (construct.second == "*")
            MESSAGE(construct.first << ": left to the reference evaluator as a whole");
        else
            MESSAGE(construct.first << ": the reference evaluator was asked " << times
                                    << " times: " << construct.second);
    }
    const bool all_games = std::getenv("ZUG_TEST_RULES") == nullptr;
    for (const Construct& construct : rows)
        CHECK_MESSAGE((!all_games || asked_.contains(construct)),
                      "reference_use.tsv lists what has byte code by now: " << row_of(construct));
    for (const auto& [game, times] : faults_)
        if (times > 0) MESSAGE(game << ": the reference evaluator described " << times << " faults");
    for (const auto& [game, times] : legality_)
        if (times > 0) MESSAGE(game << ": the reference evaluator judged " << times << " moves whose effects fail");
}

} // namespace zug::game

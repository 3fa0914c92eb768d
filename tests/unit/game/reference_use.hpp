#pragma once
// What executors leave to the reference evaluator, game by game: agreement with it on these constructs is no evidence.
//
// The known ones are listed in reference_use.tsv, one per row: the rule file (`prelude` where the text stands
// there), the text of the construct, or `*` for a program that has no byte code at all, and why it is left so.

#include "executor/executor.hpp"
#include "tests/unit/game/rule_files.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace zug::game {

class ReferenceUses {
public:
    using Construct = std::pair<std::string, std::string>; // rule file and text

    // Adds what the executor left to the reference evaluator while it played the file.
    void add(const RuleFile& file, const diag::Sources& sources, const run::ReferenceUse& use);
    // How often each was asked.
    const std::map<Construct, std::uint64_t>& asked() const { return asked_; }
    // Checks that the constructs are those of the table; says what each row has to be otherwise.
    void check_against_table() const;

private:
    std::map<Construct, std::uint64_t> asked_;
    std::map<std::string, std::uint64_t> faults_, legality_; // by rule file
};

} // namespace zug::game

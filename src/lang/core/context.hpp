#pragma once
// What all parts of the checker share: the program being made, the diagnostics, the syntax tree and the local names at
// hand, and the budget of work. Internal to src/lang.
//
// An error does not stop the check: an expression that is wrong becomes a poisoned operand, which silences whatever it
// touches. The exceptions are a file that exceeds a budget and one with more errors than are shown: they throw GiveUp,
// which ends the check at once.

#include "diag/diagnostic.hpp"
#include "lang/core/name_index.hpp"
#include "lang/core/operand.hpp"
#include "lang/core/overrides.hpp"
#include "lang/core/subsets.hpp"

#include <memory>
#include <set>
#include <string_view>

namespace zug::lang {

using diag::Message;

inline constexpr std::uint64_t max_set = 1U << 16; // members of a set type

struct Context {
    struct Warning {
        Message message;
        Span span;
        std::vector<std::string> arguments;
        std::string fix;
    };
    static constexpr std::size_t max_steps = 3'000'000; // of elaboration

    Context(diag::Sources& all_sources, diag::Report& all_reports, ir::Program& made, const Overrides& given)
        : sources(all_sources), report(&all_reports), whole_report(&all_reports), program(made), overrides(given),
          builder(made), subsets(made, builder) {}

    // Reports an error. One inside the prelude is reported where the file uses the prelude.
    void error(Message message, Span span, std::vector<std::string> arguments = {}, std::string fix = {});
    // Keeps a warning for the end: it is shown if the file has no errors.
    void warn(Message message, Span span, std::vector<std::string> arguments = {}, std::string fix = {});
    [[noreturn]] void give_up(Message message, Span span, const std::vector<std::string>& arguments = {});
    // Counts one step of work at `span`; gives up when the budget is used up.
    void step(Span span);
    bool is_cut(Span at) const; // whether it begins in a declaration that is cut
    bool in_prelude() const { return prelude_depth > 0; }

    Local* find_local(std::string_view name); // the innermost one; null: there is none
    // `first`: where the same name is declared before.
    void declared_twice(Span span, std::string name, Span first);
    void push_local(Local local) { locals.push_back(std::move(local)); }

    diag::Sources& sources;
    diag::Report* report;             // replaced for a while by those who try something in silence
    diag::Report* const whole_report; // not replaced
    ir::Program& program;
    const Overrides& overrides;
    NameIndex* index = nullptr; // filled with what names mean, if there is one
    Builder builder;
    Subsets subsets;

    const syntax::Tree* tree = nullptr;      // that node ids refer to
    std::optional<ir::BoardId> joined_board; // of the sites that the path being read leads from
    std::vector<Local> locals;
    std::size_t first_local = 0;                            // of those that `tree` can see
    std::vector<std::unique_ptr<syntax::Tree>> extra_trees; // of -D values and notations
    std::set<FileId> extended_files;                        // that another file extends
    Span whole_file;                                        // where what the whole file lacks is reported

    std::vector<Span> cut;      // declarations that the parser could not read to their end, up to the next one
    bool damaged = false;       // the parser found errors: whole declarations may be missing
    bool silent = false;        // an attempt at a recursive definition: no warnings
    bool generic = false;       // an unused definition is checked: sizes that depend on arguments are not known
    bool stuck_allowed = false; // `stuck` may be asked here

    unsigned prelude_depth = 0;
    Span prelude_use; // where the file uses the prelude, and which of its names
    std::string prelude_name;

    std::vector<Warning> warnings;
    std::size_t steps = 0;
    Span last_step;
};

} // namespace zug::lang

#pragma once
// The checker: from syntax trees to a typed program. Makes the parts of the check, tells each which others it may call,
// and runs them in order. Internal to src/lang.

#include "lang/check/calls.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/instances.hpp"
#include "lang/check/name_values.hpp"
#include "lang/check/operators.hpp"
#include "lang/check/patterns.hpp"
#include "lang/check/quantifiers.hpp"
#include "lang/core/conversions.hpp"
#include "lang/file_tests.hpp"
#include "lang/finish/finish.hpp"
#include "lang/presentation/glyphs.hpp"
#include "lang/presentation/looks.hpp"
#include "lang/presentation/notations.hpp"
#include "lang/presentation/positions.hpp"
#include "lang/presentation/templates.hpp"
#include "lang/resolve/assembly.hpp"
#include "lang/resolve/boards.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/initial_values.hpp"
#include "lang/resolve/parameters.hpp"
#include "lang/resolve/players.hpp"
#include "lang/resolve/states.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/resolve/types.hpp"
#include "lang/rules/clauses.hpp"
#include "lang/rules/effects.hpp"
#include "lang/rules/ends.hpp"
#include "lang/rules/evaluations.hpp"
#include "lang/rules/loud_moves.hpp"
#include "lang/rules/rules.hpp"
#include "lang/rules/turn_plan.hpp"

namespace zug::lang {

class Checker {
public:
    // `index` may be null.
    Checker(diag::Sources& sources, diag::Report& report, ir::Program& program, const Overrides& overrides,
            NameIndex* index)
        : context_(sources, report, program, overrides) {
        context_.index = index;
        constants_.attach(expressions_);
    }

    // Checks one game. Errors go to the report; without any, the program is complete and compact. Without `looks` these
    // are left out: what their expressions need leaves types and variables behind, which are part of the rules' digest.
    void check(const std::vector<SourceTree>& files, bool looks);

private:
    void check_declarations();
    void check_rules();
    void check_game(bool looks);
    void check_presentation_items(bool looks);
    void finish();
    void find_loud();

    Context context_;
    Conversions conversions_{context_};

    // ---- resolve: declarations
    Assembly assembly_{context_};
    Symbols symbols_{context_};
    Constants constants_{context_, conversions_};
    Boards boards_{context_, symbols_, constants_};
    Players players_{context_, symbols_, constants_};
    Types types_{context_, symbols_, constants_, boards_, players_};
    Parameters parameters_{context_, conversions_, symbols_, constants_, types_};
    States states_{context_, symbols_, types_};
    InitialValues initial_values_{context_, conversions_, symbols_, constants_};

    // ---- check: expressions, which need each other; then what is made of them
    Operators operators_{context_, conversions_, boards_};
    Patterns patterns_{context_, {conversions_, symbols_, operators_, name_values_, expressions_}};
    Quantifiers quantifiers_{context_, conversions_, types_, operators_, expressions_};
    Instances instances_{context_, {conversions_, symbols_, types_, operators_, expressions_}};
    Calls calls_{context_,
                 {conversions_, symbols_, constants_, boards_, types_, states_, operators_, instances_, expressions_}};
    NameValues name_values_{context_, {symbols_, boards_, players_, types_, parameters_, states_, operators_, calls_}};
    Expressions expressions_{
        context_,
        {conversions_, symbols_, constants_, states_, operators_, name_values_, patterns_, quantifiers_, calls_}};
    Clauses clauses_{context_, patterns_, expressions_};
    Effects effects_{context_,
                     {conversions_, symbols_, states_, operators_, quantifiers_, calls_, expressions_, clauses_}};
    Rules rules_{context_, {conversions_, symbols_, types_, expressions_, clauses_, effects_}};
    TurnPlan turn_plan_{context_, conversions_, symbols_, expressions_, effects_};
    Ends ends_{context_, conversions_, name_values_, calls_, expressions_};
    Evaluations evaluations_{context_, conversions_, operators_, expressions_};
    LoudMoves loud_moves_{context_, symbols_, clauses_, rules_};

    // ---- presentation
    Templates templates_{context_, conversions_, expressions_};
    Glyphs glyphs_{context_, assembly_, symbols_, patterns_, expressions_};
    Looks looks_{context_, {conversions_, symbols_, constants_, operators_}};
    Notations notations_{context_, {symbols_, boards_, clauses_, rules_, templates_}};
    Positions positions_{context_, {assembly_, conversions_, symbols_, expressions_, templates_}};

    FileTests file_tests_{context_, {conversions_, symbols_, constants_, parameters_, expressions_}};
    Finish finish_{context_, symbols_, instances_, ends_};
};

} // namespace zug::lang

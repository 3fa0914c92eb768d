#pragma once
// Checks and facts of the whole program that single declarations don't show. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Symbols;
class Instances;
class Ends;

class Finish : CheckerPart {
public:
    Finish(Context& context, Symbols& symbols, Instances& instances, Ends& ends)
        : CheckerPart(context), symbols_(symbols), instances_(instances), ends_(ends) {}

    // What only the whole program shows: unused names, unstratified recursion, rules that ask whether they can be
    // played.
    void check();
    // Fills the facts of a program without errors: assigned states, numbers of steps, whether positions keep who moved
    // last.
    void complete();

private:
    void find_assigned();
    void number_steps();
    void find_keeps_last();
    void check_recursion();
    void check_can_cycles();
    void check_stuck();
    void check_questions();
    void warn_unused();
    void warn_of_missing_places();

    Symbols& symbols_;
    Instances& instances_;
    Ends& ends_;
};

} // namespace zug::lang

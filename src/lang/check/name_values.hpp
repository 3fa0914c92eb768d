#pragma once
// What a name stands for: local names first, then the file's declarations, the prelude's, and the built-in ones.
// Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Symbols;
class Boards;
class Players;
class Types;
class Parameters;
class States;
class Operators;
class Calls;

class NameValues : CheckerPart {
public:
    struct Uses {
        Symbols& symbols;
        Boards& boards;
        Players& players;
        Types& types;
        Parameters& parameters;
        States& states;
        Operators& operators;
        Calls& calls;
    };
    NameValues(Context& context, const Uses& uses)
        : CheckerPart(context), symbols_(uses.symbols), boards_(uses.boards), players_(uses.players),
          types_(uses.types), parameters_(uses.parameters), states_(uses.states), operators_(uses.operators),
          calls_(uses.calls) {}

    // The value of a Name node. Poison: an error has been reported.
    Operand name_value(NodeId id);
    // The value of a declaration that is used at `span`; its type and value are worked out on the first use.
    Operand declared_value(Declaration& declaration, Span span);
    // Whether a name is local, declared or built in.
    bool is_known_value(std::string_view name);

private:
    void answer_index(Span name); // which names can be used here, if the index asks about this one
    bool explain_direction(std::string_view name, Span at);
    std::optional<Operand> builtin_name(std::string_view name, Span span);
    std::optional<Operand> board_name(ir::BoardId board, std::string_view name, Span span);

    Symbols& symbols_;
    Boards& boards_;
    Players& players_;
    Types& types_;
    Parameters& parameters_;
    States& states_;
    Operators& operators_;
    Calls& calls_;
};

} // namespace zug::lang

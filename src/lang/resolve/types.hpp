#pragma once
// Type expressions: from syntax to types of the program. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Symbols;
class Constants;
class Boards;
class Players;

class Types : CheckerPart {
public:
    Types(Context& context, Symbols& symbols, Constants& constants, Boards& boards, Players& players)
        : CheckerPart(context), symbols_(symbols), constants_(constants), boards_(boards), players_(players) {}

    // The type that a node names. none_id: an error has been reported.
    TypeId type(NodeId id);
    // The type of a parameter of a definition, which can also be `int` or `real`; `int` takes the interval of the
    // argument, if there is one.
    TypeId parameter_type(NodeId id, const Operand* argument);
    // Works out the type of an Alias or Enum that is used at `span`.
    void named_declaration(Declaration& declaration, Span span);
    bool listed_as_other(NodeId of, const std::string& name);

private:
    TypeId range_type(NodeId id);
    TypeId subset_type(NodeId id, std::string name);
    TypeId tuple_type(std::vector<TypeId> parts, Span at);
    TypeId named_type(NodeId id);

    Symbols& symbols_;
    Constants& constants_;
    Boards& boards_;
    Players& players_;
};

} // namespace zug::lang

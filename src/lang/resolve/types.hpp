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

    TypeId type(NodeId id);                                      // none_id: reported
    TypeId parameter_type(NodeId id, const Operand* argument);   // also the generic words
    void named_declaration(Declaration& declaration, Span span); // works out the type of an Alias or Enum

private:
    TypeId range_type(NodeId id);
    TypeId named_type(NodeId id);

    Symbols& symbols_;
    Constants& constants_;
    Boards& boards_;
    Players& players_;
};

} // namespace zug::lang

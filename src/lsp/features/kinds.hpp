#pragma once
// The kinds of declarations as the protocol numbers and names them.

#include "grammar/ast/ast.hpp"

#include <string_view>

namespace zug::lsp {

struct KindNumbers {
    int symbol;             // a SymbolKind
    int completion;         // a CompletionItemKind
    std::string_view token; // of semantic tokens
};

constexpr KindNumbers numbers_of(syntax::Kind kind) {
    using syntax::Kind;
    switch (kind) {
    case Kind::Game: return {2, 9, "namespace"};
    case Kind::Param: return {14, 21, "parameter"};
    case Kind::TypeAlias: return {26, 25, "type"};
    case Kind::TypeEnum:
    case Kind::Players: return {10, 13, "enum"};
    case Kind::Name: return {22, 20, "enumMember"};
    case Kind::Board: return {5, 7, "class"};
    case Kind::Group: return {8, 5, "property"};
    case Kind::State:
    case Kind::Local: return {13, 6, "variable"};
    case Kind::Move:
    case Kind::MoveAlso:
    case Kind::Chance:
    case Kind::ChanceAlso: return {6, 2, "method"};
    case Kind::Phase: return {3, 9, "namespace"};
    case Kind::Test: return {24, 23, "event"};
    case Kind::End:
    case Kind::Turn:
    case Kind::Eval: return {24, 23, "parameter"}; // the only name that one of them has is that of the player of `eval`
    default: return {12, 3, "function"};
    }
}

} // namespace zug::lsp

#pragma once
// Expressions that have been read but not yet converted to the type of their context, and the declarations, local names
// and patterns that the checker works with. Internal to src/lang.

#include "grammar/ast/ast.hpp"
#include "lang/core/builder.hpp"

#include <string>
#include <vector>

namespace zug::lang {

using syntax::Kind;
using syntax::NodeId;

// An expression that has been read. A poisoned operand has no type: its error has been reported, and what uses it
// reports nothing more.
struct Operand {
    ExprId expr = none_id<ExprId>;
    TypeId type = none_id<TypeId>;
    Span span;
    ExprId as_set = none_id<ExprId>;        // of an element: the set that holds only it, empty where it is none
    bool functional = false;                // of a path: leads from a site to one site at most
    bool injective = false;                 // of a path: no two sites lead to the same one
    bool wildcard = false;                  // `_` as an argument: every value
    ir::StateId map = none_id<ir::StateId>; // a whole state map as an argument
    std::vector<Operand> parts = {};        // of a tuple as written: its parts, not yet fitted to a type
    ExprId narrow = none_id<ExprId>;        // the same value, or set, as one of a sub-type, if that is what it is

    bool ok() const { return valid(type); }
};

// A variable that a Let binds, and its value.
struct LetBinding {
    VarId var;
    ExprId value;
};

// A local name: of a parameter, binder, `let` or pattern.
struct Local {
    std::string name;
    Span span;
    Operand value = {};
    ir::StateId map = none_id<ir::StateId>; // a parameter that stands for a whole state map
    bool warn = true;                       // if it is never used
    bool used = false;
};

// Its name alone: the span of a parameter may be that of the whole. Empty for one that no file declares.
inline Span local_name(const Local& local) {
    if (local.span.begin == local.span.end) return local.span;
    return {local.span.file, local.span.begin, local.span.begin + static_cast<std::uint32_t>(local.name.size())};
}

enum class DeclKind : std::uint8_t { Param, Alias, Enum, Member, Player, Board, Group, State, Def, Path, Effect };

// A declaration of a file or the prelude. Types, values and ids are computed on first use.
struct Declaration {
    enum class Phase : std::uint8_t { Untouched, Busy, Done };
    DeclKind kind{};
    std::string name;
    const syntax::Tree* tree = nullptr;
    NodeId node{};
    Span span;
    bool prelude = false;
    bool extended = false; // of a file that another one extends
    bool used = false;
    bool broken = false;    // an error in it has been reported: what uses it reports nothing more
    bool recursive = false; // a definition that depends on itself, perhaps through others
    Phase phase = Phase::Untouched;
    Operand value;                 // Param, Member, Player
    TypeId type = none_id<TypeId>; // Alias, Enum; Board: of its sites
    std::uint32_t number = 0; // Member, Group, Player: index in its owner; Board: BoardId; State: StateId; Enum: EnumId
    Declaration* owner = nullptr; // of a Member or Group
};

// A definition compiled for arguments of certain types.
struct Instance {
    const Declaration* declaration = nullptr;
    std::vector<TypeId> types;
    std::vector<VarId> params;
    Operand result; // of the body, over `params`
    ir::FunctionId function = none_id<ir::FunctionId>;
    bool busy = false;
    bool recursive = false; // called while busy
};

// One parsed file of a load. The prelude comes first, then the files in order of level.
struct SourceTree {
    const syntax::Tree* tree = nullptr;
    bool prelude = false;
    unsigned level = 0; // by how many files the last of the `extends` before it are extended: 0 extends nothing
};

// What a file adds to a rule of one that it extends.
struct Addition {
    const syntax::Tree* tree = nullptr;
    NodeId id{};
    unsigned level = 0;
};

// One declaration of a load, or one rule of a phase.
struct Item {
    const syntax::Tree* tree = nullptr;
    NodeId id{};
    NodeId phase = none_id<NodeId>; // that the rule stands in
    unsigned level = 0;
    bool prelude = false;
    std::vector<Addition> additions = {}; // to a rule, in the order of the levels
};

struct Pattern {
    enum class Shape : std::uint8_t { Any, Some, None, Bind, Value, OneOf, Tuple, Either, Wrong };
    Shape shape = Shape::Any;
    std::string name = {}; // Bind
    Span span;
    ExprId expr = none_id<ExprId>;   // Value; OneOf: a set
    std::vector<Pattern> parts = {}; // Tuple, Either
};

struct Binding {
    std::string name;
    Span span;
    Operand value;
};

struct GiveUp {};

} // namespace zug::lang

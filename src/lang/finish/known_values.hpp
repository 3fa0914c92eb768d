#pragma once
// What the conditions of a rule say of values before the move: `at[f] is (me, k)`, `t in empty`. Internal to src/lang.

#include "lang/core/builder.hpp"

#include <vector>

namespace zug::lang {

class KnownValues {
public:
    KnownValues(Builder& builder, const ir::Program& program, const ir::Rule& rule);

    // Whether two values are known to be equal.
    bool are_equal(ExprId a, ExprId b) const;
    // A variable that stands for the value, if there is one, else the value.
    ExprId name_of(ExprId value) const;
    // False: the rule's conditions exclude that `value` is this constant in a move of this player.
    bool can_be(ExprId value, std::int64_t constant, std::size_t player) const;

private:
    void add(ExprId condition, bool holds);
    void add_member(ExprId member, ExprId set);
    void add_landing(ExprId place, ExprId path);
    bool can_be_tuple(ExprId tuple, std::int64_t constant, std::size_t player) const;
    std::optional<std::int64_t> constant_of(ExprId e, std::size_t player) const;

    struct Equal {
        ExprId a, b;
    };
    struct None {
        ExprId value;
        bool is_none;
    };
    Builder& builder_;
    const ir::Program& program_;
    std::vector<Equal> equal_;
    std::vector<None> none_;
};

} // namespace zug::lang

#pragma once
// Random programs: every operation of the core in random combinations, typed as the checker types them. They make no
// sense as games, but each has a meaning, on which all executors must agree.

#include "base/random.hpp"
#include "tests/unit/ir/builder.hpp"

namespace zug::run {

class RandomProgram {
public:
    explicit RandomProgram(std::uint64_t seed) : random_(seed) {}
    ir::Program make();

private:
    using ExprId = ir::ExprId;
    using Op = ir::Op;
    using TypeId = ir::TypeId;

    std::uint32_t below(std::uint32_t n) { return random_.below(n); }
    bool once_in(std::uint32_t n) { return below(n) == 0; }
    ir::TypeTable& types() { return b_.types(); }
    ExprId node(Op op, TypeId type, std::initializer_list<ExprId> args, std::int64_t imm = 0) {
        return b_.node(op, type, args, imm);
    }

    // Expressions of a type, at most `depth` high. Those of sites and players may be none.
    ExprId truth(int depth);
    ExprId number(int depth);
    ExprId real(int depth);
    ExprId site(int depth);
    ExprId player(int depth);
    ExprId sites(int depth);
    ExprId numbers(int depth);
    ExprId path(int depth);
    ExprId directions();
    ExprId leaf_number();

    ExprId arithmetic(int depth);
    ExprId integer(Op op, ExprId a, ExprId b);
    ExprId fold(int depth);
    ExprId over(Op op, TypeId type, ExprId (RandomProgram::*body)(int), int depth);
    ExprId let(TypeId type, ExprId (RandomProgram::*body)(int), int depth);
    ExprId choice(ExprId condition, ExprId yes, ExprId no);
    ExprId call(int depth);
    TypeId integer_type(std::int64_t lo, std::int64_t hi);
    std::pair<std::int64_t, std::int64_t> range(ExprId id) const;

    void declare();
    void functions();
    void rules();
    void rule(std::string name, bool chance);
    ir::Clause test(int depth) { return {.expr = truth(depth)}; }
    ir::Block block();
    ir::EffectId effect(int depth);
    ir::EffectId assignment();
    void plan();
    void ends();

    struct Scope {
        std::vector<ir::VarId> sites, players, numbers, sets, paths;
    };

    ir::Builder b_;
    Random random_;
    ir::BoardId board_{};
    TypeId site_{}, site_or_none_{}, player_{}, player_or_none_{}, sites_{}, numbers_{}, dir_{}, path_{}, small_{};
    ir::StateId at_{}, count_{}, score_{}, marked_{}, spot_{}, flag_{}, held_{};
    ir::FunctionId reach_ = none_id<ir::FunctionId>, plain_ = none_id<ir::FunctionId>;
    ir::KeyId key_ = none_id<ir::KeyId>;
    Scope scope_;
    bool in_end_ = false; // Can, Stuck and Earlier are asked
};

} // namespace zug::run

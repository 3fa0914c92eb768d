#pragma once
// Makes small programs by hand, for tests of what lies below the checker.

#include "ir/program.hpp"

#include <bit>
#include <initializer_list>
#include <string>
#include <vector>

namespace zug::ir {

struct Builder {
    Program program;

    TypeTable& types() { return program.types; }

    ExprId node(Op op, TypeId type, std::initializer_list<ExprId> args = {}, std::int64_t imm = 0) {
        return node(op, type, std::vector<ExprId>(args), imm);
    }
    ExprId node(Op op, TypeId type, const std::vector<ExprId>& args, std::int64_t imm = 0) {
        const auto first = static_cast<std::uint32_t>(program.args.size());
        program.args.insert(program.args.end(), args.begin(), args.end());
        return program.exprs.push({.op = op,
                                   .type = type,
                                   .first_arg = first,
                                   .arg_count = static_cast<std::uint32_t>(args.size()),
                                   .imm = imm,
                                   .span = {}});
    }
    ExprId truth(Op op, std::initializer_list<ExprId> args, std::int64_t imm = 0) {
        return node(op, types().boolean(), args, imm);
    }
    ExprId number(std::int64_t n) { return node(Op::Const, types().integer(n, n), {}, n); }
    ExprId real(double x) { return node(Op::RealConst, types().real(), {}, std::bit_cast<std::int64_t>(x)); }
    ExprId constant(TypeId type, std::int64_t value) { return node(Op::Const, type, {}, value); }
    ExprId integer(Op op, std::initializer_list<ExprId> args, std::int64_t imm = 0) {
        return node(op, types().integer(int_min, int_max), args, imm);
    }
    ExprId set_const(TypeId type, std::initializer_list<std::size_t> members) {
        Bits bits(types().cardinality(types().inner(type)));
        for (auto member : members) bits.set(member);
        return node(Op::SetConst, type, {}, static_cast<std::int64_t>(index(program.set_consts.push(bits))));
    }
    VarId var(std::string name, TypeId type) { return program.vars.push({.name = std::move(name), .type = type}); }
    ExprId ref(VarId id) { return node(Op::Var, program.vars[id].type, {}, static_cast<std::int64_t>(index(id))); }
    ExprId bind(Op op, TypeId type, VarId id, ExprId domain, ExprId body) {
        return node(op, type, {domain, body}, static_cast<std::int64_t>(index(id)));
    }

    void players(std::vector<std::string> names) {
        program.players = std::move(names);
        program.player_type = types().player(program.player_count());
    }

    // A grid with directions N, E, S, W.
    BoardId grid(std::int32_t width, std::int32_t height) {
        Board board;
        board.name = "cell";
        board.width = width;
        board.height = height;
        for (std::int32_t y = 1; y <= height; ++y)
            for (std::int32_t x = 1; x <= width; ++x)
                board.sites.push_back({.name = static_cast<char>('a' + x - 1) + std::to_string(y), .x = x, .y = y});
        board.steps.push(steps("N", width, height, 0, 1));
        board.steps.push(steps("E", width, height, 1, 0));
        board.steps.push(steps("S", width, height, 0, -1));
        board.steps.push(steps("W", width, height, -1, 0));
        board.dir_count = 4;
        const std::uint64_t sites = board.sites.size();
        const BoardId id = program.boards.push(std::move(board));
        types().set_site_count(id, sites);
        types().set_dir_count(id, 4);
        return id;
    }
    static StepMap steps(std::string name, std::int32_t width, std::int32_t height, std::int32_t dx, std::int32_t dy) {
        StepMap map{.name = std::move(name), .to = {}};
        for (std::int32_t y = 0; y < height; ++y)
            for (std::int32_t x = 0; x < width; ++x) {
                const bool inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
                map.to.push_back(inside ? (y + dy) * width + x + dx : -1);
            }
        return map;
    }

    StateId state(std::string name, std::vector<TypeId> indices, TypeId value) {
        StateVariable variable{.name = std::move(name),
                               .indices = std::move(indices),
                               .value = value,
                               .assigned = true,
                               .initial = {},
                               .first_slot = program.slot_count,
                               .span = {}};
        const StateId id = program.states.push(variable);
        std::uint64_t count = slots_per_value(program, id);
        for (auto type : variable.indices) count *= types().cardinality(type);
        program.states[id].initial.assign(count, 0);
        program.slot_count += static_cast<std::uint32_t>(count);
        return id;
    }
    ExprId get(StateId id, std::initializer_list<ExprId> indices = {}) {
        const Op op = indices.size() == 0 ? Op::StateGet : Op::MapGet;
        return node(op, program.states[id].value, indices, static_cast<std::int64_t>(index(id)));
    }
    EffectId effect(Effect e) { return program.effects.push(std::move(e)); }
    EffectId assign(StateId id, std::vector<ExprId> indices, ExprId value) {
        return change(EffectKind::Assign, id, std::move(indices), value);
    }
    EffectId add(StateId id, std::vector<ExprId> indices, ExprId value) {
        return change(EffectKind::Add, id, std::move(indices), value);
    }
    RuleId rule(Rule r) {
        r.first_code = program.code_count;
        r.code_count = 1;
        for (auto param : r.params) r.code_count *= types().cardinality(program.vars[param].type);
        program.code_count += r.code_count;
        return program.rules.push(std::move(r));
    }

private:
    EffectId change(EffectKind kind, StateId id, std::vector<ExprId> indices, ExprId value) {
        return effect({.kind = kind,
                       .state = id,
                       .indices = std::move(indices),
                       .value = value,
                       .yes = {},
                       .no = {},
                       .span = {}});
    }
};

} // namespace zug::ir

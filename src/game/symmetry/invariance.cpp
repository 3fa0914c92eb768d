#include "game/symmetry/invariance.hpp"

#include "game/facts/reading.hpp"
#include "ir/evaluate.hpp"

#include <algorithm>
#include <set>

namespace zug::game {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t most_work = 400'000; // to compute expressions without variables, all together

using Relation = std::vector<std::int32_t>; // by site: where it leads, or -1

class Invariance {
public:
    Invariance(const ir::Program& program, const Relabelling& relabelling)
        : program_(program), types_(program.types), relabelling_(relabelling), evaluator_(program, nullptr, &work_),
          answers_(program.exprs.size(), Answer::Open) {}

    bool of_rules() {
        // What was the same before is compared by hashes, which images do not share.
        if (!program_.keys.empty()) return false;
        if (!relabelling_.exchanges_only(TypeKind::Enum)) return false;
        for (const ir::Rule& rule : program_.rules)
            for (const ir::VarId param : rule.params)
                if (!relabelling_.maps(program_.vars[param].type)) return false;
        for (const ProgramPoint& point : program_points(program_))
            if (!fixed(point.expr)) return false;
        if (!program_.turn || !program_.turn->by) return true;
        return std::ranges::all_of(program_.turn->by->parts, [&](ir::ExprId part) { return fixed(part); });
    }

private:
    enum class Answer : std::uint8_t { Open, Yes, No };

    // Whether the expression's value for the image of what it reads is the image of its value. One that is being looked
    // at is taken to be: the least fixpoint of what commutes with a relabelling does, too.
    bool fixed(ir::ExprId id) {
        Answer& answer = answers_[index(id)];
        if (answer != Answer::Open) return answer == Answer::Yes;
        answer = Answer::Yes;
        if (!(commutes(id) && parts_fixed(id)) && !has_fixed_value(id) && !asks_for_run(id))
            answers_[index(id)] = Answer::No;
        return answers_[index(id)] == Answer::Yes;
    }

    bool parts_fixed(ir::ExprId id) {
        const ir::Expr& e = program_.exprs[id];
        if (e.op == Op::Call && !fixed(program_.functions[static_cast<ir::FunctionId>(e.imm)].body)) return false;
        return std::ranges::all_of(program_.arguments(id), [&](ir::ExprId part) { return fixed(part); });
    }

    // Whether the operation commutes with the relabelling, if its parts do.
    bool commutes(ir::ExprId id) {
        const ir::Expr& e = program_.exprs[id];
        if (types_.kind(e.type) != TypeKind::Path && !relabelling_.maps(e.type)) return false;
        switch (e.op) {
        case Op::Const: return e.imm == ir::none || fixed_scalar(e.type, e.imm);
        case Op::SetConst: return fixed_set(e.type, program_.set_consts[static_cast<ir::SetConstId>(e.imm)]);
        // What replaces an absent value is the first of a type.
        case Op::MapGet:
        case Op::Project: return types_.kind(e.type) == TypeKind::Optional || first_is_fixed(e.type);
        case Op::SiteAt:
        case Op::SiteNumber: return !relabelling_.changes(e.type);
        case Op::CoordX: return fixed_number(id, [](const ir::Site& site, std::size_t) { return site.x; });
        case Op::CoordY: return fixed_number(id, [](const ir::Site& site, std::size_t) { return site.y; });
        case Op::Number:
            return fixed_number(id, [](const ir::Site&, std::size_t i) { return static_cast<std::int32_t>(i); });
        // The order of additions would matter.
        case Op::SumOver: return types_.kind(e.type) != TypeKind::Real;
        case Op::Step:
        case Op::StepsOf: return relabelling_.maps(program_.exprs[program_.argument(id, 0)].type);
        case Op::Table: return fixed_relation(board_of(e.type), step(id));
        default: return true;
        }
    }

    bool first_is_fixed(ir::TypeId type) const {
        if (types_.kind(type) == TypeKind::Set || types_.kind(type) == TypeKind::Real) return true;
        return !relabelling_.changes(type) || relabelling_.image(type, 0) == 0;
    }
    bool fixed_scalar(ir::TypeId type, std::int64_t value) const {
        if (!relabelling_.changes(type)) return true;
        const auto ordinal = types_.ordinal(type, value);
        return ordinal && relabelling_.image(type, static_cast<std::uint32_t>(*ordinal)) == *ordinal;
    }
    bool fixed_set(ir::TypeId type, const Bits& set) const {
        const ir::TypeId element = types_.inner(type);
        if (!relabelling_.changes(element)) return true;
        for (std::size_t i = set.first(); i < set.size(); i = set.next(i + 1))
            if (!set.test(relabelling_.image(element, static_cast<std::uint32_t>(i)))) return false;
        return true;
    }

    template <class Number>
    bool fixed_number(ir::ExprId id, Number&& number) const {
        const ir::BoardId board = board_of(program_.exprs[program_.argument(id, 0)].type);
        const Automorphism* const automorphism = relabelling_.of_board(static_cast<std::uint32_t>(board));
        const auto& sites = program_.boards[board].sites;
        for (std::size_t i = 0; automorphism != nullptr && i < sites.size(); ++i)
            if (const std::size_t image = automorphism->sites[i]; number(sites[i], i) != number(sites[image], image))
                return false;
        return true;
    }

    ir::BoardId board_of(ir::TypeId type) const {
        while (!types_[type].parts.empty()) type = types_[type].parts.front();
        return static_cast<ir::BoardId>(types_[type].ref);
    }
    const Relation& step(ir::ExprId table) const {
        const ir::Expr& e = program_.exprs[table];
        return program_.boards[board_of(e.type)].steps[static_cast<ir::StepId>(e.imm)].to;
    }
    Relation image(ir::BoardId board, const Relation& relation) const {
        const Automorphism* const automorphism = relabelling_.of_board(static_cast<std::uint32_t>(board));
        if (automorphism == nullptr) return relation;
        Relation image(relation.size(), -1);
        for (std::size_t v = 0; v < relation.size(); ++v)
            if (relation[v] >= 0)
                image[automorphism->sites[v]] =
                    static_cast<std::int32_t>(automorphism->sites[static_cast<std::size_t>(relation[v])]);
        return image;
    }
    bool fixed_relation(ir::BoardId board, const Relation& relation) const {
        return image(board, relation) == relation;
    }

    // -- expressions without variables

    bool is_closed(ir::ExprId id) {
        std::vector<ir::VarId> bound;
        std::uint64_t steps = 0;
        return closed(id, bound, steps);
    }
    bool closed(ir::ExprId id, std::vector<ir::VarId>& bound, std::uint64_t& steps) {
        const ir::Expr& e = program_.exprs[id];
        if (++steps > 10'000) return false;
        switch (e.op) {
        case Op::Me:
        case Op::StateGet:
        case Op::MapGet:
        case Op::Stuck:
        case Op::Earlier:
        case Op::Can: return false;
        case Op::Var: return std::ranges::find(bound, static_cast<ir::VarId>(e.imm)) != bound.end();
        default: break;
        }
        const std::size_t outside = bound.size();
        const auto parts = program_.arguments(id);
        bool all = true;
        for (std::size_t i = 0; all && i < parts.size(); ++i) {
            if (i == 1 && ir::binds_variable(e.op)) bound.push_back(static_cast<ir::VarId>(e.imm));
            all = closed(parts[i], bound, steps);
        }
        bound.resize(outside);
        if (!all || e.op != Op::Call) return all;
        const ir::Function& function = program_.functions[static_cast<ir::FunctionId>(e.imm)];
        if (function.recursive) return false;
        std::vector<ir::VarId> parameters = function.params;
        return closed(function.body, parameters, steps);
    }

    bool has_fixed_value(ir::ExprId id) {
        if (!is_closed(id)) return false;
        const ir::TypeId type = program_.exprs[id].type;
        bool fixed = false;
        switch (types_.kind(type)) {
        case TypeKind::Path: fixed = has_fixed_relation(id); break;
        case TypeKind::Set: fixed = relabelling_.maps(type) && fixed_set(type, evaluator_.set(id)); break;
        case TypeKind::Real: fixed = true; break;
        default:
            fixed =
                relabelling_.maps(type) && (!relabelling_.changes(type) || fixed_value(type, evaluator_.scalar(id)));
        }
        return fixed && !work_.spent();
    }
    bool fixed_value(ir::TypeId type, std::int64_t value) const {
        return value == ir::none || fixed_scalar(type, value);
    }

    bool has_fixed_relation(ir::ExprId path) {
        const ir::BoardId board = board_of(program_.exprs[path].type);
        const Automorphism* const automorphism = relabelling_.of_board(static_cast<std::uint32_t>(board));
        const std::size_t sites = program_.boards[board].sites.size();
        std::vector<Bits> reached;
        for (std::size_t v = 0; v < sites; ++v) {
            Bits from(sites);
            from.set(v);
            reached.push_back(evaluator_.image(from, path));
        }
        for (std::size_t v = 0; automorphism != nullptr && v < sites; ++v) {
            Bits image(sites);
            for_each_bit(reached[v], [&](std::size_t to) { image.set(automorphism->sites[to]); });
            if (image != reached[automorphism->sites[v]]) return false;
        }
        return true;
    }

    // -- runs: `some d in directions: some s.(d & s)^n`

    bool asks_for_run(ir::ExprId id) {
        if (program_.exprs[id].op != Op::Exists) return false;
        const auto direction = static_cast<ir::VarId>(program_.exprs[id].imm);
        const ir::ExprId directions = program_.argument(id, 0), some = program_.argument(id, 1);
        if (types_.kind(program_.vars[direction].type) != TypeKind::Dir || !is_closed(directions)) return false;
        const auto parts = run_parts(some, direction);
        if (parts.empty() || !turned_around(program_.vars[direction].type, evaluator_.set(directions))) return false;
        Mentions mentions(program_, Op::Var, static_cast<std::int64_t>(index(direction)));
        return std::ranges::all_of(parts, [&](ir::ExprId part) { return !mentions.in(part) && fixed(part); });
    }

    // What the run consists of and between which numbers its length is; empty if the expression does not ask for one.
    std::vector<ir::ExprId> run_parts(ir::ExprId some, ir::VarId direction) const {
        const auto part = [&](ir::ExprId id, Op op, std::size_t i) {
            return valid(id) && program_.exprs[id].op == op ? program_.argument(id, i) : none_id<ir::ExprId>;
        };
        const ir::ExprId image = part(some, Op::Any, 0);
        const ir::ExprId from = part(image, Op::Image, 0), power = part(image, Op::Image, 1);
        const ir::ExprId into = part(power, Op::Power, 0);
        const ir::ExprId step = part(into, Op::Into, 0), to = part(into, Op::Into, 1);
        const ir::ExprId taken = part(step, Op::Step, 0);
        if (!valid(taken) || program_.exprs[taken].op != Op::Var) return {};
        if (static_cast<ir::VarId>(program_.exprs[taken].imm) != direction || !same(from, to)) return {};
        return {from, part(power, Op::Power, 1), part(power, Op::Power, 2)};
    }

    // Whether two expressions are the same but for the names of variables that they bind themselves.
    bool same(ir::ExprId a, ir::ExprId b) const {
        Renamed renamed;
        return same(a, b, renamed);
    }
    using Renamed = std::vector<std::pair<std::int64_t, std::int64_t>>; // the innermost binder last
    bool same(ir::ExprId a, ir::ExprId b, Renamed& renamed) const {
        const ir::Expr& left = program_.exprs[a];
        const ir::Expr& right = program_.exprs[b];
        if (left.op != right.op || left.type != right.type || left.arg_count != right.arg_count) return false;
        if (left.op == Op::Var) return same_variable(left.imm, right.imm, renamed);
        const bool binds = ir::binds_variable(left.op);
        if (!binds && left.imm != right.imm) return false;
        const auto ours = program_.arguments(a), theirs = program_.arguments(b);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const bool inside = binds && i == 1;
            if (inside) renamed.emplace_back(left.imm, right.imm);
            const bool equal = same(ours[i], theirs[i], renamed);
            if (inside) renamed.pop_back();
            if (!equal) return false;
        }
        return true;
    }
    static bool same_variable(std::int64_t a, std::int64_t b, const Renamed& renamed) {
        for (auto pair = renamed.rbegin(); pair != renamed.rend(); ++pair)
            if (pair->first == a || pair->second == b) return *pair == std::pair(a, b);
        return a == b;
    }

    // Whether the directions and their converses, as relations, are the images of each other.
    bool turned_around(ir::TypeId type, const Bits& directions) const {
        const auto board = static_cast<ir::BoardId>(types_[type].ref);
        std::set<Relation> relations;
        bool injective = true;
        for_each_bit(directions, [&](std::size_t d) {
            const ir::StepMap& step = program_.boards[board].steps[static_cast<ir::StepId>(d)];
            injective = injective && step.injective;
            Relation back(step.to.size(), -1);
            for (std::size_t v = 0; v < back.size(); ++v)
                if (step.to[v] >= 0) back[static_cast<std::size_t>(step.to[v])] = static_cast<std::int32_t>(v);
            relations.insert(step.to);
            relations.insert(std::move(back));
        });
        return injective && std::ranges::all_of(relations, [&](const Relation& relation) {
                   return relations.contains(image(board, relation));
               });
    }

    const ir::Program& program_;
    const ir::TypeTable& types_;
    const Relabelling& relabelling_;
    ir::Work work_{most_work};
    ir::Evaluator evaluator_;
    std::vector<Answer> answers_; // by ExprId
};

} // namespace

bool keeps_rules(const ir::Program& program, const Relabelling& relabelling) {
    return Invariance(program, relabelling).of_rules();
}

} // namespace zug::game

#include "lang/finish/missing_places.hpp"

#include <algorithm>

namespace zug::lang {

namespace {

enum class Truth : std::uint8_t { False, True, Unknown };

Truth negation(Truth t) {
    if (t == Truth::Unknown) return t;
    return t == Truth::True ? Truth::False : Truth::True;
}

// What is known of expressions in the instances of a rule in which one value is none.
class WithoutPlace {
public:
    WithoutPlace(const Builder& builder, const ir::Program& program, const ir::Rule& rule,
                 std::span<const std::uint32_t> initial, ir::Work& work)
        : builder_(builder), program_(program), rule_(rule), work_(work), evaluator_(program, nullptr, &work) {
        evaluator_.read(initial); // what never changes is read there
        for (const ir::Clause& clause : rule.when) compares_numbers_ |= compares_numbers(clause.expr);
    }

    // Whether there is an instance without the place that no condition excludes.
    bool is_found(ExprId place) {
        place_ = place;
        if (is_excluded()) return false; // in all of them
        for (std::size_t player = 0; player < program_.player_count(); ++player) {
            evaluator_.set_me(static_cast<std::int64_t>(player));
            known_.clear();
            if (is_found_from(0)) return true;
        }
        return false;
    }

private:
    // What the state is asked for may then be limited in a way that isn't followed here, so that the place is there.
    bool compares_numbers(ExprId e) const;
    // With the parameters before `param` bound.
    bool is_found_from(std::size_t param);
    bool is_found_here();
    void bind(VarId var, ir::Value value) {
        evaluator_.bind(var, std::move(value));
        known_.push_back(var);
    }
    bool is_excluded() {
        return std::ranges::any_of(rule_.when, [&](const ir::Clause& clause) {
            return !valid(clause.bind) && truth(clause.expr) == Truth::False;
        });
    }
    // Whether it is the same in every state, and has been given all names that it uses.
    bool is_known(ExprId e) const {
        const Facts& facts = builder_.facts(e);
        return !known_.empty() && !facts.reads_state && std::ranges::all_of(facts.free, [&](VarId var) {
            return std::ranges::find(known_, var) != known_.end();
        });
    }
    Truth truth(ExprId e);
    // Of a conjunction or disjunction, which one part of value `deciding` decides.
    Truth junction(ExprId e, Truth deciding);
    Truth equality(ExprId a, ExprId b);
    bool is_none(ExprId e);
    bool is_never_none(ExprId e) const;
    bool is_empty(ExprId set);
    ExprId argument(ExprId e, std::size_t i) const { return program_.argument(e, i); }

    const Builder& builder_;
    const ir::Program& program_;
    const ir::Rule& rule_;
    ir::Work& work_;
    ir::Evaluator evaluator_;
    ExprId place_{};
    bool compares_numbers_ = false;
    std::vector<VarId> known_; // what has a value; none: instances are not told apart
};

bool WithoutPlace::compares_numbers(ExprId e) const {
    const Op op = builder_[e].op;
    const bool of_number = op == Op::In && program_.types.kind(builder_.type(program_.argument(e, 0))) == TypeKind::Int;
    return op == Op::Lt || op == Op::Call || op == Op::MinOver || op == Op::MaxOver || of_number ||
           std::ranges::any_of(program_.arguments(e), [&](ExprId part) { return compares_numbers(part); });
}

bool WithoutPlace::is_found_from(std::size_t param) {
    if (param == rule_.params.size()) return is_found_here();
    const VarId var = rule_.params[param];
    const std::size_t before = known_.size();
    const TypeId type = program_.vars[var].type;
    for (std::uint64_t k = 0; k < program_.types.cardinality(type) && work_.take(1); ++k) {
        bind(var, ir::scalar_value(program_.types.value(type, k)));
        if (is_found_from(param + 1)) return true;
        known_.resize(before);
    }
    return false;
}

bool WithoutPlace::is_found_here() {
    const std::size_t before = known_.size();
    for (const ir::Clause& clause : rule_.when)
        if (valid(clause.bind) && is_known(clause.expr)) bind(clause.bind, evaluator_.value(clause.expr));
    const bool missing = is_known(place_) ? evaluator_.scalar(place_) == ir::none : !compares_numbers_;
    const bool found = missing && !is_excluded() && !work_.spent();
    known_.resize(before);
    return found;
}

Truth WithoutPlace::truth(ExprId e) {
    if (is_known(e)) return evaluator_.truth(e) ? Truth::True : Truth::False;
    const auto known = [](bool holds) { return holds ? Truth::True : Truth::Unknown; };
    switch (builder_[e].op) {
    case Op::Const: return builder_[e].imm != 0 ? Truth::True : Truth::False;
    case Op::Not: return negation(truth(argument(e, 0)));
    case Op::And: return junction(e, Truth::False);
    case Op::Or: return junction(e, Truth::True);
    case Op::If: {
        const Truth condition = truth(argument(e, 0));
        if (condition != Truth::Unknown) return truth(argument(e, condition == Truth::True ? 1 : 2));
        const Truth yes = truth(argument(e, 1));
        return yes == truth(argument(e, 2)) ? yes : Truth::Unknown;
    }
    case Op::Eq: return equality(argument(e, 0), argument(e, 1));
    case Op::IsNone: return known(is_none(argument(e, 0)));
    case Op::In: return negation(known(is_none(argument(e, 0)) || is_empty(argument(e, 1))));
    case Op::Any: return negation(known(is_empty(argument(e, 0))));
    case Op::Exists: {
        const bool never = is_empty(argument(e, 0)) || truth(argument(e, 1)) == Truth::False;
        return negation(known(never));
    }
    case Op::ForAll: return known(is_empty(argument(e, 0)));
    case Op::MapGet: // an entry that isn't there is false
        return negation(known(std::ranges::any_of(program_.arguments(e), [&](ExprId i) { return is_none(i); })));
    default: return Truth::Unknown;
    }
}

Truth WithoutPlace::junction(ExprId e, Truth deciding) {
    Truth result = negation(deciding);
    for (const ExprId part : program_.arguments(e)) {
        const Truth of = truth(part);
        if (of == deciding) return deciding;
        if (of == Truth::Unknown) result = Truth::Unknown;
    }
    return result;
}

Truth WithoutPlace::equality(ExprId a, ExprId b) {
    const bool left = is_none(a), right = is_none(b);
    if (left && right) return Truth::True;
    if ((left && is_never_none(b)) || (right && is_never_none(a))) return Truth::False;
    return Truth::Unknown;
}

bool WithoutPlace::is_never_none(ExprId e) const {
    const TypeKind kind = program_.types.kind(builder_.type(e));
    return (kind != TypeKind::Optional && kind != TypeKind::None) || builder_[e].op == Op::MakeTuple ||
           (builder_[e].op == Op::Const && builder_[e].imm != ir::none);
}

bool WithoutPlace::is_none(ExprId e) {
    if (builder_.same(e, place_)) return true;
    if (is_known(e)) return !is_never_none(e) && evaluator_.scalar(e) == ir::none;
    const auto any_part = [&] {
        return std::ranges::any_of(program_.arguments(e), [&](ExprId part) { return is_none(part); });
    };
    switch (builder_[e].op) {
    case Op::Const: return builder_[e].imm == ir::none && !is_never_none(e);
    case Op::Var: {
        const auto let = std::ranges::find(rule_.when, static_cast<VarId>(builder_[e].imm), &ir::Clause::bind);
        return let != rule_.when.end() && is_none(let->expr);
    }
    case Op::MapGet: return program_.types.kind(builder_.type(e)) == TypeKind::Optional && any_part();
    case Op::NextPlayer:
    case Op::PrevPlayer: return is_none(argument(e, 0));
    case Op::Project: return program_.types.kind(builder_.type(e)) == TypeKind::Optional && is_none(argument(e, 0));
    case Op::The: return is_empty(argument(e, 0));
    default: return false;
    }
}

bool WithoutPlace::is_empty(ExprId set) {
    if (is_known(set)) return evaluator_.set(set).count() == 0;
    switch (builder_[set].op) {
    case Op::Single: return is_none(argument(set, 0));
    case Op::Union: return is_empty(argument(set, 0)) && is_empty(argument(set, 1));
    case Op::Inter: return is_empty(argument(set, 0)) || is_empty(argument(set, 1));
    case Op::Diff:
    case Op::Retype:
    case Op::SetOf:
    case Op::Image: return is_empty(argument(set, 0));
    case Op::UnionOver: return is_empty(argument(set, 0)) || is_empty(argument(set, 1));
    case Op::If: return is_empty(argument(set, 1)) && is_empty(argument(set, 2));
    case Op::MapGet: return std::ranges::any_of(program_.arguments(set), [&](ExprId i) { return is_none(i); });
    default: return false;
    }
}

// Whether all pairs of coordinates that the types admit are on the board.
bool is_on_board(const ir::Program& program, const Builder& builder, ExprId place) {
    const ir::Type& x = program.types[builder.type(program.argument(place, 0))];
    const ir::Type& y = program.types[builder.type(program.argument(place, 1))];
    const auto& sites =
        program.boards[static_cast<ir::BoardId>(program.types[program.types.inner(builder.type(place))].ref)].sites;
    const auto inside = std::ranges::count_if(sites, [&](const ir::Site& site) {
        return x.lo <= site.x && site.x <= x.hi && y.lo <= site.y && site.y <= y.hi;
    });
    return static_cast<double>(inside) == static_cast<double>(x.hi - x.lo + 1) * static_cast<double>(y.hi - y.lo + 1);
}

// Whether a place is a site that may be none, as a name or made of coordinates.
bool is_asked(const ir::Program& program, const Builder& builder, const ir::Rule& rule, ExprId place) {
    const TypeId type = builder.type(place);
    if (program.types.kind(type) != TypeKind::Optional) return false;
    if (program.types.kind(program.types.inner(type)) != TypeKind::Site) return false;
    if (builder[place].op == Op::SiteAt) return !is_on_board(program, builder, place);
    return builder[place].op == Op::Var &&
           std::ranges::find(rule.when, static_cast<VarId>(builder[place].imm), &ir::Clause::bind) != rule.when.end();
}

} // namespace

std::vector<std::uint32_t> initial_slots(const ir::Program& program) {
    std::vector<std::uint32_t> slots(program.slot_count);
    for (const ir::StateVariable& state : program.states)
        std::ranges::copy(state.initial, slots.begin() + state.first_slot);
    return slots;
}

std::vector<ir::EffectId> missing_places(const Builder& builder, const ir::Program& program, const ir::Rule& rule,
                                         std::span<const std::uint32_t> initial, ir::Work& work) {
    std::vector<ir::EffectId> found;
    for (const ir::Block& block : rule.then)
        for (const ir::EffectId id : block.effects) {
            const ir::Effect& effect = program.effects[id];
            if (effect.kind != ir::EffectKind::Assign || builder.scalar(effect.value) == ir::none) continue;
            if (std::ranges::any_of(effect.indices, [&](ExprId place) {
                    return is_asked(program, builder, rule, place) &&
                           WithoutPlace(builder, program, rule, initial, work).is_found(place);
                }))
                found.push_back(id);
        }
    return found;
}

} // namespace zug::lang

#include "lang/finish/material.hpp"

#include <algorithm>
#include <map>

namespace zug::lang {

namespace {

constexpr std::size_t max_terms = 4'000;        // looked at in one evaluation
constexpr std::size_t max_unrolled_values = 64; // of a variable that a sum ranges over

class MaterialFinder {
public:
    MaterialFinder(Builder& builder, const ir::Program& program) : builder_(builder), program_(program) {}

    std::vector<Material> find() {
        for (player_ = 0; player_ < program_.evals.size(); ++player_) {
            left_ = max_terms;
            add(program_.evals[player_], 1);
        }
        return std::move(found_);
    }

private:
    ExprId arg(ExprId id, std::size_t i) const { return program_.argument(id, i); }
    Op op(ExprId id) const { return builder_[id].op; }

    void add(ExprId e, double factor);
    void add_product(ExprId e, double factor);
    void add_sum(ExprId e, double factor);
    void add_count(ExprId set, double factor);
    std::optional<ExprId> unwrapped(ExprId e);

    // Whether a place belongs to the set, given that the map holds a value there; nullopt: it depends on more.
    std::optional<bool> is_member(ExprId set, ir::StateId map, std::int64_t value);
    // The expression, given that the map holds `value` at the place `at`.
    ExprId given(ExprId e, VarId at, ir::StateId map, std::int64_t value);
    ir::StateId map_of(ExprId set) const;
    std::vector<double>* worth_in(ir::StateId map);
    template <class Worth>
    void add_by_value(ir::StateId map, double factor, Worth&& worth);

    Builder& builder_;
    const ir::Program& program_;
    std::vector<Material> found_;
    std::size_t player_ = 0;
    std::size_t left_ = 0;
};

// The body of a `let` or of a call, with what its names stand for; nullopt: it is neither.
std::optional<ExprId> MaterialFinder::unwrapped(ExprId e) {
    const ir::Expr& x = builder_[e];
    if (x.op == Op::Let) return builder_.substitute(arg(e, 1), {{static_cast<VarId>(x.imm), arg(e, 0)}});
    if (x.op != Op::Call) return std::nullopt;
    const ir::Function& function = program_.functions[static_cast<ir::FunctionId>(x.imm)];
    if (function.recursive || !valid(function.body)) return std::nullopt;
    Substitution replacement;
    for (std::size_t i = 0; i < function.params.size(); ++i) replacement[function.params[i]] = arg(e, i);
    return builder_.substitute(function.body, replacement);
}

// Adds what a term, times a factor, is worth to the player.
void MaterialFinder::add(ExprId e, double factor) {
    if (left_ == 0) return;
    --left_;
    switch (op(e)) {
    case Op::Add: add(arg(e, 0), factor); return add(arg(e, 1), factor);
    case Op::Sub: add(arg(e, 0), factor); return add(arg(e, 1), -factor);
    case Op::Neg: return add(arg(e, 0), -factor);
    case Op::ToReal: return add(arg(e, 0), factor);
    case Op::Mul:
    case Op::Div: return add_product(e, factor);
    case Op::Count: return add_count(arg(e, 0), factor);
    case Op::SumOver: return add_sum(e, factor);
    default:
        if (const auto inner = unwrapped(e)) add(*inner, factor);
    }
}

void MaterialFinder::add_product(ExprId e, double factor) {
    const auto left = builder_.number(arg(e, 0)), right = builder_.number(arg(e, 1));
    if (op(e) == Op::Mul && left) return add(arg(e, 1), factor * *left);
    if (op(e) == Op::Mul && right) return add(arg(e, 0), factor * *right);
    const bool real = program_.types.kind(builder_.type(e)) == TypeKind::Real;
    if (op(e) == Op::Div && real && right && *right != 0) add(arg(e, 0), factor / *right);
}

// A sum over a few constants is the sum of its terms; one over places, a worth for each value that may stand there.
void MaterialFinder::add_sum(ExprId e, double factor) {
    const ExprId domain = arg(e, 0), body = arg(e, 1);
    const auto var = static_cast<VarId>(builder_[e].imm);
    const TypeId element = program_.types.inner(builder_.type(domain));
    const Span at = builder_[e].span;
    if (const auto members = builder_.set(domain); members && members->count() <= max_unrolled_values) {
        for_each_bit(*members, [&](std::size_t ordinal) {
            const ExprId member = builder_.constant(element, program_.types.value(element, ordinal), at);
            add(builder_.substitute(body, {{var, member}}), factor);
        });
        return;
    }
    const ir::StateId map = map_of(domain);
    add_by_value(map, factor, [&](std::int64_t value) -> std::optional<double> {
        const auto member = is_member(domain, map, value);
        if (!member) return std::nullopt;
        return *member ? builder_.number(given(body, var, map, value)) : 0;
    });
}

void MaterialFinder::add_count(ExprId set, double factor) {
    const ir::StateId map = map_of(set);
    add_by_value(map, factor, [&](std::int64_t value) -> std::optional<double> {
        const auto member = is_member(set, map, value);
        return member ? std::optional<double>(*member ? 1 : 0) : std::nullopt;
    });
}

// Adds worth(value) for each value of the map, if it is known for all of them.
template <class Worth>
void MaterialFinder::add_by_value(ir::StateId map, double factor, Worth&& worth) {
    if (!valid(map)) return;
    const TypeId type = program_.states[map].value;
    std::vector<double> worths;
    for (std::uint64_t o = 0; o < program_.types.cardinality(type); ++o) {
        const std::optional<double> one = worth(program_.types.value(type, o));
        if (!one) return;
        worths.push_back(*one);
    }
    std::vector<double>& all = *worth_in(map);
    for (std::size_t o = 0; o < worths.size(); ++o) all[o] += factor * worths[o];
}

std::vector<double>* MaterialFinder::worth_in(ir::StateId map) {
    auto known = std::ranges::find(found_, map, &Material::map);
    if (known == found_.end()) {
        const std::vector<double> nothing(program_.types.cardinality(program_.states[map].value), 0);
        found_.push_back({map, std::vector(program_.evals.size(), nothing)});
        known = found_.end() - 1;
    }
    return &known->worth[player_];
}

// The one map of one index that the set depends on, if it has few values and rules change it.
ir::StateId MaterialFinder::map_of(ExprId set) const {
    std::vector<ExprId> open{set};
    ir::StateId map = none_id<ir::StateId>;
    for (std::size_t looked = 0; !open.empty() && looked < max_terms; ++looked) {
        const ExprId e = open.back();
        open.pop_back();
        if (op(e) == Op::MapGet) {
            const auto read = static_cast<ir::StateId>(builder_[e].imm);
            if (valid(map) && read != map) return none_id<ir::StateId>;
            map = read;
        }
        for (ExprId a : program_.arguments(e)) open.push_back(a);
        if (op(e) == Op::Call) open.push_back(program_.functions[static_cast<ir::FunctionId>(builder_[e].imm)].body);
    }
    if (!valid(map) || !open.empty()) return none_id<ir::StateId>;
    const ir::StateVariable& state = program_.states[map];
    const bool fits = state.assigned && state.indices.size() == 1 &&
                      program_.types.kind(state.value) != TypeKind::Set &&
                      program_.types.cardinality(state.value) <= max_material_values;
    return fits ? map : none_id<ir::StateId>;
}

std::optional<bool> MaterialFinder::is_member(ExprId set, ir::StateId map, std::int64_t value) {
    if (left_ == 0) return std::nullopt;
    --left_;
    switch (op(set)) {
    case Op::Universe: return true;
    case Op::SetOf: {
        const auto among = is_member(arg(set, 0), map, value);
        const auto var = static_cast<VarId>(builder_[set].imm);
        const auto holds = builder_.scalar(given(arg(set, 1), var, map, value));
        if (among == false || (holds && *holds == 0)) return false;
        return among && holds ? std::optional(true) : std::nullopt;
    }
    case Op::Union:
    case Op::Inter:
    case Op::Diff: {
        const auto a = is_member(arg(set, 0), map, value), b = is_member(arg(set, 1), map, value);
        if (!a || !b) return std::nullopt;
        return op(set) == Op::Union ? *a || *b : op(set) == Op::Inter ? *a && *b : *a && !*b;
    }
    default:
        if (const auto inner = unwrapped(set)) return is_member(*inner, map, value);
        return std::nullopt;
    }
}

ExprId MaterialFinder::given(ExprId e, VarId at, ir::StateId map, std::int64_t value) {
    const auto inner = op(e) == Op::Call || op(e) == Op::Let ? unwrapped(e) : std::nullopt;
    if (inner && left_ > 0) {
        --left_;
        return given(*inner, at, map, value);
    }
    const auto& free = builder_.facts(e).free;
    if (std::ranges::find(free, at) == free.end()) return e;
    const ir::Expr x = builder_[e];
    if (x.op == Op::MapGet && static_cast<ir::StateId>(x.imm) == map && op(arg(e, 0)) == Op::Var &&
        static_cast<VarId>(builder_[arg(e, 0)].imm) == at)
        return builder_.constant(x.type, value, x.span);
    const std::vector<ExprId> args(program_.arguments(e).begin(), program_.arguments(e).end());
    std::vector<ExprId> copies;
    for (ExprId a : args) copies.push_back(given(a, at, map, value));
    return builder_.make(x.op, x.type, copies, x.imm, x.span);
}

} // namespace

std::vector<Material> find_material(Builder& builder, const ir::Program& program) {
    return MaterialFinder(builder, program).find();
}

} // namespace zug::lang

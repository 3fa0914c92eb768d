#include "lang/finish/derived_loud.hpp"

#include "lang/finish/known_values.hpp"
#include "lang/finish/material.hpp"

#include <algorithm>
#include <ranges>
#include <set>

namespace zug::lang {

namespace {

// Something around an effect: a condition, a name for a value, or a name for each member of a set.
struct Frame {
    enum class Kind : std::uint8_t { Condition, Let, Each } kind{};
    ExprId expr{};
    VarId var = none_id<VarId>;
};

// An assignment of a value to one place, or to each of a set of places.
struct Change {
    std::vector<Frame> around;
    ExprId where{};
    bool many = false;
    ExprId value{};
};

class LoudRule {
public:
    LoudRule(Builder& builder, const ir::Program& program, const Material& material, const ir::Rule& rule)
        : builder_(builder), program_(program), material_(material), rule_(rule),
          type_(program.states[material.map].value), known_(builder, program, rule) {}

    // The condition under which a move of the rule is loud; nullopt: no move is, or that is not known.
    std::optional<ExprId> condition() {
        if (!find_changes()) return std::nullopt;
        std::vector<ExprId> ways;
        for (const Change& change : changes_)
            if (const auto way = takes_foe(change)) ways.push_back(*way);
        if (const auto way = changes_own()) ways.push_back(*way);
        if (ways.empty()) return std::nullopt;
        const ExprId any = builder_.disjunction(ways, rule_.span);
        return builder_.scalar(any) == 0 ? std::nullopt : std::optional(any);
    }

private:
    bool find_changes();
    bool collect(const std::vector<ir::EffectId>& list, std::vector<Frame>& around);
    bool add_change(const ir::Effect& effect, const std::vector<Frame>& around);
    bool reads(ExprId e, const std::set<ir::StateId>& states) const;
    bool reads(const Change& change, const std::set<ir::StateId>& states) const;
    void note_assigned(const std::vector<ir::EffectId>& list, std::set<ir::StateId>& states) const;

    std::optional<ExprId> takes_foe(const Change& change);
    std::optional<ExprId> changes_own();
    std::optional<ExprId> differs(ExprId value, ExprId before);
    bool is_put_down(ExprId held) const;
    bool part_matters(std::size_t part) const;
    ExprId within(const Change& change, ExprId condition);
    ExprId held_at(ExprId place) {
        return builder_.make(Op::MapGet, type_, {place}, static_cast<std::int64_t>(index(material_.map)), rule_.span);
    }

    // Of ordinals of the values: those that belong to the player, or to one of another team.
    enum class Side : std::uint8_t { Own, Foe };
    bool belongs(std::uint64_t ordinal, std::size_t player) const;
    bool is_on(std::uint64_t ordinal, std::size_t player, Side side) const;
    ExprId is_of(ExprId held, Side side);
    ExprId stands_at(ExprId place, Side side);
    bool can_be(ExprId held, Side side);
    TypeId bare() const {
        return program_.types.kind(type_) == TypeKind::Optional ? program_.types.inner(type_) : type_;
    }

    Builder& builder_;
    const ir::Program& program_;
    const Material& material_;
    const ir::Rule& rule_;
    TypeId type_;
    KnownValues known_;
    std::vector<Change> changes_;
};

// -- what the rule assigns

// False: some assignment to the map is of a kind that is not understood.
bool LoudRule::find_changes() {
    std::set<ir::StateId> changed;
    for (const ir::Block& block : rule_.then) {
        const std::size_t before = changes_.size();
        std::vector<Frame> around;
        for (const ir::Clause& let : block.lets) around.push_back({Frame::Kind::Let, let.expr, let.bind});
        if (!collect(block.effects, around)) return false;
        const auto later =
            std::ranges::subrange(changes_.begin() + static_cast<std::ptrdiff_t>(before), changes_.end());
        const auto gone = std::ranges::remove_if(later, [&](const Change& c) { return reads(c, changed); });
        changes_.erase(gone.begin(), gone.end());
        note_assigned(block.effects, changed);
    }
    return true;
}

bool LoudRule::collect(const std::vector<ir::EffectId>& list, std::vector<Frame>& around) {
    const auto inside = [&](const Frame& frame, const std::vector<ir::EffectId>& effects) {
        around.push_back(frame);
        const bool good = collect(effects, around);
        around.pop_back();
        return good;
    };
    return std::ranges::all_of(list, [&](ir::EffectId id) {
        const ir::Effect effect = program_.effects[id];
        switch (effect.kind) {
        case ir::EffectKind::If: {
            if (!inside({Frame::Kind::Condition, effect.value}, effect.yes)) return false;
            const ExprId no = builder_.negation(effect.value, effect.span);
            return effect.no.empty() || inside({Frame::Kind::Condition, no}, effect.no);
        }
        case ir::EffectKind::For: return inside({Frame::Kind::Each, effect.value, effect.var}, effect.yes);
        case ir::EffectKind::Let: return inside({Frame::Kind::Let, effect.value, effect.var}, effect.yes);
        case ir::EffectKind::Again:
        case ir::EffectKind::Next: return true;
        default: return effect.state != material_.map || add_change(effect, around);
        }
    });
}

// A value that is read from another place of the map inside a loop may be a part of a permutation.
bool LoudRule::add_change(const ir::Effect& effect, const std::vector<Frame>& around) {
    const bool many = effect.kind == ir::EffectKind::AssignSet;
    if (!many && effect.kind != ir::EffectKind::Assign) return false;
    const bool loops = many || std::ranges::any_of(around, [](const Frame& f) { return f.kind == Frame::Kind::Each; });
    if (loops && reads(effect.value, {material_.map})) return false;
    changes_.push_back({around, effect.indices.front(), many, effect.value});
    return true;
}

bool LoudRule::reads(ExprId e, const std::set<ir::StateId>& states) const {
    if (!builder_.facts(e).reads_state) return false;
    const ir::Expr& x = builder_[e];
    if ((x.op == Op::MapGet || x.op == Op::StateGet) && states.contains(static_cast<ir::StateId>(x.imm))) return true;
    if (x.op == Op::Call || x.op == Op::Can || x.op == Op::Earlier) return true; // perhaps
    return std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return reads(a, states); });
}

bool LoudRule::reads(const Change& change, const std::set<ir::StateId>& states) const {
    if (states.empty()) return false;
    return reads(change.where, states) || reads(change.value, states) ||
           std::ranges::any_of(change.around, [&](const Frame& f) { return reads(f.expr, states); });
}

void LoudRule::note_assigned(const std::vector<ir::EffectId>& list, std::set<ir::StateId>& states) const {
    for (const ir::EffectId id : list) {
        const ir::Effect& effect = program_.effects[id];
        if (valid(effect.state)) states.insert(effect.state);
        note_assigned(effect.yes, states);
        note_assigned(effect.no, states);
    }
}

// -- who owns what

// What is worth something to several players belongs to none.
bool LoudRule::belongs(std::uint64_t ordinal, std::size_t player) const {
    for (std::size_t p = 0; p < material_.worth.size(); ++p)
        if ((material_.worth[p][ordinal] > 0) != (p == player)) return false;
    return true;
}

bool LoudRule::is_on(std::uint64_t ordinal, std::size_t player, Side side) const {
    if (side == Side::Own) return belongs(ordinal, player);
    const std::uint32_t team = program_.team_of(static_cast<std::uint32_t>(player));
    for (std::uint32_t p = 0; p < material_.worth.size(); ++p)
        if (program_.team_of(p) != team && belongs(ordinal, p)) return true;
    return false;
}

// Whether the value is on that side of the player to move.
ExprId LoudRule::is_of(ExprId held, Side side) {
    const TypeId element = bare();
    const Span at = rule_.span;
    ExprId members = none_id<ExprId>;
    for (std::size_t player = material_.worth.size(); player-- > 0;) {
        Bits bits(program_.types.cardinality(element));
        for (std::uint64_t o = 0; o < bits.size(); ++o) {
            const auto ordinal = program_.types.ordinal(type_, program_.types.value(element, o));
            if (ordinal && is_on(*ordinal, player, side)) bits.set(o);
        }
        const ExprId set = builder_.set_constant(builder_.types().set(element), std::move(bits), at);
        const ExprId mover = builder_.constant(program_.player_type, static_cast<std::int64_t>(player), at);
        const ExprId me = builder_.make(Op::Me, program_.player_type, {}, at);
        members =
            valid(members) ? builder_.choose(builder_.equal(me, mover, at), set, members, builder_.type(set), at) : set;
    }
    return builder_.make(Op::In, builder_.types().boolean(), {held, members}, at);
}

// Whether what stands at a place is on that side. A place that a path leads to is asked for as a set, which executors
// do for all places at once: `some c.~N & at.foe`.
ExprId LoudRule::stands_at(ExprId place, Side side) {
    if (builder_[place].op != Op::The || builder_[program_.argument(place, 0)].op != Op::Image)
        return is_of(held_at(place), side);
    const ExprId led_to = program_.argument(place, 0);
    const TypeId set = builder_.type(led_to), site = program_.types.inner(set);
    const VarId var = builder_.new_var("place", site);
    const ExprId of_side = is_of(held_at(builder_.var(var, rule_.span)), side);
    const ExprId held = builder_.bind(Op::SetOf, set, {var, builder_.universe(site, rule_.span), of_side}, rule_.span);
    return builder_.any(builder_.make(Op::Inter, set, {led_to, held}, rule_.span), rule_.span);
}

// False: what `when` says excludes that the value is on that side of the player to move, whoever that is.
bool LoudRule::can_be(ExprId held, Side side) {
    for (std::size_t player = 0; player < material_.worth.size(); ++player)
        for (std::uint64_t o = 0; o < program_.types.cardinality(type_); ++o)
            if (is_on(o, player, side) && known_.can_be(held, program_.types.value(type_, o), player)) return true;
    return false;
}

// -- loud changes

ExprId LoudRule::within(const Change& change, ExprId condition) {
    const TypeId boolean = builder_.types().boolean();
    for (const Frame& frame : change.around | std::views::reverse) {
        const Span at = rule_.span;
        if (frame.kind == Frame::Kind::Condition)
            condition = builder_.conjunction({frame.expr, condition}, at);
        else if (const auto& free = builder_.facts(condition).free;
                 frame.kind == Frame::Kind::Each || std::ranges::find(free, frame.var) != free.end())
            condition = builder_.bind(frame.kind == Frame::Kind::Let ? Op::Let : Op::Exists, boolean,
                                      {frame.var, frame.expr, condition}, at);
    }
    return condition;
}

bool LoudRule::is_put_down(ExprId held) const {
    return std::ranges::any_of(changes_, [&](const Change& c) { return builder_.same(c.value, held); });
}

// The change takes something of an opponent's off its place.
std::optional<ExprId> LoudRule::takes_foe(const Change& change) {
    if (change.many) {
        const TypeId site = program_.types.inner(builder_.type(change.where));
        const VarId var = builder_.new_var("place", site);
        const ExprId foe = is_of(held_at(builder_.var(var, rule_.span)), Side::Foe);
        return within(change,
                      builder_.bind(Op::Exists, builder_.types().boolean(), {var, change.where, foe}, rule_.span));
    }
    const ExprId held = held_at(change.where);
    if (builder_.same(change.value, held) || is_put_down(held) || !can_be(held, Side::Foe)) return std::nullopt;
    return within(change, stands_at(change.where, Side::Foe));
}

// The move takes up one piece of the mover's and puts down another, or none. With several of them the move is taken to
// be quiet.
std::optional<ExprId> LoudRule::changes_own() {
    std::vector<const Change*> puts, takes;
    for (const Change& change : changes_) {
        const auto constant = builder_.scalar(change.value);
        const auto ordinal = constant ? program_.types.ordinal(type_, *constant) : std::nullopt;
        const bool empties =
            ordinal && std::ranges::all_of(material_.worth, [&](const auto& worth) { return worth[*ordinal] == 0; });
        const bool sure =
            std::ranges::all_of(change.around, [](const Frame& frame) { return frame.kind == Frame::Kind::Let; });
        if (!empties)
            puts.push_back(&change);
        else if (sure && !change.many && can_be(held_at(change.where), Side::Own))
            takes.push_back(&change);
    }
    if (takes.size() > 1 || puts.size() > 1 || (puts.size() == 1 && puts[0]->many)) return std::nullopt;
    if (puts.empty())
        return takes.empty() ? std::nullopt
                             : std::optional(within(*takes[0], is_of(held_at(takes[0]->where), Side::Own)));
    const Change& put = *puts[0];
    const bool in_place = takes.empty();
    const ExprId before = held_at(in_place ? put.where : takes[0]->where);
    if (!can_be(before, Side::Own)) return std::nullopt;
    const auto other = differs(put.value, before);
    if (!other) return std::nullopt;
    return within(put, builder_.conjunction({is_of(before, Side::Own), *other}, rule_.span));
}

// Whether two values differ in what decides their worth; nullopt: they do not.
std::optional<ExprId> LoudRule::differs(ExprId value, ExprId before) {
    const auto unequal = [&](ExprId a, ExprId b) -> std::optional<ExprId> {
        if (known_.are_equal(a, b)) return std::nullopt;
        return builder_.negation(builder_.equal(a, known_.name_of(b), rule_.span), rule_.span);
    };
    const TypeId tuple = bare();
    if (builder_[value].op != Op::MakeTuple) return unequal(value, before);
    std::vector<ExprId> parts;
    const std::vector<ExprId> made(program_.arguments(value).begin(), program_.arguments(value).end());
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (!part_matters(i)) continue;
        const ExprId part = builder_.make(Op::Project, program_.types[tuple].parts[i], {before},
                                          static_cast<std::int64_t>(i), rule_.span);
        if (const auto other = unequal(made[i], part)) parts.push_back(*other);
    }
    if (parts.empty()) return std::nullopt;
    return builder_.disjunction(parts, rule_.span);
}

// Whether two values of different worth differ in this part only.
bool LoudRule::part_matters(std::size_t part) const {
    const TypeId tuple = bare();
    const std::uint64_t count = program_.types.cardinality(tuple);
    const auto parts = program_.types[tuple].parts.size();
    const auto worth = [&](std::uint64_t o) {
        std::vector<double> all;
        const auto ordinal = program_.types.ordinal(type_, program_.types.value(tuple, o));
        for (const auto& of_player : material_.worth) all.push_back(of_player[ordinal.value_or(0)]);
        return all;
    };
    for (std::uint64_t a = 0; a < count; ++a)
        for (std::uint64_t b = a + 1; b < count; ++b) {
            bool alike = true;
            for (std::size_t i = 0; i < parts; ++i)
                alike = alike && (i == part || program_.types.project(tuple, program_.types.value(tuple, a), i) ==
                                                   program_.types.project(tuple, program_.types.value(tuple, b), i));
            if (alike && worth(a) != worth(b)) return true;
        }
    return false;
}

} // namespace

void derive_loud(Builder& builder, ir::Program& program) {
    if (program.player_count() < 2 || program.evals.empty()) return;
    const std::vector<Material> found = find_material(builder, program);
    std::vector<ExprId> loud(program.rules.size(), none_id<ExprId>);
    for (const Material& material : found)
        for (std::size_t r = 0; r < loud.size(); ++r) {
            const ir::Rule& rule = program.rules[static_cast<ir::RuleId>(r)];
            if (rule.chance) continue;
            const auto condition = LoudRule(builder, program, material, rule).condition();
            if (!condition) continue;
            loud[r] = valid(loud[r]) ? builder.disjunction({loud[r], *condition}, rule.span) : *condition;
        }
    if (std::ranges::any_of(loud, [](ExprId id) { return valid(id); })) program.loud = std::move(loud);
}

} // namespace zug::lang

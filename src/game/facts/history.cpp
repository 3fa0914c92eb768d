#include "game/facts/history.hpp"

#include "game/facts/counter.hpp"
#include "game/facts/reading.hpp"
#include "game/facts/traits.hpp"

#include <algorithm>

namespace zug::game {

using ir::ExprId;
using ir::Op;
using ir::StateId;

namespace {

constexpr const char* unsolvable = ": a position has no value of its own, so the game can't be solved by position";

class HistoryFinder {
public:
    HistoryFinder(const ir::Program& program, bool zero_sum)
        : program_(program), zero_sum_(zero_sum), points_(program_points(program)), earlier_(program, Op::Earlier) {}

    History find() {
        if (std::ranges::none_of(points_, [&](const ProgramPoint& point) { return earlier_.in(point.expr); }))
            return {};
        check_questions();
        if (history_.why.empty()) check_game();
        if (history_.why.empty()) check_keys();
        if (history_.why.empty()) {
            history_.kind = HistoryKind::RepetitionDraw;
        } else {
            history_.why += unsolvable;
            history_.kind = HistoryKind::PathDependent;
            history_.counters.clear();
            history_.assumes.clear();
        }
        return std::move(history_);
    }

private:
    void refuse(std::string why) {
        if (history_.why.empty()) history_.why = std::move(why);
    }

    // 1. Where `earlier` occurs.
    void check_questions() {
        for (const ProgramPoint& point : points_) {
            if (!earlier_.in(point.expr)) continue;
            if (point.kind != ProgramPoint::Kind::EndCondition) {
                const bool superko = point.kind == ProgramPoint::Kind::Ensure;
                refuse(point_text(program_, point, "asks") + " for earlier positions" + (superko ? " (superko)" : ""));
            } else if (!is_draw(program_.ends[point.end], program_)) {
                refuse("a clause of `end` that isn't a draw asks for earlier positions");
            } else if (!adds_draws(point.expr)) {
                refuse("a draw asks for earlier positions otherwise than by `earlier(..) = k` or `>= k`");
            }
        }
        for (const ir::HistoryKey& key : program_.keys)
            for (const auto part : key.parts)
                if (earlier_.in(part)) refuse("a key of `earlier` asks for earlier positions itself");
    }

    // False without repetitions, unless it holds anyway.
    bool adds_draws(ExprId id) {
        if (!earlier_.in(id)) return true;
        const ir::Expr& e = program_.exprs[id];
        switch (e.op) {
        case Op::And:
        case Op::Or: return std::ranges::all_of(program_.arguments(id), [&](ExprId arg) { return adds_draws(arg); });
        case Op::Call: {
            const auto& function = program_.functions[static_cast<ir::FunctionId>(e.imm)];
            return !function.recursive && function.params.empty() && adds_draws(function.body);
        }
        default: break;
        }
        const auto least = least_count(program_, id, [&](ExprId x) { return program_.exprs[x].op == Op::Earlier; });
        if (!least || *least <= 0) return false;
        const auto count = static_cast<std::uint64_t>(*least);
        history_.occurrences = history_.occurrences == 0 ? count : std::min(history_.occurrences, count);
        return true;
    }

    // 2. The kind of game.
    void check_game() {
        const bool chance = std::ranges::any_of(program_.rules, [](const ir::Rule& rule) { return rule.chance; });
        if (chance)
            refuse("chance events may lead to a win through a position again, and there is a draw by repetition");
        if (program_.player_count() > 1 && !zero_sum_)
            refuse("there is a draw by repetition, and the players' utilities aren't known to add up to zero");
        if (program_.player_count() > 1 && program_.keeps_last)
            refuse("there is a draw by repetition, and whose turn it is doesn't follow from who moved last");
    }

    // 3. What the keys leave out.
    void check_keys() {
        for (std::size_t k = 0; k < program_.keys.size(); ++k) {
            if (!is_asked(k)) continue;
            const ir::HistoryKey& key = program_.keys[static_cast<ir::KeyId>(k)];
            const bool has_me = std::ranges::any_of(key.parts, [&](ExprId part) { return tells_me(part); });
            if (program_.player_count() > 1 && !has_me)
                refuse(
                    "the draw by repetition takes positions for the same in which another player is to move (`me` is "
                    "not a part of the key)");
            for (std::size_t s = 0; s < program_.states.size(); ++s) check_state(key, static_cast<StateId>(s));
        }
    }

    // Not only by an evaluation or a test.
    bool is_asked(std::size_t key) const {
        Mentions mentions(program_, Op::Earlier, static_cast<std::int64_t>(key));
        return std::ranges::any_of(points_, [&](const ProgramPoint& point) { return mentions.in(point.expr); });
    }

    bool tells_me(ExprId part) const {
        const ir::Expr& e = program_.exprs[part];
        if (e.op == Op::NextPlayer || e.op == Op::PrevPlayer) return tells_me(program_.argument(part, 0));
        return e.op == Op::Me;
    }

    void check_state(const ir::HistoryKey& key, StateId id) {
        const ir::StateVariable& state = program_.states[id];
        if (!state.assigned || is_whole(key, id)) return;
        if (state.local && !says_again(program_)) return;
        Mentions mentions(program_, id);
        const auto by_others = [&](const ProgramPoint& point) { return point.target != id && mentions.in(point.expr); };
        if (std::ranges::none_of(points_, by_others)) return; // read for its own next value only
        if (is_counter(id) || matters_in_part(key, id)) return;
        for (const ProgramPoint& point : points_)
            if (mentions.in(point.expr))
                return refuse("the draw by repetition leaves out `" + state.name + "`, but " +
                              point_text(program_, point, "reads it"));
    }

    bool is_whole(const ir::HistoryKey& key, StateId id) const {
        return std::ranges::find(key.maps, id) != key.maps.end() ||
               std::ranges::any_of(key.parts, [&](ExprId part) { return is_get(program_, part, id); });
    }

    bool is_counter(StateId id) {
        const auto found = find_counter(program_, points_, id);
        if (!found) return false;
        const std::string name = "`" + program_.states[id].name + "`";
        if (std::ranges::find(history_.counters, id) != history_.counters.end()) return true;
        history_.counters.push_back(id);
        if (found->goes_back) history_.assumes.push_back(name + " goes back only at moves that can't be undone");
        return true;
    }

    bool matters_in_part(const ir::HistoryKey& key, StateId id) {
        for (const auto part : key.parts) {
            const auto use = find_partial_use(program_, part, id);
            if (!use || !used_only_by(program_, points_, id, *use)) continue;
            std::string text = "`" + program_.states[id].name + "` matters only where the key finds that `" +
                               program_.rules[use->rule].name + "` can use it";
            if (std::ranges::find(history_.assumes, text) == history_.assumes.end())
                history_.assumes.push_back(std::move(text));
            return true;
        }
        return false;
    }

    const ir::Program& program_;
    const bool zero_sum_;
    const std::vector<ProgramPoint> points_;
    Mentions earlier_;
    History history_;
};

} // namespace

History find_history(const ir::Program& program, bool zero_sum) { return HistoryFinder(program, zero_sum).find(); }

tl::expected<History, Error> solvable_by_position(const ir::Program& program) {
    History history = find_history(program, find_traits(program).zero_sum);
    if (history.kind == HistoryKind::PathDependent) return failure(history.why);
    return history;
}

} // namespace zug::game

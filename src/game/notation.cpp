#include "game/notation.hpp"

#include "game/faces.hpp"
#include "ir/evaluate.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>

namespace zug::game {

using ir::TypeKind;

namespace {

// Notations depend on the position alone: the checker refuses everything that would need the rules.
class NoQuestions final : public ir::GameQuestions {
public:
    bool stuck(std::span<const std::uint32_t>) const override { return false; }
    std::int64_t earlier(ir::KeyId, std::span<const std::uint32_t>, std::int64_t) const override { return 0; }
    bool can(ir::RuleId, std::span<const std::optional<std::int64_t>>, std::span<const std::uint32_t>,
             std::int64_t) const override {
        return false;
    }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The position of a step within its turn.
enum class StepOrder : std::uint8_t { First, Later };

class Notation {
public:
    Notation(const ir::Program& program, std::span<const std::uint32_t> slots)
        : program_(program), eval_(program, &questions_) {
        eval_.read(slots);
        eval_.set_me(slots[program.slot_count]);
        const auto moves = std::ranges::count_if(program.rules, [](const ir::Rule& rule) { return !rule.chance; });
        one_move_rule_ = moves == 1;
    }

    // Plain: as the usual notation has it, whatever the file says. The moves of a turn share most of their steps, so
    // each text is made once. The file's notation of a later step may be empty.
    const std::string& step(StepCode code, StepOrder order, bool plain) {
        auto [it, fresh] = texts_[plain ? 2U : static_cast<std::size_t>(order)].try_emplace(code);
        if (fresh) it->second = make_step(code, order, plain);
        return it->second;
    }

    std::string move(std::span<const StepCode> steps, bool plain) {
        if (steps.empty()) return "pass";
        std::string text;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const std::string& part = step(steps[i], i == 0 ? StepOrder::First : StepOrder::Later, plain);
            if (!text.empty() && !part.empty()) text += separator(steps, plain);
            text += part;
        }
        return trimmed(text).empty() ? move(steps, true) : std::string(trimmed(text));
    }

private:
    // Separators at the ends are removed, as they are from moves read from a line of play.
    static std::string_view trimmed(std::string_view text) {
        while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
        while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
        return text;
    }

    std::string_view separator(std::span<const StepCode> steps, bool plain) {
        if (!plain && program_.step_separator) return *program_.step_separator;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (step(steps[i], i == 0 ? StepOrder::First : StepOrder::Later, plain).find(' ') != std::string::npos)
                return " ";
        return ",";
    }

    std::string make_step(StepCode code, StepOrder order, bool plain) {
        if (code == run::pass_code) return "pass";
        ir::RuleId rule{};
        std::vector<std::int64_t> params;
        decode_step(program_, code, rule, params);
        if (!plain && index(rule) < program_.notations.size() && !program_.notations[index(rule)].empty())
            if (const auto text = by_file(rule, params, order)) return *text;
        return by_default(rule, params, plain);
    }

    // The parameters joined by `-`, which is omitted between two sites unless it separates two numbers; preceded by the
    // rule's name unless only one rule is possible.
    std::string by_default(ir::RuleId id, const std::vector<std::int64_t>& params, bool plain) const {
        const ir::Rule& rule = program_.rules[id];
        std::string text;
        bool after_site = false;
        for (std::size_t i = 0; i < params.size(); ++i) {
            const ir::TypeId type = program_.vars[rule.params[i]].type;
            const bool site = params[i] != ir::none && is_site(type);
            const std::string part = value_text(program_, type, params[i]);
            const bool numbers = !text.empty() && !part.empty() && is_digit(text.back()) && is_digit(part.front());
            if (i > 0 && (!(site && after_site) || numbers)) text += '-';
            text += part;
            after_site = site;
        }
        if (text.empty()) return rule.name;
        const bool named = plain || rule.chance || !one_move_rule_;
        return named ? rule.name + ' ' + text : text;
    }

    bool is_site(ir::TypeId type) const {
        if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
        return program_.types.kind(type) == TypeKind::Site;
    }

    // The first of the file's notations that applies, one without conditions last. None may apply.
    std::optional<std::string> by_file(ir::RuleId id, const std::vector<std::int64_t>& params, StepOrder order) {
        const ir::Rule& rule = program_.rules[id];
        for (std::size_t i = 0; i < params.size(); ++i) eval_.bind(rule.params[i], ir::scalar_value(params[i]));
        const auto& all = program_.notations[index(id)];
        auto chosen = std::ranges::find_if(all, [&](const ir::Notation& n) { return !n.always && applies(rule, n); });
        if (chosen == all.end()) {
            chosen = std::ranges::find_if(all, &ir::Notation::always);
            if (chosen == all.end()) return std::nullopt;
            applies(rule, *chosen); // binds the names that it uses
        }
        return text_of(order == StepOrder::Later && chosen->later ? *chosen->later : chosen->text);
    }

    // The truth of the clauses of a notation. Those that are the same for all steps are evaluated once.
    struct CachedClauses {
        std::vector<bool> alike;
        std::vector<std::optional<bool>> holds; // a name that is bound: true
    };

    bool applies(const ir::Rule& rule, const ir::Notation& notation) {
        const auto [it, fresh] = cached_.try_emplace(&notation);
        CachedClauses& cached = it->second;
        if (fresh) {
            cached.alike = alike(rule, notation);
            cached.holds.resize(notation.when.size());
        }
        for (std::size_t i = 0; i < notation.when.size(); ++i) {
            if (!cached.holds[i] || !cached.alike[i]) cached.holds[i] = holds(notation.when[i]);
            if (!*cached.holds[i]) return false;
        }
        return true;
    }

    bool holds(const ir::Clause& clause) {
        if (!valid(clause.bind)) return eval_.truth(clause.expr);
        eval_.bind(clause.bind, eval_.value(clause.expr));
        return true;
    }

    // Which clauses depend on no parameter of the rule.
    std::vector<bool> alike(const ir::Rule& rule, const ir::Notation& notation) const {
        std::set<ir::VarId> differs(rule.params.begin(), rule.params.end());
        std::vector<bool> result;
        for (const ir::Clause& clause : notation.when) {
            result.push_back(!mentions(clause.expr, differs));
            if (valid(clause.bind) && !result.back()) differs.insert(clause.bind);
        }
        return result;
    }

    bool mentions(ir::ExprId expr, const std::set<ir::VarId>& vars) const {
        const ir::Expr& e = program_.exprs[expr];
        if (e.op == ir::Op::Var && vars.contains(static_cast<ir::VarId>(e.imm))) return true;
        return std::ranges::any_of(program_.arguments(expr), [&](auto arg) { return mentions(arg, vars); });
    }

    std::string text_of(const std::vector<ir::NotationPart>& parts) {
        std::string text;
        for (const ir::NotationPart& part : parts) {
            if (valid(part.when) && !eval_.truth(part.when)) continue;
            text += part.text;
            if (valid(part.expr)) text += value(part.expr);
        }
        return text;
    }

    std::string value(ir::ExprId expr) {
        const ir::TypeId type = program_.exprs[expr].type;
        if (program_.types.kind(type) == TypeKind::Real) return fmt::format("{:g}", eval_.real(expr));
        if (program_.types.kind(type) != TypeKind::Set) return single(type, eval_.scalar(expr));
        std::string members;
        const ir::TypeId element = program_.types.inner(type);
        for_each_bit(eval_.set(expr),
                     [&](std::size_t i) { members += single(element, program_.types.value(element, i)); });
        return members;
    }

    // A piece, (player, kind), or another tuple for which the file declares a glyph is written as its glyph; none as an
    // empty text.
    std::string single(ir::TypeId type, std::int64_t value) {
        if (value == ir::none) return {};
        if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
        if (const ir::Glyph* given = tuple_glyph(program_, type, value)) return given->text;
        if (!is_piece(type)) return value_text(program_, type, value);
        const auto [faces, fresh] = faces_.try_emplace(type);
        if (fresh) faces->second = faces_of(program_, type);
        return faces->second.texts[static_cast<std::size_t>(value)];
    }

    bool is_piece(ir::TypeId type) const {
        if (program_.types.kind(type) != TypeKind::Tuple) return false;
        const auto& parts = program_.types[type].parts;
        return parts.size() == 2 && program_.types.kind(parts[0]) == TypeKind::Player &&
               program_.types.kind(parts[1]) == TypeKind::Enum;
    }

    const ir::Program& program_;
    NoQuestions questions_;
    ir::Evaluator eval_;
    bool one_move_rule_ = false;
    std::array<std::unordered_map<StepCode, std::string>, 3> texts_; // first, later, plain
    std::map<ir::TypeId, Faces> faces_;
    std::map<const ir::Notation*, CachedClauses> cached_;
};

using Count = std::map<std::string, int>;

Count occurrences(const std::vector<std::string>& texts) {
    Count count;
    for (const auto& text : texts) ++count[text];
    return count;
}

// Whether a line begins with this text, and a move can end after it.
bool openings(std::string_view line, std::string_view text) {
    return line.starts_with(text) && (line.size() == text.size() || is_separator(line[text.size()]));
}

// The words of a line, at most `most`, separated as moves are.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; words.size() < most;) {
        while (begin < line.size() && is_separator(line[begin])) ++begin;
        if (begin == line.size()) break;
        std::size_t end = begin;
        while (end < line.size() && !is_separator(line[end])) ++end;
        words.push_back(line.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

// The move with most words whose words, in some order, begin the line; none if several moves qualify.
std::optional<LeadingMove> reordered_move(std::string_view line, const std::vector<std::string>& texts) {
    std::optional<LeadingMove> best;
    std::size_t most = 1;
    bool several = false;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        auto wanted = words_of(texts[i], texts[i].size());
        if (wanted.size() < std::max<std::size_t>(most, 2)) continue;
        auto found = words_of(line, wanted.size());
        if (found.size() < wanted.size()) continue;
        const auto length = static_cast<std::size_t>(found.back().data() + found.back().size() - line.data());
        std::ranges::sort(wanted);
        std::ranges::sort(found);
        if (wanted != found) continue;
        several = wanted.size() == most;
        most = wanted.size();
        best = {i, length};
    }
    return several ? std::nullopt : best;
}

} // namespace

bool is_separator(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';'; }

std::optional<LeadingMove> leading_move(std::string_view line, const std::vector<std::string>& texts, bool steps) {
    std::optional<LeadingMove> best;
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (openings(line, texts[i]) && (!best || texts[i].size() > best->length)) best = {i, texts[i].size()};
    return best || !steps ? best : reordered_move(line, texts);
}

std::string step_text(const ir::Program& program, std::span<const std::uint32_t> slots, StepCode code) {
    Notation notation(program, slots);
    return notation.move(std::span(&code, 1), false);
}

// Equal texts are distinguished by the plain default notation in brackets, and if that is equal too, by a number.
std::vector<std::string> move_texts(const ir::Program& program, std::span<const std::uint32_t> slots,
                                    const MoveList& moves) {
    Notation notation(program, slots);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < moves.size(); ++i) texts.push_back(notation.move(moves.steps(i), false));
    const Count count = occurrences(texts);
    if (count.size() == texts.size()) return texts;
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (count.at(texts[i]) > 1) texts[i] += " (" + notation.move(moves.steps(i), true) + ")";
    const Count still = occurrences(texts);
    Count used;
    for (auto& text : texts)
        if (still.at(text) > 1) text += fmt::format(" #{}", ++used[text]);
    return texts;
}

} // namespace zug::game

#include "game/notation.hpp"

#include "ir/evaluate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace zug::game {

using ir::TypeKind;

namespace {

// Notation is about the position alone: what would need the rules is answered with no.
class NoQuestions final : public ir::GameQuestions {
public:
    bool stuck(std::span<const std::uint32_t>) const override { return false; }
    std::int64_t earlier(ir::KeyId, std::span<const std::uint32_t>, std::int64_t) const override { return 0; }
    bool can(ir::RuleId, std::span<const std::optional<std::int64_t>>, std::span<const std::uint32_t>,
             std::int64_t) const override {
        return false;
    }
};

class Notation {
public:
    Notation(const ir::Program& program, std::span<const std::uint32_t> slots)
        : program_(program), eval_(program, &questions_) {
        eval_.read(slots);
        eval_.set_me(slots[program.slot_count]);
        const auto moves = std::ranges::count_if(program.rules, [](const ir::Rule& rule) { return !rule.chance; });
        one_move_rule_ = moves == 1;
    }

    std::string step(StepCode code, bool plain) {
        if (code == run::pass_code) return "pass";
        ir::RuleId rule{};
        std::vector<std::int64_t> params;
        decode_step(program_, code, rule, params);
        const bool templated = index(rule) < program_.notations.size() && !program_.notations[index(rule)].empty();
        return templated && !plain ? from_template(rule, params) : by_default(rule, params, plain);
    }

    std::string move(std::span<const StepCode> steps, bool plain) {
        if (steps.empty()) return "pass";
        std::vector<std::string> texts;
        for (auto code : steps) texts.push_back(step(code, plain));
        const bool blanks = std::ranges::any_of(texts, [](auto& text) { return text.find(' ') != std::string::npos; });
        return fmt::format("{}", fmt::join(texts, blanks ? " " : ","));
    }

private:
    // The parameters joined by `-`, which is left out between two sites; with the rule's name before it unless only one
    // rule can be meant.
    std::string by_default(ir::RuleId id, const std::vector<std::int64_t>& params, bool plain) const {
        const ir::Rule& rule = program_.rules[id];
        std::string text;
        bool after_site = false;
        for (std::size_t i = 0; i < params.size(); ++i) {
            const ir::TypeId type = program_.vars[rule.params[i]].type;
            const bool site = params[i] != ir::none && is_site(type);
            if (i > 0 && !(site && after_site)) text += '-';
            text += value_text(program_, type, params[i]);
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

    std::string from_template(ir::RuleId id, const std::vector<std::int64_t>& params) {
        const ir::Rule& rule = program_.rules[id];
        for (std::size_t i = 0; i < params.size(); ++i) eval_.bind(rule.params[i], ir::scalar_value(params[i]));
        std::string text;
        for (const ir::NotationPart& part : program_.notations[index(id)]) {
            text += part.text;
            if (valid(part.expr)) text += value(part.expr);
        }
        return text.empty() ? rule.name : text;
    }

    std::string value(ir::ExprId expr) {
        const ir::TypeId type = program_.exprs[expr].type;
        if (program_.types.kind(type) == TypeKind::Real) return fmt::format("{:g}", eval_.real(expr));
        if (program_.types.kind(type) != TypeKind::Set) return value_text(program_, type, eval_.scalar(expr));
        std::vector<std::string> members;
        const ir::TypeId element = program_.types.inner(type);
        for_each_bit(eval_.set(expr), [&](std::size_t i) {
            members.push_back(value_text(program_, element, program_.types.value(element, i)));
        });
        return fmt::format("{}", fmt::join(members, ","));
    }

    const ir::Program& program_;
    NoQuestions questions_;
    ir::Evaluator eval_;
    bool one_move_rule_ = false;
};

using Count = std::map<std::string, int>;

Count occurrences(const std::vector<std::string>& texts) {
    Count count;
    for (const auto& text : texts) ++count[text];
    return count;
}

} // namespace

std::string step_text(const ir::Program& program, std::span<const std::uint32_t> slots, StepCode code) {
    return Notation(program, slots).step(code, false);
}

// Equal texts are told apart by the plain default notation in brackets, and if even that is equal by a number.
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

// Truths and patterns.

#include "tests/random_rules/writer.hpp"

namespace zug::random_rules {

std::string Writer::truth(int depth) {
    if (tired(depth)) return percent(50) ? leaf(truth_type) : comparison(0);
    switch (below(18)) {
    case 0:
    case 1:
    case 2: return comparison(depth);
    case 3:
    case 4: {
        const Type member = member_type();
        return cat({"(", one(member, depth - 1), percent(70) ? " in " : " not in ", set(member, depth - 1), ")"});
    }
    case 5: return cat({percent(60) ? "(some " : "(no ", set(member_type(), depth - 1), ")"});
    case 6:
    case 7: return quantified(depth);
    case 8: return cat({"(", truth(depth - 1), " and ", truth(depth - 1), ")"});
    case 9: return cat({"(", truth(depth - 1), " or ", truth(depth - 1), ")"});
    case 10: return cat({"(not ", truth(depth - 1), ")"});
    case 11:
        if (percent(40)) return cat({"(", truth(depth - 1), " implies ", truth(depth - 1), ")"});
        return vocabulary_truth(depth);
    case 12: return asked(depth);
    case 15:
    case 16: return walk_truth(depth);
    case 13: return matched(depth);
    case 14: return percent(50) ? cat({"(odd ", number(depth - 1), ")"}) : comparison(depth);
    default:
        if (auto text = shared(truth_type, depth)) return *text;
        return leaf(truth_type);
    }
}

std::string Writer::comparison(int depth) {
    const std::string sign = word({" = ", " != ", " < ", " <= ", " > ", " >= "});
    if (depth <= 0) return cat({"(", leaf(number_type), sign, leaf(number_type), ")"});
    switch (below(8)) {
    case 0:
    case 1:
    case 2: return cat({"(", number(depth - 1), sign, number(depth - 1), ")"});
    case 3: return cat({"(", real(depth - 1), word({" < ", " >= "}), real(depth - 1), ")"});
    case 4: {
        const Type type = member_type().all();
        return cat({"(", set(type, depth - 1), word({" = ", " != "}), set(type, depth - 1), ")"});
    }
    case 5: {
        const auto [text, type] = subject(depth - 1);
        return type.optional ? cat({"(", text, word({" = none)", " != none)"})}) : truth(depth - 1);
    }
    default: {
        const Type type = member_type();
        return cat({"(", one(type, depth - 1), word({" = ", " != "}), one(type, depth - 1), ")"});
    }
    }
}

std::string Writer::quantified(int depth) {
    const std::string text =
        over(word({"some ", "all ", "no "}), member_type(), depth, [&] { return truth(depth - 1); });
    return text.empty() ? comparison(0) : text;
}

// Questions about the game.
std::string Writer::asked(int depth) {
    if (context_.stuck && percent(10)) return "stuck";
    std::vector<const Rule*> rules;
    for (std::size_t i = 0; i < context_.rules; ++i) rules.push_back(&moves_[i]);
    if (rules.empty() || !percent(60)) return comparison(depth);
    const Rule& rule = *any_of(rules);
    double instances = 4;
    std::string text = "(can " + rule.name;
    bool first = true;
    for (const Parameter& parameter : rule.parameters) {
        instances *= size(parameter.type);
        text += first ? "(" : ", ";
        first = false;
        if (percent(50))
            text += "_";
        else if (parameter.type.set)
            text += value(parameter.type, depth - 1);
        else
            text += percent(25) ? set(parameter.type, depth - 1) : one(parameter.type, depth - 1);
    }
    if (!first) text += ")";
    spend(4 * instances);
    if (percent(30)) text += " for " + (percent(50) ? any_of(players_) : "(" + one(player_type, depth - 1) + ")");
    return text + ")";
}

std::string Writer::vocabulary_truth(int depth) {
    const Type here{.sort = Sort::Site};
    if (boards_[0].dir_sets.empty() || percent(30)) {
        spend(100);
        return cat({"joined(", set(here, depth - 1), ", ", set(here, depth - 1), ", ", set(here, depth - 1), ")"});
    }
    spend(40);
    return cat({word({"line(", "exactly("}), clamped(1, 4, depth - 1), ", ", set(here, depth - 1), ")"});
}

std::string Writer::earlier() {
    std::vector<std::string> parts;
    for (const State& state : states_)
        if (percent(30)) parts.push_back(state.name);
    if (parts.empty() || percent(30)) parts.push_back("me");
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "earlier(" : ", ") + part;
    return text + ")";
}

// ---- matching

std::pair<std::string, Type> Writer::subject(int depth) {
    std::vector<std::pair<std::string, Type>> found;
    for (const Local& local : locals_)
        if (!local.map && !local.type.set && local.type.sort != Sort::Path && local.type.sort != Sort::Real &&
            local.type.sort != Sort::Int && !local.type.optional)
            found.emplace_back(local.name, local.type);
    for (const State& state : states_)
        if (!state.value.set) found.emplace_back(state.name, state.value);
    auto chosen = any_of(found);
    for (const State& state : states_)
        if (state.name == chosen.first && !state.indices.empty()) chosen.first += index(state, depth);
    return chosen;
}

// `names`: it may bind new ones, and none may be the whole pattern. At the top, so no alternatives of one.
std::string Writer::pattern(const Type& type, int depth, bool names) {
    if (type.optional && percent(20)) return "none";
    if (percent(12)) return "_";
    if (type.sort == Sort::Tuple && percent(70)) {
        // A name is known behind the pattern only, not yet in its other parts.
        const std::size_t known = locals_.size();
        std::vector<Local> bound;
        std::string parts;
        for (const Type& part : type.parts) {
            parts += (parts.empty() ? "(" : ", ") + (percent(35) ? "_" : pattern(part, depth - 1, names));
            bound.insert(bound.end(), locals_.begin() + static_cast<std::ptrdiff_t>(known), locals_.end());
            locals_.resize(known);
        }
        locals_.insert(locals_.end(), bound.begin(), bound.end());
        return parts + ")";
    }
    if (names && percent(20)) {
        const std::string name = fresh("q");
        locals_.push_back({name, type.one()});
        return name;
    }
    if (percent(25)) return cat({"(", constant(type), " | ", constant(type), ")"});
    if (type.sort == Sort::Bool || percent(75)) return cat({"(", one(type, depth - 1), ")"});
    return set(type.one(), depth - 1);
}

std::string Writer::matched(int depth) {
    const auto [text, type] = subject(depth - 1);
    return cat({"(", text, percent(75) ? " is " : " is not ", pattern(type, depth - 1, false), ")"});
}

} // namespace zug::random_rules

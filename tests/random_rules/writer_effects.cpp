// What moves do.

#include "tests/random_rules/writer.hpp"

#include <algorithm>

namespace zug::random_rules {

// `first` is in one of the blocks.
std::string Writer::thens(const std::string& first) {
    const int blocks = percent(65) ? 1 : between(2, 3);
    const int with_first = between(1, blocks);
    std::string text;
    for (int i = 1; i <= blocks; ++i)
        text += "\n  then " + block(i == with_first ? first : "", i == with_first ? 0 : 1);
    return text;
}

std::string Writer::block(const std::string& first, int least) {
    Taken taken;
    return block(first, least, taken);
}

// At least so many effects of its own; entries are not assigned twice where the checker can see it.
std::string Writer::block(const std::string& first, int least, Taken& taken) {
    std::string text = first;
    for (int wanted = between(least, 3), tries = 0; wanted > 0 && tries < 20; ++tries) {
        const auto made = effect(2, taken);
        if (!made) continue;
        text += (text.empty() ? "" : ",\n       ") + *made;
        --wanted;
    }
    return text.empty() ? "ply += 0" : text;
}

std::optional<std::string> Writer::effect(int depth, Taken& taken) {
    const Scope scope(*this);
    switch (below(13)) {
    case 0:
    case 1: return conditional(depth, taken);
    case 2: return repeated(depth, taken);
    case 3:
        if (percent(40) || std::ranges::find(taken, "turn") != taken.end()) return {};
        taken.push_back("turn");
        return percent(40) ? "again" : cat({"next (", one(player_type, 2), ")"});
    case 4: return effect_call(2, depth < 2, taken);
    case 5: return walk_effect(2, taken);
    default: return assignment(depth + 1, taken);
    }
}

std::string Writer::open_question() {
    return cat({"((ply + ", std::to_string(below(3)), ") mod 3 ", word({"= 0", "= 1", "> 0"}), ")"});
}

std::optional<std::string> Writer::conditional(int depth, Taken& taken) {
    if (depth <= 0) return {};
    // What is sure to be asked while playing may assign what something else assigns, too: a fault, if both come to it.
    const bool twice = percent(12);
    Taken inner;
    std::string text = cat({"if ", twice ? open_question() : truth(2), ": ", branch(depth - 1, twice ? inner : taken)});
    if (percent(40)) text += " else " + branch(depth - 1, twice ? inner : taken);
    return text;
}

std::optional<std::string> Writer::repeated(int depth, Taken& taken) {
    const Type member = member_type();
    if (depth <= 0 || spent_ + 4 * size(member) * times_ > most_) return {};
    const std::string domain = percent(80) ? " in " + set(member, 2) : ": " + type_text(member);
    const Scope scope(*this, std::min(size(member), 8.0));
    const std::string name = fresh("q");
    locals_.push_back({name, member});
    return cat({"for ", name, domain, ": ", branch(depth - 1, taken)});
}

std::string Writer::branch(int depth, Taken& taken) {
    std::string text;
    for (int wanted = between(1, 2), tries = 0; wanted > 0 && tries < 20; ++tries) {
        const auto made = effect(depth, taken);
        if (!made) continue;
        text += (text.empty() ? "(" : ", ") + *made;
        --wanted;
    }
    return text.empty() ? "ply += 0" : text + ")";
}

std::optional<std::string> Writer::effect_call(int depth, bool within, Taken& taken) {
    std::vector<const Definition*> found;
    for (const Definition& definition : effects_)
        if (!within || !definition.several) found.push_back(&definition);
    if (found.empty()) return {};
    const Definition& definition = *any_of(found);
    for (const std::string& target : definition.taken)
        if (std::ranges::find(taken, target) != taken.end()) return {};
    taken.insert(taken.end(), definition.taken.begin(), definition.taken.end());
    spend(definition.cost);
    std::string text;
    for (const Parameter& parameter : definition.parameters) {
        const std::string given = parameter.map ? argument(parameter, {}, depth) : value(parameter.type, depth);
        if (given.empty()) return {};
        text += (text.empty() ? definition.name + "(" : ", ") + given;
    }
    return text + ")";
}

std::string Writer::assigned_variable(const State& state, int depth) {
    if (state.indices.empty()) return state.name;
    std::string text;
    const bool sets = state.indices.size() == 1 ? percent(30) : percent(3); // few executors are fast at the latter
    for (const Type& type : state.indices) {
        text += text.empty() ? "[" : ", ";
        if (sets && percent(20))
            text += "_";
        else if (sets && percent(80))
            text += set(type, depth);
        else
            text += type.sort == Sort::Int ? clamped(type.low, type.high, depth) : value(type, depth);
    }
    return state.name + text + "]";
}

std::optional<std::string> Writer::assignment(int depth, Taken& taken) {
    std::vector<const State*> found;
    for (const State& state : states_)
        if (state.name != "ply") found.push_back(&state);
    if (found.empty()) return {};
    const State& state = *any_of(found);
    const bool all = !state.indices.empty() && percent(8);
    const bool adds = !all && state.value.sort == Sort::Int && !state.value.set && !state.value.optional && percent(50);
    const std::string target = all ? state.name : assigned_variable(state, depth);
    // Additions to the same entry add up, so that there may be any number of them.
    if (std::ranges::find(taken, target) != taken.end()) return {};
    if (!adds && std::ranges::find(taken, target + "+") != taken.end()) return {};
    taken.push_back(adds ? target + "+" : target);
    if (adds) {
        const std::string amount = percent(70) ? std::to_string(between(1, 2)) : number(depth);
        return cat({target, word({" += ", " += ", " -= "}), amount});
    }
    return cat({target, " := ", new_value(state, depth)});
}

// Mostly in range.
std::string Writer::new_value(const State& state, int depth) {
    const Type& type = state.value;
    if (type.set) {
        if (!state.indices.empty() || percent(50)) return set(type.one(), depth);
        return cat({"(", state.name, word({" | ", " \\ ", " & "}), set(type.one(), depth), ")"});
    }
    if (type.sort != Sort::Int) return value(type, depth);
    if (type.optional && percent(30)) return "none";
    if (percent(25)) return constant(type);
    if (percent(70)) return clamped(type.low, type.high, depth);
    return cat({"(if ", open_question(), ": ", number(depth - 1), " else ", constant(type), ")"});
}

} // namespace zug::random_rules

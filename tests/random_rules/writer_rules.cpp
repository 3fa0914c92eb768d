// Moves and chance events.

#include "tests/random_rules/writer.hpp"

#include <cmath>
#include <fmt/format.h>

namespace zug::random_rules {

void Writer::declare_rules() {
    history_ = percent(12);
    steps_ = steps_ && !boards_[0].dirs.empty();
    if (steps_) return declare_steps();
    if (!plan_ && percent(8)) return declare_matrix();
    if (plan_ && !percent(4)) {
        deep_ = true;
        line("local deep: 0..4");
    }
    const int count = percent(45) ? 1 : between(2, 4);
    const int phase = percent(15) ? between(1, count) : 0;
    const double most = most_;
    for (int i = 1; i <= count; ++i) {
        most_ = most * i / count; // each has its share
        if (i == phase) line(cat({"phase p_1 when ", truth(1), " {"}));
        move(i == 1 && percent(70));
        if (i == phase) line("}");
    }
    most_ = 1.3 * most;
    if (percent(20)) chance();
    if (!deep_ && percent(10)) take_numbers();
    if (percent(15)) {
        moves_.push_back({.name = "pass", .parameters = {}});
        line(cat({"move pass\n  ", deep_ ? "when deep < 4\n  " : "", "then ply += 1", deep_ ? ", deep += 1" : ""}));
    }
}

std::string Writer::heading(const char* word, Rule& rule, double most) {
    const std::uint32_t roll = below(100);
    double instances = 1;
    for (int i = roll < 10 ? 0 : roll < 55 ? 1 : roll < 90 ? 2 : 3; i > 0; --i) {
        Type type = small_type();
        const double sets = std::exp2(size(type));
        if (type.sort != Sort::Bool && instances * sets <= most && percent(30)) {
            type = type.all();
            instances *= sets;
        } else if (instances * size(type) <= most) {
            instances *= size(type);
        } else {
            continue;
        }
        rule.parameters.push_back({.name = fresh("a"), .type_text = type_text(type), .type = type});
    }
    open(rule.parameters);
    // A condition may come to be asked of every instance.
    times_ = instances;
    return word + rule.name + parameter_list(rule.parameters);
}

void Writer::move(bool easy) {
    const Scope scope(*this);
    Rule rule{.name = fresh("r"), .parameters = {}};
    context_ = {.earlier = history_, .rules = moves_.size()};
    std::string text = heading("move ", rule, plan_ ? 30 : most_ > 10000 ? 1000 : 300);
    text += lets();
    text += when(rule, deep_ ? "deep < " + std::to_string(between(1, 3)) : "", easy);
    times_ = 8; // so many moves are tried out
    text += thens(deep_ ? "ply += 1, deep += 1" : "ply += 1");
    if (percent(history_ ? 40 : 15)) text += cat({"\n  ensure ", truth(3)});
    line(text);
    moves_.push_back(std::move(rule));
}

// Numbers that are taken, of a range that begins anywhere.
void Writer::take_numbers() {
    const int low = between(-3, 4), high = low + between(1, 5);
    const std::string taken = fresh("s"), name = fresh("r"), range = fmt::format("{}..{}", low, high);
    const std::string at = cat({taken, "[n", word({"", "", " + 1", " - 1"}), "]"});
    const std::string type = word({"bool", "player?", "player?", "1..2?"});
    const std::string free = type == "bool" ? "not " + at : cat({at, word({" = none", " is none"})});
    const std::string value = type == "bool" ? "true" : type == "1..2?" ? "2" : "me";
    line(cat({"state ", taken, ": ", range, " -> ", type}));
    line(cat({"move ", name, "(n: ", range, ")\n  when ", free, "\n  then ", taken, "[n] := ", value, ", ply += 1"}));
    moves_.push_back({.name = name, .parameters = {}});
}

void Writer::chance() {
    const Scope scope(*this);
    const std::string rolling = fresh("s");
    line("state " + rolling + ": bool" + (percent(50) ? " = true" : ""));
    for (int i = between(1, 2); i > 0; --i) {
        const Scope inner(*this);
        Rule rule{.name = fresh("r"), .parameters = {}};
        context_ = {.earlier = history_, .rules = moves_.size()};
        std::string text = heading("chance ", rule, 40);
        text += lets();
        text += when(rule, percent(70) ? rolling : "ply mod 3 = 1", true);
        if (percent(50)) {
            const std::string weight = percent(50) ? number(2) : ratio(2);
            text += percent(85) ? "\n  weight max(0, " + weight + ")" : cat({"\n  weight (", weight, " - ply)"});
        }
        times_ = 8;
        text += thens(cat({"ply += 1, ", rolling, " := false"}));
        line(text);
    }
    states_.push_back({.name = rolling, .indices = {}, .value = truth_type});
    // Someone has to ask for the next throw.
    line(cat({"move roll\n  when not ", rolling, deep_ ? ", deep < 4" : "", "\n  then ", rolling, " := true, ply += 1",
              deep_ ? ", deep += 1" : "", percent(50) ? ", again" : ""}));
    moves_.push_back({.name = "roll", .parameters = {}});
}

std::string Writer::lets() {
    if (!percent(30)) return "";
    std::string text;
    for (int i = between(1, 2); i > 0; --i) {
        const Type types[] = {number_type, truth_type, member_type(), member_type().all(), player_type};
        const Type& type = types[below(std::size(types))];
        const std::string name = fresh("q");
        text += cat({text.empty() ? "\n  let " : ", ", name, " = ", value(type, 2)});
        locals_.push_back({name, type});
    }
    return text;
}

// Conditions in a list; names that patterns give are seen in those that follow.
std::string Writer::when(const Rule& rule, const std::string& first, bool easy) {
    std::vector<std::string> clauses;
    if (!first.empty()) clauses.push_back(first);
    if (percent(50)) clauses.push_back("ply < " + std::to_string(limit_));
    if (easy) {
        if (!rule.parameters.empty()) clauses.push_back(membership(any_of(rule.parameters), 1));
    } else {
        for (int i = between(0, 3); i > 0; --i) clauses.push_back(clause(rule));
    }
    if (!easy && percent(8)) { // its body takes in all that follows
        const Scope scope(*this, size({.sort = Sort::Site}));
        const std::string name = fresh("q");
        const std::string domain = set({.sort = Sort::Site}, 1);
        locals_.push_back({name, {.sort = Sort::Site}});
        clauses.push_back(cat({word({"some ", "all ", "no "}), name, " in ", domain, ": ", truth(2)}));
        clauses.push_back(truth(2));
    }
    if (clauses.empty()) return "";
    return fmt::format("\n  when {}", fmt::join(clauses, ",\n       "));
}

std::string Writer::clause(const Rule& rule) {
    const std::uint32_t roll = below(10);
    if (roll < 5 && !rule.parameters.empty()) return membership(any_of(rule.parameters), 3);
    if (roll == 5 && !rule.parameters.empty()) {
        const Parameter& parameter = any_of(rule.parameters);
        return cat({parameter.name, word({" = ", " != "}), one(parameter.type, 2)});
    }
    if (roll == 6) return binding();
    return truth(3);
}

std::string Writer::membership(const Parameter& parameter, int depth) {
    if (parameter.type.sort == Sort::Bool) return parameter.name;
    return parameter.name + " in " + set(parameter.type, depth);
}

std::string Writer::binding() {
    const auto [text, type] = subject(2);
    const std::string wanted = pattern(type, 2, true);
    return cat({text, " is ", wanted});
}

} // namespace zug::random_rules

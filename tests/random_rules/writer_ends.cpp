// Turns of several steps, the end, what positions are worth, and how things look.

#include "tests/random_rules/writer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::random_rules {

void Writer::declare_turn() {
    context_ = {.earlier = history_, .rules = 0};
    std::string text = "turn " + chain(2);
    while (percent(35)) text += "\n  else " + chain(2);
    if (percent(20)) {
        // Told apart by their steps, chains without an end are as many as a power has them: nobody can list them.
        if (text.find_first_of("*+") == std::string::npos) text += "\n  by steps";
    } else if (percent(40)) {
        text += "\n  by " + key();
    }
    times_ = 8;
    if (percent(40)) text += "\n  then " + block("", 1);
    times_ = 1;
    line(text);
}

std::string Writer::chain(int depth) {
    std::string text;
    std::string summand;
    for (int i = percent(60) ? 1 : 2; i > 0; --i) {
        if (!text.empty()) text += " ";
        const bool may = percent(15);
        if (may) text += "may ";
        if (depth > 0 && percent(20)) {
            text += cat({"(", chain(depth - 1), percent(60) ? " else " + chain(depth - 1) : "", ")"});
        } else {
            const Rule& rule = any_of(moves_);
            text += rule.name;
            for (const Parameter& parameter : rule.parameters)
                if (parameter.type.sort == Sort::Int) summand = parameter.name;
        }
        text += may ? word({"", "", "*", "+"}) : word({"", "", "?", "*", "+", "+"});
    }
    if (!summand.empty() && percent(35)) return text + " most sum " + summand;
    return percent(25) ? text + " most " + number(2) : text;
}

// What positions or chains are told apart by.
std::string Writer::key() {
    std::string text;
    for (const State& state : states_)
        if (percent(30)) text += (text.empty() ? "" : ", ") + state.name;
    return text.empty() ? "me" : text;
}

void Writer::declare_end() {
    const Scope scope(*this);
    spent_ = 0;
    times_ = 1;
    context_ = {.stuck = true, .earlier = history_, .rules = steps_ ? 0 : moves_.size()};
    std::vector<std::string> clauses;
    for (int i = static_cast<int>(below(3)); i > 0; --i) clauses.push_back(end_clause());
    if (!matrix_.empty())
        clauses.push_back(cat({word({"me wins", "draw"}), " when some a: ", type_text(matrix_[0]),
                               ", b: ", type_text(matrix_[1]), ": ", entries_truth()}));
    const std::string last = fmt::format(" when ply >= {}", limit_);
    clauses.insert(clauses.begin() + below(clauses.size() + 1), (percent(50) ? "draw" : payoffs()) + last);
    if (percent(45))
        line("stuck pass");
    else if (percent(60))
        clauses.push_back(word({"me wins", "me loses", "draw"}) + std::string(" when stuck"));
    line(fmt::format("end\n  {}", fmt::join(clauses, "\n  ")));
    if (percent(40)) {
        const Scope inner(*this);
        const std::string name = fresh("q");
        locals_.push_back({name, player_type});
        // By stages: parts whose ranges are small.
        const std::string parts =
            percent(30) ? cat({"(", truth(2), ", ", clamped(0, 9, 2), ", ", clamped(-3, 3, 2), ")"}) : real(3);
        line(cat({"eval ", name, " = ", parts}));
    }
}

// Mostly not at once.
std::string Writer::end_clause() {
    std::string condition = truth(3);
    if (percent(70)) condition = cat({"(ply >= ", std::to_string(between(2, limit_)), ") and ", condition});
    if (percent(25)) return cat({"draw when ", condition});
    if (percent(35)) return cat({payoffs(), " when ", condition});
    const std::string who = percent(50) ? "me" : percent(50) ? any_of(players_) : "next(me)";
    const std::string amount = percent(60) ? "" : percent(50) ? " 2" : cat({" (", real(2), ")"});
    return cat({who, percent(60) ? " wins" : " loses", amount, " when ", condition});
}

std::string Writer::payoffs() {
    if (percent(50)) {
        const Scope scope(*this);
        const std::string name = fresh("q");
        locals_.push_back({name, player_type});
        return cat({"payoff ", name, " = ", ratio(3)});
    }
    std::string text;
    for (std::size_t i = 0; i < players_.size(); ++i) {
        if (std::find(team_.begin(), team_.begin() + static_cast<std::ptrdiff_t>(i), team_[i]) !=
            team_.begin() + static_cast<std::ptrdiff_t>(i))
            continue; // a partner has a payoff already
        const bool other = i > 0 && percent(40);
        text += cat({i == 0 ? "payoff " : "\n  payoff ", players_[i], " = ",
                     other ? "-payoff(" + players_[0] + ")" : ratio(3)});
    }
    return text;
}

void Writer::declare_loud() {
    context_ = {};
    for (int i = static_cast<int>(below(4)) - 1; i > 0; --i) {
        const Rule& rule = any_of(moves_);
        const Scope scope(*this, 100);
        open(rule.parameters);
        line(cat({"loud ", rule.name, " when ", truth(3)}));
    }
}

void Writer::declare_looks() {
    if (percent(15)) line("glyph Pa \"X\"");
    if (percent(15)) line("glyph 1 \"+i\"");
    if (percent(15)) {
        const Rule& rule = any_of(moves_);
        const Scope scope(*this, 100);
        context_ = {};
        open(rule.parameters);
        std::string text = "notation " + rule.name + " \"\\\\";
        for (const Parameter& parameter : rule.parameters) {
            const bool choice = percent(40);
            text +=
                choice ? cat({"{if ", truth(1), ": 'y{", parameter.name, "}' else '-'}"}) : "{" + parameter.name + "}";
        }
        line(text + "\"");
    }
    if (percent(15)) line("look Pa " + word({"star", "knight, lettered", "cross"}));
    if (percent(15)) {
        const auto& sites = boards_[0].sites;
        line(cat({"look cell ", word({"plain", "checkered", "points", "holes"}), ", marked ", any_of(sites), ", Pa on ",
                  any_of(sites)}));
    }
}

} // namespace zug::random_rules

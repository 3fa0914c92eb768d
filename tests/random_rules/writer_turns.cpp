// Turns of a few steps, most of them once or twice: picking, going, putting, taking. Most of them are compound moves
// (compiler/turns), which steps with effects of any kind hardly ever are.

#include "tests/random_rules/writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace zug::random_rules {

void Writer::declare_steps() {
    const Type here{.sort = Sort::Site};
    Type who = player_type;
    who.optional = true;
    Type somewhere = here;
    somewhere.optional = true;
    declare_state("men", {here}, who, false);
    declare_state("spent", {}, here.all(), false);
    declare_state("from", {}, somewhere, true);
    declare_state("newest", {}, somewhere, false);
    if (percent(40)) declare_state("made", {}, {.sort = Sort::Int, .low = 0, .high = between(3, 12)}, false);
    if (percent(30))
        declare_state("score", {player_type}, {.sort = Sort::Int, .low = -1, .high = between(2, 9)}, false);
    if (entries_ = percent(40); entries_) {
        declare_state("post", {player_type}, percent(70) ? here : somewhere, false);
        declare_state("high", {here}, {.sort = Sort::Int, .low = percent(20) ? -1 : 0, .high = between(1, 4)}, false);
        declare_state("marked", {player_type, here}, {.sort = Sort::Bool}, false);
        declare_state("own", {player_type}, here.all(), false);
    }
    for (int i = between(2, 5); i > 0; --i) step();
}

// What a step changes of maps by player, or to numbers; mostly it is sure to change something.
std::pair<std::string, std::string> Writer::entry_step(const std::string& t) {
    const bool sure = percent(75);
    const std::string whose = percent(85) ? "me" : "next(me)";
    switch (below(6)) {
    case 0: return {cat({t, " != post[me]"}), cat({"post[", whose, "] := ", t})};
    case 1: return {sure ? cat({"high[", t, "] < 1"}) : cat({t, " in men.none"}), cat({"high[", t, "] += 1"})};
    case 2: return {sure ? cat({"high[", t, "] > 0"}) : cat({t, " in men.me"}), cat({"high[", t, "] -= 1"})};
    case 3:
        return {sure ? cat({"not marked[", whose, ", ", t, "]"}) : cat({t, " in men.me"}),
                cat({"marked[", whose, ", ", t, "] := true"})};
    case 4:
        return {sure ? cat({t, " in own[", whose, "]"}) : cat({t, " in men.none"}),
                cat({"own[", whose, "] := own[", whose, "] \\ {", t, "}"})};
    default:
        return {sure ? cat({t, " not in own[", whose, "]"}) : cat({t, " in men.none"}),
                cat({"own[", whose, "] := own[", whose, "] | {", t, "}"})};
    }
}

void Writer::step() {
    const Scope scope(*this);
    Rule rule{.name = fresh("s"), .parameters = {}};
    context_ = {.earlier = false, .rules = 0};
    const Type here{.sort = Sort::Site};
    const std::string t = fresh("t"), ways = any_of(boards_[0].dirs), type = type_text(here);
    std::string parameters = cat({t, ": ", type}), when, then;
    locals_.push_back({t, here});
    switch (entries_ && percent(50) ? 7 : below(7)) {
    case 7: std::tie(when, then) = entry_step(t); break;
    case 0:
        when = cat({t, " in men.me"});
        then = cat({"from := ", t});
        break;
    case 1:
        when = cat({t, " in from.", ways, percent(50) ? cat({" & men.", word({"none", "me", "(next(me))"})}) : ""});
        then = cat({"men[from] := none, men[", t, "] := me"});
        break;
    case 2:
        when = cat({"men[", t, "] = none"});
        then = cat({"men[", t, "] := me", percent(60) ? ", from := " + t : "", percent(10) ? ", newest := " + t : ""});
        break;
    case 3:
        when = cat({"men[", t, "] = next(me)"});
        then = cat({"men[", t, "] := none"});
        break;
    case 4:
        when = cat({t, " not in spent"});
        then = cat({"spent := spent | {", t, "}"});
        break;
    case 5:
        when = cat({t, " in spent"});
        then = cat({"spent := spent \\ {", t, "}", percent(30) ? cat({", men[", t, "] := me"}) : ""});
        break;
    default: {
        const std::string f = fresh("f");
        locals_.push_back({f, here});
        parameters = cat({f, ": ", type, ", ", parameters});
        when = cat({f, " in men.me, ", t, " in ", f, ".", ways, percent(70) ? " \\ men.me" : ""});
        then = cat({"men[", f, "] := none, men[", t, "] := me", percent(40) ? ", from := " + t : ""});
    }
    }
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(states_, [&](const State& state) { return state.name == name; });
    };
    if (has("made") && percent(50)) then += cat({", made ", percent(80) ? "+=" : "-=", " 1"});
    if (has("score") && percent(40))
        then += cat({", score[", word({"me", "next(me)"}), "] += ", word({"1", "2", "-1", "(if ply > 3: 1 else 0)"})});
    times_ = 30;
    if (percent(40)) when += cat({percent(50) ? ", " : ",\n       ", truth(2)});
    std::string text = cat({"(", parameters, ")\n  when ", when, "\n  then ", then});
    if (percent(12)) text += cat({"\n  ensure ", truth(2)});
    line(cat({"move ", rule.name, text}));
    moves_.push_back(rule);
    if (!percent(20)) return;
    rule.name = fresh("s"); // the same by another name
    line(cat({"move ", rule.name, text}));
    moves_.push_back(std::move(rule));
}

void Writer::declare_turn_of_steps() {
    std::string text = "turn " + few_steps(1);
    while (percent(30)) text += "\n  else " + few_steps(1);
    if (percent(30)) text += "\n  by steps";
    text += "\n  then ply += 1";
    if (percent(15)) text += cat({", spent := ", set({.sort = Sort::Site}, 1)});
    line(text);
}

std::string Writer::few_steps(int depth) {
    std::string text, step;
    // Of many sites there are too many pairs.
    for (int i = between(1, boards_[0].sites.size() > 16 ? 2 : 3); i > 0; --i) {
        if (!text.empty()) text += " ";
        const bool may = percent(10);
        if (may) text += "may ";
        if (depth > 0 && percent(20))
            text += cat({"(", few_steps(depth - 1), percent(60) ? " else " + few_steps(depth - 1) : "", ")"});
        else
            text += step = !step.empty() && percent(35) ? step : any_of(moves_).name;
        if (!may && percent(25)) text += "?";
    }
    return text;
}

} // namespace zug::random_rules

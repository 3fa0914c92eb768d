// Definitions of values, conditions, paths and effects.

#include "tests/random_rules/writer.hpp"

namespace zug::random_rules {

std::vector<Writer::Parameter> Writer::definition_parameters(bool whole) {
    std::vector<Parameter> list;
    for (int i = static_cast<int>(below(4)) - 1; i > 0; --i) {
        Parameter parameter{.name = fresh("a"), .type_text = {}, .type = small_type()};
        switch (below(10)) {
        case 0: parameter.type_text = "int", parameter.type = number_type; break;
        case 1: parameter.type_text = "set", parameter.type = Type{.sort = Sort::Site}.all(); break;
        case 2: parameter.type_text = "site", parameter.type = {.sort = Sort::Site}; break;
        case 3: parameter.type = member_type().all(); break;
        case 4: parameter.type_text = "real", parameter.type = real_type; break;
        case 5:
            if (!whole) break;
            parameter.type_text = "path", parameter.type = {.sort = Sort::Path};
            break;
        case 6:
            if (!whole) break;
            parameter.type_text = "map site -> int", parameter.map = true;
            break;
        case 7:
            if (!boards_[0].dirs.empty()) parameter.type = dir_type;
            break;
        default: break;
        }
        if (parameter.type_text.empty()) parameter.type_text = type_text(parameter.type);
        list.push_back(std::move(parameter));
    }
    return list;
}

std::string Writer::parameter_list(const std::vector<Parameter>& parameters) const {
    std::string text;
    for (const Parameter& parameter : parameters)
        text += (text.empty() ? "(" : ", ") + parameter.name + ": " + parameter.type_text;
    return text.empty() ? text : text + ")";
}

void Writer::open(const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters)
        locals_.push_back({.name = parameter.name, .type = parameter.type, .map = parameter.map});
}

void Writer::declare_definitions() {
    for (int i = static_cast<int>(below(5)); i > 0; --i) {
        const double before = spent_;
        if (percent(25))
            recursive_definition();
        else if (percent(25))
            path_definition();
        else
            definition();
        spent_ = before;
    }
    for (int i = static_cast<int>(below(3)) - 1; i > 0; --i) effect_definition();
    spent_ = 0;
}

void Writer::definition() {
    const Scope scope(*this);
    Definition made{.name = fresh("f"), .parameters = definition_parameters(true)};
    const Type here{.sort = Sort::Site};
    const Type results[] = {truth_type, truth_type, number_type,  here.all(),         here.all(),
                            here,       real_type,  small_type(), member_type().all()};
    made.result = results[below(std::size(results))];
    open(made.parameters);
    const double before = spent_;
    std::string body = value(made.result, between(1, 4));
    if (made.result.sort == Sort::Bool && percent(30)) body = cat({body, ", ", truth(2)});
    made.cost = spent_ - before;
    line(cat({"def ", made.name, parameter_list(made.parameters), " = ", body}));
    definitions_.push_back(std::move(made));
}

void Writer::path_definition() {
    const Scope scope(*this);
    Definition made{.name = fresh("f"), .parameters = definition_parameters(true), .result = {.sort = Sort::Path}};
    open(made.parameters);
    const double before = spent_;
    const std::string body = path(0, between(1, 3));
    made.cost = spent_ - before;
    line(cat({"path ", made.name, parameter_list(made.parameters), " = ", body}));
    definitions_.push_back(std::move(made));
}

// Sets and truths in terms of themselves, where more of them only means more of them.
void Writer::recursive_definition() {
    const Scope scope(*this);
    const Type here{.sort = Sort::Site};
    const std::string name = fresh("f"), site = fresh("a"), member = fresh("q");
    Definition made{.name = name, .parameters = {}, .result = here.all()};
    made.cost = 40 * size(here);
    const auto path_text = [&] { return path(0, 2); };
    if (percent(30)) {
        if (percent(50)) return percent(50) ? mutual_definitions() : family_definition();
        line(cat({"def ", name, " = (", set(here, 2), " | ((", name, ".", path_text(), ") & ", set(here, 2), "))"}));
        definitions_.push_back(std::move(made));
        return;
    }
    made.parameters.push_back({.name = site, .type_text = "cell", .type = here});
    locals_.push_back({site, here});
    if (percent(50)) {
        made.result = truth_type;
        line(cat({"def ", name, "(", site, ": cell) = (", truth(2), " or (some ", member, " in (", site, ".",
                  path_text(), "): ", name, "(", member, ")))"}));
    } else {
        line(cat({"def ", name, "(", site, ": cell) = ({", site, "} | (union ", member, " in ((", site, ".",
                  path_text(), ") & ", set(here, 2), "): ", name, "(", member, ")))"}));
    }
    definitions_.push_back(std::move(made));
}

// Sets, or conditions on a site, of each player in terms of those of others.
void Writer::family_definition() {
    const Type here{.sort = Sort::Site};
    const std::string name = fresh("f"), who = fresh("p"), site = fresh("a"), member = fresh("q");
    Definition made{.name = name, .parameters = {}, .result = here.all(), .cost = 100 * size(here)};
    made.parameters.push_back({.name = who, .type_text = "player", .type = player_type});
    locals_.push_back({who, player_type});
    const auto next = [&] { return percent(50) ? any_of(players_) : cat({"next(", who, ")"}); };
    if (percent(50)) {
        const std::string way = path(0, 2);
        line(cat({"def ", name,         "(",  who, ": player) = (", set(here, 2), " | ((", name, "(",    next(),
                  ") & ", set(here, 2), ").", way, ") | (",         name,         "(",     who,  ") & ", name,
                  "(",    next(),       ")))"}));
    } else {
        made.result = truth_type;
        made.parameters.push_back({.name = site, .type_text = "cell", .type = here});
        locals_.push_back({site, here});
        line(cat({"def ",       name,   "(",     who,    ": player, ", site,       ": cell) = (", truth(2),
                  " or (some ", member, " in (", site,   ".",          path(0, 2), "): (",        name,
                  "(",          next(), ", ",    member, ") and ",     truth(1),   ")))"}));
    }
    definitions_.push_back(std::move(made));
}

void Writer::mutual_definitions() {
    const Type here{.sort = Sort::Site};
    const std::string one_name = fresh("f"), other = fresh("f");
    line(cat({"def ", one_name, " = (", set(here, 2), " | (", other, ".", path(0, 2), "))"}));
    line(cat({"def ", other, " = (", set(here, 2), " & (", one_name, ".", path(0, 2), "))"}));
    for (const std::string& name : {one_name, other})
        definitions_.push_back({.name = name, .parameters = {}, .result = here.all(), .cost = 60 * size(here)});
}

void Writer::effect_definition() {
    const Scope scope(*this);
    Definition made{.name = fresh("e"), .parameters = definition_parameters(true)};
    if (made.parameters.empty())
        made.parameters.push_back({.name = fresh("a"), .type_text = "site", .type = {.sort = Sort::Site}});
    open(made.parameters);
    made.several = percent(25);
    std::string text = cat({"effect ", made.name, parameter_list(made.parameters), " = "});
    if (percent(25)) {
        const std::string name = fresh("q"), given = number(2);
        text += cat({"let ", name, " = ", given, "\n  "});
        locals_.push_back({name, number_type});
    }
    const double before = spent_;
    text += block("", 1, made.taken);
    if (made.several) text += "\n  then " + block("", 1);
    made.cost = spent_ - before;
    line(text);
    effects_.push_back(std::move(made));
}

} // namespace zug::random_rules

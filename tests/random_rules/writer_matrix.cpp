// Boards by numbers: maps with two of them as indices, moves by coordinates, sums and loops over all entries.

#include "tests/random_rules/writer.hpp"

#include <fmt/format.h>

namespace zug::random_rules {

void Writer::declare_matrix() {
    const int low = between(-1, 1), rows = between(2, 4), columns = percent(60) ? rows : between(2, 5);
    const Type by_row{.sort = Sort::Int, .low = low, .high = low + rows - 1};
    const Type by_column{.sort = Sort::Int, .low = low, .high = low + columns - 1};
    matrix_ = {by_row, by_column};
    Type who = player_type;
    who.optional = true;
    declare_state("grid", {by_row, by_column}, who, false);
    line(fmt::format("state lit: {}, {} -> bool = true on {{({}, _), (_, {})}}", type_text(by_row),
                     type_text(by_column), low, low + columns - 1));
    if (percent(50)) matrix_recursion();
    for (int i = between(1, 3); i > 0; --i) matrix_move();
}

// A condition by itself on the entries around.
void Writer::matrix_recursion() {
    const auto edge = [&] { return std::to_string(between(-1, 5)); };
    const std::string type = percent(50) ? "int" : percent(50) ? "-2..7" : type_text(matrix_[0]);
    // Beyond the edges all of these are false, or there would be no end.
    const std::string own = word({"grid[x, y] = p", "lit[x, y]", "grid[x, y] != none", "lit[x, y] and grid[x, y] != p",
                                  "grid[x, y] = p and y != 2"});
    const std::string goal =
        cat({word({"x = ", "y = ", "x + y = ", "x > ", "y < "}), edge(), percent(20) ? " and lit[x, y]" : ""});
    std::string next =
        word({"there(x + 1, y, p)", "there(x, y - 1, p)", "there(x - 1, y, p) or there(x + 1, y, p)",
              "(some d: -1..1: there(x + d, y + 1, p))", "(some d: -1..1, e: -1..1: d != e and there(x + d, y + e, p))",
              "(some j: -1..2: grid[x, j] = p and there(x, j, p))", "there(y, x, p)"});
    if (percent(30)) next += cat({word({" or ", " and "}), word({"there(x, y + 1, p)", "grid[x + 1, y] = me"})});
    const std::string body = percent(60) ? cat({own, " and (", goal, " or ", next, ")"})
                             : percent(60)
                                 ? cat({goal, " or ", own, " and (", next, ")"})
                                 : cat({"if ", own, ": ", goal, " or ", next, " else ", word({"false", goal.c_str()})});
    line(cat({"def there(x: ", type, ", y: ", type, ", p: player) = ", body}));
    reaches_ = true;
}

void Writer::matrix_move() {
    const Scope scope(*this);
    context_ = {.earlier = false, .rules = 0};
    Rule rule{.name = fresh("g"), .parameters = {}};
    // Each of them is tried by the reference evaluator, and asks about all entries.
    const bool moves = size(matrix_[0]) * size(matrix_[1]) <= 12 && percent(60), near = !moves && percent(40);
    const Type step{.sort = Sort::Int, .low = -1, .high = 1};
    const auto add = [&](const char* name, const Type& type) {
        rule.parameters.push_back({.name = name, .type_text = type_text(type), .type = type});
    };
    add("a", matrix_[0]), add("b", matrix_[1]);
    if (moves) add("c", matrix_[0]), add("d", matrix_[1]);
    if (near) add("c", step), add("d", step);
    const std::string there = moves ? "c, d" : near ? "a + c, b + d" : "a, b";
    std::string when = cat({"grid[a, b] ", word({"= me", "= none", "!= me"})});
    if (percent(70)) when += cat({", grid[", there, "] ", word({"= none", "!= me", "= next(me)"})});
    const auto limit = [&] { return std::to_string(between(1, 3)); };
    if (moves && percent(70))
        when += percent(60) ? cat({", abs(a - c) ", word({"+", "*"}), " abs(b - d) ", word({"<=", "="}), " ", limit()})
                            : word({", a = c and b != d", ", a = c or b = d", ", a - c = b - d", ", max(a, c) = 2"});
    if (moves && percent(30))
        when += cat({", all k: ", type_text(matrix_[1]), ": not (k > min(b, d) and k < max(b, d)) or grid[a, k] ",
                     word({"= none", "!= me"})});
    if (percent(40)) when += ", " + entries_truth();
    if (reaches_ && percent(40))
        when += word({", there(a, b, me)", ", not there(b, a, me)", ", there(a + 1, 2, next(me))"});
    std::string then = "ply += 1";
    if (percent(60))
        then +=
            there == "a, b" || percent(30) ? ", grid[a, b] := me" : ", grid[a, b] := none, grid[" + there + "] := me";
    if (percent(75)) then += ",\n       " + entries_effect();
    line(cat({"move ", rule.name, parameter_list(rule.parameters), "\n  when ", when, "\n  then ", then}));
    moves_.push_back(std::move(rule));
}

// Of the entry in row i and column j, in the scope of a and b.
std::string Writer::entry_truth(int depth) {
    const std::string near = cat({word({"abs(i - a) + abs(j - b)", "max(abs(i - a), abs(j - b))"}),
                                  word({" <= ", " = ", " < "}), std::to_string(between(0, 2))});
    if (reaches_ && percent(25)) return word({"there(i, j, me)", "there(i, b, next(me))", "there(i - 1, j + 1, me)"});
    switch (below(depth > 0 ? 9 : 6)) {
    case 0: return cat({"grid[i, j] ", word({"= me", "= none", "!= me", "= next(me)"})});
    case 1: return word({"lit[i, j]", "not lit[i, j]"});
    case 2: return near;
    case 3: return word({"i = a", "j != b", "i + j = a + b", "i < j"});
    case 4: return cat({"grid[i", word({"", " + 1", " - 1"}), ", j", word({" + 1", " - 1", ""}), "] = me"});
    case 5: return word({"grid[a, j] = none", "lit[i, b]", "lit[j, i]"});
    case 6: return cat({"not (", entry_truth(depth - 1), ")"});
    default: return cat({"(", entry_truth(depth - 1), word({" and ", " or "}), entry_truth(depth - 1), ")"});
    }
}

std::string Writer::entries_domain() {
    if (percent(75)) return cat({"i: ", type_text(matrix_[0]), ", j: ", type_text(matrix_[1])});
    return percent(50) ? "i in a - 1..a + 1, j in b - 1..b + 1" : cat({"i: ", type_text(matrix_[0]), ", j in i..b"});
}

std::string Writer::entries_truth() {
    const std::string number = std::to_string(between(0, 6));
    switch (below(4)) {
    case 0: return cat({"(some ", entries_domain(), ": ", entry_truth(2), ")"});
    case 1: return cat({"(all ", entries_domain(), ": ", entry_truth(2), ")"});
    case 2:
        return cat({"(sum ", entries_domain(), ": if ", entry_truth(2), ": ", word({"1", "2", "i", "(i - j)"}),
                    " else ", word({"0", "0", "-1", "j"}), ") ", word({"<=", ">", "="}), " ", number});
    default:
        return cat({"(sum i: ", type_text(matrix_[0]), ": count {j: ", type_text(matrix_[1]), " | ", entry_truth(2),
                    "}) ", word({"<", ">="}), " ", number});
    }
}

std::string Writer::entries_effect() {
    const std::string lit = cat({"lit[i, j] := ", word({"true", "false", "not lit[i, j]", "grid[i, j] = me"})});
    const std::string change = percent(60) ? lit : cat({"grid[i, j] := ", word({"me", "none", "next(me)"})});
    std::string text = cat({"for ", entries_domain(), ": "});
    if (percent(85)) text += cat({"if ", entry_truth(2), ": "});
    return text + change;
}

} // namespace zug::random_rules

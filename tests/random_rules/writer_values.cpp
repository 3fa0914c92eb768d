// Expressions of every type but truths, sets and paths.

#include "tests/random_rules/writer.hpp"

namespace zug::random_rules {

bool Writer::tired(int depth) {
    spend(1);
    return depth <= 0 || spent_ > most_;
}

double Writer::size(const Type& type) const {
    double values = 1;
    switch (type.sort) {
    case Sort::Bool: values = 2; break;
    case Sort::Int: values = type.high - type.low + 1; break;
    case Sort::Enum: values = static_cast<double>(members(type).size() - 1); break;
    case Sort::Player: values = static_cast<double>(players_.size()); break;
    case Sort::Site: values = static_cast<double>(boards_[type.number].sites.size()); break;
    case Sort::Dir: values = static_cast<double>(boards_[0].dirs.size()); break;
    case Sort::Tuple:
        for (const Type& part : type.parts) values *= size(part);
        break;
    default: break;
    }
    return values + (type.optional ? 1 : 0);
}

std::string Writer::value(const Type& type, int depth) {
    if (type.set) return set(type.one(), depth);
    if (type.sort == Sort::Path) return path(type.number, depth);
    if (type.optional && percent(20)) return "none";
    if (type.optional && percent(15)) return cat({"(the ", set(type.one(), depth - 1), ")"});
    return one(type, depth);
}

// A single value; it may come out as none all the same, where an expression says so.
std::string Writer::one(const Type& type, int depth) {
    if (type.sort == Sort::Bool) return truth(depth);
    if (type.sort == Sort::Int) return number(depth);
    if (type.sort == Sort::Real) return real(depth);
    if (tired(depth)) return leaf(type);
    if (percent(55))
        if (auto text = shared(type, depth)) return *text;
    return of_sort(type, depth);
}

std::string Writer::leaf(const Type& type) {
    if (percent(65))
        if (auto name = named(type)) return *name;
    switch (type.sort) {
    case Sort::Bool: return word({"true", "false"});
    case Sort::Int: return literal();
    case Sort::Real: return word({"0.5", "1.25", "3", "-2.5"});
    case Sort::Player: return percent(40) ? "me" : any_of(players_);
    case Sort::Tuple: {
        std::string parts;
        for (const Type& part : type.parts)
            parts += (parts.empty() ? "(" : ", ") + (part.sort == Sort::Int ? constant(part) : leaf(part));
        return parts + ")";
    }
    default: return constant(type);
    }
}

std::string Writer::of_sort(const Type& type, int depth) {
    switch (type.sort) {
    case Sort::Player:
        if (percent(50)) return cat({word({"next(", "prev("}), one(type.one(), depth - 1), ")"});
        return leaf(type);
    case Sort::Site: return site(type, depth);
    case Sort::Tuple: {
        std::string parts;
        for (const Type& part : type.parts) {
            parts += parts.empty() ? "(" : ", ";
            parts += part.sort == Sort::Int ? clamped(part.low, part.high, depth - 1) : one(part, depth - 1);
        }
        return parts + ")";
    }
    default: return leaf(type);
    }
}

std::string Writer::site(const Type& type, int depth) {
    const Board& board = boards_[type.number];
    const Type here = type.one();
    switch (below(6)) {
    case 0:
        if (board.coordinates) return cat({board.name, "(", number(depth - 1), ", ", number(depth - 1), ")"});
        if (board.numbered) return cat({board.name, "(", number(depth - 1), ")"});
        return leaf(type);
    case 1:
    case 2:
        if (type.number != 0 || board.dirs.empty()) return leaf(type);
        return cat({"(", one(here, depth - 1), ".", percent(60) ? any_of(board.dirs) : leaf(dir_type),
                    percent(25) ? "^" + std::to_string(below(4)) : "", ")"});
    case 3:
        if (type.number != 0 || !board.coordinates) return leaf(type);
        return cat({"(", one(here, depth - 1), ".(", std::to_string(between(-2, 2)), ", ",
                    std::to_string(between(-2, 2)), "))"});
    case 4: return cat({"(the ", set(here, depth - 1), ")"});
    default: return leaf(type);
    }
}

// Expressions of any type: names, entries of maps, calls, `if`, `let`, `match`.
std::optional<std::string> Writer::shared(const Type& type, int depth) {
    switch (below(9)) {
    case 0:
    case 1: return named(type);
    case 2:
    case 3: return from_map(type, depth);
    case 4:
    case 5: return call(type, depth);
    case 6: return choice(type, depth);
    case 7: return let(type, depth);
    default: return match(type, depth);
    }
}

std::string Writer::choice(const Type& type, int depth) {
    return cat({"(if ", truth(depth - 1), ": ", value(type, depth - 1), " else ",
                type.optional ? one(type, depth - 1) : value(type, depth - 1), ")"});
}

std::string Writer::let(const Type& type, int depth) {
    const Scope scope(*this);
    const Type bound = percent(40) ? type : percent(50) ? member_type() : member_type().all();
    const std::string name = fresh("q");
    const std::string given = bound.set ? set(bound.one(), depth - 1) : one(bound, depth - 1);
    locals_.push_back({name, bound});
    return cat(
        {"(let ", name, " = ", given, " in ", type.optional ? one(type, depth - 1) : value(type, depth - 1), ")"});
}

std::string Writer::match(const Type& type, int depth) {
    auto [text, matched] = subject(depth - 1);
    std::string arms;
    for (int i = between(1, 2); i > 0; --i) {
        const Scope scope(*this);
        std::string arm = pattern(matched, depth - 1, true);
        arms += " " + arm + ": " + value(type, depth - 1);
    }
    return cat({"(match ", text, arms, " _: ", type.optional ? one(type, depth - 1) : value(type, depth - 1), ")"});
}

std::optional<std::string> Writer::named(const Type& type) {
    std::vector<std::string> names;
    for (const Local& local : locals_)
        if (!local.map && alike(local.type, type)) names.push_back(local.name);
    for (const State& state : states_)
        if (state.indices.empty() && alike(state.value, type)) names.push_back(state.name);
    if (type.sort == Sort::Int && !type.set) names.insert(names.end(), numbers_.begin(), numbers_.end());
    if (type.sort == Sort::Bool) names.insert(names.end(), flags_.begin(), flags_.end());
    if (names.empty()) return {};
    return any_of(names);
}

std::string Writer::index(const State& state, int depth) {
    std::string text;
    for (const Type& type : state.indices) {
        text += text.empty() ? "[" : ", ";
        const bool strict = type.sort == Sort::Int;
        text += strict ? clamped(type.low, type.high, depth) : percent(5) ? set(type, depth) : one(type, depth);
    }
    return text + "]";
}

std::optional<std::string> Writer::from_map(const Type& type, int depth) {
    std::vector<const State*> maps;
    for (const State& state : states_)
        if (!state.indices.empty() && alike(state.value, type)) maps.push_back(&state);
    for (const Local& local : locals_)
        if (local.map && type.sort == Sort::Int && !type.set)
            return cat({local.name, "[", one({.sort = Sort::Site}, depth - 1), "]"});
    if (maps.empty()) return {};
    const State& map = *any_of(maps);
    return map.name + index(map, depth - 1);
}

std::optional<std::string> Writer::call(const Type& type, int depth) {
    std::vector<const Definition*> found;
    for (const Definition& definition : definitions_)
        if (alike(definition.result, type) && spent_ + definition.cost * times_ < 2 * most_)
            found.push_back(&definition);
    if (found.empty()) return {};
    const Definition& definition = *any_of(found);
    spend(definition.cost);
    std::string text = definition.name;
    for (const Parameter& parameter : definition.parameters) {
        const std::string given = argument(parameter, definition.result, depth - 1);
        if (given.empty()) return {};
        text += (text == definition.name ? "(" : ", ") + given;
    }
    return definition.parameters.empty() ? text : text + ")";
}

// Empty if there is nothing to give.
std::string Writer::argument(const Parameter& parameter, const Type& result, int depth) {
    if (parameter.map) {
        std::vector<std::string> maps;
        for (const State& state : states_)
            if (state.indices.size() == 1 && state.indices[0].sort == Sort::Site && state.indices[0].number == 0 &&
                state.value.sort == Sort::Int && !state.value.set)
                maps.push_back(state.name);
        return maps.empty() ? "" : any_of(maps);
    }
    const Type& type = parameter.type;
    const bool joins = result.set || result.sort == Sort::Path;
    const bool single = !type.set && type.sort != Sort::Path && type.sort != Sort::Real && type.sort != Sort::Bool;
    if (joins && single && !type.optional && percent(25)) {
        spend(20);
        if (type.sort != Sort::Int && percent(30)) return "_";
        return set(type, depth);
    }
    return value(type, depth);
}

// ---- numbers

std::string Writer::literal() {
    const int n = between(-2, 6);
    return n < 0 ? "(" + std::to_string(n) + ")" : std::to_string(n);
}

// A number that the checker knows to be in the range.
std::string Writer::clamped(int low, int high, int depth) {
    if (depth <= 0 || percent(35)) {
        const int n = between(low, high);
        return n < 0 ? "(" + std::to_string(n) + ")" : std::to_string(n);
    }
    return cat({"max(", std::to_string(low), ", min(", std::to_string(high), ", ", number(depth - 1), "))"});
}

std::string Writer::number(int depth) {
    if (tired(depth)) return leaf(number_type);
    switch (below(14)) {
    case 0: return literal();
    case 1:
    case 2: return cat({"(count ", set(member_type(), depth - 1), ")"});
    case 3:
    case 4: return counted(depth);
    case 5:
    case 6: return arithmetic(depth);
    case 7: return cat({word({"min(", "max("}), number(depth - 1), ", ", number(depth - 1), ")"});
    case 8:
        if (percent(30)) return cat({"abs(", number(depth - 1), ")"});
        return percent(50) ? cat({"(-", number(depth - 1), ")"}) : clamped(-2, 4, depth - 1);
    case 9: {
        if (percent(60)) return cat({word({"x(", "y(", "number("}), one({.sort = Sort::Site}, depth - 1), ")"});
        const Type type = percent(50) ? player_type : member_type();
        const bool numbered = type.sort == Sort::Player || type.sort == Sort::Enum || type.sort == Sort::Site;
        return cat({"number(", one(numbered ? type : player_type, depth - 1), ")"});
    }
    case 10:
        return cat({word({"(sum ", "(min ", "(max "}), set({.sort = Sort::Int, .low = 0, .high = 5}, depth - 1), ")"});
    case 11:
        if (context_.earlier && percent(30)) return earlier();
        [[fallthrough]];
    default:
        if (auto text = shared(number_type, depth)) return *text;
        return leaf(number_type);
    }
}

// A number that is never 0, as the checker wants it.
std::string Writer::divisor_of(const std::string& number) {
    return percent(80) ? cat({"max(1, ", number, ")"}) : cat({"min(-1, ", number, ")"});
}

std::string Writer::arithmetic(int depth) {
    if (percent(35)) {
        const std::string divisor =
            percent(70) ? std::to_string(between(1, 4)) : divisor_of(named(number_type).value_or("2"));
        return cat({"(", number(depth - 1), word({" div ", " mod "}), divisor, ")"});
    }
    if (percent(3)) return cat({"(", number(depth - 1), " * 4001)"});
    if (percent(4)) return cat({"(", clamped(-2, 4, depth - 1), ")^(", clamped(0, 3, depth - 1), ")"});
    return cat({"(", number(depth - 1), word({" + ", " - ", " * "}), number(depth - 1), ")"});
}

std::string Writer::counted(int depth) {
    const bool counts = percent(40);
    const std::string quantifier = counts ? "count " : word({"sum ", "min ", "max "});
    const std::string text =
        over(quantifier, member_type(), depth, [&] { return counts ? truth(depth - 1) : number(depth - 1); });
    return text.empty() ? leaf(number_type) : text;
}

// Something over the members of a set, each by a name; empty if that is too expensive.
std::string Writer::over(const std::string& before, const Type& member, int depth,
                         const std::function<std::string()>& body) {
    if (spent_ + 4 * size(member) * times_ > most_) return "";
    const std::string domain = percent(60) ? " in " + set(member, depth - 1) : ": " + type_text(member);
    const Scope scope(*this, size(member));
    const std::string name = fresh("q");
    locals_.push_back({name, member});
    return cat({"(", before, name, domain, ": ", body(), ")"});
}

// A payoff or a weight, of which no sum is made: it may be divided by what may be 0, and then is no finite number.
std::string Writer::ratio(int depth) {
    if (percent(97)) return real(depth);
    return cat({"(", real(depth - 1), " / ", number(depth - 1), ")"});
}

// Quarters and halves only, so that no order of adding them makes a difference.
std::string Writer::real(int depth) {
    if (tired(depth)) return leaf(real_type);
    switch (below(8)) {
    case 0: return leaf(real_type);
    case 1:
    case 2: return cat({"(", real(depth - 1), word({" + ", " - "}), real(depth - 1), ")"});
    case 3: return cat({"(", real(depth - 1), word({" * 0.5", " / 2", " / 4", " * 3"}), ")"});
    case 4: {
        const std::string text =
            over(word({"sum ", "min ", "max "}), member_type(), depth, [&] { return real(depth - 1); });
        return text.empty() ? leaf(real_type) : text;
    }
    case 5: return cat({word({"min(", "max("}), real(depth - 1), ", ", real(depth - 1), ")"});
    case 6:
        if (auto text = shared(real_type, depth)) return *text;
        [[fallthrough]];
    default: return cat({"(0.0 + ", number(depth - 1), ")"}); // a number that may be none is no real
    }
}

} // namespace zug::random_rules

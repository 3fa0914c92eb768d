// The file as a whole, names for things, and state.

#include "tests/random_rules/writer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::random_rules {

std::string Writer::file() {
    if (percent(15)) most_ = 15000;
    limit_ = between(6, 30);
    plan_ = percent(22);
    steps_ = plan_ && percent(40);
    line("game \"random\"");
    declare_names();
    declare_board();
    if (percent(20)) declare_board();
    declare_states();
    declare_definitions();
    declare_rules();
    if (steps_)
        declare_turn_of_steps();
    else if (plan_)
        declare_turn();
    declare_end();
    declare_loud();
    declare_looks();
    return std::move(text_);
}

void Writer::declare_names() {
    const std::vector<std::string> names{"Pa", "Pb", "Pc", "Pd"};
    const std::size_t count = percent(65) ? 2 : 1 + below(4);
    players_.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
    const bool part = percent(10);
    line(fmt::format("players {}{}", part ? std::to_string(count) + " of " : "",
                     fmt::join(part ? names : players_, ", ")));
    team_.resize(count);
    for (std::size_t p = 0; p < count; ++p) team_[p] = p;
    if (count > 2 && percent(60)) {
        const std::size_t first = below(count), partner = (first + 1 + below(count - 1)) % count;
        team_[partner] = team_[first];
        line(cat({"teams ", players_[first], " ", players_[partner]}));
    }
    for (int i = static_cast<int>(below(3)); i > 0; --i) {
        const std::string name = fresh("k");
        constants_ += fmt::format("param {} = {}\n", name, between(1, 4));
        numbers_.push_back(name);
    }
    if (percent(15)) {
        flags_.push_back(fresh("k"));
        constants_ += "param " + flags_.back() + ": bool = " + word({"true", "false"}) + "\n";
    }
    text_ += constants_;
    const std::vector<std::string> members{"Aa", "Ab", "Ac", "Ad", "Ae", "Ba", "Bb", "Bc"};
    for (std::size_t i = 0; i < below(3); ++i) {
        std::vector<std::string> all{"kind" + std::to_string(i + 1)};
        const std::size_t first = 5 * i;
        for (std::size_t k = first; k < first + 2 + below(i == 0 ? 4 : 2); ++k) all.push_back(members[k]);
        line(fmt::format("type {} = {}", all[0], fmt::join(all.begin() + 1, all.end(), " | ")));
        std::vector<std::string> some{"part" + std::to_string(i + 1)};
        for (std::size_t k = 1; k < all.size(); ++k)
            if (percent(60)) some.push_back(all[k]);
        if (some.size() == 1) some.push_back(all[1]);
        line(fmt::format("type {} = {{{}}}", some[0], fmt::join(some.begin() + 1, some.end(), ", ")));
        enums_.push_back(std::move(all));
        parts_.push_back(std::move(some));
    }
    for (int i = static_cast<int>(below(2)); i > 0; --i) {
        const int low = between(-2, 2);
        const Type range{.sort = Sort::Int, .low = low, .high = low + between(1, 6)};
        const std::string name = fresh("t");
        line(cat({"type ", name, " = ", type_text(range)}));
        aliases_.emplace_back(name, range);
    }
}

std::string Writer::type_text(const Type& type) const {
    if (type.set) return "set " + type_text(type.one());
    std::string text;
    switch (type.sort) {
    case Sort::Bool: text = "bool"; break;
    case Sort::Int: text = fmt::format("{}..{}", type.low, type.high); break;
    case Sort::Real: text = "real"; break;
    case Sort::Path: text = "path"; break;
    case Sort::Enum: text = members(type)[0]; break;
    case Sort::Player: text = "player"; break;
    case Sort::Site: text = boards_[type.number].name; break;
    case Sort::Dir: text = "dir"; break;
    case Sort::Tuple:
        for (const Type& part : type.parts) text += (text.empty() ? "(" : ", ") + type_text(part);
        text += ")";
        break;
    }
    for (const auto& [name, range] : aliases_)
        if (type.sort == Sort::Int && range.low == type.low && range.high == type.high) text = name;
    return type.optional ? text + "?" : text;
}

Type Writer::small_type() {
    switch (below(10)) {
    case 0:
        if (!enums_.empty()) return {.sort = Sort::Enum, .number = below(enums_.size()), .part = percent(40)};
        return player_type;
    case 1: return player_type;
    case 2:
        if (!boards_[0].dirs.empty()) return dir_type;
        [[fallthrough]];
    case 3: {
        if (!aliases_.empty() && percent(40)) return any_of(aliases_).second;
        const int low = between(-2, 1);
        return {.sort = Sort::Int, .low = low, .high = low + between(0, 4)};
    }
    case 4:
        if (percent(20)) return truth_type;
        if (percent(30)) return {.sort = Sort::Tuple, .parts = {player_type, small_type()}};
        [[fallthrough]];
    default: return {.sort = Sort::Site, .number = boards_.size() > 1 && percent(30) ? 1U : 0U};
    }
}

Type Writer::member_type() {
    Type type = small_type();
    if (type.sort == Sort::Bool || percent(30)) return {.sort = Sort::Site};
    return type;
}

Type Writer::value_type() {
    Type type = percent(15) ? Type{.sort = Sort::Tuple, .parts = {small_type(), small_type()}} : small_type();
    if (type.sort == Sort::Int && percent(60)) {
        type.low = percent(25) ? -between(1, 5) : 0;
        type.high = percent(5) ? between(60, 300) : between(2, 12);
    }
    if (type.part) return type; // a variable that may be none takes nothing that may be no value of it
    if (type.sort == Sort::Tuple && percent(15)) type.parts[0].optional = true;
    if (type.sort != Sort::Bool && size(type) < 4000 && percent(18)) return type.all();
    type.optional = percent(type.sort == Sort::Bool || type.sort == Sort::Int ? 8 : 45);
    return type;
}

// A value that doesn't depend on the state, never none.
std::string Writer::constant(const Type& type) {
    switch (type.sort) {
    case Sort::Bool: return word({"true", "false"});
    case Sort::Int: {
        const int n = between(type.low, std::min(type.high, type.low + 20));
        return n < 0 ? fmt::format("({})", n) : std::to_string(n);
    }
    case Sort::Enum: return members(type)[1 + below(members(type).size() - 1)];
    case Sort::Player: return any_of(players_);
    case Sort::Dir: return any_of(boards_[0].dirs);
    case Sort::Site: return any_of(boards_[type.number].sites);
    case Sort::Tuple: {
        std::string parts;
        for (const Type& part : type.parts) parts += (parts.empty() ? "(" : ", ") + constant(part);
        return parts + ")";
    }
    default: return "0";
    }
}

std::string Writer::initial(const State& state) {
    const Type& type = state.value;
    const auto some_value = [&] {
        if (!type.set) return type.optional && percent(20) ? std::string("none") : constant(type);
        return percent(30) ? "{}" : cat({"{", constant(type.one()), ", ", constant(type.one()), "}"});
    };
    if (state.indices.empty() || percent(30)) return " = " + some_value();
    if (state.indices.size() > 1 && percent(25)) {
        const Type place{.sort = Sort::Tuple, .parts = state.indices};
        return cat({" = ", some_value(), " on {", constant(place), ", ", constant(place), "}"});
    }
    std::string sites;
    for (const Type& index : state.indices) {
        if (!sites.empty()) sites += ", ";
        sites += percent(30) ? "_" : cat({"{", constant(index), ", ", constant(index), "}"});
    }
    if (state.indices.size() > 1) sites = "(" + sites + ")";
    return cat({" = ", some_value(), " on ", sites});
}

void Writer::declare_state(const std::string& name, std::vector<Type> indices, Type value, bool local) {
    State state{.name = name, .indices = std::move(indices), .value = std::move(value), .local = local};
    std::string text = (local ? "local " : "state ") + name + ": ";
    for (std::size_t i = 0; i < state.indices.size(); ++i) text += (i == 0 ? "" : ", ") + type_text(state.indices[i]);
    if (!state.indices.empty()) text += " -> ";
    text += type_text(state.value);
    if (percent(65)) text += initial(state);
    line(text);
    states_.push_back(std::move(state));
}

void Writer::declare_states() {
    const Type here{.sort = Sort::Site};
    // Nothing but the rules' own counting touches it.
    states_.push_back({.name = "ply", .indices = {}, .value = {.sort = Sort::Int, .low = 0, .high = limit_}});
    line(fmt::format("state ply: 0..{}", limit_));
    // What the vocabulary knows as `at`.
    Type held{.sort = Sort::Player, .optional = true};
    if (!enums_.empty() && percent(40))
        held = {.sort = Sort::Tuple, .optional = true, .parts = {player_type, {.sort = Sort::Enum}}};
    if (percent(80)) {
        declare_state("at", {here}, held, false);
        empty_ = true;
    }
    if (percent(50)) declare_state(fresh("m"), {here}, {.sort = Sort::Int, .low = 0, .high = between(1, 6)}, false);
    for (int i = between(1, 5); i > 0; --i) {
        const bool local = percent(plan_ ? 40 : 10);
        if (percent(50)) {
            declare_state(fresh("s"), {}, value_type(), local);
            continue;
        }
        std::vector<Type> indices{small_type()};
        if (percent(30)) indices.push_back(small_type());
        Type value = value_type();
        if (value.set && !percent(10)) value = value.one(); // few executors are fast at maps of sets
        double slots = value.set ? size(value.one()) : 1;
        for (const Type& index : indices) slots *= size(index);
        if (slots < 3000) declare_state(fresh("m"), std::move(indices), std::move(value), local);
    }
}

} // namespace zug::random_rules

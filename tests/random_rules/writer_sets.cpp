// Sets and paths.

#include "tests/random_rules/writer.hpp"

namespace zug::random_rules {

std::string Writer::set(const Type& member, int depth) {
    const Type all = member.all();
    if (member.sort == Sort::Bool) return cat({"{", truth(depth - 1), ", ", truth(depth - 1), "}"});
    if (tired(depth)) return set_leaf(member);
    switch (below(12)) {
    case 0: return set_leaf(member);
    case 1:
    case 2: return cat({"(", set(member, depth - 1), word({" | ", " | ", " & ", " \\ "}), set(member, depth - 1), ")"});
    case 3: return set_literal(member, depth);
    case 4: return those(member, depth);
    case 5:
    case 6:
        if (auto text = matching(member, depth)) return *text;
        return set_leaf(member);
    case 7: {
        const std::string text = over("union ", member_type(), depth, [&] { return set(member, depth - 1); });
        return text.empty() ? set_leaf(member) : text;
    }
    case 8:
        if (percent(30)) return cat({"(if ", truth(depth - 1), ": ", set(member, depth - 1), " else {})"});
        if (auto text = shared(all, depth)) return *text;
        return set_leaf(member);
    default:
        if (member.sort == Sort::Site) return sites(member.number, depth);
        if (auto text = shared(all, depth)) return *text;
        return set_leaf(member);
    }
}

std::string Writer::set_leaf(const Type& member) {
    if (percent(45))
        if (auto name = named(member.all())) return *name;
    if (member.sort == Sort::Site && member.number == 0 && empty_ && percent(30)) return "empty";
    if (member.sort == Sort::Player && percent(30)) return cat({word({"team(", "mates(", "foes("}), leaf(member), ")"});
    if (percent(40)) return everything(member);
    if (percent(15)) return cat({"(", everything(member), " \\ {", leaf(member), "})"});
    return set_literal(member, 0);
}

// All values of the type.
std::string Writer::everything(const Type& type) {
    switch (type.sort) {
    case Sort::Int: return cat({"{", std::to_string(type.low), "..", std::to_string(type.high), "}"});
    case Sort::Enum: return members(type)[0];
    case Sort::Player: return "player";
    case Sort::Dir: return percent(40) && !boards_[0].dir_sets.empty() ? any_of(boards_[0].dir_sets) : "dir";
    case Sort::Site: {
        const Board& board = boards_[type.number];
        if (!board.groups.empty() && percent(30)) return any_of(board.groups);
        return board.name;
    }
    default: return set_literal(type, 0);
    }
}

std::string Writer::set_literal(const Type& member, int depth) {
    std::string text;
    for (int i = between(1, 3); i > 0; --i) {
        text += text.empty() ? "{" : ", ";
        if (member.sort == Sort::Int)
            text += clamped(member.low, member.high, depth);
        else
            text += depth <= 0 ? leaf(member) : one(member, depth - 1);
    }
    return text + "}";
}

std::string Writer::those(const Type& member, int depth) {
    if (spent_ + 4 * size(member) * times_ > most_) return set_leaf(member);
    const std::string domain = set(member, depth - 1);
    const Scope scope(*this, size(member));
    const std::string name = fresh("q");
    locals_.push_back({name, member});
    return cat({"{", name, " in ", domain, " | ", truth(depth - 1), "}"});
}

// The sites of a map whose values match a pattern.
std::optional<std::string> Writer::matching(const Type& member, int depth) {
    std::vector<const State*> maps;
    for (const State& state : states_) {
        if (state.indices.empty()) continue;
        Type sites = state.indices[0];
        if (state.indices.size() > 1) sites = {.sort = Sort::Tuple, .parts = state.indices};
        if (alike(sites, member)) maps.push_back(&state);
    }
    if (maps.empty()) return {};
    const State& map = *any_of(maps);
    if (spent_ + 4 * size(member) * times_ > most_) return {};
    const Scope scope(*this, size(member));
    if (map.value.set) return cat({map.name, ".(", set(map.value.one(), depth - 2), ")"});
    return cat({map.name, ".(", pattern(map.value, depth - 1, false), ")"});
}

std::string Writer::sites(std::size_t board, int depth) {
    const Type member{.sort = Sort::Site, .number = board};
    if (board == 0 && percent(30)) return vocabulary_sites(depth);
    if (has_paths(board) && percent(75)) return image(board, depth);
    if (auto text = shared(member.all(), depth)) return *text;
    return set_leaf(member);
}

std::string Writer::vocabulary_sites(int depth) {
    const Type here{.sort = Sort::Site};
    const auto part = [&] { return set(here, depth - 1); };
    spend(20);
    switch (below(8)) {
    case 0: return cat({word({"row(", "col("}), number(depth - 1), ")"});
    case 1: return boards_[0].coordinates ? "dark" : part();
    case 2: return boards_[0].dirs.empty() ? part() : cat({"last(", one(dir_type, depth - 1), ")"});
    case 3: return cat({"either(", part(), ", ", part(), ")"});
    case 4: return cat({"group(", one(here, depth - 1), ", ", part(), ")"});
    case 5:
        if (boards_[0].dirs.empty()) return part();
        return cat({"between(", one(here, depth - 1), ", ", one(dir_type, depth - 1), ", ", part(), ", ", part(), ")"});
    case 6:
        if (boards_[0].dir_sets.empty()) return part();
        return cat({"lined(", clamped(1, 3, depth - 1), ", ", part(), ")"});
    default:
        if (!empty_ || states_[1].value.sort != Sort::Player) return part();
        spend(60);
        return cat({"dead(", one(player_type, depth - 1), ")"});
    }
}

// ---- paths

bool Writer::has_paths(std::size_t board) const {
    return board == 0 || boards_[board].out || !boards_[board].dirs.empty();
}

std::string Writer::image(std::size_t board, int depth) {
    const Type member{.sort = Sort::Site, .number = board};
    const std::string from = percent(50) ? one(member, depth - 1) : set(member, depth - 1);
    return cat({"(", from, ".", path(board, depth - 1), ")"});
}

std::string Writer::path_leaf(std::size_t board) {
    const Board& here = boards_[board];
    if (percent(35))
        if (auto name = named({.sort = Sort::Path, .number = board})) return *name;
    if (board == 0 && !here.dirs.empty() && percent(30)) return leaf(dir_type);
    if (!here.dir_sets.empty() && percent(40)) return any_of(here.dir_sets);
    if (!here.dirs.empty() && percent(70)) return any_of(here.dirs);
    if (here.out && percent(60)) return "out";
    return board == 0 ? "adj" : here.out ? "out" : any_of(here.dirs);
}

std::string Writer::path(std::size_t board, int depth) {
    if (tired(depth)) return path_leaf(board);
    const Type type{.sort = Sort::Path, .number = board};
    const Type member{.sort = Sort::Site, .number = board};
    const auto part = [&] { return path(board, depth - 1); };
    switch (below(13)) {
    case 0:
    case 1: return path_leaf(board);
    case 2: return cat({"(", part(), " | ", part(), ")"});
    case 3: return cat({"(", part(), ".", part(), ")"});
    case 4:
    case 5:
    case 6: return cat({"(", part(), word({" & ", " & ", " \\ "}), set(member, depth - 1), ")"});
    case 7: return cat({"(~", part(), ")"});
    case 8:
    case 9: return power(board, depth);
    case 10: return cat({"(if ", truth(depth - 1), ": ", part(), " else ", part(), ")"});
    case 11:
        if (board == 0 && boards_[0].coordinates && percent(50))
            return cat({"offsets(", std::to_string(between(0, 2)), ", ", std::to_string(between(0, 2)), ")"});
        if (board == 0 && empty_ && !boards_[0].dirs.empty()) {
            spend(20);
            return cat({"slide(", percent(50) ? one(dir_type, depth - 1) : set(dir_type, depth - 1), ")"});
        }
        [[fallthrough]];
    default:
        if (auto text = call(type, depth)) return *text;
        return path_leaf(board);
    }
}

std::string Writer::power(std::size_t board, int depth) {
    const std::string base = path(board, depth - 1);
    switch (below(6)) {
    case 0:
    case 1: spend(10 * size({.sort = Sort::Site, .number = board})); return base + word({"^*", "^+"});
    case 2: return base + "^" + std::to_string(below(4));
    case 3: spend(5); return cat({base, "^(", std::to_string(below(3)), "..", std::to_string(below(5)), ")"});
    case 4: spend(5); return cat({base, "^(", clamped(0, 3, depth - 1), "..", clamped(-1, 4, depth - 1), ")"});
    default: spend(5); return cat({base, "^(", clamped(-1, 4, depth - 1), ")"});
    }
}

} // namespace zug::random_rules

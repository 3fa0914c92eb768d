// What is said of the sites along a line by the number of steps to them.

#include "tests/random_rules/writer.hpp"

#include <algorithm>

namespace zug::random_rules {

// A walk over one board, with a map from its sites. Nothing: there is none.
std::optional<Writer::Walk> Writer::walk(int depth) {
    std::vector<const State*> found;
    for (const State& state : states_)
        if (state.indices.size() == 1 && state.indices[0].sort == Sort::Site && !state.indices[0].optional &&
            !state.value.set && !boards_[state.indices[0].number].dirs.empty())
            found.push_back(&state);
    if (found.empty() || spent_ + 60 * times_ > most_) return {};
    spend(60);
    const State& state = *any_of(found);
    const Board& board = boards_[state.indices[0].number];
    const bool any_dir = state.indices[0].number == 0 && percent(40);
    return Walk{&state, one(state.indices[0], depth), any_dir ? leaf(dir_type) : any_of(board.dirs)};
}

std::string Writer::stepped(const Walk& walk, const std::string& number, int more) {
    const std::string sum =
        more == 0 ? number : cat({"(", number, more > 0 ? " + " : " - ", std::to_string(std::abs(more)), ")"});
    return cat({"(", walk.from, ").", walk.dir, "^", sum});
}

std::string Writer::test_of_site(const Walk& walk, const std::string& site) {
    const State& state = *walk.map;
    const std::string there = cat({state.name, "[", site, "]"});
    switch (below(6)) {
    case 0: return cat({site, " in ", set_leaf(state.indices[0])});
    case 1: return cat({there, " != ", leaf(state.value.one())});
    case 2:
        if (state.value.optional) return cat({there, " = none"});
        [[fallthrough]];
    default: return cat({there, " = ", leaf(state.value.one())});
    }
}

// `test of site k + e and all j in 1..k + f: test of site j`
std::string Writer::run_of(const Walk& walk, const std::string& k, int passed, bool reaches) {
    const std::string j = fresh("j"), site = stepped(walk, j, 0);
    const std::string last = passed == 0 ? k : cat({k, " - ", std::to_string(-passed)});
    const std::string test = test_of_site(walk, site);
    const std::string all = percent(75) ? cat({"(all ", j, " in 1..", last, ": ", test, ")"})
                                        : cat({"(no ", j, " in 1..", last, ": ", test, ")"});
    if (!reaches) return all;
    const std::string target = stepped(walk, k, between(passed, passed + 2));
    const std::string reached =
        percent(20) ? cat({"(", leaf(walk.map->indices[0]), " = ", target, ")"}) : test_of_site(walk, target);
    return percent(50) ? cat({"(", reached, ") and ", all}) : cat({all, " and (", reached, ")"});
}

std::string Writer::walk_truth(int depth) {
    const auto made = walk(depth - 1);
    if (!made) return comparison(0);
    const std::string k = fresh("k");
    const int low = between(0, 2), passed = between(-1, 0);
    return cat({"(some ", k, " in ", std::to_string(low), "..", std::to_string(low + between(0, 4)), ": ",
                run_of(*made, k, passed, true), ")"});
}

std::optional<std::string> Writer::walk_effect(int depth, Taken& taken) {
    const auto made = walk(depth - 1);
    if (!made || std::ranges::find(taken, made->map->name) != taken.end()) return {};
    taken.push_back(made->map->name);
    Walk walk = *made;
    const std::string d = fresh("d"), k = fresh("k"), j = fresh("j");
    std::string text;
    if (walk.map->indices[0].number == 0 && percent(50)) {
        walk.dir = d;
        text = cat({"for ", d, " in {", any_of(boards_[0].dirs), ", ", any_of(boards_[0].dirs), "}: "});
    }
    const bool up_to = percent(40);
    text += cat({"for ", k, " in ", std::to_string(between(0, 2)), "..", std::to_string(between(2, 5)), ": if ",
                 run_of(walk, k, 0, !up_to), ": "});
    const Type type = walk.map->value.one();
    const std::string value = type.sort == Sort::Int ? constant(type) : leaf(type);
    if (up_to) return cat({text, walk.map->name, "[", stepped(walk, k, 0), "] := ", value});
    return cat({text, "for ", j, " in 1..", k, ": ", walk.map->name, "[", stepped(walk, j, 0), "] := ", value});
}

} // namespace zug::random_rules

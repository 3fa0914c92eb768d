#include "cli/reports/bench_cliffs.hpp"

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/reports/contest.hpp"
#include "game/perft.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace zug::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view best_ending = ".best.zug";
constexpr std::uint64_t enough_lines = 20'000; // of play that are counted for a pair
constexpr int most_depth = 8;

struct Pair {
    std::string name;
    std::vector<Contestant> both; // the natural way, the best way

    double ratio() const { return by(both[1].states_per_second(), both[0].states_per_second()); }
    double perft_ratio() const { return by(both[1].perft.nodes_per_second(), both[0].perft.nodes_per_second()); }

private:
    static double by(double a, double b) { return b > 0 ? a / b : 0; }
};

tl::expected<std::vector<std::string>, Error> pairs_in(const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string file = entry.path().filename().string();
        if (file.ends_with(best_ending)) names.push_back(file.substr(0, file.size() - best_ending.size()));
    }
    if (names.empty())
        return tl::unexpected(
            Error{fmt::format("{}: there are no pairs NAME.zug, NAME{} here", folder.string(), best_ending)});
    std::ranges::sort(names);
    return names;
}

// What is wrong with a pair; empty: both count the same lines of play.
std::string difference(OpenGame& natural, OpenGame& best) {
    for (int depth = 1; depth <= most_depth; ++depth) {
        const auto a = game::perft(natural.game, natural.start, depth), b = game::perft(best.game, best.start, depth);
        if (!a || !b) return a ? b.error().text : a.error().text;
        if (*a != *b)
            return fmt::format("perft {} is {} by the first file and {} by the best", depth, grouped(*a), grouped(*b));
        if (*a > enough_lines) break;
    }
    return {};
}

tl::expected<OpenGame, int> open_file(const fs::path& file) {
    GameOptions game;
    game.file = file.string();
    game.measured = true;
    return open_game(game);
}

// An exit code: the user was told what is wrong.
tl::expected<Pair, int> measure(const std::string& name, const CliffBench& options) {
    auto natural = open_file(options.folder / (name + ".zug"));
    if (!natural) return tl::unexpected(natural.error());
    auto best = open_file(options.folder / (name + std::string(best_ending)));
    if (!best) return tl::unexpected(best.error());
    if (const std::string wrong = difference(*natural, *best); !wrong.empty()) {
        complain(fmt::format("{}: {}", name, wrong));
        return tl::unexpected(exit_failed);
    }
    Pair pair{name, {}};
    for (OpenGame* const open : {&*natural, &*best}) pair.both.push_back(described(std::move(*open), options.seed, 1));
    compare(pair.both, options.seconds);
    for (const Contestant& contestant : pair.both)
        if (!contestant.fault.empty()) {
            complain(fmt::format("{}: {}", name, contestant.fault));
            return tl::unexpected(exit_failed);
        }
    return pair;
}

void say_pair(const Pair& pair) {
    const auto speed = [](double number) { return grouped(static_cast<std::uint64_t>(number)); };
    say("{:<20} {:>14} {:>14} {:>8.2f} {:>16} {:>16} {:>8.2f}\n", pair.name, speed(pair.both[0].states_per_second()),
        speed(pair.both[1].states_per_second()), pair.ratio(), speed(pair.both[0].perft.nodes_per_second()),
        speed(pair.both[1].perft.nodes_per_second()), pair.perft_ratio());
    flush();
}

Json json_of(const Pair& pair) {
    return {{"name", pair.name},
            {"states_per_second", pair.both[0].states_per_second()},
            {"best_states_per_second", pair.both[1].states_per_second()},
            {"ratio", pair.ratio()},
            {"perft_nodes_per_second", pair.both[0].perft.nodes_per_second()},
            {"best_perft_nodes_per_second", pair.both[1].perft.nodes_per_second()},
            {"perft_ratio", pair.perft_ratio()}};
}

} // namespace

int bench_cliffs(const CliffBench& options) {
    const auto names = pairs_in(options.folder);
    if (!names) {
        complain(names.error().text);
        return exit_failed;
    }
    if (!options.json)
        say("{:<20} {:>14} {:>14} {:>8} {:>16} {:>16} {:>8}\n", "", "states/s", "best", "ratio", "perft nodes/s",
            "best", "ratio");
    Json pairs = Json::array();
    int code = exit_fine;
    std::size_t steep = 0;
    for (const std::string& name : *names) {
        if (interrupted()) return exit_interrupted;
        const auto pair = measure(name, options);
        if (!pair) {
            code = pair.error();
            continue;
        }
        steep += pair->ratio() > 2 ? 1 : 0;
        if (options.json)
            pairs.push_back(json_of(*pair));
        else
            say_pair(*pair);
    }
    if (options.json)
        print_json({{"pairs", pairs}});
    else
        say("{} of {} pairs differ by more than a factor of 2 in random games\n", steep, names->size());
    return code;
}

} // namespace zug::cli

// A run resumes where it was stopped, at whatever point inside a tier that was.

#include "folder.hpp"
#include "games.hpp"
#include "short_files.hpp"

namespace zug::solve {

namespace {

// Ways through a graph without cycles, which no potential function shows.
const std::string graph = "board node = graph\n  p: q r\n  q: s v\n  r: q s\n  s: t u\n  t: u w\n  u: w x\n  v: t x\n"
                          "  w: x\n  x: y\n";
const std::string three_players = "players A, B, C\n" + graph +
                                  "state here: node = p\nmove go(t: node)\n  when t in here.out\n  then here := t\n"
                                  "end when no here.out\n  payoff A = 0\n  payoff B = 1\n  payoff C = 2\n";
const std::string thrown_ways =
    "players A, B\n" + graph +
    "state here: node = p\nstate thrown: bool\nmove go(t: node)\n  when not thrown, t in here.out\n  then here := t\n"
    "move throw\n  when not thrown, some here.out\n  then thrown := true, again\n"
    "chance way(t: node)\n  when thrown, t in here.out\n  then here := t, thrown := false\n"
    "end A wins when here = y\n";

// The same in steps up, with which a potential rises.
const std::string thrown_steps = "players A, B\nstate n: 0..12\nstate thrown: bool\n"
                                 "move go(k: 1..2)\n  when not thrown, n < 10\n  then n += k\n"
                                 "move throw\n  when not thrown, n < 10\n  then thrown := true, again\n"
                                 "chance step(k: 1..2)\n  when thrown\n  then n += k, thrown := false\n"
                                 "end A wins when n >= 10\n";

// A cyclic walk, with a drawn end that the player who passes it may choose.
const std::string drawn_end = "players A, B\nboard node = graph\n  p: q r\n  q: p s\n  r: p s\n  s: r t\n  t: q\n"
                              "state here: node = p\nmove go(t: node)\n  when t in here.out\n  then here := t\n"
                              "end draw when here = t\n";

struct Trial {
    const char* name;
    game::Game game;
};

std::vector<Trial> trials() {
    std::vector<Trial> trials;
    trials.push_back({"two robots", load_text(robots(3, 2))});
    trials.push_back({"a fox and geese", load_text(fox_and_geese(3, 3))});
    trials.push_back({"a drawn end", load_text(drawn_end)});
    trials.push_back({"three players", load_text(three_players)});
    trials.push_back({"chance without cycles", load_text(thrown_ways)});
    trials.push_back({"chance with cycles", load("pig", {{"goal", "4"}})});
    trials.push_back({"chance in tiers without moves inside", load_text(thrown_steps)});
    return trials;
}

// Counts how often it is asked, and says yes once.
struct Asked {
    int times = 0;
    Stop stop_at(int n = 0) {
        return [this, n](const Stage&) { return ++times == n; };
    }
};

// Solves a game with the database and the checkpoints in a folder.
struct Run {
    const Folder& folder;
    game::Game& game;
    std::string said; // the last run's note

    tl::expected<Solution, Error> operator()(const Stop& stop, std::uint64_t memory = UINT64_MAX,
                                             std::uint32_t threads = 1, double checkpoint_seconds = 1e9) {
        Options options;
        options.work.checkpoint_seconds = checkpoint_seconds;
        options.stop = stop;
        options.budget = {memory};
        options.threads = threads;
        said.clear();
        options.note = [this](const std::string& text) { said = text; };
        return write_in(folder, game, options);
    }
    // The database of a run that is not stopped; counts how often it asked whether to stop.
    std::string whole(int& times, std::uint64_t memory = UINT64_MAX) {
        Asked asked;
        const auto solution = (*this)(asked.stop_at(), memory);
        REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
        times = asked.times;
        return taken();
    }
    // The bytes of the database, which is removed.
    std::string taken() const {
        std::string bytes = bytes_of(folder.database);
        std::filesystem::remove(folder.database);
        return bytes;
    }
};

} // namespace

TEST_CASE("a run goes on from where it was stopped, wherever that is, with the same bytes") {
    const Folder folder;
    for (auto& [name, game] : trials()) {
        CAPTURE(name);
        Run run{folder, game, {}};
        int times = 0;
        const std::string bytes = run.whole(times);
        CHECK(times > 10);
        for (int n = 1; n <= times; n += static_cast<int>(test::one_in)) {
            CAPTURE(n);
            Asked first, then;
            const auto stops = run(first.stop_at(n));
            REQUIRE(!stops);
            REQUIRE(stops.error().text == stopped);
            const auto solution = run(then.stop_at());
            REQUIRE(solution);
            CHECK(run.said == "resuming from a checkpoint");
            CHECK(then.times <= times - n + 1); // nothing is done twice
            CHECK(run.taken() == bytes);
        }
        CHECK(std::filesystem::is_empty(folder.path));
    }
}

TEST_CASE("a run that was stopped goes on with another memory and number of threads") {
    const Folder folder;
    std::vector<Trial> games = trials();
    games.push_back({"a larger fox and geese", load_text(fox_and_geese(4, 4))});
    for (auto& [name, game] : games) {
        CAPTURE(name);
        Run run{folder, game, {}};
        for (const auto& [before, after] : {std::pair(little, UINT64_MAX), {UINT64_MAX, little}}) {
            int times = 0;
            const std::string bytes = run.whole(times, before);
            for (int n = 3; n <= times; n += 3 + times / 5) {
                CAPTURE(n);
                Asked first;
                REQUIRE(!run(first.stop_at(n), before));
                REQUIRE(run({}, after, 2));
                CHECK(run.said == "resuming from a checkpoint");
                CHECK(run.taken() == bytes);
            }
        }
    }
}

TEST_CASE("a disk that gets full while a checkpoint is made leaves the one before") {
    const Folder folder;
    for (auto& [name, game] : trials()) {
        CAPTURE(name);
        Run run{folder, game, {}};
        int times = 0;
        const std::string bytes = run.whole(times);
        Asked first, then;
        REQUIRE(!run(first.stop_at(times - 5)));
        {
            const ShortFiles full(100);
            const auto solution = run({}, UINT64_MAX, 1, 0);
            REQUIRE(!solution);
            CHECK(solution.error().text.find("can't write") != std::string::npos);
        }
        REQUIRE(run(then.stop_at()));
        CHECK(run.said == "resuming from a checkpoint");
        CHECK(then.times <= 6);
        CHECK(run.taken() == bytes);
    }
}

} // namespace zug::solve

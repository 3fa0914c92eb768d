#include "cli/reports/contest.hpp"

#include "base/run_in_threads.hpp"
#include "cli/interrupt.hpp"
#include "game/perft.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <ctime>

namespace zug::cli {

namespace {

constexpr double slice = 0.1;                // seconds of random games in a contestant's turn
constexpr std::uint64_t first_batch = 1;     // plies between looks at the clock, to begin with
constexpr double shortest_batch = 0.001;     // seconds that a batch should take
constexpr double counting_share = 0.5;       // time for counting, as a share of that for random games
constexpr std::uint64_t enough_games = 1000; // for the mean length of a game

// The processor time of this thread, which other programs do not affect; measures all single-threaded work.
double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class DescribedRunner final : public Runner {
public:
    DescribedRunner(game::Game game, game::State start, std::uint64_t seed)
        : game(std::move(game)), start(std::move(start)), state_(this->start), random_(seed) {}

    bool play(std::uint64_t plies, Played& played) override {
        while (plies > 0) {
            const auto most = std::min<std::uint64_t>(plies, longest_playout - length_);
            const auto part = game.playouts(start, state_, random_, static_cast<std::uint32_t>(most));
            if (game.faulted()) return false;
            played.plies += part.plies;
            if (part.finished > 0) {
                played.finished += part.finished;
                played.finished_plies += length_ + part.begun;
                length_ = 0;
            }
            length_ += part.plies - part.begun;
            if (length_ >= longest_playout) cut(played);
            plies -= std::clamp<std::uint64_t>(part.plies, 1, plies); // a game can be over at its start
        }
        return true;
    }

    game::Game game;
    const game::State start;

private:
    void cut(Played& played) {
        ++played.finished;
        played.finished_plies += length_;
        ++played.unfinished;
        state_ = start;
        length_ = 0;
    }

    game::State state_;
    Random random_;
    std::uint32_t length_ = 0; // of the game under way
};

class RunnerByHand final : public Runner {
public:
    RunnerByHand(const by_hand::Program& program, std::uint64_t seed) : playout_(program.playout), random_(seed) {}

    bool play(std::uint64_t plies, Played& played) override {
        std::uint64_t made = 0;
        for (; made < plies; ++played.finished) made += playout_(random_).plies;
        played.plies += made;
        played.finished_plies += made;
        return true;
    }

private:
    by_hand::Playout (*playout_)(Random&);
    Random random_;
};

bool play_for(Runner& runner, double seconds, Played& played) {
    const double begin = thread_seconds();
    double now = begin;
    bool fine = true;
    for (std::uint64_t plies = first_batch; fine && now - begin < seconds && !interrupted();) {
        fine = runner.play(plies, played);
        const double before = std::exchange(now, thread_seconds());
        if (now - before < shortest_batch) plies *= 2;
    }
    played.seconds += now - begin;
    return fine;
}

void play_slice(Contestant& contestant, double seconds) {
    auto& runners = contestant.runners;
    bool fine = true;
    if (runners.size() == 1) {
        fine = play_for(*runners[0], seconds, contestant.played);
    } else {
        std::vector<Played> played(runners.size());
        const auto begin = std::chrono::steady_clock::now();
        run_in_threads(runners.size(), [&](std::size_t i) { play_for(*runners[i], seconds, played[i]); });
        for (Played& part : played) {
            part.seconds = 0;
            contestant.played += part;
        }
        contestant.played.seconds += seconds_since(begin);
        fine = contestant.fault_text().empty();
    }
    if (!fine) contestant.fault = contestant.fault_text();
}

// Counts once, and adds that to the contestant's figures. Empty: it was stopped, or a rule failed.
std::optional<std::uint64_t> add_count(Contestant& contestant, Count& count, int depth) {
    const double begin = thread_seconds();
    const auto nodes = count.nodes_to(depth);
    if (!nodes) {
        if (!interrupted()) contestant.fault = nodes.error().text;
        return std::nullopt;
    }
    count.seconds += thread_seconds() - begin;
    count.nodes += *nodes;
    return *nodes;
}

void forget(Count& count) {
    count.nodes = 0;
    count.seconds = 0;
}

using Kind = Count Contestant::*; // which of the counts

// Increases the depth by one ply as long as the next count is expected to fit into the time for every contestant of the
// group, and the counts so far have fitted too. All must count the same number of lines of play; searches may differ,
// since they try moves in different orders.
void choose_depth(std::span<Contestant* const> group, Kind kind, double seconds) {
    double nodes_before = 1, expected = 0, spent = 0;
    for (int depth = 1; expected < seconds && spent < seconds; ++depth) {
        std::optional<std::uint64_t> agreed;
        double slowest = 0;
        for (Contestant* contestant : group) {
            if (!contestant->fault.empty()) continue;
            Count& own = contestant->*kind;
            forget(own);
            const auto nodes = add_count(*contestant, own, depth);
            if (!nodes && contestant->fault.empty()) return;
            if (!nodes) continue;
            if (kind == &Contestant::perft && agreed && *agreed != *nodes) {
                contestant->fault =
                    fmt::format("perft {}: {} nodes, and {} by {}", depth, *nodes, *agreed, group.front()->name);
                continue;
            }
            agreed = nodes;
            slowest = std::max(slowest, own.seconds);
            spent += own.seconds;
        }
        if (!agreed || *agreed == 0) return;                                                    // every line is over
        if (kind != &Contestant::perft && static_cast<double>(*agreed) == nodes_before) return; // searched to the end
        for (Contestant* contestant : group) (contestant->*kind).depth = depth;
        const auto nodes = static_cast<double>(*agreed);
        expected = slowest * std::max(nodes / nodes_before, 1.5);
        nodes_before = nodes;
    }
}

void choose_depths(std::vector<Contestant>& contestants, Kind kind, double seconds) {
    std::vector<Contestant*> fast;
    for (Contestant& contestant : contestants)
        if ((contestant.*kind).nodes_to && !contestant.slow) fast.push_back(&contestant);
    choose_depth(fast, kind, seconds);
    for (Contestant& contestant : contestants)
        if ((contestant.*kind).nodes_to && contestant.slow) choose_depth(std::array{&contestant}, kind, seconds);
    for (Contestant& contestant : contestants) forget(contestant.*kind);
}

// Calls turn(contestant) for each in turn that has not failed, as long as any of these calls returns true: it has time
// left.
template <class Turn>
void take_turns(std::vector<Contestant>& contestants, Turn&& turn) {
    Progress line;
    for (bool more = true; more;) {
        more = false;
        for (Contestant& contestant : contestants) {
            if (interrupted()) return;
            if (!contestant.fault.empty()) continue;
            if (line.due()) line.show(contestant.name);
            more = turn(contestant) || more;
        }
    }
}

void count_in_turns(std::vector<Contestant>& contestants, Kind kind, double seconds) {
    choose_depths(contestants, kind, seconds);
    take_turns(contestants, [&](Contestant& contestant) {
        Count& own = contestant.*kind;
        if (own.depth == 0) return false;
        const double end = own.seconds + counting_share * slice;
        do
            if (!add_count(contestant, own, own.depth)) return false;
        while (own.seconds < end);
        return own.seconds < seconds;
    });
}

} // namespace

Played& Played::operator+=(const Played& other) {
    plies += other.plies;
    finished += other.finished;
    finished_plies += other.finished_plies;
    unfinished += other.unfinished;
    seconds += other.seconds;
    return *this;
}

Contestant described(OpenGame open, std::uint64_t seed, std::uint32_t threads) {
    Contestant contestant;
    contestant.name = open.game.executor_name();
    contestant.slow = contestant.name == "reference";
    std::vector<DescribedRunner*> runners;
    const auto add = [&](game::Game game) {
        auto runner = std::make_unique<DescribedRunner>(std::move(game), open.start, seed + runners.size());
        runners.push_back(runner.get());
        contestant.runners.push_back(std::move(runner));
    };
    for (std::uint32_t t = 1; t < threads; ++t) add(open.game.clone());
    add(std::move(open.game));
    contestant.perft.nodes_to = [&game = runners[0]->game, &start = runners[0]->start](int depth) {
        return game::perft(game, start, depth, [] { return interrupted().load(); });
    };
    contestant.fault_text = [runners] {
        for (const DescribedRunner* runner : runners)
            if (runner->game.faulted()) return runner->game.fault_text();
        return std::string();
    };
    return contestant;
}

void add_alpha_beta(Contestant& contestant, const ir::Program& rules, const GameOptions& options) {
    auto bare = std::make_shared<ir::Program>(rules);
    bare->evals.clear();
    auto open = std::make_shared<game::Game>(std::move(bare), executor_kind(options.executor, options.measured));
    contestant.alpha_beta.nodes_to = [open](int depth) -> tl::expected<std::uint64_t, Error> {
        search::Limits limits;
        limits.depth = depth;
        limits.stop = &interrupted();
        const search::Options plain{
            .table = false, .ordering = false, .deepening = false, .scout = false, .window = search::RootWindow::Full};
        const auto found = search::search(*open, open->initial(), search::Method::AlphaBeta, limits, plain);
        if (!found.complete) return failure(found.fault);
        return found.nodes;
    };
}

Contestant written_by_hand(const by_hand::Program& program, std::uint64_t seed, std::uint32_t threads) {
    Contestant contestant;
    contestant.name = "by hand";
    for (std::uint32_t t = 0; t < threads; ++t)
        contestant.runners.push_back(std::make_unique<RunnerByHand>(program, seed + t));
    contestant.perft.nodes_to = [&program](int depth) { return program.perft(depth); };
    if (program.alpha_beta != nullptr)
        contestant.alpha_beta.nodes_to = [&program](int depth) { return program.alpha_beta(depth); };
    contestant.fault_text = [] { return std::string(); };
    return contestant;
}

void compare(std::vector<Contestant>& contestants, double seconds) {
    take_turns(contestants, [&](Contestant& contestant) {
        const double left = seconds - contestant.played.seconds;
        if (left > 0) play_slice(contestant, std::min(left, slice));
        return left > slice;
    });
    for (const Kind kind : {&Contestant::perft, &Contestant::alpha_beta}) {
        if (interrupted()) return;
        count_in_turns(contestants, kind, counting_share * seconds);
    }
}

double playouts_per_second(const Contestant& contestant, const std::vector<Contestant>& all) {
    const Contestant* lengths = &contestant;
    for (const Contestant& other : all)
        if (lengths->played.finished < enough_games && other.played.finished > lengths->played.finished)
            lengths = &other;
    if (lengths->played.finished == 0 || contestant.played.seconds == 0) return 0;
    if (lengths->played.finished_plies == 0) // games that are over at their start
        return static_cast<double>(contestant.played.finished) / contestant.played.seconds;
    return contestant.states_per_second() / lengths->played.mean_plies();
}

} // namespace zug::cli

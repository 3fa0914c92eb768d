#include "game/perft.hpp"

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"

#include <algorithm>
#include <memory>

namespace zug::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct PerftOptions {
    GameOptions game;
    int depth = 1;
    std::uint32_t threads = 1;
    bool split = false, json = false;
};

// Recursion is one frame a ply.
constexpr int deepest = 10'000;

struct Counted {
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<game::Divided> split;
};

std::string speed_text(const Counted& count) {
    return grouped(static_cast<std::uint64_t>(static_cast<double>(count.nodes) / std::max(count.seconds, 1e-9)));
}

tl::expected<Counted, Error> count_lines(game::ParallelPerft& perft, const game::State& start, int depth, bool split) {
    Progress line;
    const auto begin = Clock::now();
    const game::Stop stop = [&] {
        if (line.due()) line.show(fmt::format("depth {}", depth));
        return interrupted().load();
    };
    Counted count;
    count.depth = depth;
    if (split) {
        auto parts = perft.divide(start, depth, stop);
        if (!parts) return tl::unexpected(parts.error());
        count.split = std::move(*parts);
        for (const auto& part : count.split) count.nodes += part.nodes;
    } else {
        const auto nodes = perft.count(start, depth, stop);
        if (!nodes) return tl::unexpected(nodes.error());
        count.nodes = *nodes;
    }
    count.seconds = seconds_since(begin);
    return count;
}

int fail(const Error& error) {
    complain(error.text);
    return interrupted() ? exit_interrupted : exit_failed;
}

Json count_json(const Counted& count, bool split) {
    Json json = {{"depth", count.depth}, {"nodes", count.nodes}, {"seconds", count.seconds}};
    if (split) {
        json["split"] = Json::array();
        for (const auto& part : count.split) json["split"].push_back({{"move", part.move}, {"nodes", part.nodes}});
    }
    return json;
}

// What one count found, all of it.
int report_one(game::ParallelPerft& perft, const game::State& start, const PerftOptions& options) {
    const auto count = count_lines(perft, start, options.depth, options.split);
    if (!count) return fail(count.error());
    if (options.json) {
        print_json(count_json(*count, options.split));
        return exit_fine;
    }
    std::size_t width = 0;
    for (const auto& part : count->split) width = std::max(width, part.move.size());
    for (const auto& part : count->split) say("{:{}}  {}\n", part.move, width, part.nodes);
    say("depth {}: {} nodes, {}, {} nodes/s\n", count->depth, grouped(count->nodes), duration_text(count->seconds),
        speed_text(*count));
    return exit_fine;
}

// Every depth up to the one asked for, so that there is output from the start.
int report_depths(game::ParallelPerft& perft, const game::State& start, const PerftOptions& options) {
    say("{:>5} {:>20} {:>12} {:>16}\n", "depth", "nodes", "time", "nodes/s");
    for (int depth = std::min(1, options.depth); depth <= options.depth; ++depth) {
        const auto count = count_lines(perft, start, depth, false);
        if (!count) return fail(count.error());
        say("{:>5} {:>20} {:>12} {:>16}\n", depth, grouped(count->nodes), duration_text(count->seconds),
            speed_text(*count));
        flush();
    }
    return exit_fine;
}

int run_perft(const PerftOptions& options) {
    if (options.split && options.depth == 0) {
        complain("--split needs a depth of at least 1");
        return exit_usage;
    }
    auto open = open_game(options.game);
    if (!open) return open.error();
    game::ParallelPerft perft(open->game, options.threads);
    return options.json || options.split ? report_one(perft, open->start, options)
                                         : report_depths(perft, open->start, options);
}

} // namespace

Run add_perft(Command& program) {
    Command app = program.add_command("perft", "Count the lines of play of a given length");
    auto options = std::make_shared<PerftOptions>();
    add_game_options(app, options->game);
    app.add_option("--depth", options->depth, "The length in plies: moves and chance events")
        .type_name("N")
        .within(0, deepest)
        .required();
    app.add_flag("--split", options->split, "Print the count after each first move");
    add_threads_option(app, options->threads, "The number of threads");
    add_start_options(app, options->game);
    add_json_flag(app, options->json);
    add_example(app, "zug perft breakthrough --depth 4 --split");
    return [options] { return run_perft(*options); };
}

} // namespace zug::cli

#include "solve/solve.hpp"
#include "cli/command.hpp"
#include "cli/family.hpp"
#include "cli/interrupt.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/outcome.hpp"
#include "cli/output.hpp"
#include "cli/proof.hpp"
#include "solve/database_writer.hpp"
#include "solve/verify.hpp"

#include <chrono>
#include <fmt/ranges.h>
#include <memory>
#include <thread>

namespace zug::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct SolveOptions {
    std::vector<std::string> files;
    GameOptions game;
    std::string folder; // for databases; empty: none
    std::uint64_t most_positions = UINT64_MAX;
    std::uint32_t threads = std::max(1U, std::thread::hardware_concurrency());
    std::uint64_t memory = 0; // 0: most of what is free
    double checkpoint_seconds = 30;
    std::string ties = "spiteful";
    ProofOptions proof;
    bool verify = false, again = false, no_symmetry = false;
    bool csv = false, json = false;
};

// What became of an instance.
struct Row {
    std::string file, title; // title: the file with its parameters as given
    std::vector<std::string> params;
    std::string error; // empty: it is solved
    solve::Solution solution;
    std::string value;                  // as people read it
    std::optional<search::Proof> proof; // then the solution has the value only
    double seconds = 0;
    std::uint64_t bytes = 0, peak_memory = 0;
    bool kept = false; // its database was there
};

class Family {
public:
    explicit Family(const SolveOptions& options) : options_(options) {}

    int run() {
        if (options_.memory != 0) give_back_what_is_freed();
        const auto instances = instances_of(options_.files, options_.game);
        if (!instances) return instances.error();
        std::vector<Row> rows;
        int code = exit_fine;
        for (const GameOptions& instance : *instances) {
            const int own = solve(instance, rows.emplace_back());
            if (own == exit_usage && instances->size() == 1) return own;
            code = std::max(code, own);
            if (!rows.back().error.empty() && rows.back().error != solve::stopped)
                complain(fmt::format("{}: {}", rows.back().title, rows.back().error));
            if (interrupted()) return print(rows), exit_interrupted;
        }
        print(rows);
        return code;
    }

private:
    int solve(const GameOptions& instance, Row& row) {
        row.file = instance.file;
        row.params = instance.defines;
        row.title =
            fmt::format("{}{}{}", instance.file, instance.defines.empty() ? "" : " ", fmt::join(instance.defines, " "));
        forget_peak_memory();
        auto open = open_game(instance);
        if (!open) {
            row.error = "the rules can't be loaded";
            return open.error();
        }
        const auto begin = Clock::now();
        const auto memory = table_memory();
        if (memory) table_memory_ = *memory;
        const auto done = !options_.proof.method.empty() ? by_proof(*open, row)
                          : !memory                      ? tl::unexpected(memory.error())
                          : options_.folder.empty()      ? in_memory(*open, row)
                                                         : on_disk(*open, row);
        line_.clear();
        row.seconds = seconds_since(begin);
        row.peak_memory = peak_memory();
        if (done) {
            row.value = value_text(open->game, row.solution);
            return exit_fine;
        }
        row.error = done.error().text;
        if (row.error == solve::too_wide) row.error += "; `--prove` finds a value without a table of all positions";
        return exit_failed;
    }

    tl::expected<void, game::Error> in_memory(OpenGame& open, Row& row) {
        auto solution = solve::solve(open.game, open.start, limits(row));
        if (!solution) return tl::unexpected(solution.error());
        row.solution = std::move(*solution);
        return {};
    }

    tl::expected<void, game::Error> by_proof(OpenGame& open, Row& row) {
        const auto proof = prove_value(open, options_.proof, options_.threads, [&](const std::string& text) {
            if (line_.due()) line_.show(text);
        });
        if (!proof) return tl::unexpected(proof.error());
        row.proof = *proof;
        row.solution.value = {proof->low, 0.0 - proof->low};
        return {};
    }

    tl::expected<void, game::Error> on_disk(OpenGame& open, Row& row) {
        const auto done = in_database(open, row, limits(row));
        if (done || row.kept || row.solution.symmetries == 1 || done.error().text == solve::stopped) return done;
        // Checking has shown, maybe, that the rules are less symmetric than they seemed.
        solve::Options without = limits(row);
        without.symmetries = false;
        without.again = true;
        return in_database(open, row, without);
    }

    // An error, too: a check that was asked for finds that the database is wrong.
    tl::expected<void, game::Error> in_database(OpenGame& open, Row& row, const solve::Options& limits) {
        const auto path =
            std::filesystem::path(options_.folder) / solve::file_name(solve::identity_of(open.game.program()));
        std::error_code error;
        std::filesystem::create_directories(options_.folder, error);
        if (error) return tl::unexpected(game::Error{fmt::format("{}: {}", options_.folder, error.message())});
        if (!limits.again && std::filesystem::exists(path, error)) {
            row.kept = solve::Database::open(path, open.game).has_value();
        }
        const std::filesystem::path work = path.string() + ".work";
        if (row.kept) {
            solve::Work::remove(work);
        } else {
            solve::DatabaseWriter writer(path, open.game.program());
            solve::Options options = limits;
            options.work = {work, options_.checkpoint_seconds};
            if (auto solution = solve::solve(open.game, open.start, options, &writer); !solution) {
                const bool can_go_on = std::filesystem::exists(work, error);
                if (solution.error().text != solve::stopped)
                    solution.error().text += can_go_on ? "; the same command goes on from the last checkpoint" : "";
                else if (can_go_on)
                    note(row, "stopped; the same command goes on from here");
                return tl::unexpected(solution.error());
            }
        }
        auto database = solve::Database::open(path, open.game);
        if (!database) return tl::unexpected(database.error());
        row.solution = database->solution();
        row.bytes = database->bytes();
        return options_.verify ? check(*database, open.game) : tl::expected<void, game::Error>{};
    }

    tl::expected<void, game::Error> check(solve::Database& database, game::Game& game) {
        const auto check = solve::verify(database, game, options_.threads, progress(), {table_memory_});
        if (!check) return tl::unexpected(check.error());
        if (check->wrong.empty()) return {};
        std::string text = fmt::format("the database is wrong:\n  {}", fmt::join(check->wrong, "\n  "));
        if (database.solution().symmetries > 1)
            text += "\nThe game may be less symmetric than it seems: solve it with --again --no-symmetry.";
        return tl::unexpected(game::Error{std::move(text)});
    }

    void note(const Row& row, const std::string& text) {
        line_.clear();
        complain(fmt::format("{}: {}", row.title, text));
    }

    // What the process takes without tables: what is there now, machine code that is to come, and the threads.
    std::uint64_t other_memory() const { return used_memory() + ((8 + 2 * std::uint64_t{options_.threads}) << 20); }

    // Of what is asked for, the memory that tables may take.
    tl::expected<std::uint64_t, game::Error> table_memory() const {
        constexpr std::uint64_t least = 2 << 20;
        if (options_.memory == 0) return free_memory() / 4 * 3;
        const std::uint64_t other = other_memory();
        if (options_.memory >= other + least) return options_.memory - other;
        return tl::unexpected(
            game::Error{fmt::format("so little memory is not enough: on {} threads --memory must be {}M at least",
                                    options_.threads, ((other + least) >> 20) + 1)});
    }

    solve::Options limits(const Row& row) {
        solve::Options limits;
        limits.budget = {table_memory_};
        limits.again = options_.again;
        limits.note = [this, &row](const std::string& text) { note(row, text); };
        limits.threads = options_.threads;
        limits.most_positions = options_.most_positions;
        limits.ties = options_.ties == "kind" ? solve::Ties::Kind : solve::Ties::Spiteful;
        limits.symmetries = !options_.no_symmetry;
        limits.stop = progress();
        return limits;
    }

    // Rate and, where the end is known, the share done.
    solve::Stop progress() {
        return [this, begin = Clock::now(), first = std::optional<solve::Stage>()](const solve::Stage& stage) mutable {
            if (!first || stage.work != first->work) {
                first = stage;
                begin = Clock::now();
            }
            if (line_.due()) line_.show(stage_text(stage, first->positions, seconds_since(begin)));
            return interrupted().load();
        };
    }

    static std::string value_text(const game::Game& game, const solve::Solution& solution) {
        if (solution.repetition) return "draw by repetition";
        if (solution.chance) return expected_text(game, solution.value, solution.win_probability);
        return outcome_text(game, solution.value);
    }

    // `before`: positions that an earlier run did; the others took so many seconds.
    static std::string stage_text(const solve::Stage& stage, std::uint64_t before, double seconds) {
        const double rate =
            static_cast<double>(stage.positions - std::min(stage.positions, before)) / std::max(seconds, 1e-3);
        const std::string speed = grouped(static_cast<std::uint64_t>(rate)) + " a second";
        if (stage.of == 0) return fmt::format("{} positions found, {}", grouped(stage.positions), speed);
        const double left = static_cast<double>(stage.of - std::min(stage.of, stage.positions)) / std::max(rate, 1.0);
        return fmt::format("{} {} of {} positions, {}, {} left",
                           stage.work == solve::Stage::Work::Checking ? "checked" : "solved", grouped(stage.positions),
                           grouped(stage.of), speed, duration_text(left));
    }

    void print(const std::vector<Row>& rows) const;

    const SolveOptions& options_;
    std::uint64_t table_memory_ = 0; // bytes, for this instance
    Progress line_;
};

// -- what is printed

Json row_json(const Row& row) {
    Json params = Json::object();
    for (const std::string& define : row.params)
        params[define.substr(0, define.find('='))] = define.substr(define.find('=') + 1);
    Json json = {{"file", row.file}, {"params", params}};
    if (!row.error.empty()) {
        json["error"] = row.error;
        return json;
    }
    const solve::Solution& solution = row.solution;
    json["value"] = solution.value.front();
    if (row.proof) {
        json["method"] = search::prover_name(row.proof->prover);
        json["nodes"] = row.proof->nodes;
        json["seconds"] = row.seconds;
        json["peak_memory"] = row.peak_memory;
        return json;
    }
    if (solution.value.size() > 2) json["values"] = solution.value;
    json["remoteness"] = solution.remoteness ? Json(*solution.remoteness) : Json();
    if (solution.win_probability) json["win_probability"] = *solution.win_probability;
    if (solution.chance) json["value_error"] = solution.error;
    json["repetition"] = solution.repetition;
    json["positions"] = solution.positions;
    json["with_symmetry"] = solution.with_symmetry;
    json["symmetries"] = solution.symmetries;
    json["moves"] = solution.moves;
    if (!solution.chance) {
        json["won"] = solution.tally.won;
        json["lost"] = solution.tally.lost;
        json["drawn"] = solution.tally.drawn;
    }
    json["assumes"] = solution.assumes;
    json["seconds"] = row.seconds;
    json["bytes"] = row.bytes;
    json["peak_memory"] = row.peak_memory;
    return json;
}

std::string remoteness_text(const solve::Solution& solution) {
    return solution.remoteness ? std::to_string(*solution.remoteness) : "";
}

void say_row(const Row& row) {
    const solve::Solution& solution = row.solution;
    say("value        {}\n", row.value);
    if (row.proof) {
        say("proved by    {}, {} nodes\n", search::prover_name(row.proof->prover), grouped(row.proof->nodes));
        say("time         {}\n", duration_text(row.seconds));
        say("memory       {} MB at the peak\n", grouped(row.peak_memory >> 20));
        return;
    }
    if (solution.remoteness) say("remoteness   {} plies\n", *solution.remoteness);
    say("positions    {}\n", grouped(solution.positions));
    if (solution.chance)
        say("error        at most {:.1e}\n", solution.error);
    else
        say("             {} won, {} lost, {} drawn for the player to move\n", grouped(solution.tally.won),
            grouped(solution.tally.lost), grouped(solution.tally.drawn));
    say("moves        {}\n", grouped(solution.moves));
    if (solution.symmetries > 1)
        say("symmetries   {}: {} of the positions stand for all\n", solution.symmetries,
            grouped(solution.with_symmetry));
    say("time         {}{}\n", duration_text(row.seconds), row.kept ? ", the database was there" : "");
    say("memory       {} MB at the peak\n", grouped(row.peak_memory >> 20));
    if (row.bytes != 0)
        say("database     {} bytes, {:.2f} a position\n", grouped(row.bytes),
            static_cast<double>(row.bytes) / static_cast<double>(solution.positions));
    for (const auto& sentence : solution.assumes) say("taken for granted: {}\n", sentence);
}

void say_table(const std::vector<Row>& rows) {
    std::size_t title = 8, value = 5;
    for (const Row& row : rows) {
        title = std::max(title, row.title.size());
        value = std::max(value, row.value.size());
    }
    say("{:{}}  {:{}}  {:>10} {:>14} {:>14} {:>9} {:>9} {:>13}\n", "instance", title, "value", value, "remoteness",
        "positions", "with symmetry", "time", "memory", "bytes");
    for (const Row& row : rows) {
        if (!row.error.empty()) {
            say("{:{}}  not solved\n", row.title, title);
            continue;
        }
        say("{:{}}  {:{}}  {:>10} {:>14} {:>14} {:>9} {:>6} MB {:>13}\n", row.title, title, row.value, value,
            remoteness_text(row.solution), row.proof ? "" : grouped(row.solution.positions),
            row.proof ? "" : grouped(row.solution.with_symmetry), row.kept ? "there" : duration_text(row.seconds),
            row.peak_memory >> 20, row.bytes == 0 ? "" : grouped(row.bytes));
    }
}

void say_csv(const std::vector<Row>& rows) {
    say("instance,value,remoteness,positions,with_symmetry,seconds,peak_memory,bytes\n");
    for (const Row& row : rows) {
        if (!row.error.empty()) continue;
        say("{},{},{},{},{},{:.3f},{},{}\n", row.title, row.solution.value.front(), remoteness_text(row.solution),
            row.solution.positions, row.solution.with_symmetry, row.seconds, row.peak_memory, row.bytes);
    }
}

void Family::print(const std::vector<Row>& rows) const {
    if (options_.json) {
        Json json = Json::array();
        for (const Row& row : rows) json.push_back(row_json(row));
        print_json(json);
    } else if (options_.csv) {
        say_csv(rows);
    } else if (rows.size() > 1) {
        say_table(rows);
    } else if (rows.front().error.empty()) {
        say_row(rows.front());
    }
}

int run_solve(const SolveOptions& options) {
    if (!options.folder.empty() && !(options.game.moves.empty() && options.game.position.empty())) {
        complain("-o keeps whole games: it can't be used with --moves or --position");
        return exit_usage;
    }
    if (!options.proof.method.empty() && !options.folder.empty()) {
        complain("--prove finds the value of one position: there is nothing to keep with -o");
        return exit_usage;
    }
    if (options.verify && options.folder.empty()) {
        complain("--verify checks databases: it needs -o");
        return exit_usage;
    }
    return Family(options).run();
}

} // namespace

Run add_solve(CLI::App& program) {
    CLI::App* app = program.add_subcommand("solve", "Find the value of every position of small games, and keep them");
    auto options = std::make_shared<SolveOptions>();
    app->add_option("FILE", options->files, "Rule files, or names of files in rules/")->required()->type_name("");
    add_define_option(*app, options->game.defines);
    add_executor_option(*app, options->game.executor);
    app->add_option("-o", options->folder, "A folder for databases, one a game, which `zug query` reads")
        ->type_name("DIR");
    app->add_flag("--verify", options->verify, "Derive every result in the databases once more from its successors");
    app->add_flag("--again", options->again,
                  "Solve games whose databases or checkpoints are there, too, from the start");
    app->add_flag("--no-symmetry", options->no_symmetry,
                  "Keep every position by itself, instead of one for all that symmetries of the game lead to");
    app->add_option("--positions", options->most_positions, "Give up beyond so many positions")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""));
    app->add_option("--memory", options->memory,
                    "Stay below so much memory, as in 8G: what does not fit goes into files, in DIR with -o, else in "
                    "$TMPDIR or /var/tmp (default: three quarters of what is free)")
        ->type_name("BYTES")
        ->transform(CLI::AsSizeValue(false).description(""));
    add_time_option(*app, "--checkpoint", options->checkpoint_seconds,
                    "With -o: keep the state so often; after a kill the same command goes on from there",
                    Zero::Allowed);
    app->add_option("--ties", options->ties,
                    "More than two players: of what is worth the same to oneself, what is worth least to the others "
                    "(spiteful) or most (kind)")
        ->type_name("RULE")
        ->check(CLI::IsMember({"spiteful", "kind"}).description(""))
        ->capture_default_str();
    add_proof_options(*app, options->proof);
    add_threads_option(*app, options->threads, "Work on so many threads");
    add_start_options(*app, options->game);
    app->add_flag("--csv", options->csv, "Print the results as a table with commas");
    add_json_flag(*app, options->json);
    add_example(*app, "zug solve hexapawn -D width=3..4 -o solved");
    return [options] { return run_solve(*options); };
}

} // namespace zug::cli

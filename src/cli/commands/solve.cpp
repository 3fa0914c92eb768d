#include "solve/solve.hpp"
#include "base/process/memory.hpp"
#include "cli/command.hpp"
#include "cli/family.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/outcome.hpp"
#include "cli/output.hpp"
#include "cli/reports/proof.hpp"
#include "cli/reports/solve_report.hpp"
#include "cli/system/checkpoint_key.hpp"
#include "solve/database/database_writer.hpp"
#include "solve/database/verify.hpp"
#include "solve/storage/scratch.hpp"

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
    bool verify = false, again = false, no_symmetry = false, trusted = false;
    bool csv = false, json = false;

    Form form() const { return json ? Form::Json : csv ? Form::Csv : Form::Text; }
};

class Family {
public:
    explicit Family(const SolveOptions& options) : options_(options) {}

    int run() {
        if (options_.memory != 0) return_freed_memory();
        const auto instances = instances_of(options_.files, options_.game);
        if (!instances) return instances.error();
        std::vector<InstanceReport> reports;
        int code = exit_fine;
        for (const GameOptions& instance : *instances) {
            const int own = solve(instance, reports.emplace_back());
            if (own == exit_usage && instances->size() == 1) return own;
            code = std::max(code, own);
            tell_error(reports.back());
            if (interrupted()) {
                code = exit_interrupted;
                break;
            }
        }
        print_reports(reports, options_.form());
        return code;
    }

private:
    // With a folder, in_database() has said already how to resume.
    void tell_error(const InstanceReport& report) {
        if (report.error == solve::stopped && options_.folder.empty())
            note(report, "stopped; with -o DIR checkpoints are written, from which the same command resumes");
        else if (!report.error.empty() && report.error != solve::stopped)
            note(report, report.error);
    }

    int solve(const GameOptions& instance, InstanceReport& report) {
        report.file = instance.file;
        report.params = instance.defines;
        report.title = title_of(instance);
        reset_peak_memory();
        auto open = open_game(instance);
        if (!open) {
            report.error = "the rules can't be loaded";
            return open.error();
        }
        const auto begin = Clock::now();
        const auto memory = table_memory();
        if (memory) table_memory_ = *memory;
        const auto done = !options_.proof.method.empty() ? by_proof(*open, report)
                          : !memory                      ? tl::unexpected(memory.error())
                          : options_.folder.empty()      ? in_memory(*open, report)
                                                         : on_disk(*open, report);
        line_.clear();
        report.seconds = seconds_since(begin);
        report.peak_memory = peak_memory();
        if (done) {
            report.value = value_text(open->game, report.solution);
            return exit_fine;
        }
        report.error = done.error().text;
        return exit_failed;
    }

    tl::expected<void, Error> in_memory(OpenGame& open, InstanceReport& report) {
        auto solution = solve::solve(open.game, open.start, limits(open.game, report));
        if (!solution) return tl::unexpected(solution.error());
        report.solution = std::move(*solution);
        return {};
    }

    tl::expected<void, Error> by_proof(OpenGame& open, InstanceReport& report) {
        const auto proof = prove_value(open, options_.proof, options_.threads, [&](const std::string& text) {
            if (line_.due()) line_.show(text);
        });
        if (!proof) return tl::unexpected(proof.error());
        report.proof = *proof;
        if (!proof->proven()) return failure(unproved_text(open.game, *proof));
        report.solution.value = by_player(open.game, proof->low);
        return {};
    }

    tl::expected<void, Error> on_disk(OpenGame& open, InstanceReport& report) {
        const auto done = in_database(open, report, limits(open.game, report));
        if (done || report.kept || report.solution.symmetries == 1 || done.error().text == solve::stopped) return done;
        // Verification may have shown that the rules are less symmetric than they seemed.
        solve::Options without = limits(open.game, report);
        without.symmetries = false;
        without.again = true;
        return in_database(open, report, without);
    }

    // It is an error too if verification was asked for and finds the database wrong.
    tl::expected<void, Error> in_database(OpenGame& open, InstanceReport& report, const solve::Options& limits) {
        const auto path = std::filesystem::path(options_.folder) / solve::file_name(solve::identity_of(open.game));
        std::error_code error;
        std::filesystem::create_directories(options_.folder, error);
        if (error) return failure(fmt::format("can't make the folder {}: {}", options_.folder, error.message()));
        if (auto made = make_database(path, open, report, limits); !made) return made;
        auto database = solve::Database::open(path, open.game);
        if (!database) return tl::unexpected(database.error());
        report.solution = database->solution();
        report.bytes = database->bytes();
        return options_.verify ? check(*database, open.game) : tl::expected<void, Error>{};
    }

    // Makes the database unless there is one that can be used. Nothing is created or removed without the lock, and what
    // another process has made meanwhile is used.
    tl::expected<void, Error> make_database(const std::filesystem::path& path, OpenGame& open, InstanceReport& report,
                                            const solve::Options& limits) {
        const std::filesystem::path work = path.string() + ".work";
        const auto reusable = [&] { return !limits.again && is_reusable(path, open.game, report); };
        std::error_code error;
        const auto before = std::filesystem::last_write_time(path, error);
        report.kept = reusable();
        if (report.kept && !std::filesystem::exists(work, error)) return {};
        auto locked = solve::WorkFolder::lock(work);
        if (!locked && report.kept) return {}; // another process works on it again; this one only reads
        if (!locked) return tl::unexpected(locked.error());
        solve::Options options = limits;
        const auto key = checkpoint_key();
        if (!key)
            note(report,
                 "only --trust-checkpoint will resume from checkpoints, since there is no key: " + key.error().text);
        options.work = {std::move(*locked), options_.checkpoint_seconds, key ? std::optional(*key) : std::nullopt,
                        options_.trusted};
        if (!report.kept && std::filesystem::last_write_time(path, error) != before) report.kept = reusable();
        if (report.kept) {
            solve::Work(options.work).clear(); // of a process that was killed when it was done
            return {};
        }
        solve::DatabaseWriter writer(path, open.game);
        auto solution = solve::solve(open.game, open.start, options, &writer);
        saving_.reset();
        if (solution) return {};
        const bool can_resume = solve::Work::has_checkpoint(work);
        const bool is_foreign = solution.error().text == solve::not_authentic;
        if (solution.error().text != solve::stopped)
            solution.error().text +=
                can_resume && !is_foreign ? "; the same command resumes from the last checkpoint" : "";
        else if (can_resume)
            note(report, "stopped; the same command resumes from here");
        return tl::unexpected(solution.error());
    }

    // Whether there is a database that was solved with the same options, and is undamaged.
    bool is_reusable(const std::filesystem::path& path, game::Game& game, const InstanceReport& report) {
        std::error_code error;
        if (!std::filesystem::exists(path, error)) return false;
        const auto database = solve::Database::open(path, game);
        if (!database || !(database->ties() == ties() || game.traits().zero_sum || game.players() == 1)) return false;
        const auto damaged = database->damaged_block();
        if (damaged)
            note(report, fmt::format("{} is damaged in block {} of {}; solving again", path.string(), *damaged + 1,
                                     database->blocks()));
        return !damaged;
    }

    tl::expected<void, Error> check(solve::Database& database, game::Game& game) {
        const auto check = solve::verify(database, game, options_.threads, progress(), {table_memory_});
        if (!check) return tl::unexpected(check.error());
        if (check->wrong.empty()) return {};
        std::string text = fmt::format("the database is wrong:\n  {}", fmt::join(check->wrong, "\n  "));
        if (database.solution().symmetries > 1)
            text += "\nThe game may be less symmetric than it seems: solve it with --again --no-symmetry.";
        return failure(std::move(text));
    }

    void note(const InstanceReport& report, const std::string& text) {
        line_.clear();
        complain(fmt::format("{}: {}", report.title, text));
    }

    // The memory of the process apart from tables: what it uses now, machine code still to be made, and the threads.
    std::uint64_t other_memory() const {
        return solve::resident_memory() + ((8 + 2 * std::uint64_t{options_.threads}) << 20);
    }

    // The memory left for tables, out of the limit or of free memory.
    tl::expected<std::uint64_t, Error> table_memory() const {
        constexpr std::uint64_t least = 2 << 20;
        if (options_.memory == 0) return free_memory() / 4 * 3;
        const std::uint64_t other = other_memory();
        if (options_.memory >= other + least) return options_.memory - other;
        return tl::unexpected(Error{fmt::format("--memory is too low: {} threads need at least {}M", options_.threads,
                                                ((other + least) >> 20) + 1)});
    }

    solve::Ties ties() const { return options_.ties == "kind" ? solve::Ties::Kind : solve::Ties::Spiteful; }

    solve::Options limits(const game::Game& game, const InstanceReport& report) {
        const bool can_be_proved = search::refusal(search::Prover::AlphaBeta, game.traits()).empty();
        solve::Options limits;
        limits.budget = {table_memory_};
        limits.again = options_.again;
        limits.note = [this, &report, can_be_proved](const std::string& text) {
            const bool may_be_long = can_be_proved && text == solve::lists_combinations;
            note(report, may_be_long ? text + "; `--prove` finds the value of the start alone" : text);
        };
        limits.threads = options_.threads;
        limits.most_positions = options_.most_positions;
        limits.ties = ties();
        limits.symmetries = !options_.no_symmetry;
        limits.stop = progress();
        return limits;
    }

    // Shows the rate and, once the total is known, the share done and the time left.
    solve::Stop progress() {
        return [this, begin = Clock::now(), first = std::optional<solve::Stage>()](const solve::Stage& stage) mutable {
            if (!first || stage.work != first->work) {
                first = stage;
                begin = Clock::now();
            }
            if (line_.due())
                line_.show(stage_text(stage, first->positions, seconds_since(begin)), stage.positions, stage.of);
            // From the first positions on there is something to save.
            if (!options_.folder.empty() && !saving_) saving_.emplace();
            return interrupted().load();
        };
    }

    static std::string value_text(const game::Game& game, const solve::Solution& solution) {
        if (solution.repetition) return "draw by repetition";
        if (solution.chance) return expected_text(game, solution.value, solution.win_probability);
        return outcome_text(game, solution.value);
    }

    // `before`: positions done by an earlier run; the others took so many seconds.
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

    const SolveOptions& options_;
    std::uint64_t table_memory_ = 0; // bytes, for this instance
    std::optional<Saving> saving_;
    Progress line_;
};

// Why these options can't be combined; empty if they can.
std::string contradiction(const Command& app) {
    const auto given = [&](const char* option) { return app.count(option) > 0; };
    const auto first_given = [&](std::initializer_list<const char*> options) -> std::string {
        const auto* found = std::ranges::find_if(options, given);
        return found == options.end() ? "" : *found;
    };
    const std::string start = first_given({"--moves", "--position"}),
                      kept = first_given({"--checkpoint", "--again", "--trust-checkpoint"});
    const std::string table = first_given({"--memory", "--positions", "--no-symmetry", "--ties"});
    const std::string proof = first_given({"--table"});
    if (given("-o") && !start.empty()) return "-o stores the positions of a whole game: it can't be used with " + start;
    if (given("-o") && given("--prove"))
        return "--prove finds the value of one position only: it can't be used with -o";
    if (given("--verify") && !given("-o")) return "--verify checks databases: it needs -o";
    if (!kept.empty() && !given("-o")) return kept + " concerns files in the folder of databases: it needs -o";
    if (given("--prove") && !table.empty())
        return table + " has no meaning with --prove" + (table == "--memory" ? "; use --table" : "");
    if (!given("--prove") && !proof.empty()) return proof + " is for --prove; use --memory";
    return given("--csv") && given("--json") ? "--csv and --json can't be used together" : "";
}

int run_solve(const SolveOptions& options, const Command& app) {
    if (const std::string why = contradiction(app); !why.empty()) {
        complain(why);
        return exit_usage;
    }
    limit_time(options.proof.seconds);
    if (options.memory != 0)
        limit_memory(options.memory + options.memory / 4 + (std::uint64_t{64} * options.threads << 20));
    return Family(options).run();
}

} // namespace

Run add_solve(Command& program) {
    Command app = program.add_command("solve", "Find the value of every position of small games");
    auto options = std::make_shared<SolveOptions>();
    app.add_option("FILE", options->files, "Rule files, or names of files in rules/").required().type_name("");
    add_define_option(
        app, options->game.defines,
        "Set a parameter of the rule file, or solve for each value of a range: width=4..6; can be repeated");
    add_executor_option(app, options->game.executor);
    app.add_option("-o", options->folder, "Write a database for each game to this folder, for `zug query`")
        .type_name("DIR");
    app.add_flag("--verify", options->verify, "Check the databases: derive every result again from its successors");
    app.add_flag("--trust-checkpoint", options->trusted,
                 "Resume from a checkpoint that was made by another user or elsewhere");
    app.add_flag("--again", options->again, "Solve from the start, even if there is a database or a checkpoint");
    app.add_flag("--no-symmetry", options->no_symmetry,
                 "Store every position, instead of one for all its images under symmetries");
    app.add_option("--positions", options->most_positions, "Give up if there are more positions")
        .type_name("N")
        .check([](const std::string& text) {
            const bool whole = text.find_first_not_of("0123456789") == text.npos;
            return whole && text.find_first_not_of('0') != text.npos ? "" : "must be a whole number above 0";
        });
    add_bytes_option(
        app, "--memory", options->memory,
        "The limit of memory, as in 8G: what does not fit goes into files, in DIR with -o, else in $TMPDIR or "
        "/var/tmp (default: three quarters of free memory)");
    add_time_option(
        app, "--checkpoint", options->checkpoint_seconds,
        "With -o: the time between checkpoints, or longer if writing them is slow; the same command resumes "
        "from the last one",
        Zero::Allowed);
    app.add_option("--ties", options->ties,
                   "More than two players: of moves with equal utility to the mover, take the one with the least "
                   "(spiteful) or the greatest (kind) sum of the others' utilities")
        .type_name("RULE")
        .one_of({"spiteful", "kind"})
        .show_default();
    add_proof_options(app, options->proof);
    add_threads_option(app, options->threads, "The number of threads");
    add_start_options(app, options->game);
    app.add_flag("--csv", options->csv, "Print the results as CSV");
    add_json_flag(app, options->json);
    add_example(app, "zug solve hexapawn -D width=3..4 -o solved");
    return [options, app] { return run_solve(*options, app); };
}

} // namespace zug::cli

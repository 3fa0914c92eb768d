#include "learn/checkpoint.hpp"
#include "learn/net.hpp"
#include "learn/record_study.hpp"
#include "learn/trainer.hpp"
#include "learn/use.hpp"

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/reports/explain.hpp"
#include "cli/reports/learning_curve.hpp"
#include "cli/reports/patterns.hpp"
#include "match/learnable.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace zug::cli {

namespace {

struct LearnOptions {
    GameOptions game;
    learn::TrainerOptions trainer;
    std::string output;   // empty: the usual
    std::string log;      // empty: none
    std::string plot;     // empty: none
    std::string opponent; // empty: the usual, if there is a plot
    std::string model = "tuples";
    double exploration = learn::usual_exploration;
    bool explores = false; // as said
    std::uint32_t depth = 0;
    std::uint32_t weights = learn::usual_weights; // of n-tuples
    bool explains = false;
    std::string explained; // auto: the evaluation beside the rule file; else as for eval=
    bool again = false;
    std::string initial;      // empty: from nothing
    std::string records;      // empty: by self-play
    std::uint64_t epochs = 0; // 0: not said
};

const std::map<std::string, learn::ModelKind> models{
    {"tuples", learn::ModelKind::Tuples}, {"network", learn::ModelKind::Network}, {"terms", learn::ModelKind::Terms}};

std::string model_text(const learn::Model& model) {
    if (model.tuples)
        return fmt::format("{} weights of {} patterns", grouped(model.tuples->weights.size()),
                           model.tuples->inputs.patterns.size());
    if (model.terms) return fmt::format("{} terms", model.terms->terms.size());
    return fmt::format("{} inputs, {} hidden units", grouped(model.network->columns.count()), model.network->units);
}

int failed_to_learn(const std::string& text) {
    complain(text);
    return exit_failed;
}

// Whether the command line makes sense; else why not.
std::string wrong(const LearnOptions& options) {
    const learn::TrainerOptions& trainer = options.trainer;
    if (options.epochs > 0 && options.records.empty()) return "--epochs is for games of --from";
    if (!options.records.empty() && (options.explores || trainer.depth || trainer.past > 0))
        return "--depth, --exploration and --past are for self-play, and --from learns from games that were played";
    if (options.records.empty() && trainer.seconds <= 0 && trainer.games == std::numeric_limits<std::uint64_t>::max())
        return "say how long to learn: --time or --games";
    for (const auto& [name, share] :
         {std::pair("--lambda", trainer.lambda), {"--exploration", options.exploration}, {"--past", trainer.past}})
        if (!(share >= 0 && share <= 1)) return fmt::format("{} must be a number from 0 to 1", name);
    if (!(trainer.rate > 0 && trainer.rate <= 100)) return "--rate must be a number above 0, up to 100";
    return "";
}

// What a learner saves now and then, so that nothing is lost if it is killed.
class SavedState {
public:
    explicit SavedState(const std::string& output) : file_(output + ".part") {}

    // Nothing: there is none.
    tl::expected<std::optional<learn::Checkpoint>, Error> read(const LearnOptions& options,
                                                               const game::Game& game) const {
        std::error_code error;
        if (options.again || !std::filesystem::exists(file_, error)) return std::nullopt;
        const auto text = read_file(file_, most_bytes);
        auto checkpoint = text ? learn::parse_checkpoint(*text, game, options.trainer) : tl::unexpected(text.error());
        if (!checkpoint)
            return failure(fmt::format("{}: {}; with --again it is replaced", file_, checkpoint.error().text));
        return std::move(*checkpoint);
    }
    // A disk that is full now may not be at the end.
    void write(const learn::Checkpoint& checkpoint) const {
        static_cast<void>(replace_file(file_, learn::checkpoint_text(checkpoint)));
    }
    void remove() const {
        std::error_code error;
        std::filesystem::remove(file_, error);
    }

private:
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
    std::string file_;
};

// Such that players find it beside the rule file. No comma: those separate the settings of a player.
std::string usual_output(const GameOptions& options, const game::Game& game) {
    return fmt::format("{}{}{}.zugnet", game.program().source.name, options.defines.empty() ? "" : ".",
                       fmt::join(options.defines, "."));
}

int report(const LearnOptions& options, const learn::Net& net, const game::Game& game) {
    if (net.training.games == 0) {
        complain(fmt::format("no game was played to its end, so there is nothing to write to {}", options.output));
        return interrupted() ? exit_interrupted : exit_failed;
    }
    if (const auto written = write_file(options.output, learn::net_text(net)); !written)
        return failed_to_learn(written.error().text);
    say("{} games, {} positions, {}: {} in {}\n", grouped(net.training.games), grouped(net.training.positions),
        duration_text(net.training.seconds), model_text(net.model), options.output);
    if (net.model.terms) show_terms(*net.model.terms, game);
    if (!interrupted()) return exit_fine;
    say("stopped; the same command resumes from here\n");
    return exit_interrupted;
}

// What --explain names; nothing: no file.
tl::expected<std::optional<learn::Net>, Error> explained_net(const LearnOptions& options, const game::Game& game) {
    const std::string& name = options.explained;
    if (name == "rules" || name == "none") return std::nullopt;
    if (name != "auto") return learn::read_net(name, game);
    auto net = learn::net_beside(game, find_rule_file(options.game.file).value_or(""));
    if (net && !*net) return failure("no learned evaluation of this game is beside its rule file");
    return net;
}

int explain(const LearnOptions& options) {
    auto open = open_game(options.game);
    if (!open) return open.error();
    game::Game& game = open->game;
    auto found = explained_net(options, game);
    if (!found) return failed_to_learn(found.error().text);
    if (!*found) static_cast<void>(learn::use_evaluation(game, options.explained)); // `rules` or `none`
    const auto net = *found ? std::make_shared<const learn::Net>(std::move(**found)) : nullptr;
    if (net) game.use(learn::make_evaluator(net, game));
    if (!game.traits().has_eval) return failed_to_learn("there is no evaluation to show");
    if (net && net->model.terms) show_terms(*net->model.terms, game), say("\n");
    show_worths(game);
    if (net && net->model.tuples) show_patterns(*net->model.tuples, game);
    return exit_fine;
}

learn::ModelKind kind_of(const learn::Model& model) {
    if (model.tuples) return learn::ModelKind::Tuples;
    return model.terms ? learn::ModelKind::Terms : learn::ModelKind::Network;
}

// What --initial names.
tl::expected<void, Error> read_initial(LearnOptions& options, const game::Game& game) {
    if (options.initial.empty()) return {};
    auto net = learn::read_net(options.initial, game);
    if (!net) return tl::unexpected(net.error());
    options.trainer.model = kind_of(net->model);
    if (net->model.network) options.trainer.units = net->model.network->units;
    options.trainer.initial = std::make_shared<const learn::Model>(std::move(net->model));
    return {};
}

// The games that --from names, and how many of them are learned from in all.
tl::expected<void, Error> read_games(LearnOptions& options, game::Game& game) {
    constexpr std::uint64_t usual_epochs = 10;
    if (options.records.empty()) return {};
    Progress line;
    auto games = match::read_learnable(options.records, game, [&](std::size_t count) {
        if (line.due()) line.show(fmt::format("{} games read", grouped(count)));
        return !interrupted();
    });
    line.clear();
    if (!games) return tl::unexpected(games.error());
    learn::TrainerOptions& trainer = options.trainer;
    const bool limited = trainer.seconds > 0 || trainer.games != std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t epochs = options.epochs > 0 ? options.epochs : usual_epochs;
    if (options.epochs > 0 || !limited)
        trainer.games = std::min(trainer.games, epochs * learn::games_to_learn(games->size()).size());
    trainer.records = std::make_shared<const std::vector<learn::RecordedGame>>(std::move(*games));
    return {};
}

tl::expected<void, Error> write_curve(const LearnOptions& options, const LearningCurve& curve) {
    if (!options.log.empty())
        if (const auto written = write_file(options.log, curve.csv()); !written) return written;
    return options.plot.empty() ? tl::expected<void, Error>() : write_file(options.plot, curve.svg());
}

// Whichever limit is nearer; none: it goes on until it is stopped.
std::optional<double> part_done(const learn::TrainerOptions& options, const learn::Progress& now) {
    std::optional<double> part;
    if (options.seconds > 0) part = now.seconds / options.seconds;
    if (options.games != learn::TrainerOptions().games)
        part = std::max(part.value_or(0), static_cast<double>(now.games) / static_cast<double>(options.games));
    return part;
}

int learn_and_write(LearnOptions& options, game::Game& game, const learn::Checkpoint* from, const SavedState& state,
                    LearningCurve& curve) {
    Progress line;
    options.trainer.stop = &interrupted();
    options.trainer.progress = [&](const learn::Progress& now) {
        curve.note(now);
        line.show(curve.line(), part_done(options.trainer, now));
    };
    if (curve.plays()) options.trainer.sample = [&](const learn::Net& net) { curve.sample(net); };
    options.trainer.checkpoint = [&](const learn::Checkpoint& now) {
        state.write(now);
        static_cast<void>(write_curve(options, curve)); // an error is told at the end
    };
    const auto net = learn::learn(game, options.trainer, from);
    line.clear();
    if (!net) return failed_to_learn(net.error().text);
    const int code = report(options, *net, game);
    if (code == exit_fine || net->training.games == 0) state.remove();
    if (const auto written = write_curve(options, curve); !written) return failed_to_learn(written.error().text);
    return code;
}

constexpr std::uint64_t most_log_bytes = std::uint64_t{1} << 28;

// That the results can be written, and take nothing away.
tl::expected<void, Error> check_files(const LearnOptions& options) {
    const std::string results[] = {options.output, options.log, options.plot};
    const std::string read[] = {rule_file_named(options.game.file).value_or(""), options.records};
    for (const std::string& file : results)
        if (!file.empty())
            if (const auto writable = check_writable(file); !writable) return writable;
    return check_apart(results, read);
}

int run_learn(LearnOptions options) {
    if (options.explains) return explain(options);
    if (const std::string why = wrong(options); !why.empty()) {
        complain(why);
        return exit_usage;
    }
    if (options.explores) options.trainer.exploration = options.exploration;
    options.trainer.inputs = learn::InputLimits::of(options.weights);
    options.trainer.model = models.at(options.model);
    auto open = open_game(options.game);
    if (!open) return open.error();
    if (const auto read = read_initial(options, open->game); !read) return failed_to_learn(read.error().text);
    if (const std::string why = learn::unlearnable(open->game, options.trainer.model); !why.empty())
        return failed_to_learn("there is nothing to learn about this game: " + why);
    if (options.output.empty()) options.output = usual_output(options.game, open->game);
    if (const auto fine = check_files(options); !fine) return failed_to_learn(fine.error().text);
    if (const auto read = read_games(options, open->game); !read) return failed_to_learn(read.error().text);
    const SavedState state(options.output);
    const auto saved = state.read(options, open->game);
    if (!saved) return failed_to_learn(saved.error().text);
    LearningCurve curve(open->game);
    if (*saved) curve.resume(read_file(options.log, most_log_bytes).value_or(""));
    if (!options.opponent.empty() || !options.plot.empty())
        if (const auto fit = curve.play_against(options.opponent, options.trainer.seed, &interrupted()); !fit) {
            complain(fit.error().text);
            return exit_usage;
        }
    return learn_and_write(options, open->game, *saved ? &**saved : nullptr, state, curve);
}

void add_model_options(Command& app, LearnOptions& options) {
    app.add_option("--lambda", options.trainer.lambda, "How much what came of a position counts, from 0 to 1")
        .type_name("X");
    app.add_option("--rate", options.trainer.rate, "The step size").type_name("X");
    app.add_flag("--apart", options.trainer.apart,
                 "Keep what is learned for the players apart even where the rules are the same for both");
    app.add_flag("--again", options.again, "Learn from the start, even if a run was stopped or killed before its end");
    app.add_option("--units", options.trainer.units, "The hidden units of a network")
        .within(1, static_cast<int>(learn::most_units))
        .type_name("N");
    app.add_option("--weights", options.weights,
                   "The weights of n-tuples, at most; more of them say more, and take longer to learn")
        .within(1000, static_cast<int>(learn::most_weights))
        .type_name("N");
}

void add_curve_options(Command& app, LearnOptions& options) {
    app.add_option("--log", options.log, "Write the progress to this file, as CSV").type_name("CSV");
    app.add_option("--plot", options.plot,
                   "Draw how errors and the score against a player go, as a picture, and play such matches")
        .type_name("SVG");
    app.add_option(
           "--against", options.opponent,
           "Now and then play 50 games against this player, looking one ply ahead; without it, with --plot, the "
           "rule file's eval, or random moves if it has none")
        .type_name("PLAYER");
}

} // namespace

Run add_learn(Command& program) {
    Command app = program.add_command("learn", "Learn an evaluation of a game from its rules alone, by self-play");
    auto options = std::make_shared<LearnOptions>();
    options->trainer.threads = std::max(1U, std::thread::hardware_concurrency());
    add_game_options(app, options->game);
    app.add_option("-o", options->output,
                   "The file of the evaluation; without it, NAME.zugnet, or with -D NAME.PARAMETERS.zugnet")
        .type_name("NET");
    add_time_option(app, "--time", options->trainer.seconds, "How long to learn, as in 90s or 10m");
    app.add_option("--games", options->trainer.games, "How many games to learn from").positive().type_name("N");
    app.add_option("--from", options->records,
                   "Learn from these games, recorded by `zug match --record --values`, instead of by self-play")
        .type_name("RECORD");
    app.add_option("--epochs", options->epochs, "How often to learn from each game of --from; without a limit, 10")
        .positive()
        .type_name("N");
    add_seed_option(app, options->trainer.seed);
    add_threads_option(app, options->trainer.threads, "How many games are played at once");
    add_curve_options(app, *options);
    add_model_options(app, *options);
    const Argument exploration =
        app.add_option("--exploration", options->exploration,
                       "How often a move is random, from 0 to 1; without it, 0.1, or 0 in games of chance")
            .type_name("X");
    app.add_option("--past", options->trainer.past,
                   "In this share of the games, from 0 to 1, one player plays as it was learned some time ago")
        .type_name("X");
    app.add_option("--model", options->model,
                   "tuples: n-tuples of slots; network: a layer of hidden units; terms: the numbers in the file's eval")
        .one_of({"tuples", "network", "terms"})
        .type_name("MODEL");
    app.add_option("--initial", options->initial, "Begin with what this file of an earlier run has learned")
        .type_name("NET")
        .excludes(app.get("--model"))
        .excludes(app.get("--units"))
        .excludes(app.get("--apart"));
    const Argument depth = app.add_option("--depth", options->depth,
                                          "Choose moves by a search of so many plies; 0: by the evaluation of the "
                                          "positions after them; without it, 1 for terms, else 0")
                               .within(0, 20)
                               .type_name("N");
    const Argument explained =
        app.add_flag("--explain{auto}", options->explained,
                     "Learn nothing, but show what an evaluation says of each value at each place: the one beside the "
                     "rule file, or with --explain=NET that of a file; rules: the rule file's own");
    add_example(app, "zug learn breakthrough --time 2m -o breakthrough.zugnet");
    return [options, exploration, depth, explained] {
        options->explains = explained.count() > 0;
        if (depth.count() > 0) options->trainer.depth = options->depth;
        options->explores = exploration.count() > 0;
        return run_learn(*options);
    };
}

} // namespace zug::cli

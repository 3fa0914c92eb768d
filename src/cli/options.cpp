#include "cli/options.hpp"

#include "base/activity.hpp"
#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "learn/use.hpp"
#include "native/native.hpp"
#include "protocols/session/library.hpp"
#include "records/typed_move.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace zug::cli {

namespace fs = std::filesystem;

namespace {

lang::Folders& folders_of_imports() {
    static lang::Folders folders;
    return folders;
}

tl::expected<lang::Loaded, int> load_named(const GameOptions& options) {
    const auto path = find_rule_file(options.file);
    if (!path) return tl::unexpected(path.error());
    const auto overrides = parse_defines(options.defines);
    if (!overrides) return tl::unexpected(overrides.error());
    return load_rules(*path, *overrides);
}

} // namespace

void add_define_option(Command& app, std::vector<std::string>& defines, const std::string& help) {
    app.add_option("-D", defines, help.empty() ? "Set a parameter of the rule file; can be repeated" : help)
        .type_name("NAME=VALUE")
        .one_value_each_time(); // else it would take the FILE that follows
    app.add_option("--import-from", folders_of_imports(),
                   "Let rule files import and extend files of this folder too; can be repeated")
        .type_name("FOLDER")
        .one_value_each_time();
}

void add_executor_option(Command& app, std::string& executor) {
    app.add_option("--executor", executor,
                   "What runs the rules: native (waits for machine code), interpreter, or reference (simple)")
        .one_of({"native", "interpreter", "reference"})
        .type_name("NAME");
}

game::ExecutorKind executor_kind(const std::string& name, bool measured) {
    if (name == "reference") return game::ExecutorKind::Reference;
    if (name == "interpreter") return game::ExecutorKind::Interpreter;
    if (name != "native") return game::ExecutorKind::Fastest;
    return measured ? game::ExecutorKind::BestNative : game::ExecutorKind::Native;
}

void add_game_options(Command& app, GameOptions& options) {
    app.add_option("FILE", options.file, "A rule file, or the name of one in rules/").required().type_name("");
    add_define_option(app, options.defines);
    add_executor_option(app, options.executor);
}

void add_start_options(Command& app, GameOptions& options) {
    app.add_option("--position", options.position, "Start from a position text, as `zug play` prints it")
        .type_name("TEXT");
    app.add_option("--moves", options.moves, "Play these moves first, separated by blanks or commas")
        .type_name("\"MOVE ...\"");
}

void add_seed_option(Command& app, std::uint64_t& seed) {
    app.add_option("--seed", seed, "Equal seeds give equal runs").type_name("N").show_default();
}

Argument add_time_option(Command& app, const std::string& name, double& seconds, const std::string& help, Zero zero) {
    const std::map<std::string, double> units = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
    // A unit without a number would count as 0.
    const auto has_number = [](const std::string& text) -> std::string {
        return text.find_first_of("0123456789") == std::string::npos ? "must be a number" : "";
    };
    const auto wrong = [zero](const std::string& text) -> std::string {
        const double value = std::strtod(text.c_str(), nullptr);
        if (value > 0 || (value == 0 && zero == Zero::Allowed)) return {};
        return zero == Zero::Allowed ? "must be 0 or more" : "must be more than 0";
    };
    Argument option =
        app.add_option(name, seconds, help).type_name("TIME").in_units(units).check(wrong).rewrite(has_number);
    return seconds > 0 ? option.show_default() : option; // 0 means no limit
}

void add_threads_option(Command& app, std::uint32_t& threads, const std::string& help) {
    app.add_option("--threads", threads, help).type_name("N").within(1, 1024).show_default();
}

Argument add_bytes_option(Command& app, const std::string& name, std::uint64_t& bytes, const std::string& help) {
    const auto whole = [](std::string& text) -> std::string {
        const auto number = bytes_in(text);
        if (!number) return "must be a number of bytes, as in 512M or 8G";
        text = std::to_string(*number);
        return "";
    };
    Argument option = app.add_option(name, bytes, help).type_name("BYTES");
    if (bytes >= (1U << 30)) option.type_name(fmt::format("BYTES={}G", bytes >> 30));
    return option.rewrite(whole);
}

void add_json_flag(Command& app, bool& json) { app.add_flag("--json", json, "Print the result as JSON"); }

void add_example(Command& app, std::string_view text) { app.set_footer(fmt::format("Example:\n  {}", text)); }

lang::Folders search_folders() {
    lang::Folders folders = folders_of_imports();
    if (const fs::path folder = protocols::rules_folder(); !folder.empty()) folders.push_back(folder.string());
    return folders;
}

tl::expected<std::vector<fs::path>, Error> library_files() {
    return protocols::library_files(protocols::rules_folder());
}

tl::expected<std::vector<fs::path>, int> rule_files() {
    auto files = library_files();
    if (files) return std::move(*files);
    complain(files.error().text);
    return tl::unexpected(exit_failed);
}

tl::expected<std::string, Error> rule_file_named(const std::string& name) {
    if (protocols::is_file(name)) return name;
    const auto library = library_files();
    if (!library) return tl::unexpected(library.error());
    return protocols::file_of_library(*library, name);
}

tl::expected<std::string, int> find_rule_file(const std::string& name) {
    if (protocols::is_file(name)) return name;
    const auto library = rule_files();
    if (!library) return tl::unexpected(library.error());
    auto file = protocols::file_of_library(*library, name);
    if (file) return std::move(*file);
    complain(file.error().text);
    return tl::unexpected(exit_usage);
}

tl::expected<lang::Overrides, int> parse_defines(const std::vector<std::string>& defines) {
    lang::Overrides overrides;
    for (const auto& define : defines) {
        const auto equals = define.find('=');
        if (equals == std::string::npos || equals == 0) {
            complain(fmt::format("-D takes name=value, not `{}`", define));
            return tl::unexpected(exit_usage);
        }
        const std::string name = define.substr(0, equals);
        if (!overrides.emplace(name, define.substr(equals + 1)).second) {
            complain(fmt::format("-D sets `{}` twice", name));
            return tl::unexpected(exit_usage);
        }
    }
    return overrides;
}

int load_failure(const lang::Loaded& loaded) {
    const auto of_option = [&](const diag::Diagnostic& item) {
        return diag::info(item.message).severity == diag::Severity::Error &&
               loaded.sources.name(item.span.file).starts_with("-D ");
    };
    return std::ranges::any_of(loaded.report.sorted(), of_option) ? exit_usage : exit_failed;
}

lang::Loaded load_and_report(const std::string& path, const lang::Overrides& overrides) {
    const Unattended unattended;
    const Activity activity("loading " + path);
    lang::Loaded loaded = lang::load_file(path, overrides, search_folders());
    write_error(diag::render(loaded.sources, loaded.report));
    return loaded;
}

tl::expected<lang::Loaded, int> load_rules(const std::string& path, const lang::Overrides& overrides) {
    lang::Loaded loaded = load_and_report(path, overrides);
    if (!loaded.program) return tl::unexpected(load_failure(loaded));
    return loaded;
}

tl::expected<std::shared_ptr<const ir::Program>, int> load_game(const GameOptions& options) {
    const auto loaded = load_named(options);
    if (!loaded) return tl::unexpected(loaded.error());
    return loaded->program;
}

tl::expected<OpenGame, int> open_game(const GameOptions& options) {
    auto loaded = load_named(options);
    if (!loaded) return tl::unexpected(loaded.error());
    auto open = open_game(std::move(loaded->program), options);
    if (open) open->sources = std::move(loaded->sources);
    return open;
}

tl::expected<OpenGame, int> open_to_play(const GameOptions& options) {
    auto open = open_game(options);
    if (!open) return open;
    if (const auto path = find_rule_file(options.file))
        if (const auto offered = learn::offer_evaluation(open->game, *path); !offered) complain(offered.error().text);
    return open;
}

tl::expected<OpenGame, int> open_game(std::shared_ptr<const ir::Program> program, const GameOptions& options) {
    const Unattended unattended;
    const Activity activity("compiling the rules of " + options.file);
    OpenGame open{game::Game(std::move(program), executor_kind(options.executor, options.measured)), {}};
    if (options.executor == "native" && open.game.executor_name() != "native") {
        const std::string why = native::unavailable();
        complain("--executor native: " + (why.empty() ? "no machine code could be made of these rules" : why));
        return tl::unexpected(exit_failed);
    }
    open.start = open.game.initial();
    if (!options.position.empty()) {
        auto state = open.game.parse_position(options.position);
        if (!state) {
            complain(fmt::format("--position: {}", state.error().text));
            return tl::unexpected(exit_failed);
        }
        open.start = std::move(*state);
    }
    if (!options.moves.empty()) {
        auto state = records::TypedMoves(open.game).play_line(open.game, open.start, options.moves);
        if (!state) {
            complain(fmt::format("--moves: {}", state.error().text));
            return tl::unexpected(exit_failed);
        }
        open.start = std::move(*state);
    }
    return open;
}

} // namespace zug::cli

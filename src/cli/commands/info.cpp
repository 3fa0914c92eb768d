#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/reports/ir.hpp"
#include "cli/reports/why.hpp"
#include "game/faces.hpp"
#include "game/facts/history.hpp"
#include "ir/print.hpp"
#include "search/suited.hpp"

#include <cmath>
#include <fmt/ranges.h>
#include <memory>

namespace zug::cli {

namespace {

struct InfoOptions {
    GameOptions game;
    bool json = false, core = false, code = false, why = false;
    CompileOptions compile;
    WhyOptions measure;

    bool about_passes() const { return compile.passes || !compile.dump_after.empty(); }
};

double slot_count(const ir::Program& program, const ir::StateVariable& variable) {
    double count = 1;
    for (const auto type : variable.indices) count *= static_cast<double>(program.types.cardinality(type));
    return count;
}

// The logarithm of the number of values that a variable can have: the bits of an ideal encoding.
double bits_of(const ir::Program& program, const ir::StateVariable& variable) {
    const auto& types = program.types;
    const double one = types.kind(variable.value) == ir::TypeKind::Set
                           ? static_cast<double>(types.cardinality(types.inner(variable.value)))
                           : std::log2(static_cast<double>(types.cardinality(variable.value)));
    return one * slot_count(program, variable);
}

// Of all variables, except those that no rule assigns, which are constant tables; of the turn, and of the player who
// moved last if the program keeps it.
double state_bits(const ir::Program& program) {
    double bits = 0;
    for (const auto& variable : program.states)
        if (variable.assigned) bits += bits_of(program, variable);
    const double turn = std::log2(static_cast<double>(program.players.size()));
    return bits + turn * (program.keeps_last ? 2 : 1);
}

std::string shape_text(const ir::Board& board) {
    switch (board.shape) {
    case ir::BoardShape::Grid: return fmt::format("grid {} x {}", board.width, board.height);
    case ir::BoardShape::Rhombus: return fmt::format("hex rhombus {} x {}", board.width, board.height);
    case ir::BoardShape::Hexagon: return fmt::format("hex hexagon, {} wide", board.width);
    case ir::BoardShape::Ring: return "ring";
    case ir::BoardShape::Lines: return "lines";
    case ir::BoardShape::Graph: return "graph";
    }
    return "";
}

std::string rule_text(const ir::Program& program, const ir::Rule& rule) {
    std::vector<std::string> params;
    for (const auto id : rule.params)
        params.push_back(fmt::format("{}: {}", program.vars[id].name, ir::type_text(program, program.vars[id].type)));
    return params.empty() ? rule.name : fmt::format("{}({})", rule.name, fmt::join(params, ", "));
}

// How solving depends on the history of the game: as JSON, and as rows of text.
Json history_json(const game::History& history) {
    switch (history.kind) {
    case game::HistoryKind::None: break;
    case game::HistoryKind::RepetitionDraw: return {{"kind", "repetition draw"}, {"assumes", history.assumes}};
    case game::HistoryKind::PathDependent: return {{"kind", "path dependent"}, {"why", history.why}};
    }
    return {{"kind", "none"}};
}

std::vector<std::string> history_rows(const Json& history) {
    const auto kind = history["kind"].get<std::string>();
    if (kind == "path dependent") return {history["why"].get<std::string>()};
    if (kind == "none") return {};
    std::vector<std::string> rows = {"draw by repetition: by position, a cycle is a draw"};
    for (const auto& assumed : history["assumes"]) rows.push_back("taken for granted: " + assumed.get<std::string>());
    return rows;
}

// The glyphs of what stands on boards, by type.
Json glyphs_json(const ir::Program& program) {
    constexpr std::uint64_t most = 64;
    Json glyphs = Json::object();
    for (const auto& variable : program.states) {
        const bool optional = program.types.kind(variable.value) == ir::TypeKind::Optional;
        const ir::TypeId type = optional ? program.types.inner(variable.value) : variable.value;
        const ir::TypeKind kind = program.types.kind(type);
        const bool shown = kind == ir::TypeKind::Player || kind == ir::TypeKind::Enum || kind == ir::TypeKind::Tuple;
        if (!shown || variable.indices.empty() || program.types.cardinality(type) > most) continue;
        const game::Faces faces = game::faces_of(program, type);
        Json& of_type = glyphs[ir::type_text(program, type)] = Json::object();
        for (std::size_t i = 0; i < faces.texts.size(); ++i)
            of_type[ir::value_text(program, type, program.types.value(type, i))] = faces.texts[i];
    }
    return glyphs;
}

// Who play together, whoever plays alone being a team, too.
Json teams_json(const game::Game& game) {
    Json teams = Json::array();
    for (std::uint32_t team = 0; team < game.traits().teams(); ++team) teams.push_back(Json::array());
    for (std::uint32_t p = 0; p < game.players(); ++p) teams[game.traits().team[p]].push_back(game.player_name(p));
    return teams;
}

Json describe(game::Game& game) {
    const ir::Program& program = game.program();
    const game::Traits& traits = game.traits();
    Json boards = Json::array(), moves = Json::array(), chance = Json::array(), state = Json::array();
    for (const auto& board : program.boards)
        boards.push_back({{"name", board.name}, {"shape", shape_text(board)}, {"sites", board.sites.size()}});
    for (const auto& rule : program.rules) (rule.chance ? chance : moves).push_back(rule_text(program, rule));
    for (const auto& variable : program.states)
        state.push_back({{"name", variable.name},
                         {"slots", slot_count(program, variable)},
                         {"value", ir::type_text(program, variable.value)},
                         {"local", variable.local},
                         {"bits", variable.assigned ? bits_of(program, variable) : 0.0}});
    Json loud = Json::array();
    for (std::size_t r = 0; r < program.loud.size(); ++r)
        if (valid(program.loud[r])) loud.push_back(program.rules[static_cast<ir::RuleId>(r)].name);
    Json params = Json::object();
    for (const auto& param : program.params) params[param.name] = param.value;
    const search::Suited suited = search::suited(game);
    return {{"title", program.title},
            {"extends", program.extends},
            {"players", program.players},
            {"teams", teams_json(game)},
            {"state_bits", static_cast<std::uint64_t>(std::ceil(state_bits(program) - 1e-9))},
            {"state", state},
            {"boards", boards},
            {"moves", moves},
            {"chance_rules", chance},
            {"zero_sum", traits.zero_sum},
            {"chance", traits.chance},
            {"min_utility", traits.min_utility},
            {"max_utility", traits.max_utility},
            {"eval", traits.has_eval},
            {"loud", loud},
            {"history", history_json(game::find_history(program, traits.zero_sum))},
            {"chains", traits.has_chains},
            {"params", params},
            {"glyphs", glyphs_json(program)},
            {"tests", program.tests.size()},
            {"auto", {{"method", search::method_name(suited.method)}, {"why", suited.why}}},
            {"executor", game.executor_name()}};
}

void print_row(std::string_view name, std::string_view text) { say("{:<12} {}\n", name, text); }

// One row for each entry, with the name in the first row.
void print_rows(std::string_view name, const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) print_row(i == 0 ? name : "", texts[i]);
}

void print_info(const Json& info) {
    const auto yes_no = [&](const char* key) { return info[key].get<bool>() ? "yes" : "no"; };
    say("{}\n", info["title"].get<std::string>());
    if (const auto files = info["extends"].get<std::vector<std::string>>(); !files.empty())
        print_row("extends", fmt::format("{}", fmt::join(files, ", which extends ")));
    const auto players = info["players"].get<std::vector<std::string>>();
    print_row("players", fmt::format("{}: {}", players.size(), fmt::join(players, ", ")));
    std::vector<std::string> teams;
    for (const auto& team : info["teams"])
        teams.push_back(fmt::format("{}", fmt::join(team.get<std::vector<std::string>>(), " and ")));
    if (teams.size() < players.size()) print_row("teams", fmt::format("{}: {}", teams.size(), fmt::join(teams, ", ")));
    for (const auto& board : info["boards"])
        print_row("board", fmt::format("{}: {}, {} sites", board["name"].get<std::string>(),
                                       board["shape"].get<std::string>(), board["sites"].get<std::size_t>()));
    std::vector<std::string> state = {
        fmt::format("{} bits, the turn included", info["state_bits"].get<std::uint64_t>())};
    for (const auto& variable : info["state"])
        state.push_back(fmt::format("{}{}: {} x {}, {:.1f} bits", variable["local"].get<bool>() ? "local " : "",
                                    variable["name"].get<std::string>(), variable["slots"].get<double>(),
                                    variable["value"].get<std::string>(), variable["bits"].get<double>()));
    print_rows("state", state);
    std::vector<std::string> glyphs;
    for (const auto& [type, faces] : info["glyphs"].items()) {
        std::vector<std::string> texts;
        for (const auto& [value, glyph] : faces.items()) texts.push_back(value + ' ' + glyph.get<std::string>());
        glyphs.push_back(fmt::format("{}: {}", type, fmt::join(texts, ", ")));
    }
    print_rows("glyphs", glyphs);
    print_rows("moves", info["moves"].get<std::vector<std::string>>());
    if (info["chance_rules"].empty())
        print_row("chance", "no");
    else
        print_rows("chance", info["chance_rules"].get<std::vector<std::string>>());
    print_row("zero-sum", yes_no("zero_sum"));
    print_row("utilities",
              fmt::format("{} to {}", info["min_utility"].get<double>(), info["max_utility"].get<double>()));
    print_row("eval", yes_no("eval"));
    const auto loud = info["loud"].get<std::vector<std::string>>();
    print_row("loud", loud.empty() ? "no moves" : fmt::format("moves of {}", fmt::join(loud, ", ")));
    print_rows("history", history_rows(info["history"]));
    if (info["chains"].get<bool>()) print_row("turn", "a chain of steps");
    std::vector<std::string> params;
    for (const auto& [name, value] : info["params"].items())
        params.push_back(fmt::format("{} = {}", name, value.get<std::string>()));
    print_rows("parameters", params);
    print_row("tests", std::to_string(info["tests"].get<std::size_t>()));
    const auto& plays = info["auto"];
    print_row("auto", fmt::format("plays {}: {}", plays["method"].get<std::string>(), plays["why"].get<std::string>()));
    print_row("executor", info["executor"].get<std::string>());
}

// The results of compilation.
int explain(const InfoOptions& options) {
    if (options.game.executor == "reference") {
        complain(
            "--ir, --passes, --dump-after and --why-slow are about byte code, and the reference executor has none");
        return exit_usage;
    }
    const auto path = find_rule_file(options.game.file);
    if (!path) return path.error();
    const auto overrides = parse_defines(options.game.defines);
    if (!overrides) return overrides.error();
    const auto loaded = load_rules(*path, *overrides);
    if (!loaded) return loaded.error();
    CompileOptions compile = options.compile;
    compile.json = options.json;
    if (options.code) return show_byte_code(*loaded, compile);
    if (options.about_passes()) return show_passes(*loaded, compile);
    WhyOptions measure = options.measure;
    measure.json = options.json;
    return why_slow(*loaded, measure);
}

int info(const InfoOptions& options) {
    if (options.code || options.why || options.about_passes()) return explain(options);
    if (!options.compile.without.empty()) {
        complain("--without goes with --ir, --passes or --dump-after");
        return exit_usage;
    }
    auto open = open_game(options.game);
    if (!open) return open.error();
    if (options.core) {
        write(ir::print(open->game.program()));
        return exit_fine;
    }
    const Json described = describe(open->game);
    if (options.json)
        print_json(described);
    else
        print_info(described);
    return exit_fine;
}

} // namespace

Run add_info(Command& program) {
    Command app = program.add_command("info", "What a game is made of: players, state, board, moves");
    auto options = std::make_shared<InfoOptions>();
    add_game_options(app, options->game);
    Argument core = app.add_flag("--core", options->core, "Print the checked rules instead");
    Argument code = app.add_flag("--ir", options->code, "Print the byte code instead");
    Argument why = app.add_flag("--why-slow", options->why, "Print a profile of random play instead");
    Argument passes =
        app.add_flag("--passes", options->compile.passes, "Print what each pass of the compiler did and cost instead");
    Argument dump = app.add_option("--dump-after", options->compile.dump_after,
                                   "Print what a pass of the compiler left instead: value graphs, facts or byte code")
                        .check(why_no_pass)
                        .type_name("PASS");
    app.add_option("--without", options->compile.without, "Compile without a pass; can be repeated")
        .check(why_not_without)
        .one_value_each_time()
        .type_name("PASS")
        .excludes(core)
        .excludes(why);
    core.excludes(code).excludes(why).excludes(passes).excludes(dump);
    code.excludes(why).excludes(passes).excludes(dump);
    passes.excludes(why).excludes(dump);
    dump.excludes(why);
    add_time_option(app, "--seconds", options->measure.seconds, "How long --why-slow plays").needs(why);
    add_seed_option(app, options->measure.seed);
    add_json_flag(app, options->json);
    add_example(app, "zug info breakthrough -D width=6\n  zug info breakthrough --why-slow --seconds 5\n"
                     "  zug info breakthrough --passes --without=sink-conditions");
    return [options] { return info(*options); };
}

} // namespace zug::cli

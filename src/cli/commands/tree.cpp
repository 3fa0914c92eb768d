#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/reports/png.hpp"
#include "draw/dot.hpp"
#include "draw/grow.hpp"
#include "draw/svg.hpp"
#include "draw/text.hpp"

#include <filesystem>
#include <memory>

namespace zug::cli {

namespace {

struct TreeOptions {
    GameOptions game;
    std::string method = "auto";
    int depth = search::max_depth;
    std::string merge; // empty: not given
    std::string boards = "auto";
    PngOptions png;
    std::string format; // empty: what the name of the file says
    std::string file;   // empty: standard output
    std::uint32_t nodes = 2000;
    bool no_pruning = false;
    bool eval = false;
};

// The format that the options ask for; empty: none that there is.
std::string format_of(const TreeOptions& options) {
    if (!options.format.empty()) return options.format;
    if (options.file.empty()) return "text";
    const std::string ending = std::filesystem::path(options.file).extension().string();
    if (ending == ".svg" || ending == ".png") return ending.substr(1);
    if (ending == ".dot" || ending == ".gv") return "dot";
    return ending == ".txt" ? "text" : "";
}

draw::Boards boards_of(const TreeOptions& options, const std::string& format) {
    if (options.boards == "auto") return format == "text" ? draw::Boards::Off : draw::Boards::Small;
    return options.boards == "on" ? draw::Boards::On : draw::Boards::Off;
}

draw::Merge merge_of(const std::string& text) {
    if (text.empty()) return draw::Merge::None;
    return text == "equal" ? draw::Merge::Equal : draw::Merge::Symmetric;
}

std::string drawn(const draw::Tree& tree, const std::string& format) {
    if (format == "svg") return draw::svg_of(tree);
    return format == "dot" ? draw::dot_of(tree) : draw::text_of(tree);
}

int write_tree(const draw::Tree& tree, const TreeOptions& options) {
    const std::string format = format_of(options);
    return format == "png" ? write_png(options.png, draw::svg_of(tree), options.file)
                           : write_result(drawn(tree, format), options.file);
}

int failed(const Error& error) {
    complain(error.text);
    return exit_failed;
}

int run_tree(const TreeOptions& options) {
    const std::string format = format_of(options);
    if (format.empty()) {
        complain(
            fmt::format("{}: a name that ends in .svg, .png, .dot or .txt says the format, or --format", options.file));
        return exit_usage;
    }
    if (!png_fits(options.png, format == "png", options.file)) return exit_usage;
    auto open = open_game(options.game);
    if (!open) return open.error();
    const auto method = draw::method_for(options.method, open->game.traits());
    if (!method) return failed(method.error());
    const draw::GrowOptions grown{.method = *method,
                                  .depth = options.depth,
                                  .pruning = !options.no_pruning && *method != search::Method::Minimax,
                                  .merge = merge_of(options.merge),
                                  .eval_scale = options.eval,
                                  .boards = boards_of(options, format),
                                  .most_nodes = options.nodes,
                                  .stop = &interrupted()};
    const auto tree = draw::grow(open->game, open->start, grown);
    if (interrupted()) return exit_interrupted;
    return tree ? write_tree(*tree, options) : failed(tree.error());
}

} // namespace

Run add_tree(Command& program) {
    Command app = program.add_command("tree", "Draw the search tree of a position");
    auto options = std::make_shared<TreeOptions>();
    add_game_options(app, options->game);
    app.add_option("--depth", options->depth, "The depth in plies; without it, to the end of the game")
        .type_name("N")
        .within(0, search::max_depth);
    app.add_option("--method", options->method,
                   "What searches the tree; auto: alphabeta, expectimax or maxn, which "
                   "suits the game")
        .type_name("METHOD")
        .one_of({"auto", "minimax", "alphabeta", "expectimax", "maxn"});
    app.add_flag("--no-pruning", options->no_pruning, "Search every branch");
    app.add_flag("--merge{equal}", options->merge,
                 "Draw equal positions as one; --merge=symmetric: those also that differ by a symmetry of the game")
        .one_of({"equal", "symmetric"});
    app.add_flag("--eval", options->eval,
                 "Show what the file's eval says, MAX's less MIN's, and not the utility that a search makes of it");
    app.add_option("--boards", options->boards, "Draw the position at each node: on, off, or auto, if it is small")
        .type_name("WHEN")
        .one_of({"on", "off", "auto"});
    app.add_option("--nodes", options->nodes, "The most nodes to draw")
        .type_name("N")
        .within(1, 1'000'000)
        .show_default();
    app.add_option("--format", options->format,
                   "svg, png, dot (for Graphviz) or text; else as the name of -o ends, or text")
        .type_name("FORMAT")
        .one_of({"svg", "png", "dot", "text"});
    add_width_option(app, options->png.size);
    app.add_option("-o", options->file, "The file to write; without it, standard output").type_name("FILE");
    add_start_options(app, options->game);
    add_example(app, "zug tree tic-tac-toe --depth 2 --merge=symmetric --eval -o tree.svg");
    return {[options] { return run_tree(*options); },
            [options] { return format_of(*options) != "png" || load_png(options->png); }};
}

} // namespace zug::cli

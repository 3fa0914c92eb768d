#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/reports/png.hpp"
#include "draw/board/picture.hpp"
#include "records/typed_move.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace zug::cli {

namespace {

struct DrawOptions {
    GameOptions game;
    draw::board::PictureOptions picture;
    PngOptions png;
    std::string format; // empty: what the name of the file says
    std::string file;   // empty: standard output
};

bool wants_png(const DrawOptions& options) {
    if (!options.format.empty()) return options.format == "png";
    return std::filesystem::path(options.file).extension() == ".png";
}

int not_drawn(const std::string& reason) {
    complain(reason);
    return exit_failed;
}

// Whether the name of the file says what is to be written, or nothing.
bool names_format(const DrawOptions& options) {
    const std::string ending = std::filesystem::path(options.file).extension().string();
    return !options.format.empty() || ending.empty() || ending == ".svg" || ending == ".png";
}

int run_draw(const DrawOptions& options) {
    if (!names_format(options)) {
        complain(fmt::format("{}: pictures are SVG or PNG; --format says which, if the name of the file does not",
                             options.file));
        return exit_usage;
    }
    if (!png_fits(options.png, wants_png(options), options.file)) return exit_usage;
    // The moves are played here, since the last of them is part of the picture.
    GameOptions before = options.game;
    before.moves.clear();
    auto open = open_game(before);
    if (!open) return open.error();
    std::vector<std::uint64_t> ids;
    const records::TypedMoves typed(open->game);
    const auto state = typed.play_line(open->game, open->start, options.game.moves, &ids);
    if (!state) return not_drawn(fmt::format("--moves: {}", state.error().text));
    const auto last = draw::board::last_move(open->game, open->start, ids);
    const auto picture = draw::board::picture_of(open->game, *state, last, options.picture);
    if (!picture) return not_drawn(picture.error().text);
    if (!wants_png(options)) return write_result(*picture, options.file);
    PngOptions png = options.png;
    if (options.picture.size > 0) png.size.scale = 1; // the size that was asked for
    return write_png(png, *picture, options.file);
}

} // namespace

Run add_draw(Command& program) {
    Command app = program.add_command("draw", "Draw a position as a picture in SVG or PNG");
    auto options = std::make_shared<DrawOptions>();
    add_game_options(app, options->game);
    app.add_flag("--targets", options->picture.targets, "Mark the sites that legal moves lead to");
    app.add_flag("--flip", options->picture.flip, "Turn the boards, as the second player sees them");
    app.add_flag("--all", options->picture.all, "Show all of the state, also what is there for the rules alone");
    app.add_flag("--dark", options->picture.dark, "Draw on a dark background");
    app.add_option("--size", options->picture.size, "The longer side in pixels; without it, as the board needs")
        .type_name("PIXELS")
        .within(16, 20'000);
    add_width_option(app, options->png.size);
    app.add_option("--format", options->format, "svg or png; else as the name of -o ends, or svg")
        .type_name("FORMAT")
        .one_of({"svg", "png"});
    app.add_option("-o", options->file, "The file to write; without it, standard output").type_name("FILE");
    add_start_options(app, options->game);
    add_example(app, "zug draw chess --moves \"e2e4 e7e5 g1f3\" -o board.svg");
    return {[options] { return run_draw(*options); },
            [options] { return !wants_png(*options) || load_png(options->png); }};
}

} // namespace zug::cli

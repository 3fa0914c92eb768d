#include "cli/reports/png.hpp"

#include "base/process/module.hpp"
#include "cli/output.hpp"

#include <unistd.h>

namespace zug::cli {

void add_width_option(Command& command, draw::PngSize& size) {
    command
        .add_option("--width", size.width, "The width of a PNG in pixels; without it, twice that of the picture in SVG")
        .type_name("PIXELS")
        .within(16, 30'000);
}

bool load_png(PngOptions& options) {
    if (module_file("png").empty()) {
        complain("this program was built without librsvg, which makes PNGs: install it (on Debian: apt install "
                 "librsvg2-dev) and build Zug again, or ask for SVG, as in -o picture.svg");
        return false;
    }
    const auto found = module_function("png", draw::make_png_name);
    if (!found) {
        complain(fmt::format("no PNG can be made: {}", found.error().text));
        return false;
    }
    options.make = reinterpret_cast<draw::MakePng>(*found);
    return true;
}

bool png_fits(const PngOptions& options, bool is_png, const std::string& file) {
    if (is_png && file.empty() && ::isatty(STDOUT_FILENO) != 0) {
        complain("a PNG can't be shown on a terminal: -o FILE says where to put it");
        return false;
    }
    if (is_png || options.size.width == 0) return true;
    complain("--width is that of a PNG: -o FILE.png or --format png makes one");
    return false;
}

int write_png(const PngOptions& options, const std::string& svg, const std::string& file) {
    std::string png;
    if (!options.make(svg, options.size, png)) {
        complain(fmt::format("no PNG can be made: {}", png));
        return exit_failed;
    }
    if (!file.empty()) return write_result(png, file);
    write_bytes(png);
    return exit_fine;
}

} // namespace zug::cli

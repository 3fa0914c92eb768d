#pragma once
// PNG, for the commands that draw pictures: made of SVG by a module that not every build has.

#include "cli/command_line.hpp"
#include "draw/png/png.hpp"

#include <string>

namespace zug::cli {

struct PngOptions {
    draw::PngSize size;
    draw::MakePng make = nullptr; // once it is loaded
};

void add_width_option(Command& command, draw::PngSize& size);
// Loads what makes PNGs, which is outside of what the sandbox lets a process read. False: this build has none, or it
// can't be loaded, which has been said.
bool load_png(PngOptions& options);
// Whether options and the place of the result go together; if not, it has been said.
bool png_fits(const PngOptions& options, bool is_png, const std::string& file);
// Puts a picture in a file, or on standard output if the name is empty. Returns the exit code.
int write_png(const PngOptions& options, const std::string& svg, const std::string& file);

} // namespace zug::cli

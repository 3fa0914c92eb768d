#pragma once
// The module zug-png, which turns pictures in SVG into PNG by librsvg. That library brings 40 others with it, which
// whatever the program is started for would wait for: so it is in a module that is loaded when a PNG is to be made. A
// program that was built without librsvg has no such module.

#include <string>
#include <string_view>

namespace zug::draw {

struct PngSize {
    int width = 0;    // in pixels; 0: as the scale says
    double scale = 2; // pixels for each unit of the picture's own size, so that it is sharp on screens of today
};

// False: no PNG was made, and `out` says why. The height follows from the width.
using MakePng = bool (*)(std::string_view svg, const PngSize& size, std::string& out);
// The one function of the module is of this type and has this name.
inline constexpr const char* make_png_name = "zug_make_png";

} // namespace zug::draw

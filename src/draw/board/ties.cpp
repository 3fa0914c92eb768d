#include "draw/board/ties.hpp"

#include <cmath>
#include <numbers>

namespace zug::draw::board {

void paint_ties(Canvas& canvas, const Theme& theme, const View& view, ir::StateId id, Point at) {
    constexpr double ring = 150, name = 178, radius = 9;
    const ir::StateVariable& state = view.state(id);
    const std::uint64_t count = view.program().types.cardinality(state.indices[0]);
    const Point middle = at + Point{ties_size / 2, ties_size / 2};
    const auto point = [&](std::uint64_t i, double distance) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
        return middle + Point{distance * std::sin(angle), -distance * std::cos(angle)};
    };
    canvas.rectangle({at.x, at.y, ties_size, ties_size, 12}, {.fill = theme.tray});
    for (const bool drawn : {false, true}) // what is drawn lies over what isn't yet
        for (std::uint64_t i = 0; i < count; ++i)
            for (std::uint64_t j = i + 1; j < count; ++j) {
                const std::int64_t forth = view.value(id, i * count + j), back = view.value(id, j * count + i);
                const std::int64_t owner = forth != ir::none ? forth : back;
                if ((owner != ir::none) != drawn) continue;
                const std::string_view colour = drawn ? view.looks().player(owner).fill : theme.panel_edge;
                canvas.line(point(i, ring), point(j, ring), {.stroke = colour, .width = drawn ? 5.0 : 1.0});
            }
    for (std::uint64_t i = 0; i < count; ++i) {
        canvas.disc(point(i, ring), radius, {.fill = theme.text});
        canvas.centred_text(point(i, name), {.size = 15, .fill = theme.text},
                            view.words(state.indices[0], view.program().types.value(state.indices[0], i)));
    }
}

} // namespace zug::draw::board

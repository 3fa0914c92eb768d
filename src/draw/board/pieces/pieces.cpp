#include "draw/board/pieces/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace zug::draw::board {

namespace {

// All is drawn in a square from (-50, -50) to (50, 50).
constexpr double stone_radius = 39, outline = 3.2;

Paint body(const Ink& ink) { return {.fill = ink.fill, .stroke = ink.stroke, .width = outline}; }

// As large as fits.
void inscription(Canvas& canvas, const std::string& text, double room, std::string_view colour) {
    constexpr double most = 44;
    const double size = std::min(most, room / std::max(1.0, text_width(text, 1)));
    canvas.centred_text({0, 0}, {.size = size, .fill = colour, .bold = true}, text);
}

void disc(Canvas& canvas, const Look& look) {
    canvas.disc({}, stone_radius, body(look.ink));
    if (look.cored) canvas.disc({}, 23, {.fill = look.core.fill, .stroke = look.core.stroke, .width = 2.5});
}

void crown(Canvas& canvas, const Look& look) {
    canvas.disc({}, stone_radius - 8, {.stroke = look.ink.detail, .width = 1.8, .opacity = 0.55});
    canvas.path("M-17 14L-21 -11L-9.5 -2L0 -17L9.5 -2L21 -11L17 14Z", {.fill = look.ink.detail});
}

void chessman(Canvas& canvas, const Look& look) {
    const ManShape& shape = shape_of(look.man);
    canvas.path(shape.body, body(look.ink));
    canvas.path(shape.details, {.stroke = look.ink.detail, .width = 2.6});
    if (!shape.dots.empty()) canvas.path(shape.dots, {.fill = look.ink.detail});
}

void badge(Canvas& canvas, const Look& look) {
    canvas.disc({24, 24}, 17, {.fill = look.ink.detail, .stroke = look.ink.fill, .width = 2});
    canvas.centred_text({24, 24}, {.size = 22, .fill = look.ink.fill, .bold = true}, look.text);
}

// The corners of a star, every second one nearer to its middle.
std::vector<Point> star_of(int points, double radius, double inner) {
    std::vector<Point> corners;
    for (int i = 0; i < 2 * points; ++i) {
        const double angle = std::numbers::pi * i / points, r = i % 2 == 0 ? radius : inner;
        corners.push_back({r * std::sin(angle), -r * std::cos(angle)});
    }
    return corners;
}

// Shown also where the last move or colours are below it.
void cross(Canvas& canvas, const Ink& ink) {
    const std::string_view colour = ink.fill;
    canvas.path("M-28 -28L28 28M28 -28L-28 28", {.stroke = colour, .width = 13});
}

void token(Canvas& canvas, const Look& look) {
    const double size = look.low ? 27 : 41;
    if (look.square) {
        canvas.rectangle({-size, -size, 2 * size, 2 * size, 5}, body(look.ink));
        if (!look.low)
            canvas.rectangle({8 - size, 8 - size, 2 * size - 16, 2 * size - 16, 3},
                             {.stroke = look.ink.detail, .width = 2, .opacity = 0.6});
    } else {
        canvas.disc({}, size, body(look.ink));
        if (!look.low) canvas.disc({}, size - 8, {.stroke = look.ink.detail, .width = 2, .opacity = 0.6});
    }
    if (look.hollow) canvas.disc({}, 13, {.fill = look.ink.detail});
}

void crate(Canvas& canvas) {
    canvas.rectangle({-36, -36, 72, 72, 5}, {.fill = "#c98d4b", .stroke = "#5c3a14", .width = outline});
    canvas.path("M-24 -24H24V24H-24ZM-24 24L24 -24", {.stroke = "#5c3a14", .width = 4});
}

void burnt(Canvas& canvas, const Ink& ink) {
    canvas.disc({}, 25, {.fill = ink.stroke, .opacity = 0.9});
    canvas.path("M-10 -10L10 10M10 -10L-10 10", {.stroke = "#ffffff", .width = 6});
}

void tile(Canvas& canvas, const Look& look) {
    canvas.rectangle({-44, -44, 88, 88, 9}, {.fill = look.ink.fill, .stroke = look.ink.stroke, .width = 2});
    inscription(canvas, look.text, 78, look.ink.detail);
}

void goal(Canvas& canvas) {
    canvas.disc({}, 16, {.stroke = "#b3261e", .width = 5});
    canvas.disc({}, 5, {.fill = "#b3261e"});
}

// In the colour of the lines that a board has anyway.
constexpr Paint wall{.fill = "#4a3018", .stroke = "#26170a", .width = 2};

} // namespace

void draw_look(Canvas& canvas, const Look& look, Point centre, double size) {
    if (look.form == Form::None) return;
    canvas.open(centre, size / 100);
    if (look.on_goal) canvas.rectangle({-46, -46, 92, 92, 6}, {.stroke = "#b3261e", .width = 5});
    switch (look.form) {
    case Form::None: break;
    case Form::Crowned:
        disc(canvas, look);
        crown(canvas, look);
        break;
    case Form::Lettered:
        disc(canvas, look);
        inscription(canvas, look.text, 62, look.ink.detail);
        break;
    case Form::Disc: disc(canvas, look); break;
    case Form::Chessman: chessman(canvas, look); break;
    case Form::Cross: cross(canvas, look.ink); break;
    case Form::Nought: canvas.disc({}, 29, {.stroke = look.ink.fill, .width = 13}); break;
    case Form::Text: inscription(canvas, look.text, 84, look.ink.fill); break;
    case Form::Tile: tile(canvas, look); break;
    case Form::Across: canvas.rectangle({-50, -7, 100, 14, 5}, wall); break;
    case Form::Upright: canvas.rectangle({-7, -50, 14, 100, 5}, wall); break;
    case Form::Dot: canvas.disc({}, 12, {.fill = "#4a3018"}); break;
    case Form::Block:
        canvas.rectangle({-47, -47, 94, 94, 4}, {.fill = "#6d5a49", .stroke = "#3b2d20", .width = 3});
        break;
    case Form::Crate: crate(canvas); break;
    case Form::Goal: goal(canvas); break;
    case Form::Burnt: burnt(canvas, look.ink); break;
    case Form::Token: token(canvas, look); break;
    case Form::Star: canvas.polygon(star_of(5, 44, 19), body(look.ink)); break;
    }
    if (look.badge) badge(canvas, look);
    canvas.close();
}

void draw_rosette(Canvas& canvas, const Paint& paint, Point centre, double radius) {
    std::vector<Point> corners = star_of(8, radius, radius * 0.55);
    for (Point& corner : corners) corner = corner + centre;
    canvas.polygon(corners, paint);
}

void draw_die(Canvas& canvas, std::int64_t pips, Point centre, double size) {
    constexpr double off = 24;
    canvas.open(centre, size / 100);
    canvas.rectangle({-44, -44, 88, 88, 16}, {.fill = "#fffdf8", .stroke = "#2b2725", .width = 4});
    const auto pip = [&](double x, double y) { canvas.disc({x * off, y * off}, 9, {.fill = "#2b2725"}); };
    if (pips % 2 == 1) pip(0, 0);
    if (pips >= 2) pip(-1, 1), pip(1, -1);
    if (pips >= 4) pip(-1, -1), pip(1, 1);
    if (pips == 6) pip(-1, 0), pip(1, 0);
    canvas.close();
}

} // namespace zug::draw::board

#include "draw/board/pieces/canvas.hpp"

#include "base/markup/markup.hpp"
#include "game/faces.hpp"

#include <fmt/format.h>

#include <cmath>

namespace zug::draw::board {

namespace {

// Without zeros at the end, which are half of a board's digits.
std::string number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string attributes(const Paint& paint) {
    std::string text = fmt::format(" fill=\"{}\"", paint.fill);
    if (paint.stroke != "none")
        text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", paint.stroke, number(paint.width));
    if (paint.opacity < 1) text += fmt::format(" opacity=\"{}\"", number(paint.opacity));
    return text;
}

std::string through(const std::vector<Point>& points) {
    std::string d;
    for (const Point point : points)
        d += fmt::format("{}{} {}", d.empty() ? 'M' : 'L', number(point.x), number(point.y));
    return d;
}

} // namespace

double length_of(Point vector) { return std::hypot(vector.x, vector.y); }

double text_width(const std::string& text, double size) {
    constexpr double letter_width = 0.6; // of most fonts, as a part of their size
    return letter_width * size * static_cast<double>(game::characters(text).size());
}

void Canvas::disc(Point centre, double radius, const Paint& paint) {
    out_ += fmt::format("<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"{}/>\n", number(centre.x), number(centre.y),
                        number(radius), number(radius), attributes(paint));
}

void Canvas::rectangle(const Rectangle& area, const Paint& paint) {
    const std::string rounding = area.rounding > 0 ? fmt::format(" rx=\"{}\"", number(area.rounding)) : "";
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>\n", number(area.x), number(area.y),
                        number(area.width), number(area.height), rounding, attributes(paint));
}

void Canvas::polygon(const std::vector<Point>& corners, const Paint& paint) { path(through(corners) + 'Z', paint); }

void Canvas::line(Point from, Point to, const Paint& paint) { path(through({from, to}), paint); }

void Canvas::lines(const std::vector<Point>& points, const Paint& paint) { path(through(points), paint); }

void Canvas::path(std::string_view d, const Paint& paint) {
    out_ += fmt::format("<path d=\"{}\"{}/>\n", d, attributes(paint));
}

void Canvas::text(Point at, const Font& font, std::string_view text) {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
                        number(at.x), number(at.y), number(font.size), font.fill, font.anchor,
                        font.bold ? " font-weight=\"600\"" : "", escaped(text));
}

void Canvas::centred_text(Point at, const Font& font, std::string_view text) {
    constexpr double capital_height = 0.72; // of most fonts, as a part of their size
    this->text({at.x, at.y + font.size * capital_height / 2}, font, text);
}

void Canvas::open(Point origin, double scale) {
    out_ +=
        fmt::format("<g transform=\"translate({} {}) scale({:.4f})\">\n", number(origin.x), number(origin.y), scale);
}

void Canvas::open_named(std::string_view key, std::string_view title) {
    out_ += fmt::format("<g data-site=\"{}\"><title>{}</title>\n", escaped(key), escaped(title));
}

void Canvas::open_titled(std::string_view title) { out_ += fmt::format("<g><title>{}</title>\n", escaped(title)); }

void Canvas::close() { out_ += "</g>\n"; }

} // namespace zug::draw::board

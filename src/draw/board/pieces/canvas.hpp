#pragma once
// Shapes as SVG text, in the order in which they are painted. Coordinates are in the units of the innermost open group,
// y downwards; at most two digits behind the point are kept. Texts are escaped here.

#include <string>
#include <string_view>
#include <vector>

namespace zug::draw::board {

struct Point {
    double x = 0, y = 0;

    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
    friend Point operator*(Point a, double k) { return {a.x * k, a.y * k}; }
};

double length_of(Point vector);

// About how wide a text is in letters of a size: exactly is known only where it is shown.
double text_width(const std::string& text, double size);

// Colours are texts of SVG, such as #rrggbb or none.
struct Paint {
    std::string_view fill = "none", stroke = "none";
    double width = 0; // of the stroke
    double opacity = 1;
};

struct Font {
    double size = 14;
    std::string_view fill;
    std::string_view anchor = "middle"; // start, middle or end: which part of the text is at the point
    bool bold = false;
};

struct Rectangle {
    double x = 0, y = 0, width = 0, height = 0;
    double rounding = 0; // radius of the corners
};

class Canvas {
public:
    void disc(Point centre, double radius, const Paint& paint);
    void rectangle(const Rectangle& area, const Paint& paint);
    void polygon(const std::vector<Point>& corners, const Paint& paint);
    void line(Point from, Point to, const Paint& paint);
    void lines(const std::vector<Point>& points, const Paint& paint); // from each point to the next one
    // `d` as SVG has it.
    void path(std::string_view d, const Paint& paint);
    // The point is on the base line.
    void text(Point at, const Font& font, std::string_view text);
    // The same with the middle of the letters' height at the point.
    void centred_text(Point at, const Font& font, std::string_view text);

    // What follows, up to close(), is drawn around `origin`, so many times as large.
    void open(Point origin, double scale);
    // What follows, up to close(), is called `title` when it is pointed at or read aloud, and `key` by programs.
    void open_named(std::string_view key, std::string_view title);
    // The same without a key.
    void open_titled(std::string_view title);
    void close();

    const std::string& svg() const { return out_; }

private:
    std::string out_;
};

} // namespace zug::draw::board

#pragma once
// Parts of plots in SVG, in pixels. Their style is that of whoever puts them together: `grid` and `zero` are the
// classes of lines, `mark` and `mark-left` those of texts.

#include <string>
#include <string_view>
#include <vector>

namespace zug::plot {

// A scale from numbers to coordinates, with marks at round numbers.
class Axis {
public:
    Axis(double low, double high, double from, double to) : low_(low), high_(high), from_(from), to_(to) {}
    // Widened to round numbers; at least `least` long.
    static Axis round(double low, double high, double least, double from, double to);

    double at(double value) const { return from_ + (value - low_) / (high_ - low_) * (to_ - from_); }
    double from() const { return from_; }
    double to() const { return to_; }
    std::vector<double> marks() const;

private:
    double low_, high_, from_, to_;
};

std::string line(double x1, double y1, double x2, double y2, std::string_view style);
std::string label(double x, double y, std::string_view text, std::string_view style);

// The marks of both axes and lines at those of y; `title`: what x counts. x has marks at whole numbers only.
std::string frame(const Axis& x, const Axis& y, std::string_view title);

// The `d` of a path through points, which are added from left to right.
class Path {
public:
    Path(const Axis& x, const Axis& y) : x_(x), y_(y) {}
    void add(double x, double y);
    const std::string& text() const { return text_; }

private:
    const Axis &x_, &y_;
    std::string text_;
};

} // namespace zug::plot

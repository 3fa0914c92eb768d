#include "base/markup/plot.hpp"

#include "base/markup/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zug::plot {

namespace {

// 1, 2 or 5 times a power of ten, for about six marks.
double step_of(double length) {
    const double raw = length / 6, power = std::pow(10, std::floor(std::log10(raw)));
    const double factor = raw / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

} // namespace

Axis Axis::round(double low, double high, double least, double from, double to) {
    const double more = std::max(0.0, least - (high - low)) / 2;
    const double step = step_of(high - low + 2 * more);
    return {std::floor((low - more) / step) * step, std::ceil((high + more) / step) * step, from, to};
}

std::vector<double> Axis::marks() const {
    const double step = step_of(high_ - low_);
    std::vector<double> out;
    for (double mark = std::ceil(low_ / step - 1e-9) * step; mark <= high_ + step * 1e-9; mark += step)
        out.push_back(std::abs(mark) < step / 2 ? 0 : mark);
    return out;
}

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                       style);
}

std::string label(double x, double y, std::string_view text, std::string_view style) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style, escaped(text));
}

std::string frame(const Axis& x, const Axis& y, std::string_view title) {
    const double left = x.from(), right = x.to(), bottom = y.from();
    std::string out;
    for (const double mark : y.marks()) {
        out += line(left, y.at(mark), right, y.at(mark), "grid");
        out += label(left - 6, y.at(mark) + 4, fmt::format("{:.3g}", mark), "mark-left");
    }
    for (const double mark : x.marks()) {
        if (mark != std::floor(mark)) continue;
        out += label(std::clamp(x.at(mark), left, right - 10), bottom + 16, fmt::format("{:.0f}", mark), "mark");
    }
    return out + label((left + right) / 2, bottom + 32, title, "mark");
}

void Path::add(double x, double y) {
    text_ += fmt::format("{}{:.1f} {:.1f}", text_.empty() ? "M" : " L", x_.at(x), y_.at(y));
}

} // namespace zug::plot

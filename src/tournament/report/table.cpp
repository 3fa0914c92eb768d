#include "tournament/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zug::tournament {

namespace {

// The number of characters of UTF-8.
std::size_t length(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0) != 0x80; }));
}

} // namespace

TextTable::TextTable(std::vector<std::string> headings) {
    for (std::string& heading : headings) {
        right_.push_back(heading.starts_with('>'));
        if (right_.back()) heading.erase(0, 1);
    }
    rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

std::string TextTable::text() const {
    std::vector<std::size_t> widths(right_.size(), 0);
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], length(row[i]));
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) line += "  ";
            const std::string space(widths[i] - length(row[i]), ' ');
            line += right_[i] ? space + row[i] : row[i] + space;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string elo_text(double elo) {
    const double whole = std::round(elo);
    return whole == 0 ? "0" : fmt::format("{:+.0f}", whole);
}

std::string interval_text(const match::Interval& between) {
    return fmt::format("{} to {}", elo_text(between.low), elo_text(between.high));
}

std::string probability_text(double probability) {
    constexpr double nearest = 0.001;
    if (probability < nearest) return "< 0.001";
    if (probability > 1 - nearest) return "> 0.999";
    return fmt::format("{:.3f}", probability);
}

} // namespace zug::tournament

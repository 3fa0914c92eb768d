#pragma once
// Columns of text, as wide as what stands in them, and the texts of figures.

#include "match/statistics.hpp"

#include <string>
#include <vector>

namespace zug::tournament {

class TextTable {
public:
    // A heading that begins with `>` is that of a column aligned to the right.
    explicit TextTable(std::vector<std::string> headings);
    void add(std::vector<std::string> row);
    std::string text() const;

private:
    std::vector<bool> right_;
    std::vector<std::vector<std::string>> rows_;
};

std::string elo_text(double elo);                          // `+12`, `-3`, `0`
std::string interval_text(const match::Interval& between); // `+2 to +22`, of Elo
std::string probability_text(double probability);          // `0.983`; never 0 or 1, which no results prove

} // namespace zug::tournament

#include "draw/terminal/board_labels.hpp"

#include "draw/board/layout/layout.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zug::draw::terminal {

namespace {

using Groups = std::map<std::string, std::vector<std::size_t>>; // sites by the text that they have in common

struct Label {
    Place end; // of the text
    std::string text;
};

class Labels {
public:
    Labels(Characters& page, const LabelledBoard& board) : page_(page), all_(board) {}
    void write();

private:
    const ir::Site& site(std::size_t i) const { return all_.board.sites[i]; }
    bool find_groups();
    bool are_rows(const Groups& groups) const;
    std::vector<Label> row_labels(std::optional<int> margin) const;
    std::vector<Label> column_labels(bool up) const;
    bool is_free(const Label& label) const;
    bool write_free(const std::vector<Label>& labels);
    void write(const std::vector<Label>& labels);

    Characters& page_;
    const LabelledBoard& all_;
    Groups rows_, columns_;
};

std::size_t largest(const Groups& groups) {
    std::size_t most = 0;
    for (const auto& [text, sites] : groups) most = std::max(most, sites.size());
    return most;
}

bool is_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// `1-5`: of rows of numbered sites.
Groups numbered_rows(const ir::Board& board) {
    std::map<std::int32_t, std::pair<int, int>> ends;
    std::map<std::int32_t, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < board.sites.size(); ++i) {
        const int number = std::stoi(board.sites[i].text);
        const auto [row, is_new] = ends.try_emplace(board.sites[i].y, number, number);
        row->second = {std::min(row->second.first, number), std::max(row->second.second, number)};
        rows[board.sites[i].y].push_back(i);
    }
    Groups groups;
    for (auto& [y, sites] : rows)
        groups[std::to_string(ends[y].first) + "-" + std::to_string(ends[y].second)] = std::move(sites);
    return groups;
}

bool Labels::are_rows(const Groups& groups) const {
    return std::ranges::all_of(groups, [&](const auto& group) {
        return std::ranges::all_of(group.second,
                                   [&](std::size_t i) { return site(i).y == site(group.second.front()).y; });
    });
}

// False: the sites have no texts of letters and digits.
bool Labels::find_groups() {
    const auto& sites = all_.board.sites;
    if (std::ranges::all_of(sites, [](const ir::Site& s) { return is_number(s.text) && s.text.size() < 6; })) {
        rows_ = numbered_rows(all_.board);
        return true;
    }
    const bool own = std::ranges::all_of(
        sites, [](const ir::Site& s) { return !board::letters_and_digits(board::site_text(s)).first.empty(); });
    Groups letters, digits;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const auto [letter, digit] = board::letters_and_digits(own ? board::site_text(sites[i]) : sites[i].name);
        if (letter.empty()) return false;
        letters[letter].push_back(i);
        digits[digit].push_back(i);
    }
    const bool by_letters = are_rows(letters) && (!are_rows(digits) || largest(letters) > largest(digits));
    rows_ = by_letters ? letters : digits;
    columns_ = by_letters ? digits : letters;
    return are_rows(rows_);
}

// Before the first site of each row, or ending in one column of the page.
std::vector<Label> Labels::row_labels(std::optional<int> margin) const {
    std::vector<Label> labels;
    for (const auto& [text, sites] : rows_) {
        const Place first =
            all_.places[*std::ranges::min_element(sites, {}, [&](std::size_t i) { return all_.places[i].x; })];
        labels.push_back({{margin.value_or(first.x - all_.width - 1), first.y}, text});
    }
    return labels;
}

// Where the next site of each column would be, below its last one or, with `up`, above its first.
std::vector<Label> Labels::column_labels(bool up) const {
    // On a hexagonal board columns lean to the right as they rise, or to the left.
    const bool lean_left = std::ranges::all_of(columns_, [&](const auto& column) {
        const std::vector<std::size_t>& sites = column.second;
        return std::ranges::all_of(sites, [&](std::size_t i) {
            return site(i).x + site(i).y == site(sites.front()).x + site(sites.front()).y;
        });
    });
    const int step = !all_.hexagonal ? 0 : up == lean_left ? -all_.spacing.x / 2 : all_.spacing.x / 2;
    std::vector<Label> labels;
    for (const auto& [text, sites] : columns_) {
        const auto depth = [&](std::size_t i) { return up ? all_.places[i].y : -all_.places[i].y; };
        const Place at = all_.places[*std::ranges::min_element(sites, {}, depth)];
        Place end{at.x + step, at.y + (up ? -1 : 1)};
        const int length = columns_of(text);
        if (!page_.is_free({end.x - length, end.y})) end.x += length - 1; // to the right of its row
        labels.push_back({end, text});
    }
    return labels;
}

bool Labels::is_free(const Label& label) const {
    for (int x = label.end.x - columns_of(label.text); x <= label.end.x + 1; ++x)
        if (!page_.is_free({x, label.end.y})) return false;
    return true;
}

// Writes labels if none touches anything.
bool Labels::write_free(const std::vector<Label>& labels) {
    const Characters before = page_;
    for (const Label& label : labels) {
        if (!is_free(label)) {
            page_ = before;
            return false;
        }
        write({label});
    }
    return true;
}

void Labels::write(const std::vector<Label>& labels) {
    for (const Label& label : labels)
        page_.write({label.end.x + 1 - columns_of(label.text), label.end.y}, label.text, faint_colour);
}

void Labels::write() {
    if (!find_groups()) return;
    if (all_.hexagonal) {
        const Characters bare = page_;
        for (const bool up : {false, true}) {
            if (write_free(column_labels(up)) && write_free(row_labels({}))) return;
            page_ = bare;
        }
        write(column_labels(false));
        return write(row_labels(page_.left() - 2));
    }
    const int margin = std::ranges::min(all_.places, {}, &Place::x).x - all_.width - 1;
    std::vector<Label> labels = column_labels(false);
    for (Label& label : labels) label.end = {label.end.x, page_.bottom()};
    write(row_labels(margin));
    write(labels);
}

} // namespace

void write_labels(Characters& page, const LabelledBoard& board) { Labels(page, board).write(); }

} // namespace zug::draw::terminal

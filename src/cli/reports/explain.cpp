#include "cli/reports/explain.hpp"

#include "cli/output.hpp"
#include "ir/board_text.hpp"
#include "learn/explain.hpp"

#include <algorithm>
#include <cmath>

namespace zug::cli {

namespace {

double most_of(const learn::Worth& worth) {
    double most = 0;
    for (const double percent : worth.percent) most = std::max(most, std::abs(percent));
    return most;
}

constexpr double least = 0.05; // of the greatest number that is shown

std::vector<std::string> numbers_of(const learn::Worth& worth) {
    const int digits = most_of(worth) < 10 ? 1 : 0;
    const double half = digits == 1 ? 0.05 : 0.5; // of the last digit
    std::vector<std::string> numbers;
    for (const double percent : worth.percent)
        numbers.push_back(std::abs(percent) < half ? "0" : fmt::format("{:+.{}f}", percent, digits));
    return numbers;
}

// `a1 +2.0, b1 +1.5`, in lines of some entries.
std::string list_text(const learn::Worth& worth, const std::vector<std::string>& numbers) {
    constexpr std::size_t in_a_line = 8;
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        text += i % in_a_line == 0 ? "  " : ", ";
        text += worth.names[i].empty() ? numbers[i] : worth.names[i] + ' ' + numbers[i];
        if (i % in_a_line == in_a_line - 1 || i + 1 == numbers.size()) text += '\n';
    }
    return text;
}

} // namespace

void show_terms(const learn::TermNet& net, const game::Game& game) {
    const std::vector<double> weights = learn::as_written(net, game);
    say("written   learned\n");
    for (std::size_t t = 0; t < weights.size(); ++t)
        say("{:>7.4g}  {:>8.4g}  {}\n", game.program().terms[t].weight, weights[t], net.terms[t]);
}

void show_worths(game::Game& game) {
    say("What a value adds to {}'s utility, in percent of half its range\n", game.player_name(0));
    for (const learn::Worth& worth : learn::find_worths(game)) {
        if (most_of(worth) < least) continue;
        double sum = 0;
        for (const double percent : worth.percent) sum += percent;
        say("\n{}", worth.title);
        if (worth.percent.size() > 1) say(", {:+.1f} in the mean", sum / static_cast<double>(worth.percent.size()));
        say("\n");
        const std::vector<std::string> numbers = numbers_of(worth);
        const std::size_t width = std::ranges::max(numbers, {}, &std::string::size).size();
        if (!worth.board) {
            write(list_text(worth, numbers));
            continue;
        }
        std::vector<std::string> cells;
        for (const std::string& number : numbers) cells.push_back(fmt::format("{:>{}}", number, width));
        write(ir::board_text(*worth.board, cells, width));
    }
}

} // namespace zug::cli

#include "learn/tuples/board_patterns.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace zug::learn {

namespace {

using Step = std::vector<std::int32_t>; // by site: where it leads, or -1

// One of each pair of opposite directions.
std::vector<const Step*> axes(const ir::Board& board) {
    std::vector<const Step*> result;
    for_each_bit(board.axes, [&](std::size_t d) { result.push_back(&board.steps[static_cast<ir::StepId>(d)].to); });
    return result;
}

void shuffle(std::vector<Sites>& all, Random& random) {
    for (std::size_t i = all.size(); i > 1; --i)
        std::swap(all[i - 1], all[random.below(static_cast<std::uint32_t>(i))]);
}

// So many sites from this one on, all different; nothing: the line ends before.
std::optional<Sites> run_from(const Step& step, std::uint32_t site, std::uint32_t length) {
    Sites run{site};
    while (run.size() < length) {
        const std::int32_t next = step[run.back()];
        if (next < 0 || std::ranges::find(run, static_cast<std::uint32_t>(next)) != run.end()) return std::nullopt;
        run.push_back(static_cast<std::uint32_t>(next));
    }
    return run;
}

std::optional<Sites> block_from(const Step& across, const Step& up, std::uint32_t site, std::uint32_t width,
                                std::uint32_t height) {
    Sites block;
    const auto left = run_from(up, site, height);
    if (!left) return std::nullopt;
    for (const std::uint32_t begin : *left) {
        const auto row = run_from(across, begin, width);
        if (!row) return std::nullopt;
        block.insert(block.end(), row->begin(), row->end());
    }
    Sites sorted = block;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end() ? std::optional(block) : std::nullopt;
}

std::vector<Sites> runs_along(const Step& step, std::uint32_t length) {
    std::vector<Sites> all;
    for (std::uint32_t site = 0; site < step.size(); ++site)
        if (auto run = run_from(step, site, length)) all.push_back(std::move(*run));
    return all;
}

// Lines of at least three sites that are shorter than `length`, whole.
void add_short_lines(const Step& step, std::uint32_t length, std::vector<Sites>& all) {
    std::vector<bool> entered(step.size(), false);
    for (const std::int32_t to : step)
        if (to >= 0) entered[static_cast<std::size_t>(to)] = true;
    for (std::uint32_t site = 0; site < step.size(); ++site) {
        if (entered[site]) continue;
        std::uint32_t longest = 1;
        while (longest < length && run_from(step, site, longest + 1)) ++longest;
        if (longest >= 3 && longest < length) all.push_back(*run_from(step, site, longest));
    }
}

} // namespace

std::vector<Sites> runs(const ir::Board& board, std::uint32_t length, Random& random) {
    std::vector<Sites> all;
    for (const Step* step : axes(board)) {
        const std::vector<Sites> along = runs_along(*step, length);
        all.insert(all.end(), along.begin(), along.end());
        add_short_lines(*step, length, all);
    }
    shuffle(all, random);
    return all;
}

std::vector<std::vector<Sites>> shared_runs(const ir::Board& board, std::uint32_t length) {
    std::vector<std::vector<Sites>> result;
    for (const Step* step : axes(board)) {
        std::vector<Sites> all;
        for (std::uint32_t n = length; n >= 2 && all.empty(); --n) all = runs_along(*step, n);
        if (!all.empty()) result.push_back(std::move(all));
    }
    return result;
}

std::vector<Sites> blocks(const ir::Board& board, std::uint32_t size, Random& random) {
    std::vector<Sites> all;
    const std::vector<const Step*> steps = axes(board);
    for (std::size_t a = 0; a < steps.size(); ++a)
        for (std::size_t b = a + 1; b < steps.size(); ++b)
            for (std::uint32_t width = 2; width <= size / 2; ++width) {
                const std::uint32_t height = size / width;
                const bool thin = std::max(width, height) > 2 * std::min(width, height);
                if (thin || (height + 1) * width <= size || (width + 1) * height <= size) continue;
                for (std::uint32_t site = 0; site < board.sites.size(); ++site)
                    if (auto block = block_from(*steps[a], *steps[b], site, width, height))
                        all.push_back(std::move(*block));
            }
    shuffle(all, random);
    return all;
}

std::vector<Sites> walks(const ir::Board& board, std::uint32_t length, std::size_t count, Random& random) {
    std::vector<std::vector<std::uint32_t>> neighbours(board.sites.size());
    for (std::size_t d = 0; d < board.steps.size(); ++d) {
        const Step& step = board.steps[static_cast<ir::StepId>(d)].to;
        for (std::uint32_t site = 0; site < step.size(); ++site) {
            if (step[site] < 0) continue;
            neighbours[site].push_back(static_cast<std::uint32_t>(step[site]));
            neighbours[static_cast<std::size_t>(step[site])].push_back(site);
        }
    }
    std::vector<Sites> all;
    for (std::size_t i = 0; i < count; ++i) {
        Sites walk{random.below(static_cast<std::uint32_t>(board.sites.size()))};
        std::uint32_t at = walk.front();
        for (std::uint32_t tries = 0; walk.size() < length && tries < 8 * length; ++tries) {
            if (neighbours[at].empty()) break;
            at = neighbours[at][random.below(static_cast<std::uint32_t>(neighbours[at].size()))];
            if (std::ranges::find(walk, at) == walk.end()) walk.push_back(at);
        }
        if (walk.size() == length) all.push_back(std::move(walk));
    }
    return all;
}

} // namespace zug::learn

#include "match/learnable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>

namespace zug::match {

namespace {

std::vector<float> flat_values(const GameRecord& record, std::size_t players) {
    std::vector<float> flat;
    const auto known = [](const Values& values) { return !values.empty(); };
    if (std::ranges::none_of(record.values, known)) return flat;
    for (const Values& values : record.values)
        for (std::size_t p = 0; p < players; ++p)
            flat.push_back(values.empty() ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(values[p]));
    return flat;
}

tl::expected<learn::RecordedGame, Error> learnable(game::Game& game, const GameRecord& record) {
    Line line;
    if (const auto end = replay(game, record, &line); !end) return tl::unexpected(end.error());
    learn::RecordedGame recorded;
    game.executor().store(line.start, recorded.start);
    recorded.moves = std::move(line.moves);
    recorded.values = flat_values(record, game.players());
    if (record.end == End::Finished) recorded.utilities = record.utilities;
    if (recorded.values.empty() && recorded.utilities.empty())
        return failure("the game has neither an end nor values of its moves, so it teaches nothing");
    return recorded;
}

} // namespace

tl::expected<std::vector<learn::RecordedGame>, Error>
read_learnable(const std::filesystem::path& file, game::Game& game, const std::function<bool(std::size_t)>& progress) {
    std::ifstream in(file);
    if (!in) return failure(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
    std::vector<learn::RecordedGame> games;
    std::string problem;
    read_records(in, [&](std::size_t line, const tl::expected<GameRecord, Error>& record) {
        auto recorded = record ? learnable(game, *record) : tl::unexpected(record.error());
        if (!recorded) {
            problem = fmt::format("{}:{}: {}", file.string(), line, recorded.error().text);
            return false;
        }
        games.push_back(std::move(*recorded));
        return !progress || progress(games.size());
    });
    if (!problem.empty()) return failure(problem);
    if (games.empty()) return failure(fmt::format("{} has no games", file.string()));
    return games;
}

} // namespace zug::match

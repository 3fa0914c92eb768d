#include "search/proof/change_history.hpp"

#include <array>

namespace zug::search {

namespace {

constexpr double scale = 1000; // of what is learnt: a decision counts 1 for each move that it came after
constexpr double doubt = 10;   // games with a result in the middle that each move is taken to have had before
constexpr std::int32_t limit = 1 << 30;

struct Results {
    double sum = 0;
    std::uint32_t games = 0;
};

} // namespace

ChangeHistory::ChangeHistory(game::Game& game) : values_(std::size_t{game.players()} << change_bits) {}

std::uint32_t ChangeHistory::entry(game::Line& line, int ply) const {
    const std::uint64_t* const before = line.words(ply);
    const std::uint64_t* const after = line.words(ply + 1);
    std::uint64_t mixed = 0;
    for (std::uint32_t w = 0; w < line.words(); ++w) mixed = (mixed ^ before[w] ^ after[w]) * 0x9E3779B97F4A7C15ULL;
    return (line.mover(ply) << change_bits) + static_cast<std::uint32_t>(mixed >> (64 - change_bits));
}

void ChangeHistory::decided(std::uint32_t entry, std::size_t tried) {
    values_[entry] += static_cast<std::int32_t>(tried);
    if (values_[entry] < limit) return;
    for (std::int32_t& value : values_) value /= 2;
}

void ChangeHistory::learn(game::Game& game, const game::State& root, std::uint64_t seed,
                          const std::function<bool()>& goes_on) {
    std::vector<Results> results(values_.size());
    std::vector<std::uint32_t> played;
    Random random(seed);
    game::Line line(game);
    line.start(root);
    listed_ = 0;
    std::uint64_t plies = 0;
    std::uint32_t i = 0;
    for (; i < most_games && listed_ < most_listed && goes_on(); ++i) {
        played.clear();
        const auto utility = play(game, line, random, played);
        plies += played.size();
        for (const std::uint32_t entry : played) {
            if (!utility) break;
            results[entry].sum += *utility;
            ++results[entry].games;
        }
    }
    if (plies > 0) plies_ = static_cast<double>(plies) / i;
    game.clear_fault();
    const double least = game.traits().utilities.front(), most = game.traits().utilities.back();
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const bool first = (game.traits().first_side >> (i >> change_bits) & 1) != 0;
        const double mean = (results[i].sum + (least + most) / 2 * doubt) / (results[i].games + doubt);
        values_[i] = static_cast<std::int32_t>(scale * (first ? mean - least : most - mean) / (most - least));
    }
}

std::optional<double> ChangeHistory::play(game::Game& game, game::Line& line, Random& random,
                                          std::vector<std::uint32_t>& played) {
    for (int ply = 0; ply < most_plies; ++ply) {
        const game::NodeKind kind = line.list(ply);
        if (kind == game::NodeKind::Terminal) {
            std::array<double, game::max_players> payoffs{};
            if (!line.payoffs(ply, std::span(payoffs).first(game.players()))) return std::nullopt;
            return payoffs[0];
        }
        if (kind != game::NodeKind::Decision) return std::nullopt;
        const auto moves = static_cast<std::uint32_t>(line.moves(ply).size());
        listed_ += moves;
        if (line.make(ply, random.below(moves)) == game::Next::Fault) return std::nullopt;
        played.push_back(entry(line, ply));
    }
    return std::nullopt;
}

} // namespace zug::search

#include "learn/record_study.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace zug::learn {

using game::NodeKind;

namespace {

constexpr std::uint32_t block = 64;                   // games whose positions are mixed
constexpr std::size_t left_out = 50, few_games = 100; // one in so many, unless there are few
constexpr std::size_t most_others = 200;

bool is_left_out(std::size_t i, std::size_t games) { return games >= few_games && i % left_out == left_out - 1; }

// By player; empty: none is known.
std::span<const float> values_of(const RecordedGame& game, std::size_t move) {
    const std::size_t players = game.values.size() / std::max<std::size_t>(game.moves.size(), 1);
    const auto values = std::span(game.values).subspan(move * players, players);
    return values.empty() || std::isnan(values[0]) ? std::span<const float>() : values;
}

// Those before are an opening that nobody chose.
std::size_t first_chosen(const RecordedGame& game) {
    if (game.values.empty()) return 0;
    std::size_t move = 0;
    while (move < game.moves.size() && values_of(game, move).empty()) ++move;
    return move;
}

} // namespace

std::vector<std::uint32_t> games_to_learn(std::size_t games) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < games; ++i)
        if (!is_left_out(i, games)) numbers.push_back(static_cast<std::uint32_t>(i));
    return numbers;
}

RecordStudy::RecordStudy(game::Game& game, std::unique_ptr<Learner> learner, const TrainerOptions& options)
    : Study(std::move(learner), block), game_(game), options_(options), line_(game), value_(learner_->width()),
      later_(learner_->width()) {}

const RecordedGame& RecordStudy::nth(std::uint64_t number) {
    const std::size_t games = order_.empty() ? games_to_learn(options_.records->size()).size() : order_.size();
    if (const std::uint64_t round = number / games; round_ != round) {
        round_ = round;
        order_ = games_to_learn(options_.records->size());
        std::uint64_t seed = options_.seed + round;
        Random random(splitmix64(seed));
        for (std::size_t i = games; i > 1; --i)
            std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
    }
    return record(order_[number % games]);
}

std::span<const std::uint32_t> RecordStudy::slots(const Samples& samples, std::size_t i) const {
    const std::size_t size = game_.program().total_slots();
    return std::span(samples.slots).subspan(i * size, size);
}

std::span<float> RecordStudy::target(Samples& samples, std::size_t i) const {
    return std::span(samples.targets).subspan(i * later_.size(), later_.size());
}

bool RecordStudy::is_quiet(std::uint64_t move) {
    return !game_.traits().has_loud || line_.list_loud(0) != NodeKind::Decision || !line_.moves(0).find(move);
}

bool RecordStudy::walk(const RecordedGame& game, Samples& samples) {
    const std::size_t first = first_chosen(game);
    taught_.assign(game.moves.size(), 0);
    game_.executor().load(game.start, start_);
    line_.start(start_);
    bool chosen = true; // the position was, by the move before it
    for (std::size_t move = 0; move < game.moves.size(); ++move) {
        const bool chance = line_.kind(0) == NodeKind::Chance;
        if (chosen && move >= first && (chance || is_quiet(game.moves[move]))) {
            taught_[move] = 1;
            samples.slots.resize(samples.slots.size() + game_.program().total_slots());
            line_.read_slots(0, std::span(samples.slots).last(game_.program().total_slots()));
            ++samples.count;
        }
        chosen = !chance;
        if (line_.list(0) == NodeKind::Fault) return false;
        const auto i = line_.moves(0).find(game.moves[move]);
        if (!i || line_.make(0, *i) == game::Next::Fault) return false;
        const game::State state = line_.state(1);
        line_.start(state);
    }
    return true;
}

// From the last position to the first.
void RecordStudy::set_targets(const RecordedGame& game, Samples& samples) {
    samples.targets.resize(samples.count * later_.size());
    bool known = !game.utilities.empty();
    if (known) learner_->target(game.utilities, later_);
    std::size_t sample = samples.count;
    for (std::size_t move = game.moves.size(); move-- > 0;) {
        if (const auto values = values_of(game, move); !values.empty()) {
            const std::vector<double> utilities(values.begin(), values.end());
            learner_->target(utilities, value_);
            back_up(value_, known ? options_.lambda : 0, later_);
            known = true;
        }
        if (taught_[move] != 0) std::ranges::copy(later_, target(samples, --sample).begin());
    }
}

bool RecordStudy::add(const RecordedGame& game, Samples& samples) {
    if (!walk(game, samples)) return false;
    set_targets(game, samples);
    return true;
}

bool RecordStudy::learn_games(std::uint64_t first, std::uint32_t count, double rate) {
    samples_.count = 0;
    samples_.slots.clear();
    for (std::uint32_t i = 0; i < count; ++i)
        if (!add(nth(first + i), samples_)) return false;
    mixed_.resize(samples_.count);
    std::iota(mixed_.begin(), mixed_.end(), std::size_t{0});
    for (std::size_t i = mixed_.size(); i > 0; --i) {
        std::swap(mixed_[i - 1], mixed_[random_.below(static_cast<std::uint32_t>(i))]);
        learn(slots(samples_, mixed_[i - 1]), target(samples_, mixed_[i - 1]), rate);
    }
    share();
    return true;
}

bool RecordStudy::add_others() {
    const std::size_t games = options_.records->size();
    std::size_t taken = 0;
    for (std::size_t i = 0; i < games && taken < most_others; ++i)
        if (is_left_out(i, games)) {
            ++taken;
            if (!add(record(i), others_)) return false;
        }
    return true;
}

std::optional<double> RecordStudy::error_of_others() {
    if (others_.count == 0 && !add_others()) return std::nullopt;
    if (others_.count == 0) return std::nullopt;
    double squares = 0;
    learner_->refresh();
    for (std::size_t i = 0; i < others_.count; ++i) {
        learner_->estimate(slots(others_, i), value_);
        for (std::size_t n = 0; n < value_.size(); ++n)
            squares += std::pow(static_cast<double>(value_[n] - target(others_, i)[n]), 2);
    }
    return std::sqrt(squares / static_cast<double>(others_.count * value_.size()));
}

} // namespace zug::learn

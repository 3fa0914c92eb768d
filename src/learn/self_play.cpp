#include "learn/self_play.hpp"

#include "base/stop_flag.hpp"

#include <algorithm>
#include <utility>

namespace zug::learn {

using game::Next;
using game::NodeKind;

SelfPlay::SelfPlay(game::Game& game, Course& course, const TrainerOptions& options, std::uint64_t seed)
    : game_(game), course_(course), options_(options), line_(game), seen_(course.inputs, course.stages, course.outputs),
      learned_(course.inputs, course.stages, course.outputs), random_(seed), slots_(course.inputs.shifts.size()) {}

std::pair<double, std::uint64_t> SelfPlay::take_error() {
    return {std::exchange(squares_, 0), std::exchange(errors_, 0)};
}

SelfPlay::Values SelfPlay::value_of(SelectedSum<float>& sum, std::span<const std::uint32_t> slots) const {
    sum.update(slots, slots[game_.program().slot_count], [&](std::size_t i) { return course_.weights[i]; });
    Values values{};
    for (std::uint32_t o = 0; o < course_.outputs; ++o)
        values[o] = static_cast<float>(course_.scale.expected(static_cast<double>(sum[o])));
    return values;
}

bool SelfPlay::payoffs(int ply, Values& out) {
    std::array<double, game::max_players> utilities{};
    if (!line_.payoffs(ply, std::span(utilities).first(game_.players()))) return false;
    for (std::uint32_t o = 0; o < course_.outputs; ++o) out[o] = static_cast<float>(course_.scale.target(utilities[o]));
    return true;
}

bool SelfPlay::value_after(Next at, Values& out) {
    if (at == Next::Terminal || (at == Next::Unknown && line_.kind(1) == NodeKind::Terminal)) return payoffs(1, out);
    line_.read_slots(1, slots_);
    out = value_of(seen_, slots_);
    return true;
}

bool SelfPlay::better(const Values& a, const Values& b, std::uint32_t mover) const {
    if (course_.outputs > 1) return a[mover] > b[mover];
    return game_.traits().team[mover] == 0 ? a[0] > b[0] : a[0] < b[0];
}

SelfPlay::At SelfPlay::visit_decision(bool random) {
    const std::uint32_t mover = line_.mover(0);
    seen_.forget(); // among its moves weights don't change, or by other threads only, which does no harm
    Visit visit;
    std::size_t count = 0, best = 0;
    std::uint32_t equals = 0;
    for (Next at = line_.first(0); at != Next::None; at = line_.next(0), ++count) {
        Values value{};
        if (at == Next::Fault || !value_after(at, value)) return At::Fault;
        const bool first = count == 0 || better(value, visit.value, mover);
        if (!first && better(visit.value, value, mover)) continue;
        equals = first ? 1 : equals + 1;
        if (!first && random_.below(equals) != 0) continue; // each of the best is as likely
        visit.value = value;
        best = count;
    }
    if (count == 0) return line_.found(0) == NodeKind::Fault ? At::Fault : At::End;
    visit.best = !random;
    visits_.push_back(visit);
    return make(random ? random_.below(static_cast<std::uint32_t>(count)) : best);
}

SelfPlay::At SelfPlay::visit_chance() {
    line_.list(0);
    visits_.push_back({.chance = true, .best = true, .value = {}});
    return make(lot_.draw_outcome(line_.moves(0), random_));
}

SelfPlay::At SelfPlay::make(std::size_t i) {
    line_.read_slots(0, slots_);
    record_.insert(record_.end(), slots_.begin(), slots_.end());
    if (visits_.back().chance || line_.list(0) == NodeKind::Decision)
        if (line_.make(0, i) != Next::Fault) {
            const game::State state = line_.state(1);
            line_.start(state);
            return At::Open;
        }
    return At::Fault;
}

bool SelfPlay::play_and_learn() {
    visits_.clear();
    record_.clear();
    line_.start(game_.initial());
    const std::uint32_t random_plies = game_.traits().chance ? 0 : random_.below(options_.random_plies + 1);
    for (std::uint32_t ply = 0; ply < options_.most_plies; ++ply) {
        if (is_set(options_.stop)) return false;
        const NodeKind kind = line_.kind(0);
        if (kind == NodeKind::Terminal) {
            if (!payoffs(0, last_)) return false;
            learn_all();
            return true;
        }
        const bool random = ply < random_plies || random_.unit() < options_.exploration;
        const At at = kind == NodeKind::Chance ? visit_chance() : visit_decision(random);
        if (at == At::Fault) return false;
        if (at == At::End) break;
    }
    line_.read_slots(0, slots_);
    seen_.forget();
    last_ = value_of(seen_, slots_);
    learn_all();
    return true;
}

void SelfPlay::learn(std::size_t visit, const Values& target) {
    const std::span slots = std::span(record_).subspan(visit * slots_.size(), slots_.size());
    learned_.forget();
    const Values value = value_of(learned_, slots);
    const auto share = static_cast<float>(options_.rate / static_cast<double>(course_.inputs.patterns.size()));
    for (std::uint32_t o = 0; o < course_.outputs; ++o) {
        const float error = target[o] - value[o];
        squares_ += static_cast<double>(error) * static_cast<double>(error);
        ++errors_;
        for (const std::uint32_t weight : learned_.weights()) {
            course_.weights.learn(learned_.at(weight, o), share * error);
            for (std::uint32_t equal = course_.ring[weight]; equal != weight; equal = course_.ring[equal])
                course_.weights.copy(learned_.at(weight, o), learned_.at(equal, o));
        }
    }
    ++positions_;
}

// From the last position to the first.
void SelfPlay::learn_all() {
    const auto lambda = static_cast<float>(options_.lambda);
    Values target = last_;
    for (std::size_t v = visits_.size(); v-- > 0;) {
        const Visit& visit = visits_[v];
        if (!visit.chance)
            for (std::uint32_t o = 0; o < course_.outputs; ++o)
                target[o] = visit.best ? (1 - lambda) * visit.value[o] + lambda * target[o] : visit.value[o];
        learn(v, target);
    }
}

} // namespace zug::learn

#include "learn/explain.hpp"

#include "game/position.hpp"
#include "game/selfplay/random_games.hpp"
#include "ir/board_text.hpp"
#include "learn/model/input_variables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>

namespace zug::learn {

namespace {

constexpr std::size_t most_positions = 40;
constexpr std::uint32_t plies_between = 3;
constexpr std::uint64_t most_values = 64; // of a variable that is looked at

class WorthFinder {
public:
    explicit WorthFinder(game::Game& game) : game_(game), program_(game.program()), utilities_(game.players()) {
        game::play_random_games(game, game.initial(), 10, [&](const game::State& state, std::uint32_t ply) {
            if (ply % plies_between == 0 && positions_.size() < most_positions) {
                positions_.emplace_back();
                game.executor().store(state, positions_.back());
            }
            return positions_.size() < most_positions;
        });
    }

    std::vector<Worth> find() {
        for (const InputVariable& input : input_variables(game_))
            if (input.values <= most_values) add(*input.variable, static_cast<std::uint32_t>(input.values));
        return std::move(found_);
    }

private:
    void add(const ir::StateVariable& variable, std::uint32_t values) {
        const ir::TypeTable& types = program_.types;
        if (types.kind(variable.value) == ir::TypeKind::Set) return add_set(variable);
        if (types.kind(variable.value) == ir::TypeKind::Int) {
            Worth worth{.title = "one more: " + variable.name};
            for (std::uint32_t e = 0; e < variable.initial.size(); ++e)
                worth.percent.push_back(mean(variable.first_slot + e, [&](std::uint32_t now) {
                    return std::pair(std::min(now, values - 2), std::min(now, values - 2) + 1);
                }));
            return add_named(std::move(worth), variable);
        }
        for (std::uint32_t value = 1; value < values; ++value) {
            const std::string text = value_text(program_, variable.value, types.value(variable.value, value));
            Worth worth{.title = fmt::format("{} = {}", variable.name, text)};
            for (std::uint32_t e = 0; e < variable.initial.size(); ++e)
                worth.percent.push_back(
                    mean(variable.first_slot + e, [&](std::uint32_t) { return std::pair(0U, value); }));
            add_named(std::move(worth), variable);
        }
    }

    // Names the entries of the variable.
    void add_named(Worth worth, const ir::StateVariable& variable) {
        if (variable.indices.size() == 1) worth.board = ir::board_with_rows(program_, variable.indices[0]);
        for (std::uint32_t e = 0; e < worth.percent.size(); ++e)
            worth.names.push_back(variable.indices.empty() ? "" : game::index_text(program_, variable, e));
        found_.push_back(std::move(worth));
    }

    void add_set(const ir::StateVariable& variable) {
        const ir::TypeTable& types = program_.types;
        const ir::TypeId element = types.inner(variable.value);
        const std::uint64_t members = types.cardinality(element);
        for (std::uint64_t e = 0; e < variable.initial.size() / members; ++e) {
            const std::string entry = variable.indices.empty() ? "" : game::index_text(program_, variable, e);
            Worth worth{.title = fmt::format("in {}{}", variable.name, entry)};
            worth.board = ir::board_with_rows(program_, element);
            for (std::uint64_t m = 0; m < members; ++m) {
                worth.names.push_back(value_text(program_, element, types.value(element, m)));
                const auto slot = static_cast<std::uint32_t>(variable.first_slot + e * members + m);
                worth.percent.push_back(mean(slot, [](std::uint32_t) { return std::pair(0U, 1U); }));
            }
            found_.push_back(std::move(worth));
        }
    }

    // Values(now): the two that are compared where the slot has this one.
    template <class Values>
    double mean(std::uint32_t slot, Values&& values) {
        double sum = 0;
        for (std::vector<std::uint32_t>& slots : positions_) {
            const std::uint32_t now = slots[slot];
            const auto [without, with] = values(now);
            slots[slot] = with;
            sum += utility(slots);
            slots[slot] = without;
            sum -= utility(slots);
            slots[slot] = now;
        }
        const double half = (game_.traits().max_utility - game_.traits().min_utility) / 2;
        return 100 * sum / half / static_cast<double>(positions_.size());
    }

    double utility(std::span<const std::uint32_t> slots) {
        game_.executor().load(slots, state_);
        game_.evaluate(state_, utilities_);
        return utilities_[0];
    }

    game::Game& game_;
    const ir::Program& program_;
    std::vector<std::vector<std::uint32_t>> positions_;
    game::State state_;
    std::vector<double> utilities_;
    std::vector<Worth> found_;
};

} // namespace

std::vector<Worth> find_worths(game::Game& game) { return WorthFinder(game).find(); }

} // namespace zug::learn

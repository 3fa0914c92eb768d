#include "cli/reports/patterns.hpp"

#include "cli/output.hpp"
#include "game/faces.hpp"
#include "game/position.hpp"
#include "ir/board_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

namespace zug::cli {

namespace {

using learn::Pattern;
using learn::TupleNet;

constexpr std::size_t most_shown = 8;

// A combination of values of a pattern's slots, and its weight.
struct Combination {
    const Pattern* pattern = nullptr;
    std::vector<std::uint32_t> values; // by slot of the pattern
    std::int16_t weight = 0;
    std::uint32_t stage = 0, output = 0;
};

// The weights of a pattern, one after the other.
template <class F>
void for_each_combination(const TupleNet& net, const Pattern& pattern, const std::vector<std::uint64_t>& sizes, F&& f) {
    const std::size_t stages = net.weights.size() / net.inputs.weights / net.outputs;
    Combination combination{.pattern = &pattern, .values = std::vector<std::uint32_t>(pattern.slots.size(), 0)};
    for (std::size_t position = 0; position < pattern.slots.size();) {
        std::uint64_t weight = pattern.first;
        for (std::size_t i = 0; i < pattern.slots.size(); ++i)
            weight += std::uint64_t{combination.values[i]} * pattern.strides[i];
        for (std::uint32_t stage = 0; stage < stages; ++stage)
            for (std::uint32_t output = 0; output < net.outputs; ++output) {
                combination.weight = net.weights[(stage * net.inputs.weights + weight) * net.outputs + output];
                combination.stage = stage;
                combination.output = output;
                f(combination);
            }
        for (position = 0; position < pattern.slots.size(); ++position) {
            const std::uint32_t slot = pattern.slots[position];
            if (++combination.values[position] <= (sizes[slot] - 1) >> net.inputs.shifts[slot]) break;
            combination.values[position] = 0;
        }
    }
}

bool greater(const Combination& a, const Combination& b) { return std::abs(a.weight) > std::abs(b.weight); }

// What two combinations have in common that mean the same in two places.
auto meaning(const Combination& combination) {
    std::vector<std::uint32_t> values = combination.values;
    std::ranges::sort(values);
    return std::tuple(combination.weight, combination.stage, combination.output, std::move(values));
}

std::vector<Combination> greatest_combinations(const TupleNet& net, const game::Game& game) {
    const std::vector<std::uint64_t> sizes = ir::slot_sizes(game.program());
    std::vector<Combination> found;
    std::set<decltype(meaning(Combination()))> seen;
    for (const Pattern& pattern : net.inputs.patterns) {
        if (pattern.slots.size() < 2) continue; // of one slot alone tables tell
        for_each_combination(net, pattern, sizes, [&](const Combination& combination) {
            if (combination.weight == 0 || (found.size() == most_shown && !greater(combination, found.back()))) return;
            if (!seen.insert(meaning(combination)).second) return;
            found.insert(std::ranges::upper_bound(found, combination, greater), combination);
            if (found.size() > most_shown) found.pop_back();
        });
    }
    return found;
}

class Drawer {
public:
    Drawer(const TupleNet& net, const game::Game& game) : net_(net), game_(game), program_(game.program()) {}

    void show(const Combination& combination) const {
        say("\n{}\n", heading(combination));
        if (const ir::StateVariable* const variable = drawn_on(*combination.pattern))
            write(board(*variable, combination));
        else
            write(list(combination));
    }

private:
    std::string heading(const Combination& combination) const {
        const double percent = 100 * net_.unit * static_cast<double>(combination.weight);
        std::string text = fmt::format("{:+.1f}", percent);
        if (net_.outputs > 1) text += fmt::format(" for {}", game_.player_name(combination.output));
        if (net_.viewpoint.stages > 1) text += fmt::format(", {} to move", game_.player_name(combination.stage));
        return text;
    }

    const ir::StateVariable& variable_of(std::uint32_t slot) const {
        std::size_t found = 0;
        for (std::size_t s = 0; s < program_.states.size(); ++s)
            if (program_.states[static_cast<ir::StateId>(s)].first_slot <= slot) found = s;
        return program_.states[static_cast<ir::StateId>(found)];
    }

    // The one map on a board with rows that all slots are of; null: there is none.
    const ir::StateVariable* drawn_on(const Pattern& pattern) const {
        const ir::StateVariable& variable = variable_of(pattern.slots.front());
        const ir::TypeTable& types = program_.types;
        for (const std::uint32_t slot : pattern.slots)
            if (&variable_of(slot) != &variable) return nullptr;
        if (variable.indices.size() != 1 || ir::board_with_rows(program_, variable.indices[0]) == nullptr)
            return nullptr;
        if (types.kind(variable.value) == ir::TypeKind::Set || types.cardinality(variable.value) > game::max_faces)
            return nullptr;
        return &variable;
    }

    std::uint32_t value_of(const Combination& combination, std::size_t i) const {
        return combination.values[i] << net_.inputs.shifts[combination.pattern->slots[i]];
    }

    std::string board(const ir::StateVariable& variable, const Combination& combination) const {
        const game::Faces faces = game::faces_of(program_, variable.value);
        const ir::Board& board = *ir::board_with_rows(program_, variable.indices[0]);
        std::vector<std::string> cells(board.sites.size(), std::string(faces.width, ' '));
        for (std::size_t i = 0; i < combination.values.size(); ++i) {
            const std::string& text = faces.texts[value_of(combination, i)];
            cells[combination.pattern->slots[i] - variable.first_slot] =
                std::string(faces.width - game::characters(text).size(), ' ') + text;
        }
        return ir::board_text(board, cells, faces.width);
    }

    std::string list(const Combination& combination) const {
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < combination.values.size(); ++i) {
            const std::uint32_t slot = combination.pattern->slots[i];
            const ir::StateVariable& variable = variable_of(slot);
            parts.push_back(part(variable, slot - variable.first_slot, value_of(combination, i)));
        }
        return fmt::format("  {}\n", fmt::join(parts, ", "));
    }

    // `captured[White] = 3`, `c4 in rooks`.
    std::string part(const ir::StateVariable& variable, std::uint32_t entry, std::uint32_t value) const {
        const ir::TypeTable& types = program_.types;
        const auto name = [&](std::uint64_t index) {
            return variable.indices.empty()
                       ? variable.name
                       : fmt::format("{}[{}]", variable.name, game::index_text(program_, variable, index));
        };
        if (types.kind(variable.value) != ir::TypeKind::Set)
            return fmt::format("{} = {}", name(entry),
                               game::compact_text(program_, variable.value, types.value(variable.value, value)));
        const ir::TypeId element = types.inner(variable.value);
        const std::uint64_t members = types.cardinality(element);
        return fmt::format("{} {}in {}", game::compact_text(program_, element, types.value(element, entry % members)),
                           value == 0 ? "not " : "", name(entry / members));
    }

    const TupleNet& net_;
    const game::Game& game_;
    const ir::Program& program_;
};

} // namespace

void show_patterns(const TupleNet& net, const game::Game& game) {
    const std::vector<Combination> combinations = greatest_combinations(net, game);
    if (combinations.empty()) return;
    const bool exchanged = net.viewpoint.exchange.has_value();
    say("\nThe greatest weights of patterns, in the same unit before the sum is bounded{}; blank: anything\n",
        exchanged ? fmt::format(", with {} to move, and for the other player alike", game.player_name(0)) : "");
    const Drawer drawer(net, game);
    for (const Combination& combination : combinations) drawer.show(combination);
}

} // namespace zug::cli

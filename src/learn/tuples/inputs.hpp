#pragma once
// What an evaluation is learned from: patterns over the slots of a position, found from the rules alone.
//
// A pattern is a tuple of slots (ir/program.hpp). Each combination of their values has a weight, so that a pattern over
// n sites with c values each has c^n; the value of a position is the sum of the weights that its patterns select. That
// is the n-tuple network of W. W. Bledsoe and I. Browning, Pattern Recognition and Reading by Machine, Proc. Eastern
// Joint Computer Conference (1959), for games: S. M. Lucas, Learning to Play Othello with N-Tuple Systems, Australian
// Journal of Intelligent Information Processing Systems 9 (2008).
//
// There is a pattern for each slot alone; and, over the sites of a board, straight runs of sites, blocks of two
// directions, and random walks of neighbours (M. Thill, P. Koch, W. Konen, Reinforcement Learning with N-tuples on the
// Game Connect-4, PPSN XII, 2012). Patterns that a symmetry of the game maps to each other share their weights, and on
// large boards so do runs in other places.

#include "game/game.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::learn {

struct Pattern {
    std::uint32_t first = 0;            // the weight of the combination of zeros
    std::vector<std::uint32_t> slots;   // distinct
    std::vector<std::uint32_t> strides; // the weight's number grows by this where the value of the slot does by 1

    friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct Inputs {
    std::vector<std::uint8_t> shifts; // by slot: a value v counts as v >> shift
    std::vector<Pattern> patterns;
    std::uint32_t weights = 0; // how many there are

    friend bool operator==(const Inputs&, const Inputs&) = default;
};

// Inputs, and which weights must be equal for the symmetries of the game to leave values as they are.
struct FoundInputs {
    Inputs inputs;
    std::vector<std::uint32_t> ring; // by weight: the next of those that are equal to it; the last leads to the first
    std::vector<bool> has_equals;    // by pattern: some of its weights are to be equal
};

inline constexpr std::uint32_t usual_weights = 200'000, most_weights = 80'000'000;

struct InputLimits {
    std::uint32_t weights = usual_weights;
    std::uint32_t patterns = 320;      // of several slots
    std::uint32_t combinations = 8192; // of one pattern

    // The usual ones for so many weights in all.
    static InputLimits of(std::uint32_t weights) {
        return {.weights = weights, .combinations = std::max(8192U, weights / 4)};
    }
};

// `left_out`: the scores so far, which no pattern looks at; where there are some, what is learned is still to come.
// Deterministic: the same in every call. Cost: up to some seconds, for the symmetries of large games and for many
// weights.
FoundInputs find_inputs(game::Game& game, std::uint64_t seed, const InputLimits& limits = {},
                        std::span<const std::uint32_t> left_out = {});

// Keeps the numbers of the weights that a position selects, one for each pattern, and brings them up to date by what
// differs between two positions.
class Selection {
public:
    explicit Selection(const Inputs& inputs);

    // How often update() will call `change`. Slots: Program::total_slots() of them.
    std::size_t changes(std::span<const std::uint32_t> slots) const {
        std::size_t count = 0;
        for (std::size_t s = 0; s < slots_.size(); ++s)
            if ((slots[s] ^ slots_[s]) >> shifts_[s] != 0) count += first_use_[s + 1] - first_use_[s];
        return count;
    }
    // Calls change(pattern, before, after) for each pattern whose weight is another one than for the last position, in
    // the order of slots; a pattern may come several times.
    template <class F>
    void update(std::span<const std::uint32_t> slots, F&& change) {
        for (std::size_t s = 0; s < slots_.size(); ++s) {
            if (slots[s] == slots_[s]) continue;
            const std::uint32_t after = slots[s] >> shifts_[s], before = slots_[s] >> shifts_[s];
            slots_[s] = slots[s];
            if (after == before) continue;
            for (std::uint32_t i = first_use_[s]; i < first_use_[s + 1]; ++i) {
                std::uint32_t& weight = weights_[uses_[i].pattern];
                const std::uint32_t old = weight;
                weight += (after - before) * uses_[i].stride; // modulo 2^32
                change(uses_[i].pattern, old, weight);
            }
        }
    }
    void update(std::span<const std::uint32_t> slots) {
        update(slots, [](std::uint32_t, std::uint32_t, std::uint32_t) {});
    }
    // By pattern.
    std::span<const std::uint32_t> weights() const { return weights_; }

private:
    struct Use {
        std::uint32_t pattern, stride;
    };
    std::vector<std::uint8_t> shifts_;
    std::vector<std::uint32_t> slots_; // of the last position
    std::vector<std::uint32_t> weights_;
    std::vector<std::uint32_t> first_use_; // by slot, and the end
    std::vector<Use> uses_;
};

} // namespace zug::learn

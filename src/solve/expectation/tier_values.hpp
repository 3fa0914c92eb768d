#pragma once
// The expected utilities of a tier's positions, each derived from its successors: in solved tiers, or in this one where
// their values are known already.
//
// Bytes: 8 a position and stored number, in the tier's scratch memory.

#include "solve/enumeration/space.hpp"
#include "solve/expectation/expected_values.hpp"
#include "solve/tiers/position_index.hpp"
#include "solve/tiers/solved_tiers.hpp"

#include <array>
#include <atomic>

namespace zug::solve {

class TierValues {
public:
    // `solved_tiers`: one for each stored number.
    TierValues(WalkerPool& pool, const PositionCode& code, const ExpectedValues& expected,
               const std::vector<SolvedTiers<double>>& solved_tiers);

    // Begins a tier of so many positions, and ends it.
    void begin(Scratch& scratch, std::size_t size);
    void end() { values_.clear(); }
    // A stored number, by position index.
    Array<double>& column(std::uint32_t number) { return values_[number]; }

    // Calls work(key, index) for ascending indices, until an error is noted.
    template <class Work>
    void each(const Tier& tier, std::span<const PositionIndex> indices, Work&& work) const {
        std::array<Key, block_keys> buffer;
        std::span<const Key> keys;
        std::size_t block = SIZE_MAX;
        for (const PositionIndex index : indices) {
            if (error_.any()) return;
            if (index / block_keys != block) keys = tier.keys.block(block = index / block_keys, buffer);
            work(keys[index % block_keys], index);
            scratch_->look();
        }
    }

    // A position and its successors, as expanded by a thread.
    struct Buffer {
        std::vector<Key> successors, leaving;
        std::vector<double> probabilities, found, out;
        std::vector<std::vector<double>> values; // of the successors, as ExpectedValues takes them
        std::vector<std::size_t> chosen;
        Payoffs payoffs;
        SolvedTiers<double>::Buffer solved_tiers;
        ValueCounts counts;
        std::uint64_t most_outcomes = 0; // of a chance node
    };
    const Buffer& buffer(std::size_t thread) const { return buffers_[thread]; }
    const Walker& walker(std::size_t thread) const { return pool_.walker(thread); }
    bool is_chance(std::size_t thread) const { return walker(thread).kind() == game::NodeKind::Chance; }

    // Finds the successors with their probabilities and values; those of successors in the tier that have no value yet
    // are meaningless. `inner`: the position indices of the successors in the tier. False: an error was noted.
    bool expand(std::size_t thread, Key key, std::span<const PositionIndex> inner);
    // Sets the value of a position whose successors all have values.
    void solve(std::size_t thread, Key key, PositionIndex index, std::span<const PositionIndex> inner);

    // A bound on the rounding error of the means taken since the last call.
    double rounding();
    // The greatest number of outcomes of these means; setting it has the effect of such a mean.
    std::uint64_t most_outcomes() const;
    void set_most_outcomes(std::uint64_t outcomes) { buffers_.front().most_outcomes = outcomes; }
    // Counts of the positions solved or counted since the last take_counts().
    ValueCounts counts() const;
    ValueCounts take_counts();
    // Those of the first thread.
    ValueCounts& own_counts() { return buffers_.front().counts; }

    // Noting an error ends the work.
    FirstError& error() { return error_; }
    const FirstError& error() const { return error_; }

private:
    WalkerPool& pool_;
    const PositionCode& code_;
    const ExpectedValues& expected_;
    const std::vector<SolvedTiers<double>>& solved_tiers_;
    Scratch* scratch_ = nullptr;        // of the current tier, like the values
    std::vector<Array<double>> values_; // by stored number
    std::vector<Buffer> buffers_;       // by thread
    FirstError error_;
};

} // namespace zug::solve

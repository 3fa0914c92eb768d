#pragma once
// What the positions of a tier are worth in a game with chance, each found from what its successors are worth: in later
// tiers, or in this one, as far as that is known.
//
// Bytes: 8 a position and number kept, in the tier's scratch.

#include "solve/enumeration/space.hpp"
#include "solve/expectation/expected_values.hpp"
#include "solve/tiers/position_index.hpp"
#include "solve/tiers/solved_tiers.hpp"

#include <array>
#include <atomic>

namespace zug::solve {

class TierValues {
public:
    // `later`: by number kept.
    TierValues(WalkerPool& pool, const PositionCode& code, const ExpectedValues& expected,
               const std::vector<SolvedTiers<double>>& solved_tiers);

    // A tier of so many positions; and the end of it.
    void begin(Scratch& scratch, std::size_t size);
    void end() { values_.clear(); }
    // By number kept, then by position index.
    Array<double>& column(std::uint32_t number) { return values_[number]; }

    // Calls work(key, index) in ascending order, until something has failed.
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

    // What a thread has found of a position.
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

    // Finds the successors with their probabilities and values; where these are of the tier itself and not known yet,
    // the values are of no use. `inner`: the position indices of those successors. False: it failed.
    bool expand(std::size_t thread, Key key, std::span<const PositionIndex> inner);
    // All successors have values.
    void solve(std::size_t thread, Key key, PositionIndex index, std::span<const PositionIndex> inner);

    // What a mean of those that were taken since the last call can be wrong by.
    double rounding();
    // The greatest number of outcomes of these means; and one that counts as if it had been taken.
    std::uint64_t most_outcomes() const;
    void set_most_outcomes(std::uint64_t outcomes) { buffers_.front().most_outcomes = outcomes; }
    // Of those that were solved or counted since the last take_counts().
    ValueCounts counts() const;
    ValueCounts take_counts();
    // On the first thread.
    ValueCounts& own_counts() { return buffers_.front().counts; }

    // Noting an error ends the work.
    FirstError& error() { return error_; }
    const FirstError& error() const { return error_; }

private:
    WalkerPool& pool_;
    const PositionCode& code_;
    const ExpectedValues& expected_;
    const std::vector<SolvedTiers<double>>& solved_tiers_;
    Scratch* scratch_ = nullptr;        // of the tier, as what follows
    std::vector<Array<double>> values_; // by number kept
    std::vector<Buffer> buffers_;       // by thread
    FirstError error_;
};

} // namespace zug::solve

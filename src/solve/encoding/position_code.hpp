#pragma once
// Positions as numbers: the slots of a position (ir/program.hpp) that rules can change are the digits of a mixed-radix
// number, each with as many values as its type has. The bits above them hold the position's potential
// (tier_potential.hpp), so that the positions of a tier are contiguous. The number depends only on the program and the
// potential function, not on the executor, so it is the key of databases.
//
// With symmetries (symmetry.hpp) a position is represented by the least number among its images. An image's number is
// the same sum with other terms; the terms of all images lie side by side, so that one look-up serves a lane of up to
// 32 of them.
//
// Positions are numbered directly from the words of states, or from those of lines of play without making states of
// them: see word_code.hpp.

#include "game/game.hpp"
#include "game/symmetry/symmetry.hpp"
#include "solve/encoding/tier_potential.hpp"
#include "solve/encoding/word_code.hpp"

namespace zug::solve {

// The error if a key would take more than 63 bits. If not all combinations are numbered, wider blocks of them help.
inline constexpr std::string_view too_wide = "a position takes more than 63 bits";

class PositionCode {
public:
    // Why the positions of a game can't be numbered, whichever combinations of values they have; empty if they can.
    static std::string refusal(const ir::Program& program);
    // Numbers all combinations of values, or only the given ones, sorted, which excludes symmetries and keeps them
    // alive. Errors: a refusal, `too_wide`, or the executor's words cannot be numbered (word_code.hpp).
    static tl::expected<PositionCode, Error> of(game::Game& game, const TierPotential& potential,
                                                const game::SymmetryGroup& symmetries,
                                                std::shared_ptr<const Combinations> combinations = nullptr);

    // On states; WordCode explains these functions.
    Key encode(const game::State& state) const { return states_->encode(state.words.data()); }
    Key own(const game::State& state) const { return states_->own(state.words.data()); }
    void images(const game::State& state, std::vector<Key>& out) const { states_->images(state.words.data(), out); }
    std::uint32_t orbit(const game::State& state) const { return states_->orbit(state.words.data()); }
    std::size_t symmetries() const { return states_->symmetries(); }
    // The state has an empty history.
    void decode(Key key, game::State& state) const;

    // The code of positions in lines of play, as Line::words gives them.
    const WordCode& lines() const { return *lines_; }

    std::uint32_t tier(Key key) const { return static_cast<std::uint32_t>(key >> tier_shift_); }
    // A key without its tier: a number below size().
    std::uint64_t rank(Key key) const { return key & ((Key{1} << tier_shift_) - 1); }
    std::uint64_t size() const { return size_; }

private:
    bool multiply_size(std::uint64_t by); // false: it would take more than 63 bits
    // False: a key would be too wide.
    bool find_digits(const ir::Program& program, const TierPotential& potential, Numbering& numbering);
    Terms terms_of_images(const Numbering& numbering, const Numbering::Digit& digit, const TierPotential& potential,
                          const game::SymmetryGroup& symmetries) const;
    Terms terms_of_combinations(std::size_t sums, const Numbering::Digit& digit, const TierPotential& potential) const;
    void find_terms(Numbering& numbering, const TierPotential& potential, const game::SymmetryGroup& symmetries) const;

    std::uint64_t size_ = 1;
    std::uint32_t tier_shift_ = 0;
    std::optional<WordCode> states_, lines_;
};

} // namespace zug::solve

#pragma once
// Expands positions for one thread: from a key to the keys of its successors.

#include "game/line.hpp"
#include "solve/encoding/position_code.hpp"

#include <algorithm>
#include <vector>

namespace zug::solve {

class Walker {
public:
    Walker(game::Game& game, const PositionCode& code)
        : game_(game), code_(code), line_(game_), words_(code.lines().words()), missed_(words_.size()) {}

    // Appends the keys of all successors, in the order of the moves, duplicates included. `key` need not be the
    // representative of its position. A successor with a combination of values that has no number gives no_key, and
    // is added to missed(), unless there are `most_missed` already. Afterwards kind() is the position's kind; on Fault,
    // error() is the text.
    void expand(Key key, std::vector<Key>& successors) {
        code_.lines().decode(code_.rank(key), words_.data());
        expand_words(successors);
    }
    // The same for a position of missed().
    void expand_missed(const std::uint64_t* position, std::vector<Key>& successors) {
        std::copy_n(position, words_.size(), words_.begin());
        expand_words(successors);
    }
    game::NodeKind kind() const { return kind_; }
    std::uint32_t mover() const { return line_.mover(0); }
    // The size of the position's orbit under the symmetries, and the keys of its images.
    std::uint32_t orbit() const { return code_.lines().orbit(words_.data()); }
    std::size_t symmetries() const { return code_.symmetries(); }
    void images(std::vector<Key>& keys) const { code_.lines().images(words_.data(), keys); }
    // Positions without a key: words of lines of play.
    TupleSet& missed() { return missed_; }
    static constexpr std::uint32_t most_missed = 1 << 16;
    [[nodiscard]] bool payoffs(std::span<double> out) { return line_.payoffs(0, out); } // false: a fault
    // The probabilities of a chance node's outcomes, in the order of the successors.
    double probability(std::size_t i) { return line_.moves(0).probability(i); }
    std::string text() { return game_.position_text(line_.state(0)); }
    std::string error() const { return game_.fault_text(); }
    game::Game& game() { return game_; }

private:
    void expand_words(std::vector<Key>& successors) {
        line_.start(words_);
        const game::Next end = line_.successors(0, found_);
        for (std::size_t i = 0; i < found_.size; ++i) {
            successors.push_back(code_.lines().encode(found_[i]));
            if (successors.back() == no_key && missed_.size() < most_missed) missed_.insert(found_[i]);
        }
        kind_ = end == game::Next::Fault ? game::NodeKind::Fault : line_.found(0);
    }

    game::Game& game_;
    const PositionCode& code_;
    game::Line line_;
    std::vector<std::uint64_t> words_; // of the position
    game::Positions found_;
    TupleSet missed_;
    game::NodeKind kind_ = game::NodeKind::Decision;
};

} // namespace zug::solve

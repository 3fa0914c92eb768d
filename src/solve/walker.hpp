#pragma once
// One thread's way from the key of a position to the keys of its successors.

#include "game/line.hpp"
#include "solve/position_code.hpp"

#include <vector>

namespace zug::solve {

class Walker {
public:
    Walker(game::Game& game, const PositionCode& code) : game_(game), code_(code), line_(game_) {}

    // Appends the keys of all successors, in the order of the moves; a key that two moves lead to comes twice. `key`
    // need not be the one that stands for its position. no_key: a successor has a combination of values that the code
    // doesn't number, which is noted in missed(). After it kind() is the position's kind; Fault: error() says what
    // happened.
    void expand(Key key, std::vector<Key>& successors) {
        code_.decode(key, state_);
        if (game_.traits().has_history) refresh();
        line_.start(state_);
        game::Next at = line_.first(0);
        for (; at != game::Next::None && at != game::Next::Fault; at = line_.next(0)) {
            successors.push_back(code_.encode(line_.state(1)));
            if (successors.back() == no_key) miss(line_.state(1));
        }
        kind_ = at == game::Next::Fault ? game::NodeKind::Fault : line_.found(0);
    }
    game::NodeKind kind() const { return kind_; }
    std::uint32_t mover() const { return line_.mover(0); }
    // How many positions it is with its images under symmetries, and their keys.
    std::uint32_t orbit() const { return code_.orbit(state_); }
    std::size_t symmetries() const { return code_.symmetries(); }
    void images(std::vector<Key>& keys) const { code_.images(state_, keys); }
    const Combinations& missed() const { return missed_; }
    void payoffs(std::span<double> out) { line_.payoffs(0, out); }
    // Of a chance node's outcome, in the order of the successors.
    double probability(std::size_t i) { return line_.moves(0).probability(i); }
    std::string text() { return game_.position_text(line_.state(0)); }
    std::string error() const { return game_.fault_text(); }
    game::Game& game() { return game_; }

private:
    // Rules that ask about the past find a game that begins here.
    void refresh() {
        game_.executor().store(state_, slots_);
        game_.executor().load(slots_, state_);
    }

    void miss(const game::State& state) {
        if (missed_.all()) missed_ = Combinations(game_.program());
        game_.executor().store(state, slots_);
        missed_.add(slots_);
    }

    game::Game& game_;
    const PositionCode& code_;
    game::Line line_;
    game::State state_;
    std::vector<std::uint32_t> slots_;
    Combinations missed_;
    game::NodeKind kind_ = game::NodeKind::Decision;
};

} // namespace zug::solve

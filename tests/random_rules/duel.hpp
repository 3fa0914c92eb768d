#pragma once
// Plays a program with all executors side by side and looks for anything in which they differ, or contradict
// themselves: kinds of nodes, moves, counts, probabilities, positions, hashes, payoffs, evaluations, faults, texts,
// random playouts, perft.

#include "game/symmetry/symmetry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::random_rules {

// `kind` names what differs, in one word; the rest is for people.
struct Difference {
    std::string kind, text;
    std::string position, line; // where, and the moves that lead there
};

struct Effort {
    int games = 2, plies = 20, successors = 5;
};

class Duel {
public:
    Duel(std::shared_ptr<const ir::Program> program, std::uint64_t seed, Effort effort);

    // The first difference that is found; the same one for the same seed.
    std::optional<Difference> play();
    std::uint64_t positions() const { return positions_; }
    std::uint64_t faults() const { return faults_; }
    std::size_t symmetries() const { return symmetries_.generators.size(); }
    // What the interpreter has left to the reference evaluator.
    run::ReferenceUse reference_use() { return sides_[1].game.executor().reference_use(); }

private:
    using Slots = std::vector<std::uint32_t>;
    // One executor, and what it makes of the position at hand. The first is the reference.
    struct Side {
        game::Game game;
        game::State state = {};
        game::MoveList moves = {};
        Slots slots = {};
    };
    struct Stop {
        Difference difference;
    };

    void play_game(std::uint64_t number);
    bool is_too_much_for_chains();
    void compare_position();
    void compare_moves(Side& side);
    void compare_loud(Side& side);
    void compare_values(Side& side);
    void compare_copies(Side& side);
    void compare_texts(Side& side);
    void compare_playouts();
    void compare_playout(Side& side, std::uint64_t seed);
    void compare_perft();
    void check_symmetries();
    bool compare_successors(std::size_t move, bool go_there);
    void check_hash(Side& side, const game::State& state, const Slots& slots);
    [[noreturn]] void differ(const Side& side, std::string_view kind, std::string text);
    void require(bool same, const Side& side, std::string_view kind, std::string_view text);
    Slots slots_of(Side& side, const game::State& state);
    Side& reference() { return sides_.front(); }

    std::vector<Side> sides_;
    game::SymmetryGroup symmetries_; // that follow from the rules
    Random random_;
    Effort effort_;
    game::NodeKind kind_ = game::NodeKind::Decision;
    std::uint64_t positions_ = 0, faults_ = 0;
    std::string line_;
};

} // namespace zug::random_rules

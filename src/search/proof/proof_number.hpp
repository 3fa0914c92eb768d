#pragma once
// Proof-number search: decides whether a player can force a utility of at least some bound. For games of two players
// or teams, without chance, whose utilities always add up to zero.
//
// Method: depth-first proof-number search (A. Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications,
// 2002), a best-first search with a table that needs the memory of one line only. The numbers of a new position are
// initialised by its number of moves (L. V. Allis, M. van der Meulen, H. J. van den Herik, Proof-Number Search, 1994).
// The search leaves a child only when the second best is better by half (J. Pawlewicz, L. Lew, Improving Depth-First
// PN-Search: 1 + epsilon Trick, 2006).
//
// In a game with cycles, proof numbers would include each other and grow without bound: disproof numbers of
// children that were met nearer to the root are left out as long as there are others (A. Kishimoto, M. Mueller, Df-pn
// in Go: An Application to the One-Eye Problem, 2003).
//
// Positions near the root that are alike by the form of the rules, as mirror images are, count as one.
//
// A position that repeats one of its own line counts as not reaching the goal. So a proof holds however repetitions are
// valued; a disproof holds only if no repetition was met.

#include "game/line.hpp"
#include "game/symmetry/canonical_hash.hpp"
#include "search/core/budget.hpp"
#include "search/proof/proof_table.hpp"
#include "search/proof/question.hpp"

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <vector>

namespace zug::search {

class ProofNumberSearch {
public:
    // The game must outlive it, and refusal(Method::AlphaBeta, ...) must accept it.
    ProofNumberSearch(game::Game& game, std::size_t table_bytes);

    // Results stay in the table for further questions. Of the limits, `depth` and `trace` are ignored. `tick` is called
    // about twice a second.
    Verdict ask(const game::State& root, const Question& question, const Limits& limits,
                std::function<void()> tick = {});
    // The number of positions visited for the last question; each visit counts.
    std::uint64_t nodes() const { return budget_.nodes(); }
    double seconds() const { return budget_.seconds(); }
    const std::string& failure() const { return budget_.failure(); }

private:
    struct Child {
        std::uint64_t key = 0;
        ProofNumbers numbers; // in the view of the player who moves to it
        bool old = false;     // was met nearer to the root than its parent
    };
    // A position of the current line, with its children once they have been made.
    struct Node {
        std::vector<Child> children;
        std::uint64_t key = 0;
        int depth = 0;       // the least ply at which it was met
        bool listed = false; // its moves are listed, so that a child can be made again
    };
    // The numbers that follow from the children, and the child to search next; in the view of the side to move.
    struct Choice {
        ProofNumbers all;
        std::size_t best = 0;
        std::uint32_t second = ProofNumbers::never; // the least proof number of the others
    };

    ProofNumbers look_into(int ply, const ProofNumbers& limit);
    static ProofNumbers limit_of_child(const ProofNumbers& best, const Choice& choice, const ProofNumbers& most);
    bool make(int ply, std::size_t child);
    ProofNumbers expand(int ply);
    bool make_children(int ply, ProofNumbers& numbers);
    static Choice choose(const Node& node);
    ProofNumbers end(int ply);
    // Converts to the view of the side to move, and back.
    ProofNumbers seen(int ply, const ProofNumbers& n) {
        return (asked_side_ >> line_.mover(ply) & 1) != 0 ? n : ProofNumbers{n.disproof, n.proof};
    }
    std::uint64_t key(int ply) {
        return (looks_for_images(ply) ? canonical_.of(line_, ply, slots_) : line_.hash(ply)) ^ salt_;
    }
    bool looks_for_images(int ply) const { return ply <= last_image_ply && canonical_.symmetries() > 1; }
    static void leave_out_images(std::vector<Child>& children);

    // To look for images takes longer than to make a child. Most of them meet near the root.
    static constexpr int last_image_ply = 5;

    game::Game& game_;
    game::Line line_;
    game::CanonicalHash canonical_;
    std::vector<std::uint32_t> slots_; // scratch
    ProofTable table_;
    Budget budget_;
    std::vector<Node> nodes_;
    boost::unordered_flat_set<std::uint64_t> path_; // keys of the line
    Question question_;
    std::uint32_t asked_side_ = 0; // one bit for each player who plays together with the question's
    std::uint64_t salt_ = 0;       // distinguishes the questions in the table
    bool repeated_ = false;
};

} // namespace zug::search

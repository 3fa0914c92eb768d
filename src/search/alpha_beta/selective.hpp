#pragma once
// Selective search: alpha-beta and expectimax with the parts that make play strong and the value an estimate, each of
// which can be switched on by itself. They play the game's search form (game/search_form.hpp).
//
//   repetition   A position that is on the line of play already is worth what an endless game is: a draw.
//   deeper       An entry of a deeper search answers for a shallower one.
//   quiescence   At the depth limit loud moves are played out, unless standing still is better (Harris, "The heuristic
//                search under conditions of error", 1975; Beal, "A generalised quiescence search algorithm", 1990). A
//                move that wins the game is loud in every game; it is looked for as long as it is found now and then
//                (backoff.hpp).
//   futility     Near the depth limit a quiet move is left out if even a gain of so much utility would not bring its
//                position back into the window (Schaeffer, 1986; Heinz, "Extended futility pruning", 1998). The value
//                is wrong by at most that much if no quiet move gains more.
//   null         If a pass would be good enough, so is some move (Goetsch and Campbell, "Experiments with the null-move
//                heuristic", 1990; Donninger, 1993). Wrong where a player would rather pass than move; pass_record.hpp
//                finds out.
//   reductions   Late quiet moves are searched to a lesser depth first (Romein, Bal and Grune, 1997; Romstad, 2006).
//   extensions   A move that leaves few replies is searched a ply deeper (Anantharaman, Campbell and Hsu, "Singular
//                extensions", 1990, on forced replies).
//   rote         A position that an earlier game has searched at least as deep is worth what was found then (Samuel,
//                1959).
//   plausible    Only so many moves of each position are searched, those that the order puts first, and one more for
//                each ply of depth (Greenblatt, Eastlake and Crocker, "The Greenblatt chess program", 1967).
//
// What is called proven is proven: these parts give bounds of the depth only.

#include "game/search_form.hpp"
#include "search/alpha_beta/backoff.hpp"
#include "search/alpha_beta/expectimax.hpp"
#include "search/alpha_beta/pass_record.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace zug::search {

class Selective : public Expectimax {
public:
    // `form` must outlive it, and states given to run() are in that form.
    Selective(game::SearchForm& form, Method method, const Options& options, std::shared_ptr<Table> shared);
    // Positions that end the game for what came before it, for the searches to come.
    void set_ends(std::vector<game::EndByPast> ends) { ends_ = std::move(ends); }

protected:
    bool deepens(const Limits&) const override { return true; }
    void begin_search() override;
    void extend(int ply, int remaining, std::span<const double> value) override;
    void count(std::vector<Count>& counts) const override;
    std::uint64_t key(int ply) override;
    std::optional<Claim> answer(const TableEntry& entry, int remaining, Window window) const override;
    std::optional<Claim> recognise(int ply, int remaining) override;
    Claim horizon(int ply, int remaining, Window window, game::Next at) override;
    Decision decide(int ply, int remaining, Window window, const Begun& begun) override;

private:
    bool is_repeated(int ply) const;
    // What earlier games tell of the position.
    std::optional<Claim> recall(int ply, int remaining);
    std::optional<Claim> win_at_once(int ply, Window window);
    bool must_be_loud(int ply);
    // The best of the loud moves, which are listed, and of standing still where that is allowed.
    Claim play_loud(int ply, int remaining, Window window, const Claim& still);

    std::optional<Claim> try_pass(int ply, int remaining, Window window);
    bool verify_pass(int ply, int remaining, Window null);
    bool few_replies(int ply);
    // How many plies less a quiet move is searched, the i-th that is tried.
    int reduction(int remaining, std::size_t tried) const;
    std::size_t most_tried(int remaining) const;
    bool is_futile(int ply, int remaining, double alpha) const;
    // What comes before the moves: how deep they are searched, and whether a pass ends the node.
    std::optional<Claim> prepare(int ply, int& remaining, Window window);
    // The child just made, first with so many plies less.
    Claim search_move(int ply, int remaining, Window window, game::Next at, int less);

    game::SearchForm& form_;
    std::vector<game::EndByPast> ends_;
    game::State after_pass_;
    const bool has_eval_;
    Backoff looks_; // for moves that win at once
    PassRecord passes_;
    bool loud_is_a_choice_ = false; // some position had loud moves and others
    double draw_ = 0;               // what a repetition is worth to the first player
    double replies_ = 0;            // the mean number of moves
    std::uint64_t quiet_nodes_ = 0, won_ = 0, futile_ = 0, null_cutoffs_ = 0, reduced_ = 0, extended_ = 0,
                  repeated_ = 0, implausible_ = 0, recalled_ = 0;
};

} // namespace zug::search

#pragma once
// Alpha-beta (Knuth and Moore, "An analysis of alpha-beta pruning", 1975), fail-soft (Fishburn, 1983), in negamax form,
// for two sides, each a player or a team, and zero sum (expectimax.hpp adds chance, and one player). A value is in the
// view of the side to move; the view changes between parent and child only when the side to move does, so a player may
// move twice, and partners one after the other.
//
// Iterative deepening (Slate and Atkin, 1977), transposition table (table.hpp), move order (order.hpp), principal
// variation search (Marsland and Campbell, "Parallel search of strongly ordered game trees", 1982: moves after the
// first are searched with a null window, and again if they turn out to be better), windows at the root
// (root_window.cpp). Besides beta, a value at the edge of the game's range of utilities ends a node: nothing is better
// than the best.
//
// Invariant: the root's value equals minimax's at the same depth, whichever parts are on; claim.hpp says why the table
// keeps it, and game/selfplay/relevant_past.hpp what it is asked for where rules ask for earlier positions. Cost: about
// b^(depth/2) nodes with good order. Among moves of equal value the first one tried, or the first that is proven to be
// worth it: where the root's value is proven, so is that of its move.

#include "game/selfplay/relevant_past.hpp"
#include "search/alpha_beta/moves_under_way.hpp"
#include "search/core/engine.hpp"
#include "search/core/order.hpp"
#include "search/core/table.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace zug::search {

class AlphaBeta : public Engine {
public:
    // `shared`: a table that other threads use too; none: it makes its own, if there is to be one.
    AlphaBeta(game::Game& game, const Options& options, Method method = Method::AlphaBeta,
              std::shared_ptr<Table> shared = nullptr);
    void forget() override;
    // The moves that the threads with the same table search; null: nobody else has it.
    void share(MovesUnderWay* under_way) { under_way_ = under_way; }

protected:
    bool pass(int depth, std::span<double> value) override;
    void begin_search() override;
    void begin_pass() override;
    void extend(int ply, int remaining, std::span<const double> value) override;
    bool deepens(const Limits&) const override { return true; }
    bool searches_on() const override { return options_.secondary > 0; }
    void search_on(Result& result) override;
    void count(std::vector<Count>& counts) const override;
    double table_share() const override { return table_ ? table_->share_used() : -1; }

    // All claims and windows of a node are in the view of its player to move. `at`: what is known of the node.
    Claim node(int ply, int remaining, Window window, game::Next at);
    virtual Claim chance(int ply, int remaining, Window window);
    // The value of the child just made from the node at `ply`, or of its i-th child, in that node's view.
    Claim child(int ply, int remaining, Window window, game::Next at);
    Claim child(int ply, std::size_t i, int remaining, Window window);
    // The same for the child just made, with a null window first.
    Claim scout(int ply, int remaining, Window window, game::Next at);
    // What else the table is asked for, and may answer: see selective.hpp.
    virtual std::uint64_t key(int ply);
    virtual std::optional<Claim> answer(const TableEntry& entry, int remaining, Window window) const {
        return entry.cutoff(remaining, window);
    }
    // The claim of a node without a look at its moves, if there is one.
    virtual std::optional<Claim> recognise(int, int) { return std::nullopt; }
    // The claim of a node at the depth limit, or so many plies beyond it (`remaining` < 0).
    virtual Claim horizon(int ply, int remaining, Window window, game::Next at);
    // The static value of a position where the game goes on.
    Claim stand(int ply);

    struct Decision {
        Claim claim{-infinity, unknown, 0};
        std::optional<std::uint64_t> move{}; // that raised alpha, or was proven to reach it
        Reason reason = unknown;             // why it is worth as much as the claim says
    };
    // What a decision node begins with: its moves are listed, or, if walks_, the first is made and led to `at`, past
    // others with the claim `passed`. `hint`: the move to try first.
    struct Begun {
        game::Next at = game::Next::Unknown;
        Claim passed{-infinity, unknown, 0};
        std::optional<std::uint64_t> hint{};
    };
    virtual Decision decide(int ply, int remaining, Window window, const Begun& begun);
    static void combine(Claim& best, const Claim& claim);
    Claim terminal(int ply);
    // Fills the frame's order; with the kinds of the listed moves where the game has loud ones.
    void rank(int ply, std::optional<std::uint64_t> hint);
    // The kinds of the listed moves, which are loud; of listed moves, of which it is then known whether they are.
    void find_loud_kinds(int ply);
    void tell_kinds(int ply);
    const Ranked& ranked(int ply, std::size_t i) {
        return options_.ordering ? MoveOrder::pick(frames_[ply], i) : frames_[ply].order[i];
    }
    // The same; moves that another thread is searching are deferred (shared_work.cpp).
    const Ranked& to_try(int ply, std::size_t i, int remaining);
    // What other threads have found of the node before its i-th move, if that decides it.
    std::optional<Claim> found_meanwhile(int ply, std::size_t i, int remaining, Window window);
    // Tells other threads that this one searches the move just made, as the i-th, or has done so.
    void begin_work(int ply, std::size_t i, int remaining);
    void end_work(int ply, std::size_t i, int remaining);
    // Whether the best so far ends the node. If so, `best` says what is known of the moves not tried.
    bool ends(int ply, int remaining, Window window, Decision& best, std::size_t tried);
    // Takes in the claim of the child just searched. Returns the greater alpha.
    double take(int ply, Decision& best, const Claim& claim, double alpha);
    // The maximiser's value of a position in the view of the player to move.
    double in_view(int ply, double maximisers) const { return side(ply) == 0 ? maximisers : -maximisers; }
    // Whose side the player to move is on: 0 is the maximiser's.
    std::uint32_t side(int ply) const { return ~(allies_ >> line_.mover(ply)) & 1; }
    // Those who play together with this player maximise.
    void maximise(std::uint32_t player) {
        maximiser_ = player;
        allies_ = game_.traits().allies(player);
    }
    // The maximiser's value of a position that is no end of the game.
    double evaluation(int ply);
    // The least window above a value that tells it from greater ones.
    static Window null_window(double alpha);

    // The least and greatest value in the view of the player to move.
    double floor(int ply) const { return side(ply) == 0 ? lowest_ : -highest_; }
    double ceiling(int ply) const { return side(ply) == 0 ? highest_ : -lowest_; }

private:
    // The root's claim, by the windows that the options name. Exact, unless the search was stopped.
    Claim root(int depth);
    // What secondary search finds at the end of a line, in the view of the root's mover; none: it was stopped.
    std::optional<double> value_beyond(std::span<const std::uint64_t> line);
    // The best other move of the root that is worth more than `alpha`, with its line in frames_[0].
    Decision second_best(int depth, std::uint64_t best, double alpha);
    Claim aspire(int depth);
    Claim converge(int depth, double guess);

    Claim interior(int ply, int remaining, Window window);
    // Makes the first or next move, if moves are not ordered. `best` takes in the value of the moves that were skipped.
    game::Next walk(int ply, int remaining, double alpha, bool begin, Claim& best);
    game::Next try_next(int ply, std::size_t i, int remaining);
    bool shares_work(std::size_t i, int remaining) const;
    std::uint64_t work(int ply, std::size_t i, int remaining) {
        return MovesUnderWay::work(frames_[ply].key, frames_[ply].order[i].id, remaining);
    }
    void find_kinds(int ply);
    // Whether what was found at a node holds on other lines to its position, too.
    bool holds_elsewhere(int ply) const { return !past_ || past_->is_closed(ply); }
    // Whether what moves gain at once is looked at: where their values are those of leaves.
    bool learns(int remaining) const { return remaining == 1 && !walks_ && options_.ordering && has_loud_; }
    bool more_to_try(int ply, std::size_t i) { return walks_ ? line_.more(ply) : i < frames_[ply].order.size(); }

protected:
    std::shared_ptr<Table> table_; // null: none
    MoveOrder order_;
    const game::MoveKinds move_kinds_;
    KindTable kinds_;
    const bool has_loud_;
    bool walks_;                               // moves are tried in the order in which the line gives them
    std::uint32_t maximiser_ = 0, allies_ = 1; // and one bit for each player on that side
    int depth_ = 0;                            // of the pass under way
    int uncut_ply_ = 0;                        // the table may not answer for this node: its best move is wanted
    double even_ = 0; // in a game without an evaluation: the value of a leaf at the depth limit
    std::uint64_t cutoffs_ = 0, first_cutoffs_ = 0, hits_ = 0, researches_ = 0, revised_ = 0;

    double lowest_, highest_; // utility

private:
    MovesUnderWay* under_way_ = nullptr;       // of all threads of this search; null: there is one
    bool shares_ = false;                      // who shares the table sees to its generations
    bool wants_past_;                          // an exact search with a table
    std::unique_ptr<game::RelevantPast> past_; // where positions have one
    bool passes_;                 // the game has no evaluation, so leaves at the depth limit can be skipped
    std::optional<double> guess_; // the root's value as the pass before found it
    std::optional<std::uint64_t> best_before_; // and its best move
};

} // namespace zug::search

#pragma once
// A search with a proof before it. A search to a depth, or by playouts, estimates what a position is worth. Near the
// end of the game a depth-first proof (proof/null_window.hpp) may find out in less time, since it only asks which side
// of a bound the value is on. So it has a share of the limits first, with the table of the moves before; but only where
// the leaves of a perfectly ordered search to the end of random games are at most some times as many as the nodes that
// it may search. What is left is for the search:
//
//   what is proven        what is done
//   the best there is     the move that keeps it is made, without a search
//   something less        the search chooses; if its move is proven to give that up, the one that keeps it is made; so
//                         it is if nothing is proven of the search's move, and the search expects no more from it
//   nothing               the search chooses; if its move is proven to give less than the search expects of it, the
//                         best of the others is made by the search's values for which that isn't so
//
// Where all moves are proven to lose, the value does not tell them apart. Then the move is made that sets opponents who
// err the most problems (opponent/opponent_model.hpp), if enough of the limits is left to find it.
//
// For games that null windows suit: two sides, zero sum, no chance, listed utilities.

#include "search/core/algorithm.hpp"
#include "search/core/options.hpp"
#include "search/proof/prove.hpp"
#include "search/proof/question.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace zug::search {

class NullWindowSearch;

class Proving final : public Algorithm {
public:
    // Around a search of this method. options.prove is the share; options.table_bytes are for the prover's table alone.
    Proving(game::Game& game, Method method, const Options& options, std::unique_ptr<Algorithm> search);
    ~Proving() override;

    // No proof is looked for in a search to a depth, in one that is traced or takes turns, and without a limit.
    Result run(const game::State& root, const Limits& limits) override;
    void forget() override;

private:
    Proof look_for_proof(const game::State& root, const Limits& limits);
    // The leaves of the least tree for each node of these limits, by so many random games; too many if these take
    // longer.
    double leaves_a_node(const game::State& root, const Limits& part, std::uint64_t games, double seconds);
    bool end_is_near(const game::State& root, const Limits& limits, const Limits& part);
    Result search_on(const game::State& root, const Limits& limits, const Proof& proof);
    bool keeps_bound(const game::State& root, const Limits& limits, const Proof& proof, const Result& result);
    // Whether the least that the player to move can get is proven.
    bool is_lost(const game::State& root, const Result& result) const;
    void set_problems(const game::State& root, const Limits& limits, Result& result);
    Verdict ask_after(const game::State& root, std::uint64_t move, const Limits& limits, double at_least);
    // Whether after a move the first side is proven to get less, or if it is not to move more, than such a value takes.
    bool is_refuted(const game::State& root, std::uint64_t move, const Limits& limits, double value);
    // For a move that was refuted, another one: the first by the values of short searches that isn't.
    void take_another(const game::State& root, const Limits& limits, Result& result);
    // Makes the proof's move the result.
    void take_proven(const game::State& root, const Proof& proof, Result& result) const;
    // A value of the first side, as the player to move sees it, and the reverse.
    double view(const game::State& root, double value) const;
    // What the player to move is proven to get, at least.
    double forced(const game::State& root, const Proof& proof) const;

    game::Game& game_;
    const Method method_;
    const Options options_;
    std::unique_ptr<Algorithm> search_;
    std::unique_ptr<NullWindowSearch> prover_; // once there was a position near the end
    // Hashes of positions of this game in which a proof chose the move. A proof may lead back to one of them where the
    // table has forgotten how it went on; then the search chooses.
    std::vector<std::uint64_t> chosen_;
};

} // namespace zug::search

#pragma once
// One thread of a depth-first proof: null_window.hpp says what it does.

#include "game/line.hpp"
#include "search/core/budget.hpp"
#include "search/proof/null_window.hpp"

#include <array>
#include <vector>

namespace zug::search {

class NullWindowWorker {
public:
    // The first has number 0; the order in which others try moves begins differently.
    NullWindowWorker(game::Game& game, const game::CanonicalHash& canonical, BoundsTable& table, BusyPositions& busy,
                     std::uint32_t number);

    // Whether the first player can force utilities[asked], with passes from `depth` on.
    Verdict ask(const game::State& root, std::uint8_t asked, int depth, const Limits& limits,
                const std::function<void()>& tick);
    // The nodes as of the last tick, for other threads.
    std::uint64_t told() const { return told_.load(std::memory_order_relaxed); }
    double seconds() const { return budget_.seconds(); }
    const std::string& failure() const { return budget_.failure(); }

private:
    // A ply counts as one with much work until some positions there have been searched.
    static constexpr double least_shared_work = 512, least_kept_work = 64, first_work = 4096;

    struct Child {
        std::uint64_t key = 0, id = 0;
        std::int64_t rank = 0;
        std::uint32_t index = 0;
        std::uint32_t change = 0; // which words of the position it changes and how, in history_bits
        bool done = false;
    };
    struct Node {
        std::optional<KnownBounds> known;    // what the table knew before the search
        std::vector<Child> children;         // whose value has to be searched
        std::uint64_t finisher = UINT64_MAX; // a move that ended the game well at this ply
        std::uint64_t decider = UINT64_MAX;  // the move that decided the last position at this ply
        double work = first_work;            // nodes below a position at this ply, of late
        bool open = false;                   // some child is open
    };
    // What a decided position's mover did.
    struct Decision {
        Verdict verdict = Verdict::Open;
        std::uint32_t move = 0; // short id; 0: none
    };

    // Node::known is what the table knows of the position.
    Verdict look(int ply, int remaining, std::uint64_t key);
    Decision decide(int ply, int remaining);
    // Each returns true if one of the children decides, as `best` then says, or after a failure.
    bool make_children(int ply, Decision& best);
    bool look_up_children(int ply, int remaining, Decision& best);
    bool search_children(int ply, int remaining, Decision& best);
    void order(int ply);
    bool makes(int ply, std::uint32_t index, bool& over);
    Verdict end(int ply);
    Verdict known_verdict(const KnownBounds& known) const;
    void remember(int ply, std::uint64_t key, int remaining, const Decision& found, std::uint64_t work);
    void try_next(int ply, std::size_t next, std::uint64_t move);
    void reward(int ply, std::size_t tried);
    std::uint32_t change(int ply);
    std::int32_t& history(std::uint32_t mover, const Child& child) {
        return history_[(std::size_t{mover} << history_bits) + child.change];
    }
    // Positions at plies with little work below them go into a table of this thread, which stays in the processor's
    // cache: looking up all successors in a large one takes longer than making them.
    BoundsTable& table_at(int ply) { return kept(ply) ? table_ : recent_; }
    // The key of a position in its table. What the others save is not worth looking for images.
    std::uint64_t key(int ply) {
        return kept(ply) && canonical_.symmetries() > 1 ? canonical_.of(line_, ply, slots_) : line_.hash(ply);
    }
    bool kept(int ply) const { return nodes_[static_cast<std::size_t>(ply)].work >= least_kept_work; }
    bool shared(int ply) const { return nodes_[static_cast<std::size_t>(ply)].work >= least_shared_work; }
    // The verdict for which the player to move strives, and the other one.
    Verdict good(int ply) const {
        return (first_side_ >> line_.mover(ply) & 1) != 0 ? Verdict::Proven : Verdict::Disproven;
    }
    Verdict bad(int ply) const { return good(ply) == Verdict::Proven ? Verdict::Disproven : Verdict::Proven; }

    static constexpr std::size_t recent_bytes = std::size_t{1} << 20;
    static constexpr unsigned history_bits = 12;

    game::Game& game_;
    game::Line line_;
    const game::CanonicalHash& canonical_;
    std::vector<std::uint32_t> slots_; // scratch
    BoundsTable& table_;
    BoundsTable recent_{recent_bytes};
    BusyPositions& busy_;
    Budget budget_;
    std::atomic<std::uint64_t> told_ = 0;
    std::vector<Node> nodes_; // by ply
    std::vector<std::int32_t> history_;
    std::uint32_t first_side_;
    std::uint8_t asked_ = 0;
};

} // namespace zug::search

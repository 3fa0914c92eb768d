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
    NullWindowWorker(game::Game& game, BoundsTable& table, BusyPositions& busy, std::uint32_t number);

    // Whether the first player can force utilities[asked], with passes from `depth` on.
    Verdict ask(const game::State& root, std::uint8_t asked, int depth, const Limits& limits,
                const std::function<void()>& tick);
    // The nodes as of the last tick, for other threads.
    std::uint64_t told() const { return told_.load(std::memory_order_relaxed); }
    double seconds() const { return budget_.seconds(); }
    const std::string& failure() const { return budget_.failure(); }

private:
    struct Child {
        std::uint64_t key = 0, id = 0;
        std::int64_t rank = 0;
        std::uint32_t index = 0;
        bool done = false;
    };
    struct Node {
        std::vector<Child> children;         // whose value has to be searched
        std::uint64_t finisher = UINT64_MAX; // a move that ended the game well at this ply
        double work = 0;                     // nodes below a position at this ply, of late
        bool open = false;                   // some child is open
    };
    // What a decided position's mover did.
    struct Decision {
        Verdict verdict = Verdict::Open;
        std::uint32_t move = 0; // short id; 0: none
    };

    Verdict look(int ply, int remaining, std::uint64_t key);
    Decision decide(int ply, int remaining, const std::optional<KnownBounds>& known);
    // Each returns true if one of the children decides, as `best` then says, or after a failure.
    bool make_children(int ply, Decision& best);
    bool look_up_children(int ply, int remaining, Decision& best);
    bool search_children(int ply, int remaining, Decision& best);
    void order(int ply, const std::optional<KnownBounds>& known);
    bool makes(int ply, std::uint32_t index, bool& over);
    Verdict end(int ply);
    Verdict known_verdict(const KnownBounds& known) const;
    void remember(std::uint64_t key, std::optional<KnownBounds> known, int remaining, const Decision& found,
                  std::uint64_t work);
    void reward(int ply, std::size_t tried);
    std::int32_t& history(std::uint32_t mover, std::uint64_t move);
    bool shared(int ply) const { return nodes_[static_cast<std::size_t>(ply)].work >= least_shared_work; }
    // The verdict for which the player to move strives, and the other one.
    Verdict good(int ply) const {
        return (first_side_ >> line_.mover(ply) & 1) != 0 ? Verdict::Proven : Verdict::Disproven;
    }
    Verdict bad(int ply) const { return good(ply) == Verdict::Proven ? Verdict::Disproven : Verdict::Proven; }

    static constexpr double least_shared_work = 512;
    static constexpr unsigned history_bits = 12;

    game::Game& game_;
    game::Line line_;
    BoundsTable& table_;
    BusyPositions& busy_;
    Budget budget_;
    std::atomic<std::uint64_t> told_ = 0;
    std::vector<Node> nodes_; // by ply
    std::vector<std::int32_t> history_;
    std::uint32_t first_side_;
    std::uint8_t asked_ = 0;
};

} // namespace zug::search

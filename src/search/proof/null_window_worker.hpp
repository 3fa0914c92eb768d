#pragma once
// One thread of a depth-first proof: null_window.hpp says what it does.

#include "game/line.hpp"
#include "search/core/budget.hpp"
#include "search/proof/change_history.hpp"
#include "search/proof/null_window.hpp"

#include <array>
#include <optional>
#include <vector>

namespace zug::search {

class NullWindowWorker {
public:
    // Each has a number of its own, and learns from other random games.
    NullWindowWorker(game::Game& game, const game::CanonicalHash& canonical, BoundsTable& table, BusyPositions& busy,
                     std::uint32_t number);

    // Whether the first player can force utilities[asked], with passes from `depth` on.
    Verdict ask(const game::State& root, std::uint8_t asked, int depth, const Limits& limits,
                const std::function<void()>& tick);
    // The move with which the root's player decided the last question as they wished; empty: they did not.
    std::optional<std::uint64_t> move() const { return move_; }
    // Forgets what has been learnt of the plies below the last root.
    void new_root();
    // The nodes as of the last tick, for other threads.
    std::uint64_t told() const { return told_.load(std::memory_order_relaxed); }
    double seconds() const { return budget_.seconds(); }
    const std::string& failure() const { return budget_.failure(); }

private:
    static constexpr double least_shared_work = 512, least_kept_work = 64, least_image_work = 4096,
                            least_evaluated_work = 1024;
    static constexpr std::uint32_t most_averaged = 64;
    static constexpr std::uint64_t first_allowance = 1 << 14, last_allowance = 1 << 22, growth = 16;

    struct Child {
        std::uint64_t key = 0, id = 0;
        double estimate = 0;   // what the mover may expect of it, by an evaluation or by random games
        std::int32_t rank = 0; // by the history
        std::uint32_t index = 0;
        std::uint32_t entry = 0; // in the history
        bool is_tables = false;  // the move that the table names
        bool done = false;
    };
    struct Node {
        std::optional<KnownBounds> known;    // what the table knew before the search
        std::vector<Child> children;         // whose value has to be searched
        std::uint64_t finisher = UINT64_MAX; // a move that ended the game well at this ply
        std::uint64_t decider = UINT64_MAX;  // the move that decided the last position at this ply
        double work = 0;                     // nodes below a position at this ply, of late
        std::uint32_t searched = 0;          // positions at this ply, up to most_averaged
        bool open = false;                   // some child is open
    };
    // What a decided position's mover did.
    struct Decision {
        Verdict verdict = Verdict::Open;
        std::uint32_t move = 0; // short id; 0: none
    };

    Verdict search(const game::State& root, int depth);
    void expect_more(const game::State& root);
    // Node::known is what the table knows of the position.
    Verdict look(int ply, int remaining, std::uint64_t key);
    Decision decide(int ply, int remaining);
    // Each returns true if one of the children decides, as `best` then says, or after a failure.
    bool make_children(int ply, Decision& best);
    bool look_up_children(int ply, int remaining, Decision& best);
    bool search_children(int ply, int remaining, Decision& best);
    void order(int ply);
    void evaluate(int ply);
    void sample(int ply, std::uint32_t games);
    std::uint32_t games_to_sample(int ply) const;
    bool makes(int ply, std::uint32_t index, bool& over);
    Verdict end(int ply);
    Verdict known_verdict(const KnownBounds& known) const;
    void remember(int ply, std::uint64_t key, int remaining, const Decision& found, std::uint64_t work);
    void try_next(int ply, std::size_t next, std::uint64_t move);
    void reward(int ply, std::size_t tried);
    // Positions at plies with little work below them go into a table of this thread, which stays in the processor's
    // cache: looking up all successors in a large one takes longer than making them.
    BoundsTable& table_at(int ply) { return kept(ply) ? table_ : recent_; }
    // The key of a position in its table. It takes work to look for images, too.
    std::uint64_t key(int ply) {
        const bool looks =
            canonical_.symmetries() > 1 && nodes_[static_cast<std::size_t>(ply)].work >= least_image_work;
        return looks ? canonical_.of(line_, ply, slots_) : line_.hash(ply);
    }
    bool kept(int ply) const { return nodes_[static_cast<std::size_t>(ply)].work >= least_kept_work; }
    // Whether the search has to end, or to begin again.
    bool stopped() const { return restarts_ || budget_.stopped(); }
    bool shared(int ply) const { return nodes_[static_cast<std::size_t>(ply)].work >= least_shared_work; }
    // The verdict for which the player to move strives, and the other one.
    Verdict good(int ply) const {
        return (first_side_ >> line_.mover(ply) & 1) != 0 ? Verdict::Proven : Verdict::Disproven;
    }
    Verdict bad(int ply) const { return good(ply) == Verdict::Proven ? Verdict::Disproven : Verdict::Proven; }

    static constexpr std::size_t recent_bytes = std::size_t{1} << 20;

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
    ChangeHistory history_;
    bool learnt_ = false; // what random games tell
    bool restarts_ = false;
    // After so many nodes a search begins again, with so many expected of each ply that has not been searched yet.
    std::uint64_t allowance_ = first_allowance, restart_at_ = 0;
    double expected_ = 0;
    Random random_;
    game::State state_; // scratch
    std::optional<std::uint64_t> move_;
    std::uint32_t first_side_, number_;
    std::uint8_t asked_ = 0;
};

} // namespace zug::search

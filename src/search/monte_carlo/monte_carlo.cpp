#include "search/monte_carlo/monte_carlo.hpp"

#include "base/run_in_threads.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace zug::search {

using game::NodeKind;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint32_t most_threads = 256;
constexpr int probes = 8;               // playouts that show whether moves stay available
constexpr double most_moves_stay = 0.5; // of a playout's moves: what RAVE needs to gain
// Where the file has an evaluation: the plies after which it ends a playout, and its weight in the tree.
constexpr std::uint32_t evaluated_cutoff = 4;
constexpr double evaluated_implicit = 0.3;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

} // namespace

MonteCarlo::MonteCarlo(game::Game& game, const Options& options, std::unique_ptr<Algorithm> checker)
    : game_(game), options_(options.monte_carlo), threads_(std::clamp(options.threads, 1U, most_threads)),
      memory_(options.memory), utilities_(game.traits()), checker_(std::move(checker)) {}

MonteCarlo::~MonteCarlo() = default;

void MonteCarlo::forget() {
    workers_.clear();
    if (tree_) tree_->clear();
    if (checker_) checker_->forget();
    planned_ = false;
}

Result MonteCarlo::run(const game::State& root, const Limits& limits) {
    const auto begin = Clock::now();
    Result result;
    result.method = Method::MonteCarlo;
    result.value.resize(game_.players());
    counts_ = {};
    if (!over(root, result)) {
        prepare(root);
        const NodeId at = result.fault.empty() ? find_root(root) : no_node;
        if (at != no_node) {
            result.nodes = 0;
            if (checks(limits)) {
                search_and_check(root, at, limits, result);
            } else {
                search(at, limits, result);
                describe(at, result);
            }
        } else {
            result.fault = game_.faulted() ? game_.fault_text() : "there is no memory for a search tree";
            game_.clear_fault();
        }
    }
    if (result.exact && result.pv_ids.empty()) take_any(root, result);
    write_pv(game_, root, result);
    result.pv_ids.resize(result.pv.size());
    game_.clear_fault();
    result.counts = {{"iterations", counts_.iterations},
                     {"playouts", counts_.playouts},
                     {"plies of playouts", counts_.plies},
                     {"tree nodes", counts_.nodes},
                     {"expanded", counts_.expanded},
                     {"proven", counts_.proven},
                     {"transpositions", counts_.transpositions},
                     {"without room", counts_.full},
                     {"deepest", counts_.deepest}};
    for (double& value : result.value) value += 0.0; // no -0
    result.seconds = seconds_since(begin);
    return result;
}

// Whether there is nothing to search: the game is over, or a rule fails at once.
bool MonteCarlo::over(const game::State& root, Result& result) {
    const NodeKind kind = game_.kind(root);
    const bool ended = kind == NodeKind::Terminal;
    if (kind == NodeKind::Fault || (ended && !game_.payoffs(root, result.value))) {
        result.fault = game_.fault_text();
        game_.clear_fault();
        return true;
    }
    result.exact = result.complete = ended;
    result.nodes = 1;
    return ended;
}

// Where all ends are worth the same the value is known without a search, and any move will do.
void MonteCarlo::take_any(const game::State& root, Result& result) {
    game::MoveList moves;
    const NodeKind kind = game_.expand(root, moves);
    if (kind == NodeKind::Decision && !moves.empty()) result.pv_ids = {moves.id(0)};
    if (kind != NodeKind::Fault) return;
    result.fault = game_.fault_text();
    result.exact = result.complete = false;
}

// Decides what the options leave to the game.
void MonteCarlo::prepare(const game::State& root) {
    if (!tree_) {
        const auto words = static_cast<std::uint32_t>(root.words.size());
        tree_ = std::make_unique<Tree>(memory_, utilities_.stored(), words, game_.traits().has_history);
    }
    if (!std::exchange(planned_, true)) {
        const bool evaluated = game_.traits().has_eval;
        plan_.options = options_;
        plan_.cutoff = options_.cutoff.value_or(evaluated ? evaluated_cutoff : options_.plies);
        plan_.implicit = utilities_.scalar() ? options_.implicit.value_or(evaluated ? evaluated_implicit : 0) : 0;
        plan_.rave = plan_.implicit == 0 && plan_.cutoff > 0 && (options_.rave ? *options_.rave : moves_stay(root));
    }
    add_workers();
}

// Plays a few games: RAVE suits a game in which most of what a player does later could be done at once.
bool MonteCarlo::moves_stay(const game::State& root) {
    game::MoveList moves;
    if (game_.traits().chance || game_.traits().has_chains || game_.expand(root, moves) != NodeKind::Decision)
        return false;
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < moves.size(); ++i) ids.push_back(moves.id(i));
    std::ranges::sort(ids);
    Random random(options_.seed);
    std::vector<game::PlayedMove> played;
    std::size_t own = 0, stayed = 0;
    for (int k = 0; k < probes; ++k) {
        game::State state = root;
        played.clear();
        game_.playout(state, random, plan_.cutoff, played);
        for (const game::PlayedMove& move : played) {
            if (move.player != game_.to_move(root)) continue;
            ++own;
            stayed += std::ranges::binary_search(ids, move.id) ? 1 : 0;
        }
    }
    game_.clear_fault(); // a search meets it again, and reports it
    return static_cast<double>(stayed) > most_moves_stay * static_cast<double>(own);
}

void MonteCarlo::add_workers() {
    const std::size_t wanted = threads_;
    plan_.shared_by_workers = wanted > 1;
    clones_.reserve(wanted); // workers keep references
    while (clones_.size() + 1 < wanted) clones_.push_back(game_.clone());
    Random seeds(options_.seed);
    for (std::size_t i = 0; i < wanted; ++i) {
        const std::uint64_t seed = seeds.next();
        if (i < workers_.size()) continue;
        workers_.push_back(std::make_unique<Worker>(i == 0 ? game_ : clones_[i - 1], *tree_, plan_, seed));
    }
}

// The node of the root: of the last tree, if it is there.
NodeId MonteCarlo::find_root(const game::State& root) {
    Worker& first = *workers_.front();
    const std::uint64_t key = first.key_of(root);
    const NodeId known = options_.keep_tree ? tree_->find(key) : no_node;
    if (known == no_node) tree_->clear();
    if (known == no_node) return first.add_root(root, key);
    if (2 * tree_->bytes() < tree_->capacity()) return known;
    const NodeId kept = tree_->keep_only(known);
    if (tree_->expanded((*tree_)[kept])) return kept;
    tree_->clear();
    return first.add_root(root, key);
}

void MonteCarlo::search(NodeId root, const Limits& limits, Result& result) {
    std::atomic<bool> done{false};
    const auto begin = Clock::now();
    const std::uint64_t count = workers_.size();
    run_in_threads(count, [&](std::size_t i) {
        Limits own = limits;
        if (limits.enough_seconds > 0) own.seconds = limits.enough_seconds; // there are no passes to wait for
        if (limits.nodes != 0) own.nodes = std::max<std::uint64_t>(1, limits.nodes / count);
        if (limits.nodes != 0 && limits.nodes < count && i >= limits.nodes) return;
        if (i != 0) own.turn = nullptr;
        std::function<void()> tick;
        if (i == 0 && limits.progress)
            tick = [&] {
                Result now;
                now.method = Method::MonteCarlo;
                now.value.resize(game_.players());
                describe(root, now);
                now.nodes = workers_.front()->budget().nodes() * count;
                now.seconds = seconds_since(begin);
                limits.progress({now, false});
            };
        workers_[i]->search(root, own, done, std::move(tick));
    });
    for (const auto& worker : workers_) {
        result.nodes += worker->budget().nodes();
        counts_.add(worker->counts());
        if (result.fault.empty()) result.fault = worker->budget().failure();
    }
}

// Value and principal variation as the tree has them.
void MonteCarlo::describe(NodeId root, Result& result) {
    NodeId id = root;
    result.exact = tree_->exact(root);
    result.complete = result.exact;
    const Edge* const best = best_edge(root);
    const NodeId chosen = best != nullptr && !result.exact ? tree_->child(*best) : root;
    const NodeId shown = chosen != no_node ? chosen : root;
    const bool proven = tree_->exact(shown);
    const double visits = std::max(1U, load((*tree_)[shown].visits));
    for (std::uint32_t p = 0; p < game_.players(); ++p)
        result.value[p] = utilities_.of(proven ? tree_->lower(shown) : tree_->sums(shown), p) / (proven ? 1.0 : visits);
    result.pv_ids.clear();
    std::vector<NodeId> met; // a line that comes back to a position is not shown twice
    while (id != no_node && std::ranges::find(met, id) == met.end()) {
        const Edge* const edge = best_edge(id);
        if (edge == nullptr) break;
        met.push_back(id);
        result.pv_ids.push_back(edge->id);
        id = tree_->child(*edge);
    }
    result.depth = static_cast<int>(counts_.deepest);
}

// The move to play at a decision node, or none: nothing is known of its moves.
const Edge* MonteCarlo::best_edge(NodeId id) {
    const Node& node = (*tree_)[id];
    if (!tree_->expanded(node) || node.kind != NodeKind::Decision) return nullptr;
    const double middle = (utilities_.lowest(node.mover) + utilities_.highest(node.mover)) / 2;
    const Edge *open = nullptr, *closed = nullptr;
    for (const Edge& edge : tree_->edges(node)) {
        if (!Tree::closed(edge)) {
            if (load(edge.visits) > (open == nullptr ? 0 : load(open->visits))) open = &edge;
            continue;
        }
        const double value = load(edge.value), best = closed == nullptr ? 0 : load(closed->value);
        const int height = load((*tree_)[tree_->child(edge)].height);
        const int least = closed == nullptr ? 0 : load((*tree_)[tree_->child(*closed)].height);
        const bool sooner = value >= middle ? height < least : height > least;
        if (closed == nullptr || value > best || (value == best && sooner)) closed = &edge;
    }
    if (open == nullptr || closed == nullptr) return open != nullptr ? open : closed;
    return load(closed->value) >= load(open->value) || tree_->exact(id) ? closed : open;
}

} // namespace zug::search

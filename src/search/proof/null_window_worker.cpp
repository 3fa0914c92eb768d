#include "search/proof/null_window_worker.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {

static_assert(max_depth <= KnownBounds::greatest_depth);

// Random games take at most one ply for so many nodes of the search that they order; fewer games for a child tell too
// little, and more tell little more.
constexpr double nodes_a_ply = 1;
constexpr std::uint32_t fewest_games = 16, most_games = 2048, games_between_looks = 8;

} // namespace

NullWindowWorker::NullWindowWorker(game::Game& game, const game::CanonicalHash& canonical, BoundsTable& table,
                                   BusyPositions& busy, std::uint32_t number)
    : game_(game), line_(game), canonical_(canonical), table_(table), busy_(busy), history_(game), random_(number),
      first_side_(game.traits().first_side), number_(number) {}

Verdict NullWindowWorker::ask(const game::State& root, std::uint8_t asked, int depth, const Limits& limits,
                              const std::function<void()>& tick) {
    asked_ = asked;
    told_ = 0;
    move_.reset();
    if (!nodes_.empty()) nodes_[0].decider = UINT64_MAX;
    const auto tell = [this] { told_.store(budget_.nodes(), std::memory_order_relaxed); };
    budget_.start(limits, [&tick, tell] {
        tell();
        if (tick) tick();
    });
    Verdict verdict = Verdict::Open;
    for (int last = 0; verdict == Verdict::Open && !budget_.stopped() && last < max_depth; depth *= 2) {
        last = std::min(depth, max_depth);
        verdict = search(root, last);
    }
    tell();
    if (verdict == good(0) && nodes_[0].decider != UINT64_MAX) move_ = nodes_[0].decider;
    if (budget_.stopped()) return Verdict::Open;
    if (verdict == Verdict::Open) budget_.fail(fmt::format("the game can go on past {} plies; try dfpn", max_depth));
    return verdict;
}

void NullWindowWorker::new_root() {
    nodes_.clear();
    allowance_ = first_allowance;
    expected_ = 0;
}

// Small searches need no preparation. Large ones begin again with what random games tell and with the plies of which
// much work is expected told apart; what has been found out so far is in the tables.
Verdict NullWindowWorker::search(const game::State& root, int depth) {
    for (;;) {
        game_.clear_fault();
        line_.start(root);
        nodes_.resize(std::max<std::size_t>(nodes_.size(), 1));
        restarts_ = false;
        restart_at_ = allowance_ > last_allowance ? UINT64_MAX : budget_.nodes() + allowance_;
        const std::uint64_t root_key = key(0);
        nodes_[0].known = table_at(0).find(root_key);
        const Verdict verdict = look(0, depth, root_key);
        if (!restarts_ || budget_.stopped()) return verdict;
        expect_more(root);
    }
}

void NullWindowWorker::expect_more(const game::State& root) {
    if (!learnt_) history_.learn(game_, root, number_, [this] { return budget_.look(); });
    learnt_ = true;
    expected_ = static_cast<double>(allowance_);
    allowance_ *= growth;
    for (Node& node : nodes_)
        if (node.searched == 0) node.work = expected_;
}

Verdict NullWindowWorker::look(int ply, int remaining, std::uint64_t key) {
    if (!budget_.visit()) return Verdict::Open;
    restarts_ = restarts_ || budget_.nodes() >= restart_at_;
    const auto at = static_cast<std::size_t>(ply);
    while (nodes_.size() <= at + 1) nodes_.emplace_back().work = expected_;
    const std::uint64_t before = budget_.nodes();
    const bool marks = shared(ply);
    if (marks) busy_.enter(key);
    const Decision found = decide(ply, remaining);
    if (marks) busy_.leave(key);
    if (stopped()) return Verdict::Open;
    const std::uint64_t work = budget_.nodes() - before;
    remember(ply, key, remaining, found, work);
    Node& here = nodes_[at];
    here.searched = std::min(here.searched + 1, most_averaged);
    here.work += (static_cast<double>(work) - here.work) / here.searched;
    return found.verdict;
}

void NullWindowWorker::remember(int ply, std::uint64_t key, int remaining, const Decision& found, std::uint64_t work) {
    KnownBounds now = nodes_[static_cast<std::size_t>(ply)].known.value_or(KnownBounds{});
    if (found.move != 0) now.move = found.move;
    switch (found.verdict) {
    case Verdict::Proven: now.low = std::max(now.low, asked_); break;
    case Verdict::Disproven: now.high = std::min(now.high, static_cast<std::uint8_t>(asked_ - 1)); break;
    default: now.asked = asked_; now.depth = static_cast<std::uint16_t>(remaining);
    }
    table_at(ply).store(key, now, work);
}

Verdict NullWindowWorker::known_verdict(const KnownBounds& known) const {
    if (known.low >= asked_) return Verdict::Proven;
    return known.high < asked_ ? Verdict::Disproven : Verdict::Open;
}

Verdict NullWindowWorker::end(int ply) {
    std::array<double, game::max_players> payoffs{};
    if (!line_.payoffs(ply, std::span(payoffs).first(game_.players()))) budget_.fail(game_.fault_text());
    return payoffs[0] >= game_.traits().utilities[asked_] ? Verdict::Proven : Verdict::Disproven;
}

NullWindowWorker::Decision NullWindowWorker::decide(int ply, int remaining) {
    switch (line_.list(ply)) {
    case NodeKind::Terminal: return {end(ply)};
    case NodeKind::Fault: budget_.fail(game_.fault_text()); return {};
    case NodeKind::Chance: budget_.fail("proofs can't play chance events"); return {};
    case NodeKind::Decision: break;
    }
    nodes_[static_cast<std::size_t>(ply)].open = false;
    Decision best;
    if (make_children(ply, best) || look_up_children(ply, remaining, best)) return best;
    order(ply);
    if (search_children(ply, remaining, best)) return best;
    if (!nodes_[static_cast<std::size_t>(ply)].open) best.verdict = bad(ply);
    return best;
}

// How many random games after each move are worth their time before a search of the position; 0: none.
std::uint32_t NullWindowWorker::games_to_sample(int ply) const {
    const Node& here = nodes_[static_cast<std::size_t>(ply)];
    if (here.children.size() < 2) return 0;
    const double games = here.work / nodes_a_ply / (static_cast<double>(here.children.size()) * history_.plies());
    return games < fewest_games ? 0 : static_cast<std::uint32_t>(std::min<double>(games, most_games));
}

// Orders the moves by the share of random games after them that answer the question as the mover wants it.
void NullWindowWorker::sample(int ply, std::uint32_t games) {
    std::array<double, game::max_players> payoffs{};
    const std::span out = std::span(payoffs).first(game_.players());
    const double asked = game_.traits().utilities[asked_];
    for (Child& child : nodes_[static_cast<std::size_t>(ply)].children) {
        bool over = false;
        if (child.is_tables || !makes(ply, child.index, over)) continue;
        std::uint32_t proven = 0;
        for (std::uint32_t i = 0; i < games; ++i) {
            if (i % games_between_looks == 0 && !budget_.look()) break;
            state_ = line_.state(ply + 1);
            const bool ends = game_.playout(state_, random_, ChangeHistory::most_plies).finished;
            proven += ends && game_.payoffs(state_, out) && out[0] >= asked ? 1 : 0;
        }
        child.estimate = good(ply) == Verdict::Proven ? proven : games - proven;
    }
    game_.clear_fault();
}

// Orders the moves by the evaluation of the positions after them.
void NullWindowWorker::evaluate(int ply) {
    std::array<double, game::max_players> values{};
    for (Child& child : nodes_[static_cast<std::size_t>(ply)].children) {
        bool over = false;
        if (child.is_tables || !makes(ply, child.index, over)) continue;
        line_.evaluate(ply + 1, std::span(values).first(game_.players()));
        child.estimate = values[line_.mover(ply)];
    }
}

bool NullWindowWorker::makes(int ply, std::uint32_t index, bool& over) {
    const Next next = line_.make(ply, index);
    if (next == Next::Fault) {
        budget_.fail(game_.fault_text());
        return false;
    }
    over = next == Next::Terminal || (next == Next::Unknown && line_.kind(ply + 1) == NodeKind::Terminal);
    return true;
}

// Those at which the game goes on. The move that has ended the game well at this ply before comes first.
bool NullWindowWorker::make_children(int ply, Decision& best) {
    Node& here = nodes_[static_cast<std::size_t>(ply)];
    const game::MoveList& moves = line_.moves(ply);
    const auto size = static_cast<std::uint32_t>(moves.size());
    const auto finisher = moves.find(here.finisher);
    const auto first = static_cast<std::uint32_t>(finisher.value_or(0));
    here.children.clear();
    for (std::uint32_t i = 0; i < size; ++i) {
        const std::uint32_t index = i == 0 ? first : i <= first ? i - 1 : i;
        bool over = false;
        if (!makes(ply, index, over)) return true;
        if (over) {
            if (end(ply + 1) != good(ply)) continue;
            here.finisher = here.decider = moves.id(index);
            budget_.made(i + 1);
            best = {good(ply), KnownBounds::short_id(moves.id(index))};
            return true;
        }
        here.children.push_back(
            {.key = key(ply + 1), .id = moves.id(index), .index = index, .entry = history_.entry(line_, ply)});
        table_at(ply + 1).prefetch(here.children.back().key);
    }
    budget_.made(size);
    return false;
}

// The root's value may be known. Of several moves that keep it, that of the table is then made, for the position after
// it was decided before the root was: another may lead back to where the game has been, which would go on for ever.
bool NullWindowWorker::look_up_children(int ply, int remaining, Decision& best) {
    Node& here = nodes_[static_cast<std::size_t>(ply)];
    for (Child& child : here.children) {
        const auto known = table_at(ply + 1).find(child.key);
        const Verdict verdict = known ? known_verdict(*known) : Verdict::Open;
        if (verdict == good(ply)) {
            const std::uint32_t move = KnownBounds::short_id(child.id);
            const bool kept = here.known && here.known->move == move;
            if (kept || best.verdict == Verdict::Open) here.decider = child.id, best = {verdict, move};
            if (kept || ply > 0 || !here.known) return true;
        }
        child.done = verdict != Verdict::Open;
        const bool in_vain = known && known->asked == asked_ && known->depth >= remaining - 1;
        if (child.done || !(in_vain || remaining == 1)) continue;
        child.done = here.open = true;
    }
    if (best.verdict != Verdict::Open) return true;
    std::erase_if(here.children, [](const Child& child) { return child.done; });
    return false;
}

void NullWindowWorker::order(int ply) {
    Node& here = nodes_[static_cast<std::size_t>(ply)];
    for (Child& child : here.children) {
        child.is_tables = here.known && here.known->move == KnownBounds::short_id(child.id);
        child.rank = history_[child.entry];
    }
    const bool evaluates = game_.traits().has_eval && here.work >= least_evaluated_work && here.children.size() > 1;
    const std::uint32_t games = game_.traits().has_eval ? 0 : games_to_sample(ply);
    if (evaluates) evaluate(ply);
    if (games > 0) sample(ply, games);
    std::ranges::sort(here.children, [](const Child& a, const Child& b) {
        if (a.is_tables != b.is_tables) return a.is_tables;
        if (a.estimate != b.estimate) return a.estimate > b.estimate;
        return a.rank != b.rank ? a.rank > b.rank : a.id < b.id;
    });
}

// In two rounds: the first leaves out what other threads are at.
bool NullWindowWorker::search_children(int ply, int remaining, Decision& best) {
    const auto at = static_cast<std::size_t>(ply);
    const bool defers = shared(ply + 1);
    for (const bool last_round : {false, true}) {
        for (std::size_t i = 0; i < nodes_[at].children.size(); ++i) {
            Child child = nodes_[at].children[i];
            if (child.done || (!last_round && defers && busy_.has(child.key))) continue;
            nodes_[at].children[i].done = true;
            // May have been found meanwhile; and is what look() knows of it.
            const auto known = nodes_[at + 1].known = table_at(ply + 1).find(child.key);
            Verdict verdict = known ? known_verdict(*known) : Verdict::Open;
            if (verdict == Verdict::Open) {
                bool over = false;
                if (!makes(ply, child.index, over)) return true;
                verdict = look(ply + 1, remaining - 1, child.key);
            }
            if (stopped()) return true;
            nodes_[at].open = nodes_[at].open || verdict == Verdict::Open;
            if (verdict == bad(ply)) try_next(ply, i + 1, nodes_[at + 1].decider);
            if (verdict != good(ply)) continue;
            reward(ply, i);
            nodes_[at].decider = child.id;
            best = {verdict, KnownBounds::short_id(child.id)};
            return true;
        }
        if (!defers) break;
    }
    return false;
}

// What refutes one move is often where another one should have gone.
void NullWindowWorker::try_next(int ply, std::size_t next, std::uint64_t move) {
    std::vector<Child>& children = nodes_[static_cast<std::size_t>(ply)].children;
    const auto from = std::ranges::find(children.begin() + static_cast<std::ptrdiff_t>(std::min(next, children.size())),
                                        children.end(), move, &Child::id);
    if (from != children.end() && !from->done)
        std::rotate(children.begin() + static_cast<std::ptrdiff_t>(next), from, from + 1);
}

// The move at `tried` in the order has decided.
void NullWindowWorker::reward(int ply, std::size_t tried) {
    const std::vector<Child>& children = nodes_[static_cast<std::size_t>(ply)].children;
    for (std::size_t i = 0; i < tried; ++i) history_.failed(children[i].entry);
    history_.decided(children[tried].entry, tried);
}

} // namespace zug::search

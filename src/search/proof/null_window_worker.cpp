#include "search/proof/null_window_worker.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {

static_assert(max_depth <= KnownBounds::greatest_depth);

constexpr std::uint64_t first_noise = 8; // of the history of threads but the first
constexpr std::int64_t table_rank = INT64_MAX;
constexpr std::int32_t history_limit = 1 << 30;
constexpr double newest = 1.0 / 64; // the weight of the last position in Node::work

} // namespace

NullWindowWorker::NullWindowWorker(game::Game& game, const game::CanonicalHash& canonical, BoundsTable& table,
                                   BusyPositions& busy, std::uint32_t number)
    : game_(game), line_(game), canonical_(canonical), table_(table), busy_(busy),
      history_(std::size_t{game.players()} << history_bits), first_side_(game.traits().first_side) {
    if (number == 0) return;
    Random random(number);
    for (std::int32_t& entry : history_) entry = static_cast<std::int32_t>(random.below(first_noise));
}

Verdict NullWindowWorker::ask(const game::State& root, std::uint8_t asked, int depth, const Limits& limits,
                              const std::function<void()>& tick) {
    asked_ = asked;
    told_ = 0;
    const auto tell = [this] { told_.store(budget_.nodes(), std::memory_order_relaxed); };
    budget_.start(limits, [&tick, tell] {
        tell();
        if (tick) tick();
    });
    game_.clear_fault();
    line_.start(root);
    nodes_.resize(std::max<std::size_t>(nodes_.size(), 1));
    Verdict verdict = Verdict::Open;
    for (int last = 0; verdict == Verdict::Open && !budget_.stopped() && last < max_depth; depth *= 2) {
        last = std::min(depth, max_depth);
        const std::uint64_t root_key = key(0);
        nodes_[0].known = table_at(0).find(root_key);
        verdict = look(0, last, root_key);
    }
    tell();
    if (budget_.stopped()) return Verdict::Open;
    if (verdict == Verdict::Open) budget_.fail(fmt::format("the game can go on past {} plies; try dfpn", max_depth));
    return verdict;
}

Verdict NullWindowWorker::look(int ply, int remaining, std::uint64_t key) {
    if (!budget_.visit()) return Verdict::Open;
    const auto at = static_cast<std::size_t>(ply);
    if (nodes_.size() <= at + 1) nodes_.resize(at + 2);
    const std::uint64_t before = budget_.nodes();
    const bool marks = shared(ply);
    if (marks) busy_.enter(key);
    const Decision found = decide(ply, remaining);
    if (marks) busy_.leave(key);
    if (budget_.stopped()) return Verdict::Open;
    const std::uint64_t work = budget_.nodes() - before;
    remember(ply, key, remaining, found, work);
    nodes_[at].work += (static_cast<double>(work) - nodes_[at].work) * newest;
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
            best.verdict = good(ply);
            return true;
        }
        here.children.push_back({.key = key(ply + 1), .id = moves.id(index), .index = index, .change = change(ply)});
        table_at(ply + 1).prefetch(here.children.back().key);
    }
    budget_.made(size);
    return false;
}

bool NullWindowWorker::look_up_children(int ply, int remaining, Decision& best) {
    Node& here = nodes_[static_cast<std::size_t>(ply)];
    for (Child& child : here.children) {
        const auto known = table_at(ply + 1).find(child.key);
        const Verdict verdict = known ? known_verdict(*known) : Verdict::Open;
        if (verdict == good(ply)) {
            here.decider = child.id;
            best = {verdict, KnownBounds::short_id(child.id)};
            return true;
        }
        child.done = verdict != Verdict::Open;
        const bool in_vain = known && known->asked == asked_ && known->depth >= remaining - 1;
        if (child.done || !(in_vain || remaining == 1)) continue;
        child.done = here.open = true;
    }
    std::erase_if(here.children, [](const Child& child) { return child.done; });
    return false;
}

void NullWindowWorker::order(int ply) {
    Node& here = nodes_[static_cast<std::size_t>(ply)];
    const std::uint32_t mover = line_.mover(ply);
    for (Child& child : here.children)
        child.rank =
            here.known && here.known->move == KnownBounds::short_id(child.id) ? table_rank : history(mover, child);
    std::ranges::sort(here.children,
                      [](const Child& a, const Child& b) { return a.rank != b.rank ? a.rank > b.rank : a.id < b.id; });
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
            if (budget_.stopped()) return true;
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

// Of the move that was made at `ply`.
std::uint32_t NullWindowWorker::change(int ply) {
    const std::uint64_t* const before = line_.words(ply);
    const std::uint64_t* const after = line_.words(ply + 1);
    std::uint64_t mixed = 0;
    for (std::uint32_t w = 0; w < line_.words(); ++w) mixed = (mixed ^ before[w] ^ after[w]) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::uint32_t>(mixed >> (64 - history_bits));
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
    const std::uint32_t mover = line_.mover(ply);
    for (std::size_t i = 0; i < tried; ++i) --history(mover, children[i]);
    std::int32_t& best = history(mover, children[tried]);
    best += static_cast<std::int32_t>(tried);
    if (best < history_limit) return;
    for (std::int32_t& entry : history_) entry /= 2;
}

} // namespace zug::search

#include "search/proof/proof_number.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {

constexpr std::uint32_t never = ProofNumbers::never;
constexpr ProofNumbers no_limit{never, never};
constexpr std::uint64_t most_moves = 1 << 16; // initial numbers are at most this

std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return std::min(a + b, never - 1); }

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

} // namespace

ProofNumberSearch::ProofNumberSearch(game::Game& game, std::size_t table_bytes)
    : game_(game), line_(game), canonical_(game.program()), table_(table_bytes) {}

Verdict ProofNumberSearch::ask(const game::State& root, const Question& question, const Limits& limits,
                               std::function<void()> tick) {
    question_ = question;
    asked_side_ = game_.traits().allies(question.player);
    salt_ = mixed(std::bit_cast<std::uint64_t>(question.at_least) + question.player + 1);
    repeated_ = false;
    path_.clear();
    budget_.start(limits, std::move(tick));
    game_.clear_fault();
    line_.start(root);
    const NodeKind kind = line_.kind(0);
    ProofNumbers found = kind == NodeKind::Terminal ? end(0) : ProofNumbers{};
    if (kind != NodeKind::Terminal) {
        nodes_.resize(std::max<std::size_t>(nodes_.size(), 1));
        nodes_[0].key = key(0);
        while (!found.solved() && !budget_.stopped()) found = look_into(0, no_limit);
    }
    if (budget_.stopped()) return Verdict::Open;
    if (found.proven()) return Verdict::Proven;
    return repeated_ ? Verdict::Unless : Verdict::Disproven;
}

ProofNumbers ProofNumberSearch::end(int ply) {
    std::array<double, game::max_players> payoffs;
    if (!line_.payoffs(ply, std::span(payoffs).first(game_.players()))) budget_.fail(game_.fault_text());
    return payoffs[question_.player] >= question_.at_least ? is_proven : is_disproven;
}

// Searches the position until either number reaches its limit.
ProofNumbers ProofNumberSearch::look_into(int ply, const ProofNumbers& limit) {
    const auto at = static_cast<std::size_t>(ply);
    const std::uint64_t before = budget_.nodes();
    if (!budget_.visit()) return {};
    path_.insert(nodes_[at].key);
    const auto known = table_.find(nodes_[at].key);
    nodes_[at].depth = known ? std::min(known->depth, ply) : ply;
    ProofNumbers found = expand(ply);
    while (!found.solved()) {
        const Choice choice = choose(nodes_[at]);
        found = seen(ply, choice.all);
        if (found.solved() || found.proof >= limit.proof || found.disproof >= limit.disproof || budget_.stopped())
            break;
        const ProofNumbers most = seen(ply, limit);
        const ProofNumbers child_limit = limit_of_child(nodes_[at].children[choice.best].numbers, choice, most);
        if (!make(ply, choice.best)) break;
        const ProofNumbers below = look_into(ply + 1, seen(ply, child_limit));
        nodes_[at].children[choice.best].numbers = seen(ply, below);
    }
    path_.erase(nodes_[at].key);
    if (!budget_.stopped()) table_.store(nodes_[at].key, {found, nodes_[at].depth}, budget_.nodes() - before);
    return found;
}

// The limits for the best child, at which another one becomes better or the position reaches its own limit. Saturated
// numbers are no reason to change to another child.
ProofNumbers ProofNumberSearch::limit_of_child(const ProofNumbers& best, const Choice& choice,
                                               const ProofNumbers& most) {
    const std::uint32_t second = sum(choice.second, choice.second / 2 + 1);
    const std::int64_t more = std::int64_t{most.disproof} - choice.all.disproof + best.disproof;
    const bool limited = most.disproof != never && more < never;
    return {second >= never - 1 ? most.proof : std::min(most.proof, second),
            limited ? static_cast<std::uint32_t>(more) : never};
}

// Makes the move with this index in the list: false after a fault.
bool ProofNumberSearch::make(int ply, std::size_t child) {
    Node& here = nodes_[static_cast<std::size_t>(ply)];
    if (!here.listed) line_.list(ply);
    here.listed = true;
    nodes_[static_cast<std::size_t>(ply) + 1].key = here.children[child].key;
    if (line_.make(ply, child) != Next::Fault) return true;
    budget_.fail(game_.fault_text());
    return false;
}

// Makes the children. Returns numbers that solve the position if one child does, or if there is none.
ProofNumbers ProofNumberSearch::expand(int ply) {
    const auto at = static_cast<std::size_t>(ply);
    if (nodes_.size() <= at + 1) nodes_.resize(at + 2);
    Node& here = nodes_[at];
    here.children.clear();
    here.listed = false;
    ProofNumbers numbers;
    const bool over = make_children(ply, numbers);
    budget_.made(here.children.size());
    if (over) return numbers;
    if (looks_for_images(ply + 1)) leave_out_images(here.children);
    // The table is probed after all children have been made: meanwhile the prefetched buckets arrive in the cache.
    for (Child& child : here.children) {
        if (child.numbers.solved()) continue;
        if (ply + 1 >= max_depth || path_.contains(child.key)) {
            repeated_ = true;
            child.numbers = seen(ply, is_disproven);
        } else if (const auto known = table_.find(child.key)) {
            child.numbers = seen(ply, known->numbers);
            child.old = known->depth < here.depth;
        }
    }
    return numbers;
}

// True: the position is solved, or a rule failed.
bool ProofNumberSearch::make_children(int ply, ProofNumbers& numbers) {
    auto& children = nodes_[static_cast<std::size_t>(ply)].children;
    for (Next next = line_.first(ply); next != Next::None; next = line_.next(ply)) {
        if (next == Next::Fault) {
            budget_.fail(game_.fault_text());
            return true;
        }
        Child& child = children.emplace_back();
        const bool over =
            next == Next::Terminal || (next == Next::Unknown && line_.kind(ply + 1) == NodeKind::Terminal);
        if (over) {
            child.numbers = seen(ply, end(ply + 1));
            if (child.numbers.proven()) return numbers = end(ply + 1), true;
        } else {
            child.key = key(ply + 1);
            table_.prefetch(child.key);
            const auto moves =
                static_cast<std::uint32_t>(std::clamp<std::uint64_t>(line_.count(ply + 1), 1, most_moves));
            child.numbers = seen(ply, seen(ply + 1, {1, moves}));
        }
    }
    if (!children.empty()) return false;
    if (line_.found(ply) == NodeKind::Terminal)
        numbers = end(ply);
    else
        budget_.fail(line_.found(ply) == NodeKind::Fault ? game_.fault_text()
                                                         : "proof-number search can't play chance events");
    return true;
}

// Of children that are alike, only the first counts: as if the others were of no use to the side that moves.
void ProofNumberSearch::leave_out_images(std::vector<Child>& children) {
    for (std::size_t i = 1; i < children.size(); ++i)
        for (std::size_t j = 0; j < i && !children[i].numbers.solved(); ++j)
            if (children[j].key == children[i].key && !children[j].numbers.solved()) children[i].numbers = is_disproven;
}

ProofNumberSearch::Choice ProofNumberSearch::choose(const Node& node) {
    Choice result;
    ProofNumbers least = no_limit;
    std::uint32_t disproofs = 0, of_old = 0;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        const ProofNumbers& n = node.children[i].numbers;
        if (n.proven()) return {.all = is_proven};
        if (n.disproven()) continue;
        if (node.children[i].old)
            of_old = std::max(of_old, n.disproof);
        else
            disproofs = sum(disproofs, n.disproof);
        if (n.proof < least.proof || (n.proof == least.proof && n.disproof < least.disproof)) {
            result.second = least.proof;
            least = n;
            result.best = i;
        } else {
            result.second = std::min(result.second, n.proof);
        }
    }
    result.all = {least.proof, disproofs != 0 ? disproofs : of_old};
    return result;
}

} // namespace zug::search

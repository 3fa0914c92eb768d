#include "tests/random_rules/duel.hpp"

#include "executor/random_play.hpp"
#include "game/line.hpp"
#include "game/perft.hpp"
#include "game/symmetry/image_check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace zug::random_rules {

using game::ExecutorKind;
using game::NodeKind;
using game::State;

namespace {

constexpr std::string_view node_names[] = {"decision", "chance", "terminal", "fault"};
constexpr std::string_view fault_names[] = {"OutOfRange", "DoubleAssign", "BadWeight",   "BadPayoff",  "NoMove",
                                            "DoubleTurn", "AllStuck",     "EndlessTurn", "TooMuchWork"};

std::string_view name(NodeKind kind) { return node_names[static_cast<std::size_t>(kind)]; }

std::string fault_of(game::Game& game) {
    const auto& fault = game.executor().fault();
    return fault ? std::string(fault_names[static_cast<std::size_t>(fault->kind)]) : "none";
}

// Equal, or both not a number.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return x == y || (x != x && y != y); });
}

// Making machine code takes far longer than playing: every so many seeds, and the best there is more rarely.
constexpr std::uint64_t seeds_a_native = 8, seeds_a_best_native = 16;

std::vector<ExecutorKind> executors(std::uint64_t seed) {
    std::vector<ExecutorKind> kinds{ExecutorKind::Reference, ExecutorKind::Interpreter};
    if (seed % seeds_a_native == 0) kinds.push_back(ExecutorKind::Native);
    if (seed % seeds_a_best_native == 0) kinds.push_back(ExecutorKind::BestNative);
    return kinds;
}

} // namespace

Duel::Duel(std::shared_ptr<const ir::Program> program, std::uint64_t seed, Effort effort)
    : symmetries_(game::proven_symmetries(*program)), random_(seed), effort_(effort) {
    for (const ExecutorKind kind : executors(seed)) sides_.push_back({.game = game::Game(program, kind)});
}

std::optional<Difference> Duel::play() {
    try {
        for (int i = 0; i < effort_.games; ++i) play_game(static_cast<std::uint64_t>(i));
        return {};
    } catch (Stop& stop) {
        return std::move(stop.difference);
    }
}

void Duel::differ(const Side& side, std::string_view kind, std::string text) {
    const std::string who =
        side.game.executor_name() == "reference" ? "" : std::string(side.game.executor_name()) + ": ";
    Difference found{.kind = std::string(kind), .text = who + std::move(text), .position = {}, .line = line_};
    found.position = reference().game.position_text(reference().state);
    throw Stop{std::move(found)};
}

void Duel::require(bool same, const Side& side, std::string_view kind, std::string_view text) {
    if (!same) differ(side, kind, std::string(text));
}

Duel::Slots Duel::slots_of(Side& side, const State& state) {
    Slots slots;
    side.game.executor().store(state, slots);
    return slots;
}

void Duel::play_game(std::uint64_t number) {
    line_.clear();
    for (Side& side : sides_) side.state = side.game.initial();
    for (int ply = 0; ply < effort_.plies; ++ply) {
        compare_position();
        check_symmetries();
        if (kind_ == NodeKind::Fault || kind_ == NodeKind::Terminal) return;
        if ((ply == 0 && number == 0) || random_.below(8) == 0) compare_perft();
        if (random_.below(4) == 0) compare_playouts();
        const std::size_t count = reference().moves.size();
        const auto step = std::max<std::size_t>(1, count / static_cast<std::size_t>(effort_.successors));
        for (std::size_t i = random_.below(static_cast<std::uint32_t>(step)); i < count; i += step)
            compare_successors(i, false);
        if (!compare_successors(run::random_entry(reference().moves, kind_, random_), true)) return;
    }
}

// Turns that are compound moves are found with less work than the chains of steps of the reference evaluator.
bool Duel::is_too_much_for_chains() {
    return reference().game.traits().has_chains && fault_of(reference().game) == "TooMuchWork";
}

void Duel::compare_position() {
    ++positions_;
    for (Side& side : sides_) {
        side.slots = slots_of(side, side.state);
        if (side.slots != reference().slots)
            differ(side, "slots",
                   fmt::format("{} instead of {}", fmt::join(side.slots, " "), fmt::join(reference().slots, " ")));
        side.game.clear_fault();
        require(side.game.to_move(side.state) == reference().game.to_move(reference().state), side, "turn",
                "who is to move");
        const NodeKind claimed = side.game.kind(side.state);
        side.game.clear_fault();
        const NodeKind kind = side.game.expand(side.state, side.moves);
        if (&side == &reference()) kind_ = kind;
        if (&side == &reference() && is_too_much_for_chains()) {
            for (Side& other : sides_) other.slots = side.slots;
            return;
        }
        if (kind != kind_)
            differ(side, "node",
                   fmt::format("{} ({}) instead of {} ({})", name(kind), fault_of(side.game), name(kind_),
                               fault_of(reference().game)));
        const bool unseen = kind == NodeKind::Fault && claimed != NodeKind::Terminal; // only expand() finds the fault
        if (claimed != kind && !unseen)
            differ(side, "kind", fmt::format("{} instead of {}", name(claimed), name(kind)));
        if (kind == NodeKind::Fault) {
            ++faults_;
            const std::string own = fault_of(side.game), other = fault_of(reference().game);
            if (own != other) differ(side, "fault", fmt::format("{} instead of {}", own, other));
            continue;
        }
        compare_moves(side);
        if (kind_ == NodeKind::Decision) compare_loud(side);
        compare_values(side);
        if (random_.below(4) == 0) compare_copies(side);
    }
    if (kind_ != NodeKind::Fault && reference().moves.size() < 40 && random_.below(6) == 0)
        for (Side& side : sides_) compare_texts(side);
}

void Duel::compare_moves(Side& side) {
    const auto weights = [&](const game::MoveList& moves) {
        std::map<std::uint64_t, double> list;
        for (std::size_t i = 0; i < moves.size(); ++i)
            list[moves.id(i)] = kind_ == NodeKind::Chance ? moves.probability(i) : 1;
        return list;
    };
    const auto own = weights(side.moves), other = weights(reference().moves);
    require(own.size() == side.moves.size(), side, "twice", "a move is listed twice");
    for (const auto& [id, weight] : own) {
        const auto found = other.find(id);
        if (found == other.end())
            differ(side, "moves",
                   fmt::format("finds {}, which is no move ({} and {} moves)", id, own.size(), other.size()));
        if (std::abs(found->second - weight) > 1e-12)
            differ(side, "chance", fmt::format("{} instead of {}", weight, found->second));
    }
    if (own.size() != other.size()) differ(side, "moves", fmt::format("{} instead of {}", own.size(), other.size()));
    const std::uint64_t count = side.game.count(side.state);
    if (count != own.size()) differ(side, "count", fmt::format("{} instead of {}", count, own.size()));
}

// The loud moves are those of the list that the reference executor calls loud.
void Duel::compare_loud(Side& side) {
    if (!side.game.traits().has_loud) return;
    game::Line line(side.game);
    line.start(side.state);
    const NodeKind kind = line.list_loud(0);
    require(kind == kind_, side, "loud", "another kind of node");
    std::size_t loud = 0;
    for (std::size_t i = 0; i < reference().moves.size(); ++i)
        if (reference().game.executor().is_loud(reference().state, reference().moves.steps(i))) {
            ++loud;
            if (!line.moves(0).find(reference().moves.id(i)))
                differ(side, "loud", fmt::format("{} is missing", reference().moves.id(i)));
        }
    if (line.moves(0).size() != loud)
        differ(side, "loud", fmt::format("{} moves instead of {}", line.moves(0).size(), loud));
}

void Duel::compare_values(Side& side) {
    const auto ask = [&](auto&& question) {
        std::vector<double> own(side.game.players()), other(side.game.players());
        question(side, own);
        question(reference(), other);
        return std::pair(own, other);
    };
    if (kind_ == NodeKind::Terminal) {
        const auto [own, other] = ask([](Side& s, auto& out) {
            if (s.game.payoffs(s.state, out)) return;
            s.game.clear_fault();
            out.front() = HUGE_VAL;
        });
        if (own.front() == HUGE_VAL && other.front() == HUGE_VAL) return;
        if (!same(own, other)) differ(side, "payoffs", fmt::format("{} instead of {}", own, other));
        for (double payoff : own)
            require(payoff >= side.game.traits().min_utility && payoff <= side.game.traits().max_utility, side,
                    "bounds", "a payoff outside the bounds of the game");
    }
    if (side.game.program().evals.empty()) return;
    const auto [own, other] = ask([](Side& s, auto& out) { s.game.executor().evals(s.state, out); });
    if (!same(own, other)) differ(side, "evals", fmt::format("{} instead of {}", own, other));
}

// States with the same slots and the same past have the same hash, and others another.
void Duel::check_hash(Side& side, const State& state, const Slots& slots) {
    const bool same_slots = slots == side.slots;
    const bool same_hash = side.game.hash(state) == side.game.hash(side.state);
    if (side.game.program().keys.empty())
        require(same_slots == same_hash, side, "hash", same_slots ? "differs" : "is the same");
}

void Duel::compare_copies(Side& side) {
    game::Game clone = side.game.clone();
    require(clone.hash(side.state) == side.game.hash(side.state), side, "clone", "has another hash");
    game::MoveList moves;
    require(clone.expand(side.state, moves) == kind_ && moves.size() == side.moves.size(), side, "clone",
            "finds other moves");
    for (std::size_t i = 0; i < moves.size(); ++i)
        require(moves.id(i) == side.moves.id(i), side, "clone", "finds other moves");
    State loaded;
    side.game.executor().load(side.slots, loaded);
    const Slots slots = slots_of(side, loaded);
    require(slots == side.slots, side, "load", "what is loaded is not what was stored");
    check_hash(side, loaded, slots);
    if (!side.game.program().keys.empty()) return;
    require(side.game.expand(loaded, moves) == kind_ && moves.size() == side.moves.size(), side, "load",
            "what is loaded has other moves");
}

void Duel::compare_texts(Side& side) {
    const std::string text = side.game.position_text(side.state);
    require(text == reference().game.position_text(reference().state), side, "position", "another text");
    const auto read = side.game.parse_position(text);
    if (!read) differ(side, "position", read.error().text);
    require(slots_of(side, *read) == side.slots, side, "position", "reads as another one: " + text);
    if (kind_ == NodeKind::Terminal) return;
    const auto texts = side.game.move_texts(side.state, side.moves);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto found = side.game.parse_move(side.state, side.moves, texts[i]);
        if (!found) differ(side, "text", found.error().text);
        require(*found == i, side, "text", texts[i] + " reads as another move");
    }
}

// Compares the positions after a move; `go_there` also makes them the present ones. False: the move is a fault.
bool Duel::compare_successors(std::size_t move, bool go_there) {
    const std::uint64_t id = reference().moves.id(move);
    const std::string text = reference().game.move_text(reference().state, reference().moves, move);
    std::vector<State> next(sides_.size());
    bool fine = true;
    Slots slots;
    for (std::size_t s = 0; s < sides_.size(); ++s) {
        Side& side = sides_[s];
        side.game.clear_fault();
        const bool done = side.game.successor(side.state, side.moves, *side.moves.find(id), next[s]);
        if (s == 0) fine = done;
        if (done != fine || (!done && fault_of(side.game) != fault_of(reference().game)))
            differ(side, "fault",
                   fmt::format("{} instead of {} by {}", done ? "none" : fault_of(side.game),
                               fine ? "none" : fault_of(reference().game), text));
        if (!done) continue;
        const Slots own = slots_of(side, next[s]);
        if (s == 0) slots = own;
        if (own != slots)
            differ(side, "successor",
                   fmt::format("{} leads to {} instead of {}", text, fmt::join(own, " "), fmt::join(slots, " ")));
        check_hash(side, next[s], own);
    }
    if (!fine) ++faults_;
    if (!fine || !go_there) return fine;
    for (std::size_t s = 0; s < sides_.size(); ++s) sides_[s].state = std::move(next[s]);
    line_ += (line_.empty() ? "" : "; ") + text;
    return true;
}

// The reference draws differently from the executors that run byte code, so that a playout is checked for consistency,
// and compared only between those.
void Duel::compare_playouts() {
    const std::uint64_t seed = random_.next();
    for (std::size_t s = 1; s < sides_.size(); ++s) compare_playout(sides_[s], seed);
    State first;
    for (std::size_t s = 1; s < sides_.size(); ++s) {
        Side& side = sides_[s];
        Random random(seed);
        State state = side.state;
        side.game.clear_fault();
        const auto result = side.game.playout(state, random, 200);
        if (s == 1) {
            first = state;
            continue;
        }
        Random other(seed);
        State start = sides_[1].state;
        const auto wanted = sides_[1].game.playout(start, other, 200);
        if (result.plies != wanted.plies || result.finished != wanted.finished)
            differ(side, "playout", fmt::format("{} plies instead of {}", result.plies, wanted.plies));
        require(!result.finished || slots_of(side, state) == slots_of(sides_[1], first), side, "playout",
                "ends elsewhere");
    }
}

void Duel::compare_playout(Side& side, std::uint64_t seed) {
    constexpr std::uint32_t most = 200;
    Random at_once(seed), in_steps(seed);
    State state = side.state, stepped = side.state;
    side.game.clear_fault();
    const auto whole = side.game.playout(state, at_once, most);
    const std::string fault = fault_of(side.game);
    require(whole.plies <= most && (!whole.finished || fault == "none"), side, "playout", "its result makes no sense");
    if (whole.finished) require(side.game.kind(state) == NodeKind::Terminal, side, "playout", "stops before the end");
    if (!whole.finished && whole.plies < most && fault == "none") {
        game::MoveList moves;
        require(side.game.expand(state, moves) == NodeKind::Fault, side, "playout", "stops without a reason");
    }
    // Played ply by ply, the game is the same, and each ply is a legal move for the reference.
    State there = reference().state;
    for (std::uint32_t ply = 0; ply < whole.plies; ++ply) {
        const auto one = side.game.playout(stepped, in_steps, 1);
        require(one.plies == 1, side, "playout", fmt::format("can't continue after {} plies of {}", ply, whole.plies));
        const Slots slots = slots_of(side, stepped);
        game::MoveList moves;
        if (reference().game.expand(there, moves) == NodeKind::Fault) {
            reference().game.clear_fault(); // of a chain that the playout, which builds but one, has not met
            return;
        }
        bool found = false;
        for (std::size_t i = 0; i < moves.size() && !found; ++i) {
            State next;
            if (!reference().game.successor(there, moves, i, next)) continue;
            found = slots_of(reference(), next) == slots;
            if (found) there = std::move(next);
        }
        reference().game.clear_fault();
        require(found, side, "playout", fmt::format("ply {} is no move", ply));
        if (moves.size() > 30) return; // expensive
    }
    if (whole.finished) {
        require(slots_of(side, stepped) == slots_of(side, state), side, "playout", "goes another way ply by ply");
        require(reference().game.kind(there) == NodeKind::Terminal, side, "playout", "ends too early");
    }
}

// Those that are said to follow from the rules.
void Duel::check_symmetries() {
    Side& side = sides_[1];
    if (side.moves.size() > 30) return;
    game::ImageCheck check(side.game);
    for (const game::Symmetry& symmetry : symmetries_.generators)
        require(check.holds(symmetry, side.slots), side, "symmetry", "an image behaves otherwise");
    side.game.clear_fault();
}

void Duel::compare_perft() {
    if (reference().moves.size() > 30) return;
    std::optional<std::uint64_t> wanted;
    for (Side& side : sides_) {
        const auto found = game::perft(side.game, side.state, 2);
        if (!found && &side == &reference() && is_too_much_for_chains()) return;
        side.game.clear_fault();
        if (&side == &reference() && found) wanted = *found;
        if (found.has_value() != wanted.has_value() || (found && *found != *wanted))
            differ(side, "perft", fmt::format("{} instead of {}", found ? *found : 0, wanted.value_or(0)));
    }
}

} // namespace zug::random_rules

// The interpreter against the reference executor on small programs: those of the other tests, and random ones.

#include "executor/executor.hpp"
#include "executor/position_buffer.hpp"
#include "executor/random_play.hpp"
#include "interpreter/make_interpreter.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "reference/make_reference.hpp"
#include "tests/sanitized.hpp"
#include "tests/unit/executor/games.hpp"
#include "tests/unit/executor/random_program.hpp"

#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>

using namespace zug;
using namespace zug::run;

namespace {

using Slots = std::vector<std::uint32_t>;

// Plays both executors side by side; returns where they differ, or an empty text.
class Duel {
public:
    explicit Duel(const std::shared_ptr<const ir::Program>& program)
        : a_(make_reference(program)), b_(make_interpreter(program)) {}

    bool differ() const { return a_->name() != b_->name(); }

    std::string play(std::uint64_t seed, int plies) {
        Random random(seed);
        a_->initial(state_a_);
        b_->initial(state_b_);
        for (int ply = 0; ply < plies; ++ply) {
            const std::string difference = compare();
            if (!difference.empty()) return fmt::format("at ply {}: {}", ply, difference);
            if (kind_ == NodeKind::Fault || kind_ == NodeKind::Terminal) return {};
            const std::size_t i = random_entry(list_a_, kind_, random);
            State next_a;
            State next_b;
            const bool fine = a_->successor(state_a_, list_a_, i, next_a);
            if (b_->successor(state_b_, list_b_, *list_b_.find(list_a_.id(i)), next_b) != fine)
                return fmt::format("at ply {}: one of them faults", ply);
            if (!fine) return {};
            state_a_ = next_a;
            state_b_ = next_b;
        }
        return {};
    }

private:
    std::string compare() {
        Slots a;
        Slots b;
        a_->store(state_a_, a);
        b_->store(state_b_, b);
        if (a != b) return fmt::format("slots {} and {}", fmt::join(a, " "), fmt::join(b, " "));
        kind_ = a_->expand(state_a_, list_a_);
        const NodeKind other = b_->expand(state_b_, list_b_);
        if (kind_ != other) return fmt::format("kinds {} and {}", static_cast<int>(kind_), static_cast<int>(other));
        if (kind_ == NodeKind::Fault) return {};
        if (const std::string lists = compare_lists(); !lists.empty()) return lists;
        if (kind_ != NodeKind::Terminal && a_->count(state_a_) != b_->count(state_b_)) return "counts";
        if (kind_ == NodeKind::Terminal && compare_numbers(&Executor::payoffs)) return "payoffs";
        if (!a_->program().evals.empty() && compare_numbers(&Executor::evals)) return "evals";
        if (const std::string loud = compare_loud(); !loud.empty()) return loud;
        return compare_successors();
    }

    std::string compare_loud() {
        if (kind_ != NodeKind::Decision) return {};
        PositionBuffer of_a, of_b;
        a_->begin(state_a_, of_a);
        b_->begin(state_b_, of_b);
        if (a_->list_loud(of_a) != kind_ || b_->list_loud(of_b) != kind_) return "kinds of loud lists";
        if (of_a.moves.size() != of_b.moves.size())
            return fmt::format("{} and {} loud moves", of_a.moves.size(), of_b.moves.size());
        for (std::size_t i = 0; i < list_a_.size(); ++i) {
            const std::uint64_t id = list_a_.id(i);
            const bool loud = a_->is_loud(state_a_, list_a_.steps(i));
            if (loud != b_->is_loud(state_b_, list_b_.steps(*list_b_.find(id)))) return "is_loud";
            if (loud != of_a.moves.find(id).has_value() || loud != of_b.moves.find(id).has_value())
                return fmt::format("{}: in one list of loud moves", id);
        }
        return {};
    }

    std::string compare_lists() const {
        std::map<std::uint64_t, double> entries;
        for (std::size_t i = 0; i < list_a_.size(); ++i) entries[list_a_.id(i)] = weight(list_a_, i);
        for (std::size_t i = 0; i < list_b_.size(); ++i) {
            const auto it = entries.find(list_b_.id(i));
            if (it == entries.end()) return fmt::format("{} is no move", list_b_.id(i));
            if (std::abs(it->second - weight(list_b_, i)) > 1e-9) return "weights";
            entries.erase(it);
        }
        if (!entries.empty())
            return fmt::format("{} is missing, and {} more", entries.begin()->first, entries.size() - 1);
        return {};
    }

    double weight(const MoveList& list, std::size_t i) const {
        return kind_ == NodeKind::Chance ? list.probability(i) : 1;
    }

    template <class R>
    bool compare_numbers(R (Executor::*ask)(const State&, std::span<double>)) {
        std::vector<double> a(2);
        std::vector<double> b(2);
        ((*a_).*ask)(state_a_, a);
        ((*b_).*ask)(state_b_, b);
        return !std::ranges::equal(a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
    }

    std::string compare_successors() {
        for (std::size_t i = 0; i < list_a_.size(); i += 1 + list_a_.size() / 8) {
            State next_a;
            State next_b;
            const bool fine = a_->successor(state_a_, list_a_, i, next_a);
            const bool also = b_->successor(state_b_, list_b_, *list_b_.find(list_a_.id(i)), next_b);
            if (fine != also)
                return fmt::format("move {}: only one faults: {}", list_a_.id(i), fault_of(fine ? *b_ : *a_));
            if (!fine && a_->fault()->kind != b_->fault()->kind) return "faults";
            if (!fine) continue;
            Slots a;
            Slots b;
            a_->store(next_a, a);
            b_->store(next_b, b);
            if (a != b)
                return fmt::format("move {}: slots {} and {}", list_a_.id(i), fmt::join(a, " "), fmt::join(b, " "));
        }
        return {};
    }

    static std::string fault_of(const Executor& executor) { return executor.fault() ? executor.fault()->what : "none"; }

    std::unique_ptr<Executor> a_, b_;
    State state_a_, state_b_;
    MoveList list_a_, list_b_;
    NodeKind kind_ = NodeKind::Decision;
};

} // namespace

TEST_CASE("tic-tac-toe means the same") {
    const auto program = tic_tac_toe();
    for (std::uint64_t seed = 1; seed <= 10; ++seed) CHECK(Duel(program).play(seed, 12) == "");
}

// ZUG_SEED=17 runs the one program of that seed and prints it.
TEST_CASE("random programs mean the same") {
    const char* chosen = std::getenv("ZUG_SEED");
    const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
    const std::uint64_t last = chosen != nullptr ? first : test::some_of(400);
    std::size_t interpreted = 0;
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        CAPTURE(seed);
        const auto program = std::make_shared<const ir::Program>(RandomProgram(seed).make());
        if (chosen != nullptr) MESSAGE(ir::print(*program));
        for (const auto& finding : ir::verify(*program)) FAIL(finding);
        Duel duel(program);
        if (duel.differ()) ++interpreted;
        for (std::uint64_t game = 0; game < 3; ++game) CHECK(duel.play(seed + game, 12) == "");
    }
    // A program that the interpreter can't run it leaves to the reference executor: nothing to compare.
    if (chosen == nullptr) CHECK(interpreted * test::one_in > 100);
}

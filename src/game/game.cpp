#include "game/game.hpp"
#include "interpreter/make_interpreter.hpp"
#include "reference/make_reference.hpp"

#include "executor/position_buffer.hpp"
#include "game/facts/traits.hpp"
#include "game/notation.hpp"
#include "game/utility_of_lead.hpp"
#include "ir/rules_digest.hpp"
#include "native/native.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zug::game {

namespace {

std::unique_ptr<run::Executor> make_executor(std::shared_ptr<const ir::Program> program, ExecutorKind kind) {
    switch (kind) {
    case ExecutorKind::Reference: return run::make_reference(std::move(program));
    case ExecutorKind::Interpreter: return run::make_interpreter(std::move(program));
    case ExecutorKind::Native: return native::make_native(std::move(program), native::Wait::Ready);
    case ExecutorKind::BestNative: return native::make_native(std::move(program), native::Wait::Best);
    case ExecutorKind::Fastest: break;
    }
    return native::make_native(std::move(program), native::Wait::Never);
}

} // namespace

Game::Game(std::shared_ptr<const ir::Program> program, ExecutorKind kind)
    : executor_(make_executor(program, kind)), program_(std::move(program)), traits_(find_traits(*program_)),
      kind_(kind) {}

Game::Game(std::unique_ptr<run::Executor> executor)
    : executor_(std::move(executor)), program_(std::make_shared<const ir::Program>(executor_->program())),
      traits_(find_traits(*program_)) {}

Game Game::clone() const {
    Game copy;
    copy.executor_ = executor_->clone();
    copy.program_ = program_;
    copy.traits_ = traits_;
    copy.kind_ = kind_;
    copy.eval_scale_ = eval_scale_;
    if (evaluator_) copy.evaluator_ = evaluator_->clone();
    if (offered_) copy.offered_ = offered_->clone();
    return copy;
}

void Game::use(std::unique_ptr<Evaluator> evaluator) {
    evaluator_ = std::move(evaluator);
    traits_.has_eval = evaluator_ != nullptr;
}

void Game::evaluate_as(const Game& other) {
    evaluator_ = other.evaluator_ ? other.evaluator_->clone() : nullptr;
    traits_.has_eval = other.traits_.has_eval;
    eval_scale_ = other.eval_scale_;
}

Digest Game::rules_digest() const { return ir::rules_digest(*program_); }

std::string Game::team_name(std::uint32_t team) const {
    std::vector<std::string_view> names;
    for (std::uint32_t p = 0; p < players(); ++p)
        if (traits_.team[p] == team) names.push_back(player_name(p));
    return fmt::format("{}", fmt::join(names, " and "));
}

State Game::initial() const {
    State state;
    executor_->initial(state);
    return state;
}

namespace {

// Makes numbers by player into means by team. Returns those.
std::span<double> by_team(std::span<double> values, const Traits& traits) {
    if (traits.partners == 0) return values;
    std::array<double, max_players> sums{}, members{};
    for (std::size_t p = 0; p < values.size(); ++p) {
        sums[traits.team[p]] += values[p];
        members[traits.team[p]] += 1;
    }
    for (std::size_t t = 0; t < traits.teams(); ++t) values[t] = sums[t] / members[t];
    return values.first(traits.teams());
}

// The reverse: each player has what the team has. A team's number is at most that of its first player, so from the back
// nothing is overwritten that is still to be read.
void to_players(std::span<double> values, const Traits& traits) {
    if (traits.partners == 0) return;
    for (std::size_t p = values.size(); p-- > 0;) values[p] = values[traits.team[p]];
}

} // namespace

template <class Position>
void Game::lead_at(Position&& position, std::span<double> out) {
    executor_->evals(position, out);
    // Overflown evals are made finite, so that their differences mean something.
    for (double& eval : out) eval = std::isnan(eval) ? 0 : std::clamp(eval, -1e300, 1e300);
    const std::span evals = by_team(out, traits_);
    if (evals.size() > 1) {
        std::array<double, max_players> own;
        std::ranges::copy(evals, own.begin());
        for (std::size_t p = 0; p < evals.size(); ++p) {
            double others = 0;
            for (std::size_t q = 0; q < evals.size(); ++q)
                if (q != p) others += own[q];
            evals[p] = own[p] - others / static_cast<double>(evals.size() - 1);
        }
    }
    to_players(out, traits_);
}

template <class Position>
void Game::evaluate_position(Position&& position, std::span<double> out) {
    if (!traits_.has_eval || !(traits_.min_utility < traits_.max_utility)) {
        std::ranges::fill(out, even_utility(traits_));
        return;
    }
    if (evaluator_) {
        ask_evaluator(position, out);
        const double low = traits_.min_utility, high = traits_.max_utility;
        for (double& value : out) value = std::clamp(value, std::nextafter(low, high), std::nextafter(high, low));
        return;
    }
    lead_at(position, out);
    for (double& value : out) value = utility_of_lead(value, eval_scale_, traits_);
}

void Game::ask_evaluator(run::PositionBuffer& ply, std::span<double> out) {
    evaluator_->evaluate(*executor_, ply, out);
}

void Game::ask_evaluator(const State& state, std::span<double> out) {
    if (!evaluated_) evaluated_ = std::make_shared<run::PositionBuffer>();
    executor_->begin(state, *evaluated_);
    ask_evaluator(*evaluated_, out);
}

void Game::lead(const State& state, std::span<double> out) { lead_at(state, out); }
void Game::evaluate(const State& state, std::span<double> out) { evaluate_position(state, out); }
void Game::evaluate(run::PositionBuffer& ply, std::span<double> out) { evaluate_position(ply, out); }

// Plies are whole, so a bound is rounded up; but for what rounding errors may have added to it. A number that is none
// says nothing; one that is infinite, that there is no way.
Estimate Game::estimate_of(const run::Bounds& bounds) const {
    constexpr double rounding = 1e-9, many = 1e9;
    Estimate estimate{.utility = std::max(traits_.max_utility, 0.0), .plies = 0};
    if (bounds.payoff < estimate.utility) estimate.utility = bounds.payoff;
    if (bounds.moves > many) estimate.utility = std::min(estimate.utility, 0.0);
    if (estimate.utility > 0 && bounds.moves > 0)
        estimate.plies = static_cast<std::uint32_t>(std::ceil(bounds.moves - rounding));
    return estimate;
}

std::vector<std::uint32_t> Game::slots(const State& state) const {
    std::vector<std::uint32_t> result;
    executor_->store(state, result);
    return result;
}

namespace {

std::string headline(const ir::Program& program, const run::Fault& fault) {
    const std::string& player = program.players[fault.slots[program.slot_count]];
    switch (fault.kind) {
    case run::FaultKind::NoMove:
        return player + " has no move here, the game is not over, and there is no `stuck pass`";
    case run::FaultKind::AllStuck: return "every player in turn can only pass here, and the game is not over";
    case run::FaultKind::BadPayoff: return "the end of the game: " + fault.what;
    case run::FaultKind::TooMuchWork:
        if (!valid(fault.rule)) return "this position: " + fault.what;
        break;
    default: break;
    }
    const std::string where = valid(fault.rule) ? "rule `" + program.rules[fault.rule].name + "`" : "`turn`";
    const auto describe = [&]() -> std::string {
        switch (fault.kind) {
        case run::FaultKind::OutOfRange: return "value out of range: " + fault.what;
        case run::FaultKind::BadWeight: return "bad weights: " + fault.what;
        default: return fault.what;
        }
    };
    return where + ": " + describe();
}

} // namespace

std::string Game::fault_text() const {
    const auto& fault = executor_->fault();
    if (!fault) return {};
    std::string text = headline(program(), *fault);
    if (!fault->move.empty()) {
        std::vector<std::string> steps;
        const std::size_t shown = std::min<std::size_t>(fault->move.size(), 8);
        for (std::size_t i = 0; i < shown; ++i) steps.push_back(step_text(program(), fault->slots, fault->move[i]));
        if (shown < fault->move.size()) steps.emplace_back("...");
        text += fmt::format("\n  in the move: {}", fmt::join(steps, ", "));
    }
    return text + "\n  position: " + position_text_of(fault->slots);
}

} // namespace zug::game

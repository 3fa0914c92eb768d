#include "api/inner.hpp"
#include "game/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zug::api {

tl::expected<std::shared_ptr<const State::Node>, Error> State::Node::of(Inner& inner, game::State state) {
    auto node = std::make_shared<Node>();
    game::Game& game = inner.game;
    node->state = std::move(state);
    node->kind = game.expand(node->state, node->moves);
    node->utilities.resize(game.players());
    if (node->kind == game::NodeKind::Fault || !game.payoffs(node->state, node->utilities)) {
        std::string text = game.fault_text();
        game.clear_fault();
        return failure(std::move(text));
    }
    return node;
}

Kind State::kind() const {
    switch (node_->kind) {
    case game::NodeKind::Decision: return Kind::Decision;
    case game::NodeKind::Chance: return Kind::Chance;
    default: return Kind::Terminal;
    }
}

std::uint32_t State::player() const { return inner_->game.to_move(node_->state); }

std::uint64_t State::hash() const { return inner_->game.hash(node_->state); }

std::string State::text() const { return inner_->game.position_text(node_->state); }

std::string State::board() const { return inner_->game.draw(node_->state, false); }

std::vector<double> State::utilities() const { return node_->utilities; }

std::vector<double> State::evaluation() const {
    std::vector<double> values(inner_->game.players());
    if (kind() == Kind::Terminal) return node_->utilities;
    inner_->game.evaluate(node_->state, values);
    return values;
}

std::size_t State::moves() const { return node_->moves.size(); }

const std::vector<std::string>& State::texts() const {
    if (node_->texts.size() != moves()) node_->texts = inner_->game.move_texts(node_->state, node_->moves);
    return node_->texts;
}

std::uint64_t State::move_hash(std::size_t i) const { return i < moves() ? node_->moves.id(i) : 0; }

double State::probability(std::size_t i) const {
    if (i >= moves()) return 0;
    return kind() == Kind::Chance ? node_->moves.probability(i) : 1;
}

tl::expected<std::size_t, Error> State::find(std::string_view text) const {
    if (moves() == 0) return failure("the game is over: there are no moves");
    return inner_->game.parse_move(node_->state, node_->moves, text);
}

std::optional<std::size_t> State::find(std::uint64_t move_hash) const { return node_->moves.find(move_hash); }

tl::expected<void, Error> State::play(std::size_t i) {
    if (i >= moves()) return failure(fmt::format("there is no move {}: there are {}", i, moves()));
    game::State after;
    if (!inner_->game.successor(node_->state, node_->moves, i, after)) {
        std::string text = inner_->game.fault_text();
        inner_->game.clear_fault();
        return failure(std::move(text));
    }
    auto node = Node::of(*inner_, std::move(after));
    if (!node) return tl::unexpected(node.error());
    node_ = std::move(*node);
    begun_.clear();
    return {};
}

tl::expected<void, Error> State::play(std::string_view line) {
    auto after = inner_->game.play_line(node_->state, line);
    if (!after) return tl::unexpected(after.error());
    auto node = Node::of(*inner_, std::move(*after));
    if (!node) return tl::unexpected(node.error());
    node_ = std::move(*node);
    begun_.clear();
    return {};
}

// -- actions

// The actions that move i is made of, without the end of the chain.
std::vector<std::int64_t> State::numbers(std::size_t i) const {
    std::vector<std::int64_t> all;
    for (const run::StepCode code : node_->moves.steps(i)) all.push_back(inner_->numbering.number(code));
    return all;
}

std::vector<std::int64_t> State::actions() const {
    std::vector<std::int64_t> legal;
    for (std::size_t i = 0; i < moves(); ++i) {
        const auto steps = numbers(i);
        if (steps.size() < begun_.size() || !std::equal(begun_.begin(), begun_.end(), steps.begin())) continue;
        legal.push_back(steps.size() == begun_.size() ? inner_->numbering.end_of_chain() : steps[begun_.size()]);
    }
    std::ranges::sort(legal);
    legal.erase(std::unique(legal.begin(), legal.end()), legal.end());
    return legal;
}

std::vector<double> State::action_probabilities() const {
    std::vector<std::pair<std::int64_t, double>> all;
    if (kind() != Kind::Chance) return std::vector<double>(actions().size(), 1.0);
    for (std::size_t i = 0; i < moves(); ++i) all.emplace_back(numbers(i).front(), probability(i));
    std::ranges::sort(all);
    std::vector<double> probabilities;
    for (const auto& [number, one] : all) probabilities.push_back(one);
    return probabilities;
}

std::string State::action_text(std::int64_t action) const {
    const bool chance = kind() == Kind::Chance;
    const ir::Program& program = inner_->game.program();
    std::string general = inner_->numbering.text(program, action, chance);
    const run::StepCode code = general.empty() ? run::pass_code : inner_->numbering.code(action, chance);
    if (code == run::pass_code) return general;
    std::vector<std::uint32_t> slots;
    inner_->game.executor().store(node_->state, slots);
    return game::step_text(program, slots, code);
}

// The move that these actions are all of, if no legal move goes on from there.
std::optional<std::size_t> State::completed(std::span<const std::int64_t> chosen) const {
    std::optional<std::size_t> whole;
    for (std::size_t i = 0; i < moves(); ++i) {
        const auto steps = numbers(i);
        if (steps.size() < chosen.size() || !std::equal(chosen.begin(), chosen.end(), steps.begin())) continue;
        if (steps.size() > chosen.size()) return std::nullopt;
        whole = i;
    }
    return whole;
}

tl::expected<void, Error> State::act(std::int64_t action) {
    const auto legal = actions();
    if (!std::ranges::binary_search(legal, action))
        return failure(fmt::format("action {} is not legal here{}", action,
                                   legal.empty() ? ": the game is over" : fmt::format("; {} are", legal.size())));
    std::vector<std::int64_t> chosen = begun_;
    if (kind() == Kind::Chance || action != inner_->numbering.end_of_chain()) {
        chosen.push_back(action);
        const auto move = completed(chosen);
        if (move) return play(*move);
        begun_ = std::move(chosen);
        return {};
    }
    for (std::size_t i = 0; i < moves(); ++i)
        if (numbers(i) == chosen) return play(i);
    return failure("no move ends here");
}

} // namespace zug::api

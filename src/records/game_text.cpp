#include "records/game_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zug::records {

std::size_t LineCount::at(std::size_t offset) {
    line_ += static_cast<std::size_t>(std::ranges::count(text_.substr(counted_, offset - counted_), '\n'));
    counted_ = offset;
    return line_;
}

std::string location(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::string_view line = before.substr(before.find_last_of('\n') + 1); // npos + 1 is 0
    constexpr unsigned continues = 0x80, mask = 0xC0;
    const auto characters =
        std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & mask) != continues; });
    return fmt::format("{}:{}", LineCount(text).at(offset), characters + 1);
}

tl::unexpected<Error> failure_at(std::string_view text, std::size_t offset, std::string_view why) {
    return failure(fmt::format("{}: {}", location(text, offset), why));
}

Replayed::Replayed(game::Game& game, const std::string& file) : game_(game), state_(game.initial()) {
    record_.game = game.program().title;
    record_.file = file;
    for (const auto& param : game.program().params) record_.params[param.name] = param.value;
    record_.players.assign(game.players(), "?");
}

void Replayed::begin_from(game::State state) {
    state_ = std::move(state);
    if (game_.hash(state_) != game_.hash(game_.initial())) record_.from = game_.position_text(state_);
}

tl::expected<const game::MoveList*, Error> Replayed::moves() {
    switch (game_.expand(state_, moves_)) {
    case game::NodeKind::Terminal: return failure("the game is over before this move");
    case game::NodeKind::Fault: return failure(game_.fault_text());
    default: return &moves_;
    }
}

tl::expected<void, Error> Replayed::make(std::size_t move) {
    record_.moves.push_back(game_.move_text(state_, moves_, move));
    game::State next;
    if (!game_.successor(state_, moves_, move, next)) return failure(game_.fault_text());
    state_ = std::move(next);
    return {};
}

tl::expected<void, Error> Replayed::end(std::optional<std::uint32_t> winner, std::string_view as_recorded) {
    if (game_.kind(state_) == game::NodeKind::Terminal) {
        record_.end = match::End::Finished;
        record_.utilities.resize(game_.players());
        if (!game_.payoffs(state_, record_.utilities)) return failure(game_.fault_text());
        return {};
    }
    record_.end = match::End::Stopped;
    if (!winner) return {};
    record_.end = match::End::Forfeit;
    record_.fault = fmt::format("the record says {}, and the game is not over by the rules", as_recorded);
    record_.utilities.assign(game_.players(), game_.traits().min_utility);
    record_.utilities[*winner] = game_.traits().max_utility;
    return {};
}

} // namespace zug::records

#include "protocols/engine_answers.hpp"

#include <utility>
#include <vector>

namespace zug::protocols {

Json game_json(const game::Game& game) {
    const ir::Program& program = game.program();
    const game::Traits& traits = game.traits();
    Json parameters = Json::object(), teams = Json::array();
    for (const ir::Param& param : program.params) parameters[param.name] = param.value;
    for (std::uint32_t p = 0; p < game.players(); ++p) teams.push_back(traits.team[p]);
    return {{"title", program.title},
            {"players", program.players},
            {"teams", teams},
            {"parameters", parameters},
            {"chance", traits.chance},
            {"zero_sum", traits.zero_sum},
            {"least_utility", traits.min_utility},
            {"greatest_utility", traits.max_utility}};
}

namespace {

std::string_view name_of(game::NodeKind kind) {
    switch (kind) {
    case game::NodeKind::Decision: return "decision";
    case game::NodeKind::Chance: return "chance";
    case game::NodeKind::Terminal: return "over";
    case game::NodeKind::Fault: break;
    }
    return "fault";
}

Error fault_of(game::Game& game) {
    Error error{game.fault_text()};
    game.clear_fault();
    return error;
}

} // namespace

tl::expected<Json, Error> state_json(GameLine& line) {
    game::Game& game = line.game();
    const game::State& state = line.state();
    game::MoveList moves;
    const game::NodeKind kind = game.expand(state, moves);
    if (kind == game::NodeKind::Fault) return tl::unexpected(fault_of(game));
    Json texts = Json::array(), outcomes = Json::array();
    const std::vector<std::string> all = game.move_texts(state, moves);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (kind == game::NodeKind::Decision) texts.push_back(all[i]);
        if (kind == game::NodeKind::Chance)
            outcomes.push_back({{"move", all[i]}, {"probability", moves.probability(i)}});
    }
    Json player, returns;
    if (kind == game::NodeKind::Decision) player = game.player_name(game.to_move(state));
    if (kind == game::NodeKind::Terminal) {
        std::vector<double> payoffs(game.players());
        if (!game.payoffs(state, payoffs)) return tl::unexpected(fault_of(game));
        returns = payoffs;
    }
    return Json{{"position", game.position_text(state)},
                {"plies", line.plies()},
                {"kind", name_of(kind)},
                {"player", player},
                {"moves", texts},
                {"outcomes", outcomes},
                {"returns", returns}};
}

Json findings_json(const Findings& findings) {
    Json lines = Json::array();
    for (const Line& line : findings.lines)
        lines.push_back({{"moves", line.moves},
                         {"value", line.value},
                         {"depth", line.depth},
                         {"exact", line.exact},
                         {"ends", line.ends}});
    return {{"lines", std::move(lines)}, {"nodes", findings.nodes}, {"seconds", findings.seconds}};
}

Json answer_json(const Answer& answer, bool stopped) {
    Json json = {{"move", answer.move ? Json(answer.text) : Json()},
                 {"reply", answer.reply.empty() ? Json() : Json(answer.reply)},
                 {"stopped", stopped}};
    json.update(findings_json(answer.findings));
    return json;
}

} // namespace zug::protocols

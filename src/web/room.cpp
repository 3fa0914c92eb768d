#include "web/room.hpp"

#include "draw/board/layout/layout.hpp"
#include "draw/board/layout/travel.hpp"
#include "ir/print.hpp"
#include "protocols/engine_answers.hpp"
#include "protocols/session/end_clause.hpp"
#include "records/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace zug::web {

namespace {

constexpr std::uint64_t most_moves = 20'000; // of a position that is shown

Json standing_json(const solve::Standing& standing, std::uint32_t mover) {
    return {{"value", standing.value[mover]},
            {"remoteness", standing.remoteness ? Json(*standing.remoteness) : Json()},
            {"win_probability", standing.win_probability ? Json(*standing.win_probability) : Json()},
            {"repetition", standing.repetition}};
}

using Names = std::vector<std::vector<std::string>>; // of the places of each track

Names place_names(const ir::Program& program) {
    Names names;
    for (const ir::PlaceLook& look : program.looks.places) {
        const ir::TypeId places = program.states[look.state].indices[1];
        auto& of_track = names.emplace_back();
        for (std::size_t place = 0; place < program.types.cardinality(places); ++place)
            of_track.push_back(ir::value_text(program, places, program.types.value(places, place)));
    }
    return names;
}

// Of a step, where a player's man stands on a track, and where it goes, if that is the last word of the step's text.
std::vector<std::string> cells_of(const ir::Program& program, game::StepCode step, std::uint32_t mover,
                                  std::string_view text, const Names& names) {
    std::vector<std::string> cells;
    const auto add = [&](const ir::PlaceLook& look, std::size_t place) {
        const std::int32_t cell = look.cells[mover][place];
        if (cell >= 0) cells.push_back(draw::board::cell_key(program, look, cell));
    };
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && !is_part(text.back())) text.remove_suffix(1);
    const auto begin = std::find_if_not(text.rbegin(), text.rend(), is_part).base();
    const std::string_view last(begin, text.end());
    for (const draw::board::PlaceVisit& visit : draw::board::place_visits_of(program, step)) {
        const ir::PlaceLook& look = program.looks.places[visit.track];
        const auto& of_track = names[visit.track];
        add(look, visit.place);
        if (const auto to = std::ranges::find(of_track, last); to != of_track.end())
            add(look, static_cast<std::size_t>(to - of_track.begin()));
    }
    return cells;
}

// The sites that a move names, in order, as the elements of the picture are called.
Json sites_json(const ir::Program& program, std::span<const game::StepCode> steps, std::uint32_t mover,
                std::string_view text, const Names& names) {
    std::vector<std::string> sites;
    const auto add = [&](std::string site) {
        if (sites.empty() || sites.back() != site) sites.push_back(std::move(site));
    };
    for (const game::StepCode step : steps) {
        for (const draw::board::Visit& visit : draw::board::visits_of(program, step))
            add(draw::board::site_key(program.boards[visit.board], visit.site));
        // The texts of steps are apart by blanks, or there is one.
        const std::size_t end = steps.size() > 1 ? text.find(' ') : text.size();
        for (std::string& cell : cells_of(program, step, mover, text.substr(0, end), names)) add(std::move(cell));
        text = end < text.size() ? text.substr(end + 1) : std::string_view();
    }
    return sites;
}

// The forms that other programs know and the game can be written in.
Json forms_json(const game::Game& game) {
    Json forms = Json::array();
    if (records::refusal(game, records::Format::Pgn).empty()) forms.push_back("pgn");
    if (records::refusal(game, records::Format::Sgf).empty()) forms.push_back("sgf");
    return forms;
}

} // namespace

GameRoom::GameRoom(Rules rules, game::ExecutorKind executor, const SearchBounds& bounds, SharedSearches& shared)
    : rules_(std::move(rules)), line_(game_of(rules_, executor)), thinking_(bounds, shared) {
    if (bounds.solved.empty()) return;
    auto database = solve::Database::open_in(bounds.solved, line_.game());
    if (database)
        database_ = std::move(*database);
    else
        no_database_ = database.error().text;
}

Json GameRoom::about() {
    const ir::Program& program = *rules_.loaded.program;
    Json parameters = Json::array();
    for (const ir::Param& param : program.params)
        parameters.push_back(
            {{"name", param.name}, {"value", param.value}, {"type", ir::type_text(program, param.type)}});
    return {{"game", protocols::game_json(line_.game())},
            {"name", rules_.name},
            {"parameters", parameters},
            {"rules", text_of(rules_)},
            {"warnings", diagnostics_json(rules_.loaded)},
            {"forms", forms_json(line_.game())},
            {"solved", database_.has_value()},
            {"no_database", no_database_}};
}

Answered GameRoom::answer(const Request& request) {
    if (request.command == "progress") return thinking_.progress();
    if (request.command == "stop") {
        thinking_.stop();
        return Json::object();
    }
    const std::scoped_lock lock(turn_);
    if (auto moved = line_.set("", protocols::moves_of(request)); !moved) return tl::unexpected(moved.error());
    return answer_in_turn(request);
}

Answered GameRoom::answer_in_turn(const Request& request) {
    if (request.command == "show") return show(request);
    if (request.command == "move") return move(request);
    if (request.command == "picture") return picture(request);
    if (request.command == "record") return record(request);
    if (request.command == "search") return search(request);
    return values();
}

Json GameRoom::moves_json(const game::MoveList& moves) {
    game::Game& game = line_.game();
    const ir::Program& program = *rules_.loaded.program;
    const Names names = place_names(program);
    const auto texts = !names.empty() ? game.move_texts(line_.state(), moves) : std::vector<std::string>(moves.size());
    const std::uint32_t mover = game.to_move(line_.state());
    Json sites = Json::array();
    for (std::size_t i = 0; i < moves.size(); ++i)
        sites.push_back(sites_json(program, moves.steps(i), mover, texts[i], names));
    return sites;
}

std::string GameRoom::reason() {
    const auto span = protocols::end_clause(line_.game(), line_.state());
    return span ? rules_.loaded.sources.text(span->file).substr(span->begin, span->end - span->begin) : "";
}

// The last of the moves that were just played.
std::optional<draw::board::LastMove> GameRoom::last_move(const Request& request) {
    const game::State* const before = line_.before();
    const auto texts = request.members.find("moves");
    if (before == nullptr || !texts->is_array()) return std::nullopt;
    game::MoveList moves;
    (void)line_.game().expand(*before, moves);
    const auto move = line_.game().parse_move(*before, moves, texts->back().get<std::string>());
    if (!move) return std::nullopt;
    return draw::board::last_move(line_.game(), *before, {moves.id(*move)});
}

tl::expected<std::string, Error> GameRoom::drawn(const Request& request, draw::board::Part part) {
    const draw::board::PictureOptions options{
        .part = part,
        .flip = protocols::is_on(request, "flip"),
        .dark = protocols::is_on(request, "dark"),
        .width = static_cast<int>(std::clamp<std::uint64_t>(protocols::count_of(request, "width", 320), 240, 1000))};
    return draw::board::picture_of(line_.game(), line_.state(), last_move(request), options);
}

Answered GameRoom::show(const Request& request) {
    game::Game& game = line_.game();
    if (const std::uint64_t count = game.count(line_.state()); count > most_moves)
        return failure(fmt::format("this position has {} moves, more than the page can show", count));
    auto json = protocols::state_json(line_);
    if (!json) return json;
    game::MoveList moves;
    const game::NodeKind kind = game.expand(line_.state(), moves);
    const auto boards = drawn(request, draw::board::Part::Boards), panel = drawn(request, draw::board::Part::Panel);
    if (!boards || !panel) return tl::unexpected(boards ? panel.error() : boards.error());
    (*json)["sites"] = moves_json(moves);
    (*json)["boards"] = *boards;
    (*json)["panel"] = *panel;
    if (kind == game::NodeKind::Terminal) (*json)["reason"] = reason();
    return json;
}

Answered GameRoom::move(const Request& request) {
    game::Game& game = line_.game();
    game::MoveList moves;
    (void)game.expand(line_.state(), moves);
    if (!typed_moves_) typed_moves_.emplace(game);
    const auto found = typed_moves_->find(game, line_.state(), moves, protocols::text_of(request, "text"));
    if (!found) return tl::unexpected(found.error());
    return Json{{"move", game.move_text(line_.state(), moves, *found)}};
}

Answered GameRoom::picture(const Request& request) {
    auto svg = drawn(request, draw::board::Part::All);
    if (!svg) return tl::unexpected(svg.error());
    return Json{{"svg", std::move(*svg)}};
}

Answered GameRoom::record(const Request& request) {
    const records::Format format = records::format_of("." + protocols::text_of(request, "form"));
    const Json &moves = request.members.at("moves"), &players = request.members.at("players");
    game::Game& game = line_.game();
    if (format == records::Format::Json || !moves.is_array() || !players.is_array() || players.size() != game.players())
        return failure("`record` takes the form pgn or sgf, an array of moves, and a name for each player");
    match::GameRecord record;
    record.game = game.program().title;
    record.file = rules_.name;
    for (const Json& player : players) record.players.push_back(player.get<std::string>());
    for (const Json& move : moves) record.moves.push_back(move.get<std::string>());
    if (game.kind(line_.state()) == game::NodeKind::Terminal) {
        record.end = match::End::Finished;
        record.utilities.resize(game.players());
        if (!game.payoffs(line_.state(), record.utilities)) return failure(game.fault_text());
    }
    auto text = records::text_of(game, record, format);
    if (!text) return tl::unexpected(text.error());
    return Json{{"text", std::move(*text)}};
}

Answered GameRoom::search(const Request& request) {
    return thinking_.start(line_.game(), request, {.state = line_.state()});
}

Answered GameRoom::values() {
    if (!database_)
        return failure(no_database_.empty() ? "there is no solved database: start `zug web` with --solved DIR"
                                            : no_database_);
    const auto answer = solve::answer(*database_, line_.game(), line_.state());
    if (!answer) return tl::unexpected(answer.error());
    Json moves = Json::array();
    for (const solve::MoveStanding& move : answer->moves) {
        Json json = standing_json(move.standing, answer->mover);
        json["move"] = move.text;
        moves.push_back(std::move(json));
    }
    Json json = standing_json(answer->standing, answer->mover);
    json["moves"] = std::move(moves);
    return json;
}

} // namespace zug::web

#include "protocols/engine.hpp"

#include "game/perft.hpp"
#include "protocols/engine_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zug::protocols {

Engine::Engine(GameSource source, std::string player, Write write)
    : source_(std::move(source)), player_(std::move(player)), write_(std::move(write)) {}

void Engine::open(OpenedGame game) {
    thinker_.reset();
    line_.emplace(std::move(game.game));
}

bool Engine::take(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == line.npos) return true;
    constexpr std::size_t longest = 1U << 20U; // bytes, as engine.schema.json says
    if (line.size() > longest) {
        say(nullptr, failure(fmt::format("the line is not JSON of at most {} bytes", longest)));
        return true;
    }
    const auto request = parse_request(line);
    if (!request) {
        say(request.error().id, failure(request.error().text));
        return true;
    }
    const bool quits = request->command == "quit";
    if (quits) worker_.stop();
    const Answered answered = answer(*request);
    if (!answered || !answered->is_null()) say(request->id, answered);
    return !quits;
}

Engine::Answered Engine::answer(const Request& request) {
    const std::string& command = request.command;
    if (command == "hello") return hello();
    if (command == "load") return load(request);
    if (command == "stop") return stop();
    if (command == "quit") return Json::object();
    if (!line_) return failure("no game has been loaded");
    if (command == "new") return begin(request);
    if (command == "position") return position(request);
    if (command == "play") return play(request);
    if (command == "undo") return undo(request);
    if (command == "search") return search(request);
    if (command == "perft") return perft(request);
    return state_json(*line_);
}

Engine::Answered Engine::hello() const {
    Json commands = Json::array();
    for (const CommandForm& form : engine_commands()) commands.push_back(form.name);
    return Json{{"name", "Zug"}, {"version", source_.version}, {"commands", commands}};
}

tl::expected<void, Error> Engine::idle() {
    if (worker_.busy() && !worker_.is_stopping()) return failure("a search is under way: stop it first");
    worker_.wait();
    return {};
}

Engine::Answered Engine::load(const Request& request) {
    if (auto done = idle(); !done) return tl::unexpected(done.error());
    const std::string file = text_of(request, "file"), text = text_of(request, "text");
    if (file.empty() == text.empty()) return failure("`load` takes a `file` or a `text`");
    lang::Overrides parameters;
    if (const auto given = request.members.find("parameters"); given != request.members.end())
        for (const auto& [name, value] : given->items())
            parameters[name] = value.is_string() ? value.get<std::string>() : value.dump();
    auto opened = file.empty() ? open_text(source_, text, parameters) : open_file(source_, file, parameters);
    if (!opened) return tl::unexpected(opened.error());
    open(std::move(*opened));
    auto state = state_json(*line_);
    if (!state) return state;
    return Json{{"game", game_json(line_->game())}, {"state", std::move(*state)}};
}

Engine::Answered Engine::begin(const Request& request) {
    if (auto done = idle(); !done) return tl::unexpected(done.error());
    seed_ = count_of(request, "seed", 1);
    thinker_.reset();
    if (auto done = line_->set("", ""); !done) return tl::unexpected(done.error());
    return state_json(*line_);
}

Engine::Answered Engine::position(const Request& request) {
    if (auto done = line_->set(text_of(request, "position"), moves_of(request)); !done)
        return tl::unexpected(done.error());
    return state_json(*line_);
}

Engine::Answered Engine::play(const Request& request) {
    if (auto done = line_->play(moves_of(request)); !done) return tl::unexpected(done.error());
    return state_json(*line_);
}

Engine::Answered Engine::undo(const Request& request) {
    const std::uint64_t plies = count_of(request, "plies", 1);
    if (!line_->undo(plies)) return failure(fmt::format("there are only {} plies to take back", line_->plies()));
    return state_json(*line_);
}

tl::expected<void, Error> Engine::prepare(const std::string& player) {
    if (thinker_ && thinking_ == player) return {};
    auto spec = player_of(player, line_->game(), source_.memory);
    if (!spec) return tl::unexpected(spec.error());
    thinker_ = std::make_unique<Thinker>(line_->game(), std::move(*spec));
    thinker_->new_game(seed_);
    thinking_ = player;
    return {};
}

tl::expected<Question, Error> Engine::question_of(const Request& request) {
    Question question{.state = line_->state()};
    search::Limits limits;
    const auto time = request.members.find("time");
    if (time != request.members.end()) limits.seconds = time->get<double>();
    limits.nodes = count_of(request, "nodes", 0);
    if (request.members.contains("depth"))
        limits.depth = static_cast<int>(std::min<std::uint64_t>(count_of(request, "depth", 0), search::max_depth));
    if (limits.seconds > 0 || limits.nodes != 0 || limits.depth != search::unlimited_depth) question.limits = limits;
    if (is_on(request, "infinite")) question.limits = endless();
    question.lines = count_of(request, "lines", 1);
    game::Game& game = line_->game();
    game::MoveList moves;
    game.expand(question.state, moves);
    const auto add = [&](const std::string& text) -> tl::expected<void, Error> {
        const auto move = game.parse_move(question.state, moves, text);
        if (!move) return tl::unexpected(move.error());
        question.candidates.push_back(moves.id(*move));
        return {};
    };
    const Received texts = request.members.value("moves", Received::array());
    for (const Received& text : texts.is_string() ? Received::array({texts}) : texts)
        if (auto added = add(text.get<std::string>()); !added) return tl::unexpected(added.error());
    return question;
}

Engine::Answered Engine::search(const Request& request) {
    if (auto done = idle(); !done) return tl::unexpected(done.error());
    const std::string player = text_of(request, "player");
    if (auto done = prepare(player.empty() ? player_ : player); !done) return tl::unexpected(done.error());
    auto question = question_of(request);
    if (!question) return tl::unexpected(question.error());
    auto begun = worker_.start([this, id = request.id, question = std::move(*question)](const std::atomic<bool>& stop) {
        return think(id, question, stop);
    });
    if (!begun) return tl::unexpected(begun.error());
    return Json();
}

std::function<void()> Engine::think(const Json& id, const Question& question, const std::atomic<bool>& stop) {
    auto answer = thinker_->answer(
        question, [&](const Findings& findings) { say(id, "info", findings_json(findings)); }, stop);
    Answered result = answer ? Answered(answer_json(*answer, stop)) : tl::unexpected(answer.error());
    return [this, id, result = std::move(result)] { say(id, result); };
}

Engine::Answered Engine::perft(const Request& request) {
    if (auto done = idle(); !done) return tl::unexpected(done.error());
    constexpr std::uint64_t deepest = 100;
    const std::uint64_t depth = count_of(request, "depth", 0);
    const bool divide = is_on(request, "divide");
    if (depth > deepest || (divide && depth == 0))
        return failure(fmt::format("`depth` must be from {} to {}", divide ? 1 : 0, deepest));
    const auto game = std::make_shared<game::Game>(line_->game().clone());
    auto begun = worker_.start([this, request, game, state = line_->state()](const std::atomic<bool>& stop) {
        return count(request, *game, state, stop);
    });
    if (!begun) return tl::unexpected(begun.error());
    return Json();
}

std::function<void()> Engine::count(const Request& request, game::Game& game, const game::State& state,
                                    const std::atomic<bool>& stop) {
    const int depth = static_cast<int>(count_of(request, "depth", 0));
    const auto stopped = [&stop] { return stop.load(); };
    Answered result;
    if (is_on(request, "divide")) {
        const auto parts = game::divide(game, state, depth, stopped);
        Json moves = Json::object();
        std::uint64_t nodes = 0;
        for (const game::Divided& part : parts ? *parts : std::vector<game::Divided>()) {
            moves[part.move] = part.nodes;
            nodes += part.nodes;
        }
        result = parts ? Answered(Json{{"nodes", nodes}, {"moves", moves}}) : tl::unexpected(parts.error());
    } else {
        const auto nodes = game::perft(game, state, depth, stopped);
        result = nodes ? Answered(Json{{"nodes", *nodes}}) : tl::unexpected(nodes.error());
    }
    return [this, id = request.id, result = std::move(result)] { say(id, result); };
}

Engine::Answered Engine::stop() {
    const bool busy = worker_.busy();
    worker_.ask_to_stop();
    return Json{{"stopping", busy}};
}

// Texts of rule files may hold what is not UTF-8.
void Engine::say(const Json& id, const char* kind, Json content) {
    const Json answer = {{"protocol", engine_protocol}, {"id", id}, {kind, std::move(content)}};
    const std::string text = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::scoped_lock lock(writing_);
    write_(text);
}

void Engine::say(const Json& id, const Answered& answer) {
    if (answer) return say(id, "result", *answer);
    say(id, "error", {{"message", answer.error().text}});
}

} // namespace zug::protocols

#pragma once
// Zug's own protocol, version 1, for any game: a request is a line with a JSON object, and so is each answer.
//
//   {"protocol":1,"id":7,"command":"search","player":"auto","time":0.5}
//   {"protocol":1,"id":7,"info":{"lines":[...],"nodes":1000,"seconds":0.1}}
//   {"protocol":1,"id":7,"result":{"move":"e2e4",...}}
//   {"protocol":1,"id":8,"error":{"message":"..."}}
//
// Each request gets one result or one error with its id; a search may tell infos before that. Searches and perft work
// beside all else, one at a time: other requests are answered at once, on the position as it is, and a search goes on
// with that for which it was asked. engine.schema.json describes all requests and answers.

#include "protocols/engine_request.hpp"
#include "protocols/session/game_line.hpp"
#include "protocols/session/game_source.hpp"
#include "protocols/session/thinker.hpp"
#include "protocols/session/worker.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace zug::protocols {

// The JSON Schema of requests and answers.
std::string_view engine_schema();

class Engine {
public:
    using Write = std::function<void(const std::string& line)>; // called by several threads, by one at a time

    // `player`: who searches unless a request says otherwise.
    Engine(GameSource source, std::string player, Write write);
    ~Engine() { worker_.stop(); }

    void open(OpenedGame game);
    // False: quit. Never waits for a search that has not been told to stop.
    bool take(std::string_view line);
    // Waits for the end of the work under way.
    void wait() { worker_.wait(); }

private:
    using Answered = tl::expected<Json, Error>;

    Answered answer(const Request& request);
    Answered hello() const;
    Answered load(const Request& request);
    Answered begin(const Request& request);
    Answered position(const Request& request);
    Answered play(const Request& request);
    Answered undo(const Request& request);
    // Their results come when the work is done; until then null is the answer.
    Answered search(const Request& request);
    Answered perft(const Request& request);
    Answered stop();

    tl::expected<void, Error> prepare(const std::string& player);
    tl::expected<Question, Error> question_of(const Request& request);
    std::function<void()> think(const Json& id, const Question& question, const std::atomic<bool>& stop);
    std::function<void()> count(const Request& request, game::Game& game, const game::State& state,
                                const std::atomic<bool>& stop);
    // An error while work is under way that has not been told to stop; else waits for its end.
    tl::expected<void, Error> idle();
    void say(const Json& id, const char* kind, Json content);
    void say(const Json& id, const Answered& answer);

    GameSource source_;
    const std::string player_;
    Write write_;
    std::mutex writing_;
    std::optional<GameLine> line_; // empty: no game has been loaded
    std::unique_ptr<Thinker> thinker_;
    std::string thinking_; // the player's text
    std::uint64_t seed_ = 1;
    Worker worker_; // the last, so that it ends first
};

} // namespace zug::protocols

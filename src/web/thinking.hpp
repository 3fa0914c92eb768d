#pragma once
// The searches of one game: one at a time, each within bounds of time, memory and threads whatever the visitor asks
// for, and only so many on the whole site.

#include "protocols/session/thinker.hpp"
#include "protocols/session/worker.hpp"
#include "web/commands.hpp"
#include "web/thinkers.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace zug::web {

struct SearchBounds {
    double seconds = 60;                              // of one search
    std::uint64_t memory = std::uint64_t{128} << 20U; // bytes of a player's tables
    int at_once = 2;                                  // searches on the site
    double patience = 5; // seconds without a question for its progress, after which a search is taken to be abandoned
    std::size_t thinkers = 8; // players on the site that keep their tables for the next move
    std::string solved;       // the folder of databases; empty: none
};

class Thinking {
public:
    // Both must outlive this.
    Thinking(const SearchBounds& bounds, SharedSearches& shared) : bounds_(bounds), shared_(shared) {}
    Thinking(const Thinking&) = delete;
    Thinking& operator=(const Thinking&) = delete;
    ~Thinking();

    // Begins a search; one that is under way is stopped first. `lines` above 1 compares so many moves. The answer is
    // its number, or `wait`, where as many are under way as may be: ask again. `solved` as a player is the one of the
    // site's databases; players that would read or write files of the visitor's choice are refused.
    Answered start(game::Game& game, const Request& request, protocols::Question question);
    // What the last search has found so far, its answer or its error.
    Json progress();
    void stop() { worker_.ask_to_stop(); }

private:
    using Clock = std::chrono::steady_clock;
    tl::expected<match::PlayerSpec, Error> spec_of(const std::string& player, game::Game& game) const;
    tl::expected<std::shared_ptr<protocols::Thinker>, Error> thinker_for(const std::string& player, game::Game& game);
    void note(const char* member, Json value);
    void hear() { heard_ = Clock::now().time_since_epoch().count(); }
    static double seconds_since(Clock::rep then);

    const SearchBounds& bounds_;
    SharedSearches& shared_;
    std::string player_; // who searched last
    std::mutex noting_;
    Json noted_ = Json::object();
    std::uint64_t searches_ = 0;
    std::atomic<Clock::rep> heard_ = 0; // when the visitor asked last
    protocols::Worker worker_;          // the last, so that it ends first
};

} // namespace zug::web

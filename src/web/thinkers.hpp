#pragma once
// The players that think for all games of the site, with the tables that they keep from move to move: so many in all,
// the one longest not asked going first. With the bound of a player's tables this bounds the memory of the site.

#include "protocols/session/thinker.hpp"

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace zug::web {

class Thinkers {
public:
    explicit Thinkers(std::size_t most) : most_(most) {}

    // Null: that game has no such player (any more).
    std::shared_ptr<protocols::Thinker> find(const void* game, const std::string& player);
    void put(const void* game, const std::string& player, std::shared_ptr<protocols::Thinker> thinker);
    void drop(const void* game, const std::string& player);
    void drop(const void* game);
    std::size_t size();

private:
    struct Entry {
        const void* game = nullptr;
        std::string player;
        std::shared_ptr<protocols::Thinker> thinker; // lives on while it searches
    };
    const std::size_t most_;
    std::mutex mutex_;
    std::list<Entry> entries_; // the last used first
};

// What the games of a site share.
struct SharedSearches {
    explicit SharedSearches(std::size_t most_thinkers) : thinkers(most_thinkers) {}

    std::atomic<int> running = 0; // searches
    Thinkers thinkers;
};

} // namespace zug::web

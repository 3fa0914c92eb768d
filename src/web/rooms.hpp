#pragma once
// The games under way, by visitor: so many for each and in all, the one longest not asked about going first.

#include "web/room.hpp"

#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace zug::web {

struct RoomBounds {
    std::size_t each = 6, all = 24;
};

// Thread-safe. A room lives on until its last request is answered.
class Rooms {
public:
    explicit Rooms(const RoomBounds& bounds) : bounds_(bounds) {}

    // Puts a room in the place of the visitor's room `name`, or, where they have none of that name, in a new one.
    // Returns its name.
    std::string put(const std::string& visitor, const std::string& name, std::shared_ptr<GameRoom> room);
    // Null: the visitor has no such room (any more).
    std::shared_ptr<GameRoom> find(const std::string& visitor, const std::string& name);
    void drop(const std::shared_ptr<GameRoom>& room);

private:
    struct Entry {
        std::string visitor, name;
        std::shared_ptr<GameRoom> room;
    };
    std::list<Entry>::iterator entry_of(const std::string& visitor, const std::string& name);

    const RoomBounds bounds_;
    std::mutex mutex_;
    std::uint64_t made_ = 0;
    std::list<Entry> entries_; // the last used first
};

} // namespace zug::web

#include "web/rooms.hpp"

#include <algorithm>
#include <utility>

namespace zug::web {

std::list<Rooms::Entry>::iterator Rooms::entry_of(const std::string& visitor, const std::string& name) {
    return std::ranges::find_if(entries_,
                                [&](const Entry& entry) { return entry.name == name && entry.visitor == visitor; });
}

std::string Rooms::put(const std::string& visitor, const std::string& name, std::shared_ptr<GameRoom> room) {
    std::list<Entry> dropped; // ends after the lock, since a search may have to end with it
    const std::scoped_lock lock(mutex_);
    std::string kept = name;
    if (const auto old = entry_of(visitor, name); old != entries_.end())
        dropped.splice(dropped.begin(), entries_, old);
    else
        kept = std::to_string(++made_);
    entries_.push_front({visitor, kept, std::move(room)});
    const auto is_theirs = [&](const Entry& entry) { return entry.visitor == visitor; };
    while (static_cast<std::size_t>(std::ranges::count_if(entries_, is_theirs)) > bounds_.each) {
        const auto oldest = std::find_if(entries_.rbegin(), entries_.rend(), is_theirs);
        dropped.splice(dropped.begin(), entries_, std::prev(oldest.base()));
    }
    while (entries_.size() > bounds_.all) dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
    return kept;
}

std::shared_ptr<GameRoom> Rooms::find(const std::string& visitor, const std::string& name) {
    const std::scoped_lock lock(mutex_);
    const auto found = entry_of(visitor, name);
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().room;
}

void Rooms::drop(const std::shared_ptr<GameRoom>& room) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.room == room; }); // `room` is its last owner
}

} // namespace zug::web

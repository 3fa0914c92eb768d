#include "web/thinkers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace zug::web {

std::shared_ptr<protocols::Thinker> Thinkers::find(const void* game, const std::string& player) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return entry.game == game && entry.player == player; });
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().thinker;
}

void Thinkers::put(const void* game, const std::string& player, std::shared_ptr<protocols::Thinker> thinker) {
    std::list<Entry> dropped; // whose memory is freed after the lock
    const std::scoped_lock lock(mutex_);
    entries_.push_front({game, player, std::move(thinker)});
    while (entries_.size() > most_) dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
}

void Thinkers::drop(const void* game, const std::string& player) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.game == game && entry.player == player; });
}

void Thinkers::drop(const void* game) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.game == game; });
}

std::size_t Thinkers::size() {
    const std::scoped_lock lock(mutex_);
    return entries_.size();
}

} // namespace zug::web

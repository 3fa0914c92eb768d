#include "solve/storage/key_set.hpp"

#include <utility>

namespace zug::solve {

std::size_t KeySet::size() const {
    std::size_t total = 0;
    for (const Part& part : parts_) total += part.used;
    return total;
}

std::size_t KeySet::bytes() const {
    std::size_t total = 0;
    for (const Part& part : parts_) total += part.slots.size() * sizeof(Key);
    return total;
}

void KeySet::Part::grow() {
    const std::vector<Key> old = std::exchange(slots, std::vector<Key>(slots.empty() ? 16 : slots.size() * 2, no_key));
    used = 0;
    for (const Key key : old)
        if (key != no_key) insert(key, key_hash(key));
}

std::vector<Key> KeySet::all() const {
    std::vector<Key> keys;
    keys.reserve(size());
    for (const Part& part : parts_)
        for (const Key key : part.slots)
            if (key != no_key) keys.push_back(key);
    return keys;
}

std::vector<Key> KeySet::take() {
    std::vector<Key> keys;
    keys.reserve(size());
    for (Part& part : parts_) {
        for (const Key key : part.slots)
            if (key != no_key) keys.push_back(key);
        part = {};
    }
    return keys;
}

} // namespace zug::solve

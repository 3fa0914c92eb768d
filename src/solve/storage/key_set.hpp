#pragma once
// Sets of keys that grow while a tier is found, and tables of results that are read while the tier before it is solved.
//
// Both use open addressing with linear probing. A set is cut into parts by its keys' hashes, so that threads can fill
// different parts without locks, and each part, small enough for a near cache, grows by itself.

#include "solve/encoding/position_code.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

inline std::uint64_t key_hash(Key key) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(key ^ 0x9E3779B97F4A7C15ULL) * 0xD6E8FEB86659FD93ULL;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
// A place below `size` from a hash's upper bits.
inline std::size_t place_of(std::uint64_t hash, std::size_t size) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>(static_cast<Wide>(hash) * size >> 64);
}

class KeySet {
public:
    static constexpr std::size_t parts = 64;
    static std::size_t part_of(std::uint64_t hash) { return hash & (parts - 1); }

    std::size_t size() const;
    std::size_t bytes() const;
    // Of keys of one part, which is that of their hashes: calls each(key) for those that were not there. One thread at
    // a time may use a part.
    template <class Each>
    void insert(std::size_t part, std::span<const Key> keys, Each&& each) {
        // While the memory of some keys is on its way, the places of the next are worked out.
        constexpr std::size_t ahead = 16;
        std::array<std::uint64_t, ahead> hashes;
        Part& own = parts_[part];
        for (std::size_t i = 0; i < keys.size() + ahead; ++i) {
            std::uint64_t& hash = hashes[i % ahead];
            if (i >= ahead && own.insert(keys[i - ahead], hash)) each(keys[i - ahead]);
            if (i >= keys.size()) continue;
            hash = key_hash(keys[i]);
            own.prefetch(hash);
        }
    }
    // All keys, in no order. The set is empty afterwards.
    std::vector<Key> take();
    // The same, but they stay.
    std::vector<Key> all() const;

private:
    struct Part {
        std::vector<Key> slots;
        std::size_t used = 0;

        bool insert(Key key, std::uint64_t hash) {
            if ((used + 1) * 4 > slots.size() * 3) grow();
            for (std::size_t i = place_of(hash, slots.size());; i = i + 1 == slots.size() ? 0 : i + 1) {
                if (slots[i] == key) return false;
                if (slots[i] == no_key) {
                    slots[i] = key;
                    ++used;
                    return true;
                }
            }
        }
        void prefetch(std::uint64_t hash) const { __builtin_prefetch(slots.data() + place_of(hash, slots.size()), 1); }
        void grow();
    };
    std::array<Part, parts> parts_;
};

// What is known of each key of a tier. Key and value lie side by side, so that a look-up waits for memory once.
template <class Value>
class ResultTable {
public:
    ResultTable() = default;
    explicit ResultTable(std::size_t size) : slots_(slots_for(size), Slot{no_key, Value{}}) {}
    static std::size_t bytes_for(std::size_t size) { return slots_for(size) * sizeof(Slot); }

    std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
    std::size_t place(Key key) const { return place_of(key_hash(key), slots_.size()); }
    void prefetch(std::size_t place) const { __builtin_prefetch(slots_.data() + place); }
    // The key isn't there yet; its probe begins at this place.
    void insert(std::size_t i, Key key, Value value) {
        while (slots_[i].key != no_key) i = i + 1 == slots_.size() ? 0 : i + 1;
        slots_[i] = {key, value};
    }
    // Calls each(i, keys[i], place) of all, the place being where the probe begins, which is asked for some keys ahead:
    // the table is large, and its places are at random.
    template <class Each>
    void each_place(std::span<const Key> keys, Each&& each) const {
        constexpr std::size_t ahead = 16;
        std::array<std::size_t, ahead> places{};
        for (std::size_t i = 0; i < keys.size() + ahead; ++i) {
            std::size_t& own = places[i % ahead];
            if (i >= ahead) each(i - ahead, keys[i - ahead], own);
            if (i >= keys.size()) continue;
            own = place(keys[i]);
            prefetch(own);
        }
    }
    bool contains(Key key) const {
        std::size_t i = place(key);
        while (slots_[i].key != key && slots_[i].key != no_key) i = i + 1 == slots_.size() ? 0 : i + 1;
        return slots_[i].key == key;
    }
    // The key is there.
    Value at(std::size_t i, Key key) const {
        while (slots_[i].key != key) i = i + 1 == slots_.size() ? 0 : i + 1;
        return slots_[i].value;
    }

private:
    struct __attribute__((packed)) Slot {
        Key key;
        Value value;
    };
    static std::size_t slots_for(std::size_t size) { return size + size / 2 + 8; }

    std::vector<Slot> slots_;
};

} // namespace zug::solve

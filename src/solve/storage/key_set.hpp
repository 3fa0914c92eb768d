#pragma once
// Hash sets of keys, filled while a tier is enumerated, and hash tables of values, read while its predecessor tiers are
// solved.
//
// Both use open addressing with linear probing. A set is split into parts by its keys' hashes, so that threads can fill
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
// A slot below `size` from a hash's upper bits.
inline std::size_t slot_of(std::uint64_t hash, std::size_t size) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>(static_cast<Wide>(hash) * size >> 64);
}

class KeySet {
public:
    static constexpr std::size_t parts = 64;
    static std::size_t part_of(std::uint64_t hash) { return hash & (parts - 1); }

    std::size_t size() const;
    std::size_t bytes() const;
    // Inserts keys of one part (that of their hashes), and calls each(key) for those that are new. One thread at a time
    // may use a part.
    template <class Each>
    void insert(std::size_t part, std::span<const Key> keys, Each&& each) {
        // While the slots of some keys are being prefetched, those of the next are computed.
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
    // All keys, unordered. The set is empty afterwards.
    std::vector<Key> take();
    // The same, and the set keeps them.
    std::vector<Key> all() const;

private:
    struct Part {
        std::vector<Key> slots;
        std::size_t used = 0;

        bool insert(Key key, std::uint64_t hash) {
            if ((used + 1) * 4 > slots.size() * 3) grow();
            for (std::size_t i = slot_of(hash, slots.size());; i = i + 1 == slots.size() ? 0 : i + 1) {
                if (slots[i] == key) return false;
                if (slots[i] == no_key) {
                    slots[i] = key;
                    ++used;
                    return true;
                }
            }
        }
        void prefetch(std::uint64_t hash) const { __builtin_prefetch(slots.data() + slot_of(hash, slots.size()), 1); }
        void grow();
    };
    std::array<Part, parts> parts_;
};

// A value for each key of a tier. Key and value lie side by side, so that a look-up costs one cache miss.
template <class Value>
class ResultTable {
public:
    ResultTable() = default;
    explicit ResultTable(std::size_t size) : slots_(slots_for(size), Slot{no_key, Value{}}) {}
    static std::size_t bytes_for(std::size_t size) { return slots_for(size) * sizeof(Slot); }

    std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
    std::size_t slot(Key key) const { return slot_of(key_hash(key), slots_.size()); }
    void prefetch(std::size_t slot) const { __builtin_prefetch(slots_.data() + slot); }
    // The key must be absent; its probe begins at this slot.
    void insert(std::size_t i, Key key, Value value) {
        while (slots_[i].key != no_key) i = i + 1 == slots_.size() ? 0 : i + 1;
        slots_[i] = {key, value};
    }
    // Calls each(i, keys[i], slot) for all keys, the slot being where the probe begins. Slots are prefetched some keys
    // ahead, since accesses to a large table are random.
    template <class Each>
    void each_slot(std::span<const Key> keys, Each&& each) const {
        constexpr std::size_t ahead = 16;
        std::array<std::size_t, ahead> slots{};
        for (std::size_t i = 0; i < keys.size() + ahead; ++i) {
            std::size_t& own = slots[i % ahead];
            if (i >= ahead) each(i - ahead, keys[i - ahead], own);
            if (i >= keys.size()) continue;
            own = slot(keys[i]);
            prefetch(own);
        }
    }
    bool contains(Key key) const {
        std::size_t i = slot(key);
        while (slots_[i].key != key && slots_[i].key != no_key) i = i + 1 == slots_.size() ? 0 : i + 1;
        return slots_[i].key == key;
    }
    // The key must be present.
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

#pragma once
// When moves were last made in one line of play: a hash table that is emptied in no time, and allocates only for lines
// longer than any before.

#include <cstdint>
#include <vector>

namespace zug::search {

class MoveTimes {
public:
    // Forgets all moves, and makes room for so many.
    void begin(std::size_t moves) {
        std::size_t size = slots_.empty() ? 64 : slots_.size();
        while (size < 2 * moves) size *= 2;
        if (size > slots_.size() || ++round_ == 0) {
            slots_.assign(size, {});
            round_ = 1;
        }
    }
    void made(std::uint64_t id, std::uint32_t player, std::uint32_t time) {
        Slot& slot = slots_[find(key_of(id, player))];
        slot = {key_of(id, player), round_, time};
    }
    // Whether the player has made the move then or later.
    bool made_since(std::uint64_t id, std::uint32_t player, std::uint32_t time) const {
        const Slot& slot = slots_[find(key_of(id, player))];
        return slot.round == round_ && slot.time >= time;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t round = 0, time = 0;
    };
    static std::uint64_t key_of(std::uint64_t id, std::uint32_t player) {
        return (id * 16 + player) * 0x9E3779B97F4A7C15;
    }
    std::size_t find(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = (key >> 32) & mask;
        while (slots_[at].round == round_ && slots_[at].key != key) at = (at + 1) & mask;
        return at;
    }

    std::vector<Slot> slots_;
    std::uint32_t round_ = 0; // slots of earlier rounds are empty
};

} // namespace zug::search

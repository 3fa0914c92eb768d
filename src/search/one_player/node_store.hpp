#pragma once
// The positions that A* has made, in bounded memory: each once, with the way by which it was reached. Positions are
// compared in full, not by hash alone.
//
// Memory is taken block by block, so a short search takes little. A node costs its words, 24 bytes, and 16 to 32 bytes
// of the index.

#include "base/zeroed_array.hpp"
#include "search/one_player/rank.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace zug::search {

class NodeStore {
public:
    using Id = std::uint32_t;
    static constexpr Id no_id = UINT32_MAX;

    struct Node {
        game::Estimate estimate; // of the position itself
        Id parent = no_id;       // the best way known leads through it; none: the root
        std::uint32_t plies = 0; // of that way
        bool expanded = false;   // since that way was found
        bool on_line = false;    // for searches for cycles
        bool searched = false;   // the same
    };

    // Empties the store, for positions of so many words; at most so many bytes.
    void begin(std::size_t words, std::size_t bytes);

    struct Found {
        Id id = no_id;
        bool fresh = false;
    };
    std::optional<Id> find(std::uint64_t hash, std::span<const std::uint64_t> words) const;
    // The node of this position, made if there was none. Empty: there is no room.
    std::optional<Found> insert(std::uint64_t hash, std::span<const std::uint64_t> words);

    Node& operator[](Id id) { return nodes_[id / block_size][id % block_size]; }
    std::span<const std::uint64_t> words(Id id) const {
        return {words_[id / block_size].get() + std::size_t{id % block_size} * width_, width_};
    }
    std::size_t size() const { return size_; }

private:
    static constexpr std::size_t block_size = 4096; // nodes
    // The upper half of the hash, and the id + 1; 0: empty.
    using Slot = std::uint64_t;
    std::size_t slot_of(std::uint64_t hash, std::span<const std::uint64_t> words) const;
    bool add_block();
    bool grow_index();

    std::size_t width_ = 1, most_bytes_ = 0, size_ = 0;
    std::vector<std::unique_ptr<Node[]>> nodes_;
    std::vector<std::unique_ptr<std::uint64_t[]>> words_;
    ZeroedArray<Slot> index_;
};

} // namespace zug::search

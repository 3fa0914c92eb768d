#pragma once
// The chains of one search over a turn plan, in flat arrays that keep their memory between searches.
//
// A node is what a sequence of steps has led to: the words that its future depends on (the state, who moves next,
// sums). Its steps are read along its parents. Nodes are only added; a search begins with clear(). A node takes 32
// bytes and its words, of which there are whole blocks of four. Of each its hash is kept.

#include "executor/executor.hpp"
#include "interpreter/nh_hash.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace zug::run {

class ChainArena {
public:
    enum class Node : std::uint32_t {};
    static constexpr Node none = static_cast<Node>(UINT32_MAX);

    explicit ChainArena(std::size_t words);

    void clear() { entries_.clear(); }

    // The number of the node that is added next, the draft.
    Node next() const { return static_cast<Node>(entries_.size()); }
    // Its words, all of which have to be written before it is added. Invalidates spans of words.
    std::uint64_t* draft();
    void add(Node parent, StepCode step, std::uint64_t hash) {
        entries_.push_back({step, hash, parent, parent == none ? 0 : entries_[position(parent)].length + 1, true});
    }
    // Adds a node with the same words and steps. Invalidates spans of words.
    Node copy(Node n);
    // Whether there is no room for another: some 256 MB.
    bool is_full() const { return (width_ + 3) * entries_.size() > (std::size_t{32} << 20); }

    // Of a node or the draft.
    std::span<const std::uint64_t> words(Node n) const { return {at(n), width_}; }
    std::uint64_t hash_of_words(Node n) const { return nh_hash(at(n), keys_.data(), width_); }
    bool equal(Node a, Node b) const;

    // Changes its words. f(words) does it.
    template <class F>
    void change(Node n, F&& f) {
        f(at(n));
        entries_[position(n)].hash = hash_of_words(n);
    }
    std::size_t length(Node n) const { return entries_[position(n)].length; }
    // The steps that led to a node, in a buffer of the caller.
    void steps(Node n, std::vector<StepCode>& out) const;
    // Equal hashes prove nothing.
    std::uint64_t hash(Node n) const { return entries_[position(n)].hash; }
    // Whether it is still to be followed, at first true.
    bool is_open(Node n) const { return entries_[position(n)].open; }
    void set_open(Node n, bool open) { entries_[position(n)].open = open; }

private:
    struct Entry {
        StepCode step;
        std::uint64_t hash;
        Node parent;
        std::uint32_t length;
        bool open;
    };
    static constexpr std::size_t block = nh_block;
    static std::size_t position(Node n) { return static_cast<std::size_t>(n); }
    std::uint64_t* at(Node n) const { return words_.get() + position(n) * width_; }
    void grow();

    std::size_t width_;
    std::vector<std::uint64_t> keys_; // by word
    std::vector<Entry> entries_;
    std::unique_ptr<std::uint64_t[]> words_; // not cleared, so that pages that no node has used take no memory
    std::size_t room_ = 0;
};

inline std::uint64_t* ChainArena::draft() {
    const Node n = next();
    if ((position(n) + 1) * width_ > room_) grow();
    for (std::size_t k = width_ - block; k < width_; ++k) at(n)[k] = 0; // the last may have words that nobody writes
    return at(n);
}

inline bool ChainArena::equal(Node a, Node b) const {
    std::uint64_t differing[block] = {};
    for (std::size_t k = 0; k < width_; k += block)
        for (std::size_t i = 0; i < block; ++i) differing[i] |= at(a)[k + i] ^ at(b)[k + i];
    return ((differing[0] | differing[1]) | (differing[2] | differing[3])) == 0;
}

// A set of nodes, compared word by word where their hashes are equal: a hash table with open addressing, in which
// clear() makes all entries those of an earlier search.
class MetNodes {
public:
    void clear();
    // The member that is equal to a node or the draft, whose hash is given. `none`: there is none; then the caller has
    // to set it, to the node.
    ChainArena::Node& member(const ChainArena& arena, ChainArena::Node n, std::uint64_t hash);
    // False: the set has an equal node.
    bool insert(const ChainArena& arena, ChainArena::Node n);

private:
    struct Entry {
        std::uint32_t search = 0;
        ChainArena::Node node{};
    };
    void grow(const ChainArena& arena);

    std::vector<Entry> table_;
    std::size_t used_ = 0;
    std::uint32_t search_ = 0;
};

// Values that are borrowed and returned in the order of a stack, so that their memory is reused.
template <class T>
class Pool {
public:
    class Loan {
    public:
        explicit Loan(Pool& pool) : pool_(pool), value_(pool.take()) {}
        ~Loan() { --pool_.used_; }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        T& operator*() const { return value_; }
        T* operator->() const { return &value_; }

    private:
        Pool& pool_;
        T& value_;
    };

private:
    T& take() {
        if (used_ == values_.size()) values_.emplace_back();
        T& value = values_[used_++];
        value.clear();
        return value;
    }

    std::deque<T> values_; // growing keeps references valid
    std::size_t used_ = 0;
};

} // namespace zug::run

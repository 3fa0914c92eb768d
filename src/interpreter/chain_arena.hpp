#pragma once
// The chains of one search over a turn plan, in flat arrays that keep their memory between searches.
//
// A node is what a sequence of steps has led to: the words that its future depends on (the state, who moves next,
// sums). Its steps are read along its parents. Nodes are only added, and the last one dropped; a search begins with
// clear(). A node takes 32 bytes and its words. Each keeps the hash of its words, a sum over the words as in A.
// Zobrist, A New Hashing Method (1970), so that a step costs what it changes: it changes a few words of dozens.

#include "base/copy_words.hpp"
#include "executor/executor.hpp"
#include "executor/hash.hpp"
#include "interpreter/differing_words.hpp"

#include <algorithm>
#include <bit>
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

    // Adds the node of no steps, whose first words are given, and the others 0. Invalidates spans of words.
    Node add_root(std::span<const std::uint64_t> first);
    // Adds a node with the words of its parent. Invalidates spans of words.
    Node add(Node parent, StepCode step) {
        return add_as(parent, {step, entries_[position(parent)].hash, parent, length(parent) + 1});
    }
    // Adds a node with the same words and steps. Invalidates spans of words.
    Node copy(Node n) { return add_as(n, entries_[position(n)]); }
    // Whether there is no room for another: some 256 MB.
    bool is_full() const { return (width_ + 3) * entries_.size() > (std::size_t{32} << 20); }
    void drop_last() { entries_.pop_back(); }

    std::span<const std::uint64_t> words(Node n) const { return {words_.get() + position(n) * width_, width_}; }
    void set_word(Node n, std::size_t k, std::uint64_t value);
    // Sets the first words of a node. Calls f(k, value before) for each that changes.
    template <class F>
    void set_first(Node n, std::span<const std::uint64_t> values, F&& f);
    std::size_t length(Node n) const { return entries_[position(n)].length; }
    // The steps that led to a node, in a buffer of the caller.
    void steps(Node n, std::vector<StepCode>& out) const;

    bool equal(Node a, Node b) const { return std::ranges::equal(words(a), words(b)); }
    // Equal hashes prove nothing.
    std::uint64_t hash(Node n) const { return entries_[position(n)].hash; }

private:
    struct Entry {
        StepCode step;
        std::uint64_t hash;
        Node parent;
        std::size_t length;
    };
    static std::size_t position(Node n) { return static_cast<std::size_t>(n); }
    // What the word adds to the hash.
    std::uint64_t part(std::size_t k, std::uint64_t value) const {
        return multiply_mix(value ^ keys_[k], keys_[k + 1]);
    }
    Node add_as(Node like, const Entry& entry) {
        const std::size_t at = entries_.size();
        if ((at + 1) * width_ > room_) grow();
        entries_.push_back(entry);
        copy_words(words(like).data(), width_, words_.get() + at * width_);
        return static_cast<Node>(at);
    }
    void grow();

    std::size_t width_;
    std::vector<std::uint64_t> keys_; // one more than there are words
    std::vector<Entry> entries_;
    std::unique_ptr<std::uint64_t[]> words_; // not cleared, so that pages that no node has used take no memory
    std::size_t room_ = 0;
};

inline void ChainArena::set_word(Node n, std::size_t k, std::uint64_t value) {
    std::uint64_t& word = words_[position(n) * width_ + k];
    if (word == value) return;
    entries_[position(n)].hash += part(k, value) - part(k, word);
    word = value;
}

template <class F>
void ChainArena::set_first(Node n, std::span<const std::uint64_t> values, F&& f) {
    constexpr std::size_t block = 8;
    std::uint64_t* const words = words_.get() + position(n) * width_;
    std::uint64_t hash = entries_[position(n)].hash;
    const auto set = [&](std::size_t k) {
        const std::uint64_t before = words[k];
        hash += part(k, values[k]) - part(k, before);
        words[k] = values[k];
        f(k, before);
    };
    std::size_t k = 0;
    for (; k + block <= values.size(); k += block)
        for (unsigned differing = differing_words(words + k, values.data() + k); differing != 0;
             differing &= differing - 1)
            set(k + static_cast<std::size_t>(std::countr_zero(differing)));
    for (; k < values.size(); ++k)
        if (words[k] != values[k]) set(k);
    entries_[position(n)].hash = hash;
}

// A set of nodes, compared word by word where their hashes are equal. Most searches meet only a few; of more there is a
// hash table.
class MetNodes {
public:
    void clear();
    // False: the set has an equal node.
    bool insert(const ChainArena& arena, ChainArena::Node n);

private:
    static constexpr std::size_t most_few = 12;

    bool insert_hashed(const ChainArena& arena, std::size_t member);
    void grow(const ChainArena& arena);

    struct Member {
        std::uint64_t hash;
        ChainArena::Node node;
    };
    std::vector<Member> members_;
    std::vector<std::uint32_t> table_; // by hash: member number + 1, or 0; open addressing. Empty while there are few
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

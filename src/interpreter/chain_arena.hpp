#pragma once
// The chains of one search over a turn plan, in flat arrays that keep their memory between searches.
//
// A node is what a sequence of steps has led to: the words that its future depends on (the state, who moves next,
// sums). Its steps are read along its parents. Nodes are only added, and the last one dropped; a search begins with
// clear(). A node takes 24 bytes and its words.

#include "base/copy_words.hpp"
#include "executor/executor.hpp"

#include <algorithm>
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

    explicit ChainArena(std::size_t words) : width_(words) {}

    void clear() { entries_.clear(); }

    // Adds a node, whose words are not yet set. Invalidates spans of words.
    Node add(Node parent, StepCode step) {
        const std::size_t at = entries_.size();
        if ((at + 1) * width_ > room_) grow();
        entries_.push_back({step, parent, parent == none ? 0 : length(parent) + 1});
        return static_cast<Node>(at);
    }
    // Adds a node with the same words and steps. Invalidates spans of words.
    Node copy(Node n) {
        const Entry entry = entries_[position(n)];
        const Node made = add(n, entry.step);
        entries_[position(made)] = entry;
        copy_words(words(n).data(), width_, words(made).data());
        return made;
    }
    // Whether there is no room for another: some 256 MB.
    bool is_full() const { return (width_ + 3) * entries_.size() > (std::size_t{32} << 20); }
    void drop_last() { entries_.pop_back(); }

    std::span<std::uint64_t> words(Node n) { return {words_.get() + position(n) * width_, width_}; }
    std::span<const std::uint64_t> words(Node n) const { return {words_.get() + position(n) * width_, width_}; }
    std::size_t length(Node n) const { return entries_[position(n)].length; }
    // The steps that led to a node, in a buffer of the caller.
    void steps(Node n, std::vector<StepCode>& out) const;

    bool equal(Node a, Node b) const { return std::ranges::equal(words(a), words(b)); }
    std::uint64_t hash(Node n) const;

private:
    struct Entry {
        StepCode step;
        Node parent;
        std::size_t length;
    };
    static std::size_t position(Node n) { return static_cast<std::size_t>(n); }
    void grow();

    std::size_t width_;
    std::vector<Entry> entries_;
    std::unique_ptr<std::uint64_t[]> words_; // not cleared, so that pages that no node has used take no memory
    std::size_t room_ = 0;
};

// A set of nodes, compared word by word. Most searches meet only two or three, which are compared as they are; then
// hashes are compared first, and of more than a few there is a hash table.
class MetNodes {
public:
    void clear();
    // False: the set has an equal node.
    bool insert(const ChainArena& arena, ChainArena::Node n);

private:
    static constexpr std::size_t most_unhashed = 2, most_few = 12;

    bool insert_hashed(const ChainArena& arena, std::size_t member);
    void grow(const ChainArena& arena);

    struct Member {
        std::uint64_t hash; // 0 while they are compared by their words
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

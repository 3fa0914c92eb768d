#pragma once
// The chains of one search over a turn plan, in flat arrays that keep their memory between searches.
//
// A node is what a sequence of steps has led to: the words that its future depends on (the state, who moves next,
// sums). Its steps are read along its parents. Nodes are only added, and the last one dropped; a search begins with
// clear(). A node takes 24 bytes and its words.

#include "executor/executor.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace zug::run {

class ChainArena {
public:
    enum class Node : std::uint32_t {};
    static constexpr Node none = static_cast<Node>(UINT32_MAX);

    explicit ChainArena(std::size_t words) : width_(words) {}

    void clear() {
        entries_.clear();
        words_.clear();
    }

    // Adds a node, with zero words. Invalidates spans of words.
    Node add(Node parent, StepCode step) {
        entries_.push_back({step, parent, parent == none ? 0 : length(parent) + 1});
        words_.resize(words_.size() + width_);
        return static_cast<Node>(entries_.size() - 1);
    }
    // Adds a node with the same words and steps. Invalidates spans of words.
    Node copy(Node n) {
        entries_.push_back(entries_[position(n)]);
        words_.resize(words_.size() + width_);
        const Node made = static_cast<Node>(entries_.size() - 1);
        std::ranges::copy(words(n), words(made).begin());
        return made;
    }
    // Whether there is no room for another: some 256 MB.
    bool is_full() const { return words_.size() + 3 * entries_.size() > (std::size_t{32} << 20); }
    void drop_last() {
        entries_.pop_back();
        words_.resize(words_.size() - width_);
    }

    std::span<std::uint64_t> words(Node n) { return {words_.data() + position(n) * width_, width_}; }
    std::span<const std::uint64_t> words(Node n) const { return {words_.data() + position(n) * width_, width_}; }
    std::size_t length(Node n) const { return entries_[position(n)].length; }
    std::vector<StepCode> steps(Node n) const;

    bool equal(Node a, Node b) const { return std::ranges::equal(words(a), words(b)); }
    std::uint64_t hash(Node n) const;

private:
    struct Entry {
        StepCode step;
        Node parent;
        std::size_t length;
    };
    static std::size_t position(Node n) { return static_cast<std::size_t>(n); }

    std::size_t width_;
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> words_;
};

// A set of nodes, compared word by word. Most searches meet only a few, which are compared one by one; then a hash
// table takes over.
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

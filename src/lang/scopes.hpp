#pragma once
// What the checker enters and leaves: another tree, a set of local names, the prelude. Internal to src/lang; include
// lang/checker.hpp.

#include "lang/checker.hpp"

namespace zug::lang {

// The local names of another tree: a definition sees those of no caller.
class Checker::InTree {
public:
    InTree(Checker& checker, const syntax::Tree* tree)
        : checker_(checker), tree_(checker.tree_), first_(checker.first_local_), count_(checker.locals_.size()) {
        checker.tree_ = tree;
        checker.first_local_ = count_;
    }
    InTree(const InTree&) = delete;
    InTree& operator=(const InTree&) = delete;
    ~InTree() {
        checker_.tree_ = tree_;
        checker_.first_local_ = first_;
        checker_.locals_.resize(count_);
    }

private:
    Checker& checker_;
    const syntax::Tree* tree_;
    std::size_t first_, count_;
};

// Names that are pushed while it lives are forgotten at its end, with a warning for those never used.
class Checker::Names {
public:
    explicit Names(Checker& checker) : checker_(checker), count_(checker.locals_.size()) {}
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;
    ~Names();

private:
    Checker& checker_;
    std::size_t count_;
};

// Marks uses of the prelude, whose own text is no place for a message.
class Checker::InPrelude {
public:
    InPrelude(Checker& checker, const Declaration& d, Span use) : checker_(checker), enters_(d.prelude) {
        if (!enters_) return;
        if (checker.prelude_depth_++ > 0) return;
        checker.prelude_use_ = use;
        checker.prelude_name_ = d.name;
    }
    InPrelude(const InPrelude&) = delete;
    InPrelude& operator=(const InPrelude&) = delete;
    ~InPrelude() {
        if (enters_) --checker_.prelude_depth_;
    }

private:
    Checker& checker_;
    bool enters_;
};

} // namespace zug::lang

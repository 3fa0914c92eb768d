#pragma once
// Scopes (RAII) that the checker enters and leaves: another tree, a set of local names, the prelude. Internal to
// src/lang.

#include "lang/core/context.hpp"

#include <optional>
#include <utility>

namespace zug::lang {

// Makes another tree the current one and hides all local names: a definition does not see those of its callers.
class InTree {
public:
    InTree(Context& context, const syntax::Tree* tree)
        : context_(context), tree_(context.tree), joined_(std::exchange(context.joined_board, {})),
          first_(context.first_local), count_(context.locals.size()) {
        context.tree = tree;
        context.first_local = count_;
    }
    InTree(const InTree&) = delete;
    InTree& operator=(const InTree&) = delete;
    ~InTree() {
        context_.tree = tree_;
        context_.joined_board = joined_;
        context_.first_local = first_;
        context_.locals.resize(count_);
    }

private:
    Context& context_;
    const syntax::Tree* tree_;
    std::optional<ir::BoardId> joined_;
    std::size_t first_, count_;
};

// Makes another tree the current one and keeps the local names: what is added to a rule sees those of the rule.
class InAddition {
public:
    InAddition(Context& context, const syntax::Tree* tree) : context_(context), tree_(context.tree) {
        context.tree = tree;
    }
    InAddition(const InAddition&) = delete;
    InAddition& operator=(const InAddition&) = delete;
    ~InAddition() { context_.tree = tree_; }

private:
    Context& context_;
    const syntax::Tree* tree_;
};

// While a path is read that leads from sites of a board, this board's directions go before those of others.
class JoinedBoard {
public:
    JoinedBoard(Context& context, ir::BoardId board)
        : context_(context), before_(std::exchange(context.joined_board, board)) {}
    JoinedBoard(const JoinedBoard&) = delete;
    JoinedBoard& operator=(const JoinedBoard&) = delete;
    ~JoinedBoard() { context_.joined_board = before_; }

private:
    Context& context_;
    std::optional<ir::BoardId> before_;
};

// Drops at its end the local names that were pushed during its lifetime, with a warning for each that was never used.
class Names {
public:
    explicit Names(Context& context) : context_(context), count_(context.locals.size()) {}
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;
    ~Names();

private:
    Context& context_;
    std::size_t count_;
};

// Marks the use of a declaration of the prelude, so that errors in its text are reported at the use.
class InPrelude {
public:
    InPrelude(Context& context, const Declaration& d, Span use) : context_(context), enters_(d.prelude) {
        if (!enters_) return;
        if (context.prelude_depth++ > 0) return;
        context.prelude_use = use;
        context.prelude_name = d.name;
    }
    InPrelude(const InPrelude&) = delete;
    InPrelude& operator=(const InPrelude&) = delete;
    ~InPrelude() {
        if (enters_) --context_.prelude_depth;
    }

private:
    Context& context_;
    bool enters_;
};

} // namespace zug::lang

#pragma once
// What the checker enters and leaves: another tree, a set of local names, the prelude. Internal to src/lang.

#include "lang/core/context.hpp"

namespace zug::lang {

// The local names of another tree: a definition sees those of no caller.
class InTree {
public:
    InTree(Context& context, const syntax::Tree* tree)
        : context_(context), tree_(context.tree), first_(context.first_local), count_(context.locals.size()) {
        context.tree = tree;
        context.first_local = count_;
    }
    InTree(const InTree&) = delete;
    InTree& operator=(const InTree&) = delete;
    ~InTree() {
        context_.tree = tree_;
        context_.first_local = first_;
        context_.locals.resize(count_);
    }

private:
    Context& context_;
    const syntax::Tree* tree_;
    std::size_t first_, count_;
};

// Names that are pushed while it lives are forgotten at its end, with a warning for those never used.
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

// Marks uses of the prelude, whose own text is no place for a message.
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

#pragma once
// Internal to src/lang: see Checker::InPrelude.

#include "lang/checker.hpp"

namespace zug::lang {

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

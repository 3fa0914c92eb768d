#pragma once
// How often a search looks for something that costs time and may not be there: at every chance as long as it is found
// now and then, ever more seldom while it is not.

#include <algorithm>
#include <cstdint>

namespace zug::search {

class Backoff {
public:
    // At each chance: whether to look now.
    bool is_due() {
        if (++passed_ < interval_) return false;
        passed_ = 0;
        return true;
    }
    // After each look.
    void found() {
        interval_ = std::max<std::uint32_t>(1, interval_ / back);
        missed_ = 0;
    }
    void missed() {
        if (++missed_ < patience) return;
        missed_ = 0;
        interval_ = std::min(2 * interval_, most);
    }

private:
    static constexpr std::uint32_t patience = 8, back = 4, most = 4096;

    std::uint32_t passed_ = 0, interval_ = 1, missed_ = 0;
};

} // namespace zug::search

#pragma once
// A stable partition of values into groups (counting sort). Random accesses to large arrays are partitioned by ranges
// of their targets, so that memory is traversed almost in order; that takes a fraction of the time of sorting.

#include <cstddef>
#include <span>
#include <vector>

namespace zug::solve {

template <class Thing>
class Groups {
public:
    // group_of(thing) is below `count`.
    template <class GroupOf>
    void make(std::span<const Thing> things, std::size_t count, GroupOf&& group_of) {
        ends_.assign(count + 1, 0);
        for (const Thing& thing : things) ++ends_[group_of(thing) + 1];
        for (std::size_t g = 0; g < count; ++g) ends_[g + 1] += ends_[g];
        things_.resize(things.size());
        for (const Thing& thing : things) things_[ends_[group_of(thing)]++] = thing;
    }
    std::span<const Thing> of(std::size_t group) const {
        const std::size_t from = group == 0 ? 0 : ends_[group - 1];
        return std::span(things_).subspan(from, ends_[group] - from);
    }

private:
    std::vector<Thing> things_;
    std::vector<std::size_t> ends_; // of each group
};

} // namespace zug::solve

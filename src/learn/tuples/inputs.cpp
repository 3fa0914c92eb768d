#include "learn/tuples/inputs.hpp"

#include <numeric>

namespace zug::learn {

Selection::Selection(const Inputs& inputs)
    : shifts_(inputs.shifts), slots_(inputs.shifts.size(), 0), first_use_(inputs.shifts.size() + 1, 0) {
    for (const Pattern& pattern : inputs.patterns) {
        weights_.push_back(pattern.first);
        for (const std::uint32_t slot : pattern.slots) ++first_use_[slot + 1];
    }
    std::partial_sum(first_use_.begin(), first_use_.end(), first_use_.begin());
    uses_.resize(first_use_.back());
    std::vector<std::uint32_t> next = first_use_;
    for (std::uint32_t p = 0; p < inputs.patterns.size(); ++p)
        for (std::size_t i = 0; i < inputs.patterns[p].slots.size(); ++i)
            uses_[next[inputs.patterns[p].slots[i]]++] = {p, inputs.patterns[p].strides[i]};
}

} // namespace zug::learn

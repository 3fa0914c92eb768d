#include "learn/tuples/pattern_set.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace zug::learn {

namespace {

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> slots) {
    std::ranges::sort(slots);
    return slots;
}

std::uint64_t combinations(std::size_t slots, std::uint64_t values) {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < slots; ++i) product *= values;
    return product;
}

std::vector<std::uint32_t> image_of(std::vector<std::uint32_t> slots, const game::Symmetry& symmetry) {
    for (std::uint32_t& slot : slots) slot = symmetry.to[slot];
    return slots;
}

std::vector<std::uint32_t> reversed(std::vector<std::uint32_t> slots) {
    std::ranges::reverse(slots);
    return slots;
}

} // namespace

PatternSet::PatternSet(std::size_t slots, const game::SymmetryGroup& symmetries, const InputLimits& limits)
    : limits_(limits) {
    found_.inputs.shifts.assign(slots, 0);
    for (const game::Symmetry& symmetry : symmetries.elements)
        if (std::ranges::all_of(symmetry.values, [](const auto& images) { return images.empty(); }))
            symmetries_.push_back(&symmetry);
}

PatternSet::Quota PatternSet::quota(double share) const {
    const auto grown = [&](std::uint32_t now, std::uint32_t limit) {
        return now + static_cast<std::uint32_t>(share * (limit - std::min(now, limit)));
    };
    return {grown(found_.inputs.weights, limits_.weights), grown(several_, limits_.patterns)};
}

std::vector<PatternSet::Slots> PatternSet::images(const Slots& slots, std::vector<Order>& orders) const {
    std::vector<Slots> result;
    std::set<Slots> seen;
    const Slots own = sorted(slots);
    for (const game::Symmetry* symmetry : symmetries_) {
        Slots image = image_of(slots, *symmetry);
        if (const Slots key = sorted(image); key == own) {
            Order order;
            for (const std::uint32_t slot : image)
                order.push_back(static_cast<std::uint32_t>(std::ranges::find(slots, slot) - slots.begin()));
            orders.push_back(std::move(order));
            if (seen.insert(key).second) result.push_back(slots);
        } else if (seen.insert(key).second) {
            result.push_back(std::move(image));
        }
    }
    return result;
}

void PatternSet::push(std::uint32_t first, const Slots& slots, std::uint64_t values) {
    Pattern pattern{.first = first, .slots = slots, .strides = {}};
    std::uint32_t stride = 1;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        pattern.strides.push_back(stride);
        stride *= static_cast<std::uint32_t>(values);
    }
    found_.inputs.patterns.push_back(std::move(pattern));
    found_.has_equals.push_back(last_has_equals_);
}

std::uint32_t PatternSet::add_weights(std::size_t slots, std::uint64_t values, const std::vector<Order>& orders) {
    const std::uint32_t first = found_.inputs.weights;
    const auto count = static_cast<std::uint32_t>(combinations(slots, values));
    found_.inputs.weights += count;
    std::vector<std::uint32_t>& ring = found_.ring;
    ring.resize(found_.inputs.weights);
    std::iota(ring.begin() + first, ring.end(), first);
    std::vector<std::uint32_t> group(count); // by combination: the least that is known to be equal
    std::iota(group.begin(), group.end(), 0U);
    std::vector<std::uint64_t> exchanged(slots);
    for (std::uint32_t c = 0; c < count; ++c)
        for (const Order& order : orders) {
            std::uint64_t rest = c, image = 0;
            for (std::size_t i = 0; i < slots; ++i, rest /= values) exchanged[order[i]] = rest % values;
            for (std::size_t i = slots; i-- > 0;) image = image * values + exchanged[i];
            // The orders are all of a group, so one step leads from the least of each set of equals to all others.
            group[image] = std::min(group[image], group[c]);
        }
    std::vector<std::uint32_t> last(count, count); // by group; `count`: none yet
    last_has_equals_ = false;
    for (std::uint32_t c = 0; c < count; ++c) {
        std::uint32_t& before = last[group[c]];
        if (before != count) {
            std::swap(ring[first + c], ring[first + before]);
            last_has_equals_ = true;
        }
        before = c;
    }
    return first;
}

void PatternSet::add_alone(std::uint32_t slot, std::uint64_t values, std::uint8_t shift) {
    if (known_.contains({slot})) return;
    std::vector<Order> orders;
    const std::uint64_t left = ((values - 1) >> shift) + 1;
    const std::uint32_t first = add_weights(1, left, {});
    for (const Slots& image : images({slot}, orders)) {
        known_.insert(image);
        found_.inputs.shifts[image.front()] = shift;
        push(first, image, left);
    }
}

bool PatternSet::add(const Slots& slots, std::uint64_t values, const Quota& quota) {
    if (known_.contains(sorted(slots))) return true;
    std::vector<Order> orders;
    const auto all = images(slots, orders);
    if (found_.inputs.weights + combinations(slots.size(), values) > quota.weights ||
        several_ + all.size() > quota.patterns)
        return false;
    const std::uint32_t first = add_weights(slots.size(), values, orders);
    for (const Slots& image : all) {
        known_.insert(sorted(image));
        push(first, image, values);
    }
    several_ += static_cast<std::uint32_t>(all.size());
    return true;
}

void PatternSet::add_classes(const std::vector<std::vector<Slots>>& classes, std::uint64_t values) {
    std::map<Slots, std::size_t> class_of;
    for (std::size_t c = 0; c < classes.size(); ++c)
        for (const Slots& slots : classes[c]) class_of[sorted(slots)] = c;
    std::vector<bool> added(classes.size(), false);
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (added[c] || classes[c].empty()) continue;
        std::vector<Order> orders;
        std::map<std::size_t, bool> alike{{c, false}}; // classes, and whether they are turned around
        for (const game::Symmetry* symmetry : symmetries_) {
            const Slots to = image_of(classes[c].front(), *symmetry);
            const auto found = class_of.find(sorted(to));
            if (found == class_of.end()) continue;
            const bool turned = std::ranges::find(classes[found->second], to) == classes[found->second].end();
            if (found->second == c && turned && orders.empty()) {
                orders.emplace_back(to.size());
                std::iota(orders.back().rbegin(), orders.back().rend(), 0U);
            }
            alike.try_emplace(found->second, turned);
        }
        const std::uint32_t first = add_weights(classes[c].front().size(), values, orders);
        for (const auto& [other, turned] : alike) {
            added[other] = true;
            for (const Slots& slots : classes[other]) push(first, turned ? reversed(slots) : slots, values);
            several_ += static_cast<std::uint32_t>(classes[other].size());
        }
    }
}

} // namespace zug::learn

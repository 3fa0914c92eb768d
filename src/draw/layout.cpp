#include "draw/layout.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace zug::draw {

namespace {

class Walker {
public:
    Walker(std::vector<Box>& boxes, double gap) : boxes_(boxes), gap_(gap), spots_(boxes.size()) {
        for (std::size_t v = 0; v < boxes.size(); ++v) {
            spots_[v].ancestor = v;
            for (std::size_t i = 0; i < boxes[v].children.size(); ++i) {
                spots_[boxes[v].children[i]].parent = v;
                spots_[boxes[v].children[i]].number = i;
            }
        }
    }

    void run() {
        first_walk(0);
        double left = std::numeric_limits<double>::infinity();
        second_walk(0, 0, left);
        for (Box& box : boxes_) box.x -= left;
    }

private:
    struct Spot {
        double prelim = 0, mod = 0, shift = 0, change = 0;
        std::optional<std::size_t> thread;
        std::size_t ancestor = 0, parent = 0, number = 0;
    };
    using Next = std::optional<std::size_t>;

    const std::vector<std::size_t>& children(std::size_t v) const { return boxes_[v].children; }
    Next next_left(std::size_t v) const { return children(v).empty() ? spots_[v].thread : children(v).front(); }
    Next next_right(std::size_t v) const { return children(v).empty() ? spots_[v].thread : children(v).back(); }
    double distance(std::size_t left, std::size_t right) const {
        return (boxes_[left].width + boxes_[right].width) / 2 + gap_;
    }
    Next left_sibling(std::size_t v) const {
        const Spot& spot = spots_[v];
        return v == 0 || spot.number == 0 ? Next() : children(spot.parent)[spot.number - 1];
    }

    void first_walk(std::size_t v);
    void second_walk(std::size_t v, double mod, double& left);
    std::size_t apportion(std::size_t v, std::size_t default_ancestor);
    void move_subtree(std::size_t from, std::size_t to, double shift);
    void execute_shifts(std::size_t v);

    std::vector<Box>& boxes_;
    double gap_;
    std::vector<Spot> spots_;
};

void Walker::first_walk(std::size_t v) {
    Spot& spot = spots_[v];
    const Next left = left_sibling(v);
    const double beside = left ? spots_[*left].prelim + distance(*left, v) : 0;
    if (children(v).empty()) {
        spot.prelim = beside;
        return;
    }
    std::size_t default_ancestor = children(v).front();
    for (const std::size_t child : children(v)) {
        first_walk(child);
        default_ancestor = apportion(child, default_ancestor);
    }
    execute_shifts(v);
    const double middle = (spots_[children(v).front()].prelim + spots_[children(v).back()].prelim) / 2;
    spot.prelim = left ? beside : middle;
    spot.mod = left ? beside - middle : 0;
}

// Moves the subtree of v so far to the right that it does not touch those of the siblings to its left. The contours
// are: inner right (of v's subtree, on its left side), inner left (of the siblings' subtrees, on their right side), and
// outer ones.
std::size_t Walker::apportion(std::size_t v, std::size_t default_ancestor) {
    const Next sibling = left_sibling(v);
    if (!sibling) return default_ancestor;
    std::size_t inner_right = v, outer_right = v, inner_left = *sibling;
    std::size_t outer_left = children(spots_[v].parent).front();
    double right_sum = spots_[v].mod, outer_right_sum = right_sum;
    double left_sum = spots_[inner_left].mod, outer_left_sum = spots_[outer_left].mod;
    Next down_left = next_right(inner_left), down_right = next_left(inner_right);
    while (down_left && down_right) {
        inner_left = *down_left;
        inner_right = *down_right;
        outer_left = *next_left(outer_left);
        outer_right = *next_right(outer_right);
        spots_[outer_right].ancestor = v;
        const double shift = spots_[inner_left].prelim + left_sum - (spots_[inner_right].prelim + right_sum) +
                             distance(inner_left, inner_right);
        if (shift > 0) {
            const std::size_t ancestor = spots_[inner_left].ancestor;
            const bool among_siblings = ancestor != 0 && spots_[ancestor].parent == spots_[v].parent;
            move_subtree(among_siblings ? ancestor : default_ancestor, v, shift);
            right_sum += shift;
            outer_right_sum += shift;
        }
        left_sum += spots_[inner_left].mod;
        right_sum += spots_[inner_right].mod;
        outer_left_sum += spots_[outer_left].mod;
        outer_right_sum += spots_[outer_right].mod;
        down_left = next_right(inner_left);
        down_right = next_left(inner_right);
    }
    if (down_left && !next_right(outer_right)) {
        spots_[outer_right].thread = down_left;
        spots_[outer_right].mod += left_sum - outer_right_sum;
    }
    if (down_right && !next_left(outer_left)) {
        spots_[outer_left].thread = down_right;
        spots_[outer_left].mod += right_sum - outer_left_sum;
        default_ancestor = v;
    }
    return default_ancestor;
}

void Walker::move_subtree(std::size_t from, std::size_t to, double shift) {
    const double part = shift / static_cast<double>(spots_[to].number - spots_[from].number);
    spots_[to].change -= part;
    spots_[to].shift += shift;
    spots_[from].change += part;
    spots_[to].prelim += shift;
    spots_[to].mod += shift;
}

void Walker::execute_shifts(std::size_t v) {
    double shift = 0, change = 0;
    for (std::size_t i = children(v).size(); i-- > 0;) {
        Spot& child = spots_[children(v)[i]];
        child.prelim += shift;
        child.mod += shift;
        change += child.change;
        shift += child.shift + change;
    }
}

void Walker::second_walk(std::size_t v, double mod, double& left) {
    boxes_[v].x = spots_[v].prelim + mod;
    left = std::min(left, boxes_[v].x - boxes_[v].width / 2);
    for (const std::size_t child : children(v)) second_walk(child, mod + spots_[v].mod, left);
}

} // namespace

void lay_out(std::vector<Box>& boxes, double gap) { Walker(boxes, gap).run(); }

} // namespace zug::draw

#pragma once
// Typed indices. An id is an enum over uint32_t, so ids of different kinds never mix, and a vector indexed by one
// kind of id refuses any other. `none_id` marks an absent id.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace zug {

template <class Id>
inline constexpr Id none_id = static_cast<Id>(UINT32_MAX);

template <class Id>
constexpr std::size_t index(Id id) {
    return static_cast<std::size_t>(id);
}

template <class Id>
constexpr bool valid(Id id) {
    return id != none_id<Id>;
}

// A vector of T that is indexed by Id. push() returns the id of the new element.
template <class Id, class T>
class IdVector {
public:
    IdVector() = default;
    IdVector(std::initializer_list<T> items) : items_(items) {}

    Id push(T item) {
        items_.push_back(std::move(item));
        return static_cast<Id>(items_.size() - 1);
    }
    T& operator[](Id id) {
        assert(index(id) < items_.size());
        return items_[index(id)];
    }
    const T& operator[](Id id) const {
        assert(index(id) < items_.size());
        return items_[index(id)];
    }
    std::size_t size() const { return items_.size(); }
    bool empty() const { return items_.empty(); }
    auto begin() { return items_.begin(); }
    auto end() { return items_.end(); }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }

private:
    std::vector<T> items_;
};

} // namespace zug

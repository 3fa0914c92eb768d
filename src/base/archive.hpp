#pragma once
// Serialisation to bytes and back, for files and pipes between programs of one version on one machine: numbers,
// enumerations, strings, vectors, arrays, pairs, optionals, and aggregates of all these, member by member (Boost.PFR).
// Pointers are skipped.
//
// Writer and Reader have the same operations, so that one template can describe both directions for a type that is not
// serialised member by member.

#include "base/bits.hpp"
#include "base/id.hpp"

#include <boost/pfr.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace zug::archive {

using Bytes = std::vector<std::uint8_t>;

namespace detail {

template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class Id, class T>
inline constexpr bool is_vector<IdVector<Id, T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
// Vectors of these are copied as one block of bytes: they have no padding.
template <class T>
inline constexpr bool is_bits = std::has_unique_object_representations_v<T> && !std::is_pointer_v<T> &&
                                std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>;

// Calls f with each part of a pair or an aggregate. A pointer has none.
template <class T, class F>
void each_part(T& value, F&& f) {
    if constexpr (is_pair<std::remove_const_t<T>>) {
        f(value.first);
        f(value.second);
    } else if constexpr (!std::is_pointer_v<T>) {
        boost::pfr::for_each_field(value, f);
    }
}

} // namespace detail

// Leaves out members of the types `Skipped`.
template <class... Skipped>
class WriterWithout {
public:
    template <class T>
    void value(const T& v) {
        if constexpr ((std::is_same_v<T, Skipped> || ...)) {
            return;
        } else if constexpr (detail::is_plain<T>) {
            raw(&v, sizeof(T));
        } else if constexpr (std::is_same_v<T, std::string>) {
            value(static_cast<std::uint64_t>(v.size()));
            raw(v.data(), v.size());
        } else if constexpr (detail::is_vector<T>) {
            items(v);
        } else if constexpr (detail::is_array<T>) {
            for (const auto& item : v) value(item);
        } else if constexpr (std::is_same_v<T, Bits>) {
            value(static_cast<std::uint64_t>(v.size()));
            raw(v.words(), v.word_count() * sizeof(std::uint64_t));
        } else if constexpr (detail::is_optional<T>) {
            value(v.has_value());
            if (v) value(*v);
        } else {
            detail::each_part(v, [this](const auto& part) { this->value(part); });
        }
    }
    template <class T, class F>
    void list(const std::vector<T>& list, F&& each) {
        value(static_cast<std::uint64_t>(list.size()));
        for (const T& item : list) each(item);
    }
    Bytes bytes;

private:
    template <class List>
    void items(const List& list) {
        using Item = std::remove_cvref_t<decltype(*list.begin())>;
        value(static_cast<std::uint64_t>(list.size()));
        if constexpr (detail::is_bits<Item> && sizeof...(Skipped) == 0)
            raw(std::to_address(list.begin()), list.size() * sizeof(Item));
        else
            for (const auto& item : list) value<Item>(item);
    }
    void raw(const void* from, std::size_t size) {
        if (size == 0) return;
        bytes.resize(bytes.size() + size);
        std::memcpy(bytes.data() + bytes.size() - size, from, size);
    }
};

using Writer = WriterWithout<>;

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

    template <class T>
    void value(T& v) {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            raw(&byte, 1);
            good_ = good_ && byte <= 1; // any other is no bool, and may not be read as one
            v = good_ && byte != 0;
        } else if constexpr (detail::is_plain<T>) {
            raw(&v, sizeof(T));
        } else if constexpr (std::is_same_v<T, std::string>) {
            v.resize(count(1));
            raw(v.data(), v.size());
        } else if constexpr (detail::is_vector<T>) {
            items(v);
        } else if constexpr (detail::is_array<T>) {
            for (auto& item : v) value(item);
        } else if constexpr (detail::is_optional<T>) {
            bool has = false;
            value(has);
            v.reset();
            if (has) value(v.emplace());
        } else {
            detail::each_part(v, [this](auto& part) { this->value(part); });
        }
    }
    template <class T, class F>
    void list(std::vector<T>& list, F&& each) {
        list.resize(count(1));
        for (T& item : list) each(item);
    }
    // Whether all bytes have been consumed and none were missing.
    bool done() const { return good_ && rest_.empty(); }

private:
    template <class T>
    void items(std::vector<T>& list) {
        if constexpr (std::is_same_v<T, bool>) {
            list.resize(count(1));
            for (std::size_t i = 0; i < list.size(); ++i) {
                bool item = false;
                value(item);
                list[i] = item;
            }
        } else if constexpr (detail::is_bits<T>) {
            list.resize(count(sizeof(T)));
            raw(list.data(), list.size() * sizeof(T));
        } else {
            list.resize(count(1));
            for (T& item : list) value(item);
        }
    }
    // A length, of items that take at least `size` bytes each: an impossible one fails before memory is allocated.
    std::size_t count(std::size_t size) {
        std::uint64_t n = 0;
        value(n);
        if (n > rest_.size() / size) good_ = false;
        return good_ ? n : 0;
    }
    void raw(void* to, std::size_t size) {
        good_ = good_ && size <= rest_.size();
        if (!good_ || size == 0) return;
        std::memcpy(to, rest_.data(), size);
        rest_ = rest_.subspan(size);
    }
    std::span<const std::uint8_t> rest_;
    bool good_ = true;
};

// The value that these bytes hold. Empty: they hold no such value, or more than it.
template <class T>
std::optional<T> read(std::span<const std::uint8_t> bytes) {
    std::optional<T> value(std::in_place);
    Reader reader(bytes);
    reader.value(*value);
    if (!reader.done()) value.reset();
    return value;
}

} // namespace zug::archive

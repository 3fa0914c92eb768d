#pragma once
// Commands as words.

#include "base/text.hpp"

#include <string_view>
#include <utility>

namespace zug::protocols {

// Takes the first word off a text; empty: there is none.
inline std::string_view next_word(std::string_view& text) {
    text = trimmed(text);
    const std::size_t end = text.find_first_of(blanks);
    const std::string_view word = text.substr(0, end);
    text = end == text.npos ? std::string_view() : trimmed(text.substr(end));
    return word;
}

// What stands before and after a word of its own; the latter is empty where there is no such word.
inline std::pair<std::string_view, std::string_view> split_at(std::string_view text, std::string_view word) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view next = next_word(rest);
        if (next != word) continue;
        const auto at = static_cast<std::size_t>(next.data() - text.data());
        return {trimmed(text.substr(0, at)), rest};
    }
    return {trimmed(text), {}};
}

} // namespace zug::protocols

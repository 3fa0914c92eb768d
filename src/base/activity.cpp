#include "base/activity.hpp"

#include "base/printable.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

namespace zug {

namespace {

std::array<char, Activity::most + 1> text_now{}; // the last character is always 0

void set(std::string_view text) {
    const std::size_t size = std::min(text.size(), Activity::most);
    std::memcpy(text_now.data(), text.data(), size);
    text_now[size] = 0;
}

} // namespace

Activity::Activity(std::string_view text) {
    static const std::thread::id first = std::this_thread::get_id();
    counts_ = std::this_thread::get_id() == first;
    if (!counts_) return;
    before_ = text_now.data();
    set(printable(text));
}

Activity::~Activity() {
    if (counts_) set(before_);
}

const char* Activity::current() { return text_now.data(); }

} // namespace zug

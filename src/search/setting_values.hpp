#pragma once
// The values that settings of search methods take (settings.cpp), read from text and written as text. Those that read
// leave what they set in any state if the text is none of the values, and say so by returning false.

#include "base/text.hpp"
#include "search/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace zug::search {

inline constexpr double longest_time = 1e7; // seconds; enough for a season

template <class Number>
bool set_within(Number& to, std::string_view text, Number least, Number most) {
    const auto value = number_in<Number>(text);
    if (!value || !(*value >= least && *value <= most)) return false;
    to = *value;
    return true;
}

// A number followed by one of the units.
inline std::optional<double> measured(std::string_view text,
                                      std::span<const std::pair<std::string_view, double>> units) {
    double unit = 1;
    for (const auto& [name, size] : units)
        if (text.ends_with(name)) {
            text.remove_suffix(name.size());
            unit = size;
            break;
        }
    const auto value = number_in<double>(text);
    return value ? std::optional(*value * unit) : std::nullopt;
}

inline bool set_time(double& to, std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, double>, 3> units{{{"ms", 1e-3}, {"s", 1}, {"m", 60}}};
    const auto seconds = measured(text, units);
    if (!seconds || !(*seconds > 0) || *seconds > longest_time) return false;
    to = *seconds;
    return true;
}

// `2s`, for each move, or `5m+3s`, for the whole game and for each move of it.
inline bool set_times(Settings& settings, std::string_view text) {
    const std::size_t plus = text.find('+');
    if (plus == text.npos) {
        settings.game_time.reset();
        return set_time(settings.seconds, text);
    }
    GameTime time;
    const std::string_view more = text.substr(plus + 1);
    if (!set_time(time.seconds, text.substr(0, plus)) || (more != "0" && !set_time(time.increment, more))) return false;
    settings.game_time = time;
    settings.seconds = 0;
    return true;
}

inline std::string times_text(const Settings& settings) {
    if (settings.game_time) return fmt::format("{}s+{}s", settings.game_time->seconds, settings.game_time->increment);
    return settings.seconds > 0 ? fmt::format("{}s", settings.seconds) : "unlimited";
}

inline bool set_switch(bool& to, std::string_view text) {
    if (text != "on" && text != "off") return false;
    to = text == "on";
    return true;
}

// `on` is 1.
inline bool set_amount(double& to, std::string_view text, double most) {
    bool on = false;
    if (!set_switch(on, text)) return set_within(to, text, 0.0, most);
    to = on ? 1 : 0;
    return true;
}

inline constexpr double usual_share = 0.75; // of the time, for a proof
inline constexpr double usual_check = 0.1;  // of the limits, for a look at the move that uct has chosen

inline bool set_share(double& to, std::string_view text) {
    bool on = false;
    if (!set_switch(on, text)) return set_within(to, text, 0.0, 0.9);
    to = on ? usual_share : 0;
    return true;
}

// One of the names of an enumeration, in its order.
template <class Enum, std::size_t N>
bool set_choice(Enum& to, std::string_view text, const std::array<std::string_view, N>& names) {
    const auto at = std::ranges::find(names, text);
    if (at == names.end()) return false;
    to = static_cast<Enum>(at - names.begin());
    return true;
}
inline constexpr std::array<std::string_view, 3> star_names{"off", "1", "2"};
inline constexpr std::array<std::string_view, 5> window_names{"full", "aspiration", "mtdf", "sss", "dual"};

inline std::string switch_text(bool on) { return on ? "on" : "off"; }

inline bool set_selective(Options& options, std::string_view text) {
    bool on = false;
    if (!set_switch(on, text)) return false;
    options.set_selective(on);
    return true;
}

inline bool set_size(std::size_t& bytes, std::string_view text) {
    constexpr std::uint64_t least = 1 << 20, most = std::uint64_t{1} << 40;
    const auto number = bytes_in(text);
    if (!number || *number < least || *number > most) return false;
    bytes = *number >> 20 << 20; // as it is shown
    return true;
}

inline constexpr std::array<std::string_view, 3> sharing_names{"off", "edges", "nodes"};

template <class Number>
bool set_or_auto(std::optional<Number>& to, std::string_view text, Number least, Number most) {
    to.reset();
    return text == "auto" || set_within(to.emplace(), text, least, most);
}

template <class Number>
std::string or_auto(const std::optional<Number>& value) {
    return value ? fmt::format("{}", *value) : "auto";
}

inline bool set_rave(std::optional<bool>& to, std::string_view text) {
    to.reset();
    return text == "auto" || set_switch(to.emplace(), text);
}

inline bool set_table(Options& options, std::string_view text) {
    if (text == "on" || text == "off") return set_switch(options.table, text);
    options.table = true;
    return set_size(options.table_bytes, text);
}

} // namespace zug::search

#pragma once
// The settings of search methods, as a table: what a text such as `depth=8,quiescence=on` may name, for which methods,
// with which values, and where the idea comes from. Players' texts, `zug search --method` and `zug help players` all
// read this table.

#include "base/error.hpp"
#include "search/search.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zug::search {

// The time for a whole game, and what each move adds to it.
struct GameTime {
    double seconds = 0, increment = 0;
};

// A method with its limits and options, as a text names them.
struct Settings {
    std::optional<Method> method; // empty: automatic(traits)
    int depth = unlimited_depth;
    double seconds = 0;                // for each move
    std::optional<GameTime> game_time; // instead of it
    std::uint64_t nodes = 0;
    std::string book; // the file of a player's opening book; empty: none
    std::string rote; // the file in which a player remembers positions (learn/rote_memory.hpp); empty: none
    std::size_t rote_size = 100'000; // how many of them
    double random = 0;               // how often a player makes any move instead
    std::string model;               // who errant takes the opponent to be; empty: nobody in particular
    std::string eval;                // by what positions are evaluated (learn/use.hpp); empty: as usual
    Options options = calibrated();

    // Whether any of depth, time and nodes is limited.
    bool limited() const { return depth != unlimited_depth || seconds > 0 || game_time || nodes != 0; }
    // The limits of a search for one move, but for the game's time.
    Limits limits() const;

private:
    static Options calibrated() {
        Options options;
        options.calibration = true;
        return options;
    }
};

struct Setting {
    std::string_view name;
    std::uint32_t methods; // a bit for each method that has it
    std::string_view values;
    std::string_view what;                                   // a sentence for people
    std::string_view source;                                 // the paper that it comes from; may be empty
    bool (*set)(Settings& settings, std::string_view value); // false: not one of the values
    std::string (*get)(const Settings& settings);

    bool suits(std::optional<Method> method) const {
        return !method || (methods >> static_cast<unsigned>(*method) & 1U) != 0;
    }
};

std::span<const Setting> all_settings();

// `METHOD` or `METHOD:key=value,...`, where METHOD may be `auto`; what it does not set is as in `defaults`. The error
// says what is wrong, what is allowed, and what may have been meant.
tl::expected<Settings, Error> parse_settings(std::string_view text, const Settings& defaults = {});

// The names of the methods, `auto` among them.
std::span<const std::string_view> method_names();

// `; did you mean x?`, or nothing if no name is near.
std::string suggestion(std::string_view text, std::span<const std::string_view> names);

} // namespace zug::search

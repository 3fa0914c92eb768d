#pragma once
// Zug as a C++ library: games read from rule files, and their positions.
//
//   auto game = zug::api::Game::load("tic-tac-toe");
//   if (!game) return tell(game.error().text);
//   zug::api::State state = game->initial();
//   auto done = state.play("b2");
//
// The headers of src/api are all that is installed, as <zug/game.hpp> and so on. Errors are values with a text for
// people: of a rule file all diagnostics, with the lines they are about. A Game, its states, and all that is made from
// either are used by one thread at a time; clone() gives another thread a game of its own.

#include "base/error.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::api {

struct LoadOptions {
    std::map<std::string, std::string> parameters; // of the rule file, by name
    // What runs the rules: "native" waits for optimised machine code, "interpreter", "reference"; empty: the
    // interpreter at first, machine code as soon as there is some.
    std::string executor;
    std::vector<std::string> folders; // where files are looked for that a rule file extends or imports, after its own
};

enum class Kind : std::uint8_t { Decision, Chance, Terminal };

struct Inner; // of the library
class Observer;
class State;

class Game {
public:
    // A rule file by its path, or by the name of one that comes with Zug.
    static tl::expected<Game, Error> load(const std::string& file, const LoadOptions& options = {});
    // The rules themselves.
    static tl::expected<Game, Error> load_text(const std::string& rules, const LoadOptions& options = {});
    Game clone() const; // what never changes is shared

    std::string name() const;  // of the rule file; "text" for rules given as text
    std::string title() const; // as the rules say it
    std::map<std::string, std::string> parameters() const;
    std::vector<std::string> players() const; // their names, in the order of turns
    bool has_chance() const;
    bool is_zero_sum() const;      // two sides, proved from the rules
    double lowest_utility() const; // no end is worth less to anybody
    double highest_utility() const;
    std::string executor() const; // what runs the rules at the moment

    State initial() const;
    // A position as State::text() writes it, or in the format that the rules declare.
    tl::expected<State, Error> position(std::string_view text) const;

    // Fixed numbers of what players and chance can do, the same in every position. In most games an action is a move;
    // where a move is a chain of steps, an action is a step, and one more action ends the chain (State::act).
    std::int64_t action_count() const;
    std::int64_t outcome_count() const;                   // the same for chance
    std::string action_text(std::int64_t action) const;   // the rule and its parameters; "" outside the range
    std::string outcome_text(std::int64_t outcome) const; // the same

    // Positions as arrays of numbers: see observation.hpp.
    const Observer& observer() const;

    const std::shared_ptr<Inner>& inner() const { return inner_; }

    explicit Game(std::shared_ptr<Inner> inner) : inner_(std::move(inner)) {}

private:
    static tl::expected<Game, Error> made(std::shared_ptr<Inner> inner);

    std::shared_ptr<Inner> inner_;
};

// The rule files that come with Zug, by name. An error: they are not where they were installed.
tl::expected<std::vector<std::string>, Error> library();

// A position. Copies are cheap: they share what has been found out about it.
class State {
public:
    Kind kind() const;
    std::uint32_t player() const;           // whose turn it is, at a decision
    std::uint64_t hash() const;             // equal positions have equal hashes, in this process
    std::string text() const;               // the position, for Game::position(); without its history
    std::string board() const;              // for people: several lines
    std::vector<double> utilities() const;  // by player; 0 where the game goes on
    std::vector<double> evaluation() const; // what the rules' `eval` says, as a utility; 0 without one

    // The legal moves, or the outcomes of chance, are numbered from 0 in the order of these functions.
    std::size_t moves() const; // none at the end of the game
    const std::vector<std::string>& texts() const;
    std::uint64_t move_hash(std::size_t i) const; // tells a move from all others of this position, always the same
    double probability(std::size_t i) const;      // of an outcome; 1 at a decision
    // Which move a text names: as texts() has it, or nearly so. The error names the most similar moves.
    tl::expected<std::size_t, Error> find(std::string_view text) const;
    std::optional<std::size_t> find(std::uint64_t move_hash) const;

    // Makes a move. On errors (a wrong number or text, a rule that fails) the state stays as it was.
    tl::expected<void, Error> play(std::size_t i);
    tl::expected<void, Error> play(std::string_view line); // one move or several

    // By fixed numbers (Game::action_count, at a chance node Game::outcome_count). Where moves are chains of steps,
    // the steps made so far of the next one are begun(); all that is said above is about the position before them.
    std::vector<std::int64_t> actions() const; // the legal ones, ascending
    std::vector<double> action_probabilities() const;
    std::string action_text(std::int64_t action) const; // in this position, as the game writes steps
    tl::expected<void, Error> act(std::int64_t action);
    std::span<const std::int64_t> begun() const { return begun_; }

    Game game() const { return Game(inner_); }
    // The same position, for the thread that uses a clone of the game.
    State in(const Game& clone) const { return {clone.inner(), node_}; }

    const std::shared_ptr<Inner>& inner() const { return inner_; }
    struct Node;
    const Node& node() const { return *node_; }
    State(std::shared_ptr<Inner> inner, std::shared_ptr<const Node> node)
        : inner_(std::move(inner)), node_(std::move(node)) {}

private:
    std::optional<std::size_t> completed(std::span<const std::int64_t> chosen) const;
    std::vector<std::int64_t> numbers(std::size_t i) const;

    std::shared_ptr<Inner> inner_;
    std::shared_ptr<const Node> node_;
    std::vector<std::int64_t> begun_;
};

} // namespace zug::api

#pragma once
// Moves as chess players write them (PGN Standard, S. J. Edwards, 1994, section 8.2.3): `Nf3`, `exd5`, `e8=Q+`, `O-O`.
//
// It suits every game whose own texts of moves begin with two sites, of which the first holds a man of the mover, where
// the board is a map to pairs of a player and a kind, and the kinds have letters of their own. `P` is left out, as the
// standard has it. A move of two men of the mover is castling, short if it goes to a later column. Whether a move gives
// check is found out by the game's own `ensure`: what it asks of every move alike does not hold for the opponent, who
// has not moved yet.

#include "game/game.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zug::records {

class San {
public:
    // None: the game's moves can't be written so.
    static std::optional<San> of(game::Game& game);

    // Of a move of the list, for people and other programs.
    std::string text(game::Game& game, const game::State& state, const game::MoveList& moves, std::size_t i) const;
    // The moves that a text may name. It may leave out `x`, `=`, `+` and `#`, name the first site where it need not,
    // and castle with zeros.
    std::vector<std::size_t> called(game::Game& game, const game::State& state, const game::MoveList& moves,
                                    std::string_view text) const;
    // The only one. The error: none, or several.
    tl::expected<std::size_t, Error> find(game::Game& game, const game::State& state, const game::MoveList& moves,
                                          std::string_view text) const;

private:
    using Slots = std::vector<std::uint32_t>;
    struct Move {
        char kind = 0; // its letter
        std::size_t from = 0, to = 0;
        std::string becomes; // what is written behind the sites, in capital letters
    };
    struct Effect {
        bool castles = false, captures = false, ends = false, checks = false;
    };

    San() = default;
    bool find_map(const ir::Program& program);
    void find_checks(const ir::Program& program);
    std::optional<std::size_t> site_at_beginning(std::string_view text) const;
    std::optional<Move> move_of(const Slots& slots, std::string_view text) const;
    std::vector<std::optional<Move>> moves_of(game::Game& game, const game::State& state,
                                              const game::MoveList& moves) const;
    Effect effect(game::Game& game, const game::State& state, const game::MoveList& moves, std::size_t i,
                  const Move& move) const;
    std::string origin(std::span<const std::optional<Move>> moves, std::size_t i, bool captures) const;
    bool may_be(const Move& move, std::string_view text) const;
    std::vector<std::size_t> castlings(game::Game& game, const game::State& state, const game::MoveList& moves,
                                       bool to_later_column) const;
    // By ordinal of the map's values: whose, and the letter of its kind; 0: nobody's.
    struct Man {
        std::int64_t player = 0;
        char letter = 0;
    };
    Man man(const Slots& slots, std::size_t site) const { return men_[slots[first_slot_ + site]]; }

    std::uint32_t first_slot_ = 0; // of the map
    std::vector<Man> men_;
    std::vector<std::string> sites_;
    std::vector<std::int32_t> columns_; // by site
    std::unordered_map<std::string, std::size_t> site_named_;
    std::size_t longest_ = 0;        // name of a site
    std::vector<ir::ExprId> checks_; // what every move has to establish, whatever it is
};

} // namespace zug::records

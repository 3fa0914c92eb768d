#pragma once
// What kind of move a move is: its rule, the parameters that are not sites, and of those that are, what stands there.
// Moves of a kind tend to be worth the same wherever they are made: a pawn that takes a queen, a man that steps to an
// empty square. What stands on a site is told by the maps that the rules have from it to single values.
//
// Move ordering learns by kinds (search/core/move_values.hpp). That two moves are of one kind says nothing for sure.

#include "executor/move_list.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::game {

class MoveKinds {
public:
    // A map of the position, whose values by site begin at `first` of what Line::read gives.
    struct Map {
        ir::StateId state;
        std::uint32_t sites = 0, first = 0;
    };

    explicit MoveKinds(const ir::Program& program);

    std::span<const Map> maps() const { return maps_; }
    std::uint32_t entries() const { return entries_; }
    // A number that moves of a kind share; of others it is as random. Of a move of several steps the first and their
    // number count. `contents`: of Line::read, at the position before the move. Cost: some nanoseconds a parameter.
    std::uint64_t of(std::span<const run::StepCode> steps, std::span<const std::uint32_t> contents) const;

private:
    struct Param {
        std::uint64_t radix = 1;
        std::uint32_t none = 0;            // 1: ordinal 0 is `none`, and sites are numbered from 1
        std::vector<std::uint32_t> firsts; // of the maps that have the site; empty: not a site, or none has it
        bool site = false;
    };
    struct Rule {
        std::uint64_t first_code = 0;
        std::vector<Param> params;
    };
    void add_maps(const ir::Program& program);
    Param describe(const ir::Program& program, ir::TypeId type) const;

    std::vector<Map> maps_;
    std::vector<std::uint32_t> boards_; // of each map
    std::vector<Rule> rules_;           // by first code
    std::uint32_t entries_ = 0;
};

} // namespace zug::game

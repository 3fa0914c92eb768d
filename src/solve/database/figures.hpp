#pragma once
// The figures of a database's description, counted again from its positions by verify().

#include "solve/database/database.hpp"

#include <map>

namespace zug::solve {

struct Figures {
    using ByResult = std::map<std::pair<std::uint32_t, Result>, std::uint64_t>; // by mover and result: positions

    std::uint64_t positions = 0, moves = 0, tiers = 0;
    ByResult by_result;   // without chance
    ValueCounts by_value; // with chance

    // Counts a position: the index-th of the block, or one of its images.
    void add(const Database& database, const Database::Block& block, std::size_t index, game::NodeKind kind,
             std::uint32_t mover);
    void add(const Figures& other);
    // What differs from the description, a sentence each.
    std::vector<std::string> differences(const Database& database) const;
};

} // namespace zug::solve

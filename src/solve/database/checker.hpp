#pragma once
// What verify() asks about each position of a database, of results or of what players can expect.

#include "solve/database/database.hpp"
#include "solve/storage/memory_budget.hpp"

#include <functional>
#include <memory>

namespace zug::solve {

// Positions whose successors are looked up together; of a block, or images of its positions.
struct CheckedPositions {
    struct Position {
        Key key;
        std::size_t index; // in the block, of the one that stands for it
        game::NodeKind kind;
        std::uint32_t mover;
        std::size_t successors_end, numbers_end;
    };
    std::vector<Position> positions;
    std::vector<Key> successors;
    std::vector<double> numbers; // payoffs of ends, probabilities of what chance may bring

    void clear() {
        positions.clear();
        successors.clear();
        numbers.clear();
    }
};

class Checker {
public:
    virtual ~Checker() = default;
    using Done = tl::expected<void, Error>; // an error: the file is damaged
    // From now on the positions of this tier are checked, which these blocks hold; tiers come from the last to the
    // first.
    virtual Done take(std::uint32_t tier, std::size_t from_block, std::size_t to_block) = 0;
    // Tells what is wrong with which position, in the words before and after its text. Called from all threads.
    using Report = std::function<void(Key key, std::string_view before, std::string_view after)>;
    virtual Done check(const CheckedPositions& checked, const Database::Block& block, const Report& report) const = 0;
};

std::unique_ptr<Checker> result_checker(const Database& database, const Budget& budget);
std::unique_ptr<Checker> expectation_checker(const Database& database, const Budget& budget);

} // namespace zug::solve

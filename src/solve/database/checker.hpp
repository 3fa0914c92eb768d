#pragma once
// The checks that verify() makes on each position of a database: of results, or of expected utilities.

#include "solve/database/database.hpp"
#include "solve/storage/memory_budget.hpp"

#include <functional>
#include <memory>

namespace zug::solve {

// Positions whose successors are looked up in one batch: positions of a block, or images of these.
struct CheckedPositions {
    struct Position {
        Key key;
        std::size_t index; // in the block: of its representative
        game::NodeKind kind;
        std::uint32_t mover;
        std::size_t successors_end, numbers_end;
    };
    std::vector<Position> positions;
    std::vector<Key> successors;
    std::vector<double> numbers; // payoffs of ends, probabilities of chance outcomes

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
    // Announces the tier that is checked next and the blocks that hold it. The last tier comes first.
    virtual Done begin_tier(std::uint32_t tier, std::size_t from_block, std::size_t to_block) = 0;
    // Reports an error of the position with this key: a sentence, split where the position's text belongs. Called from
    // all threads.
    using Report = std::function<void(Key key, std::string_view before, std::string_view after)>;
    virtual Done check(const CheckedPositions& checked, const Database::Block& block, const Report& report) const = 0;
};

std::unique_ptr<Checker> result_checker(const Database& database, const Budget& budget);
std::unique_ptr<Checker> expectation_checker(const Database& database, const Budget& budget);

} // namespace zug::solve

#pragma once
// What verify() asks about each position of a database, of results or of what players can expect.

#include "solve/crew.hpp"
#include "solve/database.hpp"

#include <memory>

namespace zug::solve {

class Checker {
public:
    virtual ~Checker() = default;
    // From now on the positions of this tier are checked; tiers come from the last to the first.
    virtual void take(std::uint32_t tier, Database::Block content) = 0;
    // What is wrong with the position of this key, which the i-th of the tier stands for, or empty. Called from all
    // threads; a rule's fault is left in the walker.
    virtual std::string check(Walker& walker, Key key, std::size_t i) const = 0;
};

std::unique_ptr<Checker> result_checker(const Database& database);
std::unique_ptr<Checker> expectation_checker(const Database& database);

} // namespace zug::solve
